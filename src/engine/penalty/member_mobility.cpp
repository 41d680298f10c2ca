#include "engine/penalty/member_mobility.hpp"

#include "engine/laws/laws.hpp"
#include "engine/penalty/contact_input.hpp"
#include "engine/penalty/flush_patches.hpp"
#include "engine/penalty/gather.hpp"
#include "engine/state/inertia.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct WallLists {
    const RowStart* row_start;  // null where the list is empty
    const std::int32_t* surface;
};

WallLists lists_of(ContactList& pairs) {
    return {pairs.size() > 0 ? pairs.row_start.data() : nullptr, pairs.b.data()};
}

struct Weighing {
    BodyView body;
    ShapeView shapes;
    const RowStart* row_start;
    const std::uint32_t* entry;
    const Slot *a, *b;
    WallLists planes, cylinders;
    PlaneSurfaces plane;
    RoundSurfaces round;
    const RowStart* mesh_rows;
    MeshView mesh;
    MeshPairView mesh_pairs;
    const WallPlace* places;  // null where no wall moves
};

/// v n summed over the spheres that sphere i touches: speeds of approach along normals.
SCREE_HD Vec3 push_of_spheres(const Weighing& w, Index i) {
    Vec3 push{};
    for (Index k = w.row_start[i]; k < w.row_start[i + 1]; ++k) {
        const std::uint32_t e = w.entry[k];
        const Index p = static_cast<Index>(e >> 1), j = (e & 1u) != 0 ? w.a[p] : w.b[p];
        const Vec3 d = relative_position(w.body.position[i], w.body.position[j]);
        const SphereGap<double> gap = sphere_gap<double>(d, w.body.radius[i], w.body.radius[j]);
        if (gap.delta > 0) push += dot(w.body.velocity[i] - w.body.velocity[j], gap.normal) * gap.normal;
    }
    return push;
}

/// The same of one surface of a wall.
SCREE_HD Vec3 push_of_surface(const Weighing& w, Index i, const SurfaceGap& gap, std::int32_t wall) {
    if (!(gap.distance < w.body.radius[i])) return {};
    const Vec3 moves = w.places == nullptr ? Vec3{} : velocity_at(velocity_in(&w.places[wall].mid), surface_point(w.body, i, gap));
    return dot(w.body.velocity[i] - moves, gap.normal) * gap.normal;
}

template <class Surfaces>
SCREE_HD Vec3 push_of_surfaces(const Weighing& w, const WallLists& list, const Surfaces& surfaces, Index i) {
    const PairRow row = row_of(list.row_start, i);
    const Vec3 x = w.body.position[i];
    Vec3 push{};
    for (Index p = row.first; p < row.last; ++p) {
        const Index s = list.surface[p];
        const SurfaceGap gap = w.places == nullptr ? surfaces.gap(s, x) : placed_gap(surfaces, s, w.places, x);
        push += push_of_surface(w, i, gap, surfaces.wall(s));
    }
    return push;
}

/// As the forces find them, which write the same normals and distances again.
SCREE_HD Vec3 push_of_patches(const Weighing& w, Index i) {
    const PairRow row = row_of(w.mesh_rows, i);
    if (row.first == row.last) return {};
    const double radius = w.body.radius[i];
    find_patch_gaps(w.mesh, w.mesh_pairs, w.places, row.first, row.last, w.body.position[i], radius);
    keep_one_of_equals(w.mesh, w.mesh_pairs.patch, w.mesh_pairs.normal, w.mesh_pairs.distance, row.first, row.last, radius);
    drop_flush_edges(w.mesh, w.mesh_pairs, w.places, row.first, row.last, radius);
    Vec3 push{};
    for (Index p = row.first; p < row.last; ++p)
        push += push_of_surface(w, i, {w.mesh_pairs.normal[p], w.mesh_pairs.distance[p]}, w.mesh.patch_wall[w.mesh_pairs.patch[p]]);
    return push;
}

/// Impulses on a compound, one for each member.
struct Pushes {
    Vec3 sum, turn;  // turn: about the centre
    double squares{0};
};

/// What compound `at` answers with, by mass [1/kg].
SCREE_HD double mobility_of(const Weighing& w, Index at, const Pushes& p) {
    const double alone = w.body.inverse_mass[at];
    if (!(p.squares > 0)) return alone;
    const Vec3 t = transposed_times(rotation_matrix(w.body.orientation[at]), p.turn), moments = moments_of(w.body, w.shapes, at);
    const double turning = t.x * t.x / moments.x + t.y * t.y / moments.y + t.z * t.z / moments.z;
    const double found = (alone * norm2(p.sum) + turning) / p.squares;
    return found > alone ? found : alone;
}

}  // namespace

void weigh_members(const Model& model, State& state, Workspace& work) {
    if (model.method != Method::Penalty || !state.has_compounds || !state.has_spheres) return;
    const bool moving = work.walls.motions.any;
    const Weighing w{state.bodies.view(),
                     work.shapes.view(),
                     state.lists[kSpheres].row_start.data(),
                     state.lists[kSpheres].entry.data(),
                     state.lists[kSpheres].a.data(),
                     state.lists[kSpheres].b.data(),
                     lists_of(state.lists[kPlanes]),
                     lists_of(state.lists[kCylinders]),
                     {work.walls.plane_view()},
                     {work.walls.cylinder_view(), work.walls.arcs},
                     state.lists[kMeshes].size() > 0 ? state.lists[kMeshes].row_start.data() : nullptr,
                     work.walls.mesh_view(),
                     view_of(state.lists[kMeshes]),
                     moving ? work.walls.motions.places() : nullptr};
    const CompoundView c = work.compounds.view();
    const Slot* slot = work.slot_of_id.data();
    for_each(
        work.exec, "penalty/weigh_members", work.compounds.count,
        SCREE_LAMBDA(Index k)->void {
            const Slot at = slot[c.id[k]];
            if (at < 0) return;
            Pushes all{};
            for (Index m = c.member_start[k]; m < c.member_start[k + 1]; ++m) {
                const Index i = slot[c.member[m]];
                if (!w.body.is_sphere(i)) continue;
                const Vec3 push = push_of_spheres(w, i) + push_of_surfaces(w, w.planes, w.plane, i) +
                                  push_of_surfaces(w, w.cylinders, w.round, i) + push_of_patches(w, i);
                all.sum += push;
                all.turn += cross(w.body.position[i] - w.body.position[at], push);
                all.squares += norm2(push);
            }
            const double mobility = mobility_of(w, at, all);
            for (Index m = c.member_start[k]; m < c.member_start[k + 1]; ++m) {
                const Index i = slot[c.member[m]];
                if (w.body.is_sphere(i)) w.body.velocity.row[i].value[3] = mobility;
            }
        },
        work.flags.gate());
}

}  // namespace scree::SCREE_FLAVOR
