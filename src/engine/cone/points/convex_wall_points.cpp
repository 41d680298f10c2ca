// Points of polyhedra with meshes, cylinders and arcs, kept until their rows are written. Positions are relative to the body's centre.
#include "engine/cone/points/point_search.hpp"
#include "engine/narrow/points_arc.hpp"
#include "engine/narrow/points_cylinder.hpp"
#include "engine/narrow/points_mesh.hpp"
#include "engine/penalty/convex_capacity.hpp"
#include "engine/penalty/convex_walls.hpp"
#include "engine/penalty/patch_input.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Points found in a wall's frame, told in the world's.
SCREE_HD ContactPoints<Real> in_world(const SeenBody& seen, ContactPoints<Real> found) {
    const Mat3T<Real> turn = cast<Real>(seen.frame);
    for (std::int32_t q = 0; q < found.count; ++q) {
        found.normal[q] = turn * found.normal[q];
        found.point[q] = turn * found.point[q];
    }
    return found;
}

/// Is it a smooth body? Then these are all.
SCREE_HD bool smooth_in_cylinder(const PlacedConvex<Real>& a, const PlacedCylinder& c, Real envelope, ContactPoints<Real>& found) {
    if (a.shape.smooth == nullptr) return false;
    const CylinderWall wall{c.point, c.axis, c.radius, c.length, !c.inside, c.inside && norm(c.radial(Vec3{})) < c.radius};
    SmoothTouches touches;
    smooth_with_cylinder(smooth_of(a), wall, static_cast<double>(envelope), touches);
    add_points(found, touches);
    return true;
}

template <int Capacity>
void convex_cylinder_points(Workspace& work, ContactList& pairs, PointSearch s) {
    const Slot* slot = pairs.a.data();
    const std::int32_t* surface = pairs.b.data();
    const CylinderView cylinders = work.walls.cylinder_view();
    const WallPlace* places = work.walls.motions.places();
    for_each(
        work.exec, "cone/convex_cylinder_points", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const std::int32_t k = surface[p];
            const SeenBody seen = seen_from(s.body, s.shapes, slot[p], places == nullptr ? nullptr : &places[cylinders.wall[k]]);
            const PlacedCylinder cylinder{cylinders.point[k] - seen.centre, cylinders.axis[k], cylinders.radius[k], cylinders.length[k],
                                          cylinders.inside[k] != 0};
            const Real reach = static_cast<Real>(s.reach_to_wall(slot[p], cylinders.wall[k]));
            if (s.planar && cylinders.cosine[k] > -1.5) {
                const Vec3 centre{cylinder.point.x, cylinder.point.y, 0};  // the axis starts below the plane
                const PlacedArc arc{centre, cylinder.radius, cylinders.middle[k], cylinders.cosine[k], cylinders.sine[k]};
                keep(s, p, in_space(s, in_world(seen, arc_points(seen.convex, arc, reach)), seen.radius));
                return;
            }
            ContactPoints<Real> found;
            if (!smooth_in_cylinder(seen.convex, cylinder, reach, found)) found = cylinder_points<Capacity>(seen.convex, cylinder, reach);
            keep(s, p, in_space(s, in_world(seen, found), seen.radius));
        },
        s.gate);
}

/// A way told in the world's frame, in a wall's.
SCREE_HD Way<Real> in_frame(const SeenBody& seen, const Way<Real>& way) {
    const Mat3T<Real> turn = cast<Real>(seen.frame);
    return {transposed_times(turn, way.along), transposed_times(turn, way.turn), way.slack};
}

/// Points of a body with a patch that it is in front of: a face of a wall seen from behind is none of its business.
template <int Capacity>
SCREE_HD ContactPoints<Real> points_in_front(const MeshPatches<Capacity>& patches, const PointSearch& s, Index i, Index p,
                                             const SeenBody& seen) {
    const std::int32_t k = patches.surface[p];
    const Index first = patches.triangle_start[p], last = patches.triangle_end[p];
    const Vec3 normal = patches.mesh.patch_normal[k];
    const double height = dot(seen.centre - patches.mesh.patch_point[k], normal);
    const double reach = s.reach_to_wall(i, patches.wall(p));
    if (first == last || !(std::fabs(height) < seen.radius + reach)) return {};
    if (seen.convex.shape.smooth != nullptr) {
        ContactPoints<Real> found;
        SmoothTouch touch;
        if (patches.smooth_touch(seen, i, p, reach, touch)) add_point(found, touch);
        return found;
    }
    const std::int32_t t = patches.triangle[first];
    const bool front = patches.in_front(i, p, patches.tiles.component[t], seen.centre);
    const bool along = (patches.tiles.sign[t] > 0) == front;  // the free side is the one the patch's normal points to
    if (along != (height >= 0)) return {};
    return patch_points<Capacity>(patches.mesh, k, along ? normal : -normal, patches.triangle, first, last, seen.convex, seen.centre,
                                  static_cast<Real>(reach), in_frame(seen, s.way_to_wall(i, patches.wall(p))));
}

template <int Capacity>
void convex_mesh_points(Workspace& work, ContactList& pairs, MeshPatches<Capacity> patches, PointSearch s) {
    const Slot* slot = pairs.a.data();
    for_each(
        work.exec, "cone/convex_mesh_points", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = slot[p];
            const SeenBody seen = seen_from(s.body, s.shapes, i, patches.places == nullptr ? nullptr : &patches.places[patches.wall(p)]);
            keep(s, p, in_space(s, in_world(seen, points_in_front(patches, s, i, p, seen)), seen.radius));
        },
        s.gate);
}

}  // namespace

void find_mesh_points(const Model& model, State& state, Workspace& work, const PointSearch& s) {
    with_capacity(work.shapes.most_corners, [&](auto buffers) {
        constexpr int corners = decltype(buffers)::value;
        convex_mesh_points<corners>(work, state.lists[kConvexMeshes], mesh_patches<corners>(state, work, patch_settings(model, work)), s);
    });
}

void find_cylinder_points(State& state, Workspace& work, const PointSearch& s) {
    // The cap of a rod is a polygon of its own.
    with_capacity(work.shapes.most_corners + points::rim_points,
                  [&](auto buffers) { convex_cylinder_points<decltype(buffers)::value>(work, state.lists[kConvexCylinders], s); });
}

}  // namespace scree::SCREE_FLAVOR
