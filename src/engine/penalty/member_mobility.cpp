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

/// Pairs of polyhedra with a class of surfaces: in each the force and the torque of the step before.
struct PatchWalls {
    WallLists rows;
    ContactView contact;
    const std::int32_t* wall;  // by surface
};

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
    bool polyhedra;
    ConvexRowView convex[2];  // with spheres, with each other
    const Slot *convex_a[2], *convex_b[2];
    PatchWalls convex_walls[3];
};

/// v n summed over the spheres that sphere i touches: speeds of approach along normals.
SCREE_HD Vec3 push_of_spheres(const Weighing& w, Index i) {
    Vec3 push{};
    for (Index k = w.row_start[i]; k < w.row_start[i + 1]; ++k) {
        const std::uint32_t e = w.entry[k];
        const bool second = (e & 1u) != 0;
        const Index p = static_cast<Index>(e >> 1), me = second ? w.b[p] : w.a[p], j = second ? w.a[p] : w.b[p];  // me: i or an image
        const Vec3 d = relative_position(w.body.position[me], w.body.position[j]);
        const SphereGap<double> gap = sphere_gap<double>(d, w.body.radius[me], w.body.radius[j]);
        if (gap.delta > 0) push += dot(w.body.velocity[me] - w.body.velocity[j], gap.normal) * gap.normal;
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
    find_touched_patches(w.mesh, w.mesh_pairs, w.places, row.first, row.last, w.body.position[i], radius);
    Vec3 push{};
    for (Index p = row.first; p < row.last; ++p)
        push += push_of_surface(w, i, {w.mesh_pairs.normal[p], w.mesh_pairs.distance[p]}, w.mesh.patch_wall[w.mesh_pairs.patch[p]]);
    return push;
}

/// An impulse on a body, and its turn about the body's centre.
struct Push {
    Vec3 along, turn;
    double weight{0};  // of what has been added
};

/// Adds a contact of the step before, whose force on the body is `force` and whose wrench takes the power `power`: the speed of approach
/// along the force, by the size of the force, so that a contact shared by several surfaces counts once.
SCREE_HD void add_wrench(Push& push, Vec3 force, Vec3 torque, double power) {
    const double size = norm(force);
    if (!(size > 0)) return;
    push.along += (power / size) * force;
    push.turn += (power / size) * torque;
    push.weight += size;
}

/// Contacts of body i, a polyhedron or a sphere with polyhedra. Their normals and places are those of the step before, which its forces
/// and torques hold: a contact is weighed from its second step on.
SCREE_HD Push push_of_wrenches(const Weighing& w, Index i) {
    Push push{};
    const Vec3 v = w.body.velocity[i], spin = w.body.angular_velocity[i];
    for (int list = 0; list < 2; ++list) {
        const ConvexRowView& rows = w.convex[list];
        const PairRow row = row_of(rows.row_start, i);
        for (Index k = row.first; k < row.last; ++k) {
            const std::uint32_t e = rows.entry[k];
            const Index p = static_cast<Index>(e >> 1), a = w.convex_a[list][p], b = w.convex_b[list][p];
            const Vec3 force = cast<double>(rows.contact.force[p]);
            const Vec3 torque_a = cast<double>(rows.contact.twist[p]), torque_b = cast<double>(rows.torque_b[p]);
            const double power = dot(force, w.body.velocity[a] - w.body.velocity[b]) + dot(torque_a, w.body.angular_velocity[a]) +
                                 dot(torque_b, w.body.angular_velocity[b]);
            const bool second = (e & 1u) != 0;
            add_wrench(push, second ? -force : force, second ? torque_b : torque_a, power);
        }
    }
    for (int list = 0; list < 3; ++list) {
        const PatchWalls& walls = w.convex_walls[list];
        const PairRow row = row_of(walls.rows.row_start, i);
        for (Index p = row.first; p < row.last; ++p) {
            const Vec3 force = cast<double>(walls.contact.force[p]), torque = cast<double>(walls.contact.twist[p]);
            Vec3 moves{}, turns{};
            if (w.places != nullptr) {
                const RigidVelocity motion = velocity_in(&w.places[walls.wall[walls.rows.surface[p]]].mid);
                moves = velocity_at(motion, w.body.position[i]);
                turns = motion.angular;
            }
            add_wrench(push, force, torque, dot(force, v - moves) + dot(torque, spin - turns));
        }
    }
    if (!(push.weight > 0)) return push;
    push.along = push.along / push.weight;
    push.turn = push.turn / push.weight;
    return push;
}

/// Impulses on a compound, one for each member.
struct Pushes {
    Vec3 sum, turn;  // turn: about the centre
    double squares{0};
    int members{0};  // that touch
};

/// What compound `at` answers with, by mass [1/kg].
SCREE_HD double mobility_of(const Weighing& w, Index at, const Pushes& p) {
    const double alone = w.body.inverse_mass[at];
    if (!(p.squares > 0)) return alone;  // nothing touches
    const Vec3 t = transposed_times(rotation_matrix(w.body.orientation[at]), p.turn), moments = moments_of(w.body, w.shapes, at);
    const double turning = t.x * t.x / moments.x + t.y * t.y / moments.y + t.z * t.z / moments.z;
    const double found = (alone * norm2(p.sum) + turning) / p.squares;
    // Above 1/M by a hair: what says that members have been weighed.
    const double least = (1 + 1e-12) * alone;
    return found > least ? found : least;
}

}  // namespace

void weigh_members(const Model& model, State& state, Workspace& work) {
    if (model.method != Method::Penalty || !state.has_compounds) return;
    const bool moving = work.walls.motions.any;
    Weighing w{state.bodies.view(),
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
               moving ? work.walls.motions.places() : nullptr,
               state.has_polyhedra,
               {},
               {},
               {},
               {}};
    if (state.has_polyhedra) {
        for (int k = 0; k < 2; ++k) {
            ContactList& pairs = state.lists[kMixed + k];
            w.convex[k] = convex_rows(pairs);
            w.convex_a[k] = pairs.a.data();
            w.convex_b[k] = pairs.b.data();
        }
        for (int k = 0; k < 3; ++k) {
            ContactList& pairs = state.lists[kConvexPlanes + k];
            w.convex_walls[k] = {lists_of(pairs), pairs.contacts.view(),
                                 work.walls.walls_of(list_layouts[kConvexPlanes + k].partner).data()};
        }
    }
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
                Push push = w.polyhedra ? push_of_wrenches(w, i) : Push{};
                if (w.body.is_sphere(i))
                    push.along += push_of_spheres(w, i) + push_of_surfaces(w, w.planes, w.plane, i) +
                                  push_of_surfaces(w, w.cylinders, w.round, i) + push_of_patches(w, i);
                const double squared = norm2(push.along);
                all.sum += push.along;
                all.turn += cross(w.body.position[i] - w.body.position[at], push.along) + push.turn;
                all.squares += squared;
                all.members += squared > 0 ? 1 : 0;
            }
            const double mobility = mobility_of(w, at, all);
            for (Index m = c.member_start[k]; m < c.member_start[k + 1]; ++m) {
                const Index i = slot[c.member[m]];
                // Of a polyhedron that touches alone its contacts know better where they are.
                const bool known = w.body.is_sphere(i) || all.members > 1;
                w.body.velocity.row[i].value[3] = known ? mobility : w.body.inverse_mass[at];
            }
        },
        work.flags.gate());
}

}  // namespace scree::SCREE_FLAVOR
