#include <cmath>

#include "engine/broad/broad.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Is a sphere of reach = radius + skin [m] near the surface? Bounding tests: may say yes too often, never no wrongly.
struct NearPlane {
    PlaneView view;
    SCREE_HD bool operator()(Index s, Vec3 c, double reach) const { return dot(c - view.point[s], view.normal[s]) < reach; }
    SCREE_HD std::int32_t wall(Index s) const { return view.wall[s]; }
    SCREE_HD std::int32_t material(Index s) const { return view.material[s]; }
};

struct NearCylinder {
    CylinderView view;
    SCREE_HD bool operator()(Index s, Vec3 c, double reach) const {
        const Vec3 from = c - view.point[s], axis = view.axis[s];
        const double along = dot(from, axis), length = view.length[s];
        const double rho = norm(from - along * axis);
        const bool endless = length > 1e300;
        if (!(length > 0)) return false;
        if (!endless && (along < -reach || along > length + reach)) return false;
        if (view.inside[s] == 0) return rho < view.radius[s] + reach;
        return rho > view.radius[s] - reach && (endless || rho < view.radius[s] + reach);
    }
    SCREE_HD std::int32_t wall(Index s) const { return view.wall[s]; }
    SCREE_HD std::int32_t material(Index s) const { return view.material[s]; }
};

/// A surface of a wall that moves is looked at in the wall's frame.
template <class Near>
SCREE_HD bool near_placed(const Near& near, const WallPlace* places, Index s, Vec3 c, double reach) {
    return near(s, places == nullptr ? c : in_frame(places[near.wall(s)].pose, c), reach);
}

/// What pairs of bodies and surfaces are looked for among.
struct SurfaceSearch {
    BodyView body;
    const std::uint8_t* active;
    const WallPlace* places;
    double skin;
    BodyClass which;
    ApartView apart;
};

SurfaceSearch search_of(State& state, Workspace& work, BodyClass which) {
    return {state.bodies.view(),          work.walls.active.data(), work.walls.motions.places(), list_margin(state), which,
            apart_from_walls(state, work)};
}

template <class Near>
SCREE_HD bool is_pair(const SurfaceSearch& q, const Near& near, Index i, Index s) {
    return q.active[near.wall(s)] != 0 && near_placed(near, q.places, s, q.body.position[i], q.body.radius[i] + q.skin) &&
           !q.apart.body_and_wall(i, near.wall(s));
}

template <class Near>
void count_near(const Near& near, Index surfaces, BodyClass which, State& state, Workspace& work) {
    work.count.resize(state.bodies.count);
    std::int32_t* count = work.count.data();
    const SurfaceSearch q = search_of(state, work, which);
    for_each(
        work.exec, "broad/count_surfaces", state.bodies.count, SCREE_LAMBDA(Index i)->void {
            std::int32_t found = 0;
            for (Index s = 0; s < surfaces && q.body.is_of(q.which, i); ++s) {
                if (is_pair(q, near, i, s)) ++found;
            }
            count[i] = found;
        });
}

template <class Near>
void write_near(const Near& near, Index surfaces, BodyClass which, std::int32_t materials, State& state, Workspace& work,
                ContactList& pairs) {
    Slot* slot = pairs.a.data();
    std::int32_t* surface = pairs.b.data();
    std::int32_t* law = pairs.law.data();
    const RowStart* start = pairs.row_start.data();
    const SurfaceSearch q = search_of(state, work, which);
    for_each(
        work.exec, "broad/write_surfaces", state.bodies.count, SCREE_LAMBDA(Index i)->void {
            Index p = start[i];
            for (Index s = 0; s < surfaces && q.body.is_of(q.which, i); ++s) {
                if (!is_pair(q, near, i, s)) continue;
                slot[p] = static_cast<Slot>(i);
                surface[p] = static_cast<std::int32_t>(s);
                law[p] = q.body.material[i] * materials + near.material(s);
                ++p;
            }
        });
}

template <class Near>
void find_near(const Near& near, Index surfaces, const Model& model, State& state, Workspace& work, PairList list) {
    const BodyClass which = bodies_of(list);
    ContactList& pairs = state.lists[list];
    if (surfaces == 0 || (which == BodyClass::Spheres && !state.has_spheres)) {
        resize_wall_pairs(model, state, work.exec, list, 0);
        if (model.method == Method::Fluid) {
            pairs.row_start.resize_zero(state.bodies.count + 1);  // summed over all classes
        } else {
            pairs.row_start.drop();
        }
        return;
    }
    count_near(near, surfaces, which, state, work);
    resize_wall_pairs(model, state, work.exec, list, lay_wall_rows(work.exec, work.count.data(), state.bodies.count, pairs));
    write_near(near, surfaces, which, static_cast<std::int32_t>(model.materials.size()), state, work, pairs);
}

}  // namespace

Index lay_wall_rows(const Exec& exec, const std::int32_t* count, Index bodies, ContactList& pairs) {
    const Index total = scan_counts(exec, count, bodies, pairs.row_start);
    require_within<RunError>(static_cast<double>(total), count_limits().pairs, "pairs of bodies and walls in one list", fewer_pairs);
    return total;
}

void resize_wall_pairs(const Model& model, State& state, const Exec& exec, PairList list, Index n) {
    ContactList& pairs = state.lists[list];
    pairs.a.resize(n);
    pairs.b.resize(n);
    pairs.law.resize(n);
    resize_columns(exec, pairs, n, groups_of(list_layouts[list], list_parts(model, state.account)));
}

void find_wall_pairs(const Model& model, State& state, Workspace& work) {
    for (int k = kBodyPairLists; k < kPairLists; ++k) {
        const auto list = static_cast<PairList>(k);
        if (list_layouts[list].has_patch() && !state.has_polyhedra) continue;
        switch (list_layouts[list].partner) {
            case Partner::Plane:
                find_near(NearPlane{work.walls.plane_view()}, work.walls.planes, model, state, work, list);
                break;
            case Partner::Cylinder:
                find_near(NearCylinder{work.walls.cylinder_view()}, work.walls.cylinders, model, state, work, list);
                break;
            default:
                find_mesh_pairs(model, state, work, list);
        }
    }
}

}  // namespace scree::SCREE_FLAVOR
