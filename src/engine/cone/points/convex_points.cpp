// Points of pairs with polyhedra, kept until their rows are written: with spheres and planes here, with what takes a compiler longer in
// files of their own. Positions are relative to the centre of body A.
#include "engine/cone/points/point_search.hpp"
#include "engine/narrow/points_plane.hpp"
#include "engine/narrow/points_sphere.hpp"
#include "engine/penalty/convex_walls.hpp"
#include "engine/penalty/patch_input.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Points of a sphere at `centre` and a polyhedron, the polyhedron's first. `way`: of the sphere against it, by what it has gone.
SCREE_HD_SHARED ContactPoints<Real> ball_points(const PlacedConvex<Real>& a, Vec3R centre, Real radius, const Way<Real>& way,
                                                Real envelope) {
    ContactPoints<Real> found = convex_sphere_points(a, centre, radius, envelope);
    if (found.count == 0 || passing::settled(way, found)) return found;
    const Vec3R along = way.along + cross(way.turn, centre);
    const auto look = [&](double w) {
        const NearestPoint<Real> near = nearest_to(a, centre + static_cast<Real>(w) * along);
        return passing::SeenSurface{cast<double>(-near.normal), static_cast<double>(near.distance), true};
    };
    const passing::PassedSurface passed =
        passing::passed_surface(look, cast<double>(along), static_cast<double>(radius), static_cast<double>(way.slack));
    found.normal[0] = -cast<Real>(passed.normal);
    found.gap[0] = static_cast<Real>(passed.gap);
    found.point[0] = centre - (radius + Real(0.5) * found.gap[0]) * found.normal[0];
    return found;
}

void mixed_pair_points(Workspace& work, ContactList& pairs, PointSearch s) {
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    for_each(
        work.exec, "cone/mixed_points", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = a[p], j = b[p];
            const Vec3T<Real> d = cast<Real>(relative_position(s.body.position[i], s.body.position[j]));
            const Real envelope = static_cast<Real>(s.reach(i, j));
            const bool turned = s.body.is_sphere(i);
            const Real radius = static_cast<Real>(s.body.radius[turned ? i : j]);
            const Way<Real> way = s.way(i, j);
            ContactPoints<Real> found;
            if (turned) {
                // The sphere's way against the polyhedron, which turns about its own centre.
                const Way<Real> back{-way.along, -way.turn, way.slack};
                found = reversed(ball_points(placed(s.body, s.shapes, j, d), Vec3R{}, radius, back, envelope));
            } else {
                found = ball_points(placed(s.body, s.shapes, i, {}), d, radius, way, envelope);
            }
            keep(s, p, in_space(s, found, smaller(s.body, i, j)));
        },
        s.gate);
}

void convex_plane_points(Workspace& work, ContactList& pairs, PointSearch s) {
    const Slot* slot = pairs.a.data();
    const std::int32_t* surface = pairs.b.data();
    const PlaneView planes = work.walls.plane_view();
    const WallPlace* places = work.walls.motions.places();
    for_each(
        work.exec, "cone/convex_plane_points", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = slot[p];
            const std::int32_t k = surface[p];
            Vec3 point = planes.point[k], normal = planes.normal[k];
            if (places != nullptr) {
                const Pose pose = pose_in(&places[planes.wall[k]]);
                point = scree::placed(pose, point);
                normal = rotate(pose.turn, normal);
            }
            // The nearest point of the plane: a far one would cost digits.
            const Vec3 near = dot(relative_position(s.body.position[i], point), normal) * normal;
            keep(s, p,
                 in_space(s,
                          plane_points(placed(s.body, s.shapes, i, {}), cast<Real>(near), cast<Real>(normal),
                                       static_cast<Real>(s.reach_to_wall(i, planes.wall[k]))),
                          s.body.radius[i]));
        },
        s.gate);
}

}  // namespace

void find_convex_points(const Model& model, State& state, Workspace& work, const ContactBuild& build, ContactTable& table) {
    PointSearch search[kPairLists];
    for (int l = 0; l < kPairLists; ++l) {
        search[l] = {
            state.bodies.view(),        work.shapes.view(),          build.envelope,   build.dt, state.planar, table.rows[l].points.data(),
            table.rows[l].count.data(), work.walls.motions.places(), work.flags.gate()};
    }
    mixed_pair_points(work, state.lists[kMixed], search[kMixed]);
    convex_plane_points(work, state.lists[kConvexPlanes], search[kConvexPlanes]);
    find_pair_points(state, work, search[kConvex], table.placed);
    find_mesh_points(model, state, work, search[kConvexMeshes]);
    find_cylinder_points(state, work, search[kConvexCylinders]);
}

}  // namespace scree::SCREE_FLAVOR
