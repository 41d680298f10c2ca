// Points of pairs with polyhedra, kept until their rows are written. Positions are relative to the centre of body A.
#include "engine/cone/contact_geometry.hpp"
#include "engine/cone/kept_points.hpp"
#include "engine/narrow/planar_points.hpp"
#include "engine/narrow/points_arc.hpp"
#include "engine/narrow/points_convex.hpp"
#include "engine/narrow/points_cylinder.hpp"
#include "engine/narrow/points_mesh.hpp"
#include "engine/narrow/points_plane.hpp"
#include "engine/narrow/points_sphere.hpp"
#include "engine/penalty/convex_room.hpp"
#include "engine/penalty/convex_walls.hpp"
#include "engine/penalty/patch_input.hpp"
#include "engine/state/reach.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// One copy for all kernels: the search is large.
template <int Room>
SCREE_HD_SHARED ContactPoints<Real> pair_points(const PlacedConvex<Real>& a, const PlacedConvex<Real>& b, Real envelope,
                                                std::int32_t* remembered, const points::HeldPoints<Real>& held) {
    return convex_points<Room>(a, b, envelope, remembered, held);
}

struct PointSearch {
    BodyView body;
    ShapeView shapes;
    double envelope, dt;
    bool planar;
    ContactPoints<Real>* points;
    std::int32_t* count;
    const WallPlace* places;  // of walls; null: all stand
    Gate gate;                // of the kernels that search

    SCREE_HD double reach(Index i, Index j) const {
        const double turn = (body.is_sphere(i) ? 0.0 : norm(body.angular_velocity[i]) * body.radius[i]) +
                            (body.is_sphere(j) ? 0.0 : norm(body.angular_velocity[j]) * body.radius[j]);
        return contact_reach(envelope, dt * (norm(body.velocity[j] - body.velocity[i]) + turn));
    }
    SCREE_HD double reach_to_wall(Index i, std::int32_t wall) const {
        return contact_reach(envelope, dt * fastest_point(body, i, places == nullptr ? nullptr : &places[wall]));
    }
};

SCREE_HD void keep(const PointSearch& s, Index p, const ContactPoints<Real>& found) {
    s.count[p] = found.count;
    if (found.count > 0) s.points[p] = found;
}
/// Points as the model's space has them. `size` [m]: bounding radius of the pair's smaller body.
SCREE_HD ContactPoints<Real> in_space(const PointSearch& s, const ContactPoints<Real>& found, double size) {
    return s.planar ? planar_points(found, static_cast<Real>(size)) : found;
}
SCREE_HD double smaller(const BodyView& body, Index i, Index j) {
    return body.radius[i] < body.radius[j] ? body.radius[i] : body.radius[j];
}

/// Where bodies are and how they are turned, once for all their pairs.
void place_bodies(const State& state, Workspace& work, const PointSearch& s, Array<PlacedBody>& placed) {
    placed.resize(state.bodies.count);
    PlacedBody* to = placed.data();
    for_each(
        work.exec, "cone/place_bodies", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const double radius = s.body.radius[i];
            to[i] = {s.body.position[i], radius, s.dt * fastest_point(s.body, i), cast<Real>(rotation_matrix(s.body.orientation[i])),
                     static_cast<Real>(radius)};
        },
        s.gate);
}

/// What the kernel of two polyhedra reads and writes.
struct ConvexPairSearch {
    PointSearch s;
    const PlacedBody* placed;
    const Slot *a, *b;
    PointsView memory;
    std::int32_t* feature;
};

/// Whether the face that kept a pair apart last does so for certain, by a box about the other: at a tenth of the cost of test_feature,
/// and with a margin that covers the rounding of both.
SCREE_HD bool face_parts(const ConvexPairSearch& v, Index i, Index j, Vec3R d, std::int32_t feature, Real envelope) {
    const std::int32_t kind = feature >> axis::kind_shift, face = feature & ((1 << axis::kind_shift) - 1);
    const bool of_a = kind == axis::FaceOfA;
    if (feature < 0 || (!of_a && kind != axis::FaceOfB)) return false;
    const PlacedBody &owner = v.placed[of_a ? i : j], &other = v.placed[of_a ? j : i];
    const ShapeView& shapes = v.s.shapes;
    const ShapeEntry& own = shapes.entry[v.s.body.shape[of_a ? i : j]];
    const ShapeEntry& its = shapes.entry[v.s.body.shape[of_a ? j : i]];
    if (face >= own.faces) return false;
    const Index k = own.face + face;
    const Vec3R n = owner.turn * Vec3R{shapes.nx[k], shapes.ny[k], shapes.nz[k]}, to_other = of_a ? d : -d;
    const Vec3R in_other = transposed_times(other.turn, n);
    const Vec3R half = Real(0.5) * (its.box_max - its.box_min), middle = Real(0.5) * (its.box_max + its.box_min);
    const Real reach = half.x * std::fabs(in_other.x) + half.y * std::fabs(in_other.y) + half.z * std::fabs(in_other.z);
    const Real gap = dot(n, to_other) + other.scale * (dot(in_other, middle) - reach) - owner.scale * shapes.h[k];
    return gap > envelope + Real(64) * axis::epsilon<Real>() * (owner.scale + other.scale + envelope);
}

/// Points of pair p where it is searched.
template <int Room>
SCREE_HD_SHARED void search_pair(const ConvexPairSearch& v, Index p, Vec3R d, const SeenPlace& place, double margin) {
    const PointSearch& s = v.s;
    const Index i = v.a[p], j = v.b[p];
    const PlacedBody &own = v.placed[i], &its = v.placed[j];
    const PlacedConvex<Real> A{s.shapes[s.body.shape[i]], {}, own.turn, own.scale}, B{s.shapes[s.body.shape[j]], d, its.turn, its.scale};
    points::HeldPoints<Real> held;
    if (!s.planar) held = held_points(v.memory.kept[p], v.memory, p, own);
    const ContactPoints<Real> found =
        in_space(s, pair_points<Room>(A, B, static_cast<Real>(margin), v.feature + p, held), smaller(s.body, i, j));
    if (found.count > 0) keep_points(found, A, B, place, v.memory.kept[p]);
    keep(s, p, found);
}

template <int Room>
SCREE_HD void find_pair(const ConvexPairSearch& v, Index p) {
    const PointSearch& s = v.s;
    const Index i = v.a[p], j = v.b[p];
    const PlacedBody &A = v.placed[i], &B = v.placed[j];
    const Vec3 to_b = relative_position(A.at, B.at);
    // Speeds bound the relative one: the root of that is for those alone that they leave in doubt.
    constexpr double rounded = 1 + 1e-12;
    const double ways = rounded * (A.way + B.way), most = rounded * contact_reach(s.envelope, ways), d2 = norm2(to_b);
    const double radii = A.radius + B.radius;
    s.count[p] = 0;
    if (!(d2 < (radii + most) * (radii + most))) return;
    const double margin = ways <= 0.5 * s.envelope ? s.envelope : s.reach(i, j);
    if (!(d2 < (radii + margin) * (radii + margin))) return;
    const Vec3R d = cast<Real>(to_b);
    const Real envelope = static_cast<Real>(margin);
    // Pairs so fast that they are looked for past the envelope may meet where they had no point.
    const bool had = v.memory.key[0][p] != PointHistory::no_key;
    if (!had && face_parts(v, i, j, d, v.feature[p], envelope)) return;
    const SeenPlace place = place_seen(A, d, s.body.orientation[i], s.body.orientation[j]);
    if (had && margin <= s.envelope && recall_points(v.memory.kept[p], v.memory, p, A, B, d, place, envelope, s.points[p])) {
        s.count[p] = s.points[p].count;
        return;
    }
    search_pair<Room>(v, p, d, place, margin);
}

template <int Room>
void convex_pair_points(Workspace& work, ConvexPairs& pairs, PointSearch s, const PlacedBody* placed) {
    const ConvexPairSearch v{s, placed, pairs.a.data(), pairs.b.data(), pairs.patches.points.view(), pairs.patches.feature.data()};
    for_each(
        work.exec, "cone/convex_points", pairs.size(), SCREE_LAMBDA(Index p)->void { find_pair<Room>(v, p); }, s.gate);
}

void mixed_pair_points(Workspace& work, ConvexPairs& pairs, PointSearch s) {
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    for_each(
        work.exec, "cone/mixed_points", pairs.size(),
        SCREE_LAMBDA(Index p)->void {
            const Index i = a[p], j = b[p];
            const Vec3T<Real> d = cast<Real>(relative_position(s.body.position[i], s.body.position[j]));
            const Real envelope = static_cast<Real>(s.reach(i, j));
            if (s.body.is_sphere(i)) {
                const PlacedConvex<Real> B = placed(s.body, s.shapes, j, d);
                keep(s, p,
                     in_space(s, reversed(convex_sphere_points(B, Vec3T<Real>{}, static_cast<Real>(s.body.radius[i]), envelope)),
                              smaller(s.body, i, j)));
            } else {
                const PlacedConvex<Real> A = placed(s.body, s.shapes, i, {});
                keep(s, p, in_space(s, convex_sphere_points(A, d, static_cast<Real>(s.body.radius[j]), envelope), smaller(s.body, i, j)));
            }
        },
        s.gate);
}

void convex_plane_points(Workspace& work, ConvexWallPairs& pairs, PointSearch s) {
    const Slot* slot = pairs.body.data();
    const std::int32_t* surface = pairs.surface.data();
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

/// Points found in a wall's frame, told in the world's.
SCREE_HD ContactPoints<Real> in_world(const SeenBody& seen, ContactPoints<Real> found) {
    const Mat3T<Real> turn = cast<Real>(seen.frame);
    for (std::int32_t q = 0; q < found.count; ++q) {
        found.normal[q] = turn * found.normal[q];
        found.point[q] = turn * found.point[q];
    }
    return found;
}

template <int Room>
void convex_cylinder_points(Workspace& work, ConvexWallPairs& pairs, PointSearch s) {
    const Slot* slot = pairs.body.data();
    const std::int32_t* surface = pairs.surface.data();
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
            keep(s, p, in_space(s, in_world(seen, cylinder_points<Room>(seen.convex, cylinder, reach)), seen.radius));
        },
        s.gate);
}

/// Points of a body with a patch that it is in front of: a face of a wall seen from behind is none of its business.
template <int Room>
SCREE_HD ContactPoints<Real> points_in_front(const MeshPatches<Room>& patches, const PointSearch& s, Index i, Index p,
                                             const SeenBody& seen) {
    const std::int32_t k = patches.surface[p];
    const Index first = patches.triangle_start[p], last = patches.triangle_end[p];
    const Vec3 normal = patches.mesh.patch_normal[k];
    const double height = dot(seen.centre - patches.mesh.patch_point[k], normal);
    const double reach = s.reach_to_wall(i, patches.wall(p));
    if (first == last || !(std::fabs(height) < seen.radius + reach)) return {};
    const std::int32_t t = patches.triangle[first];
    const bool front = patches.in_front(i, p, patches.tiles.component[t], seen.centre);
    const bool along = (patches.tiles.sign[t] > 0) == front;  // the free side is the one the patch's normal points to
    if (along != (height >= 0)) return {};
    return patch_points<Room>(patches.mesh, k, along ? normal : -normal, patches.triangle, first, last, seen.convex, seen.centre,
                              static_cast<Real>(reach));
}

template <int Room>
void convex_mesh_points(Workspace& work, ConvexMeshPairs& pairs, MeshPatches<Room> patches, PointSearch s) {
    const Slot* slot = pairs.body.data();
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

void find_convex_points(const Model& model, State& state, Workspace& work, const ContactBuild& build, ContactTable& table) {
    PointSearch search[kPairLists];
    for (int l = 0; l < kPairLists; ++l) {
        search[l] = {
            state.bodies.view(),        work.shapes.view(),          build.envelope,   build.dt, state.planar, table.rows[l].points.data(),
            table.rows[l].count.data(), work.walls.motions.places(), work.flags.gate()};
    }
    mixed_pair_points(work, state.mixed_pairs, search[kMixed]);
    convex_plane_points(work, state.convex_planes, search[kConvexPlanes]);
    if (state.convex_pairs.size() > 0) place_bodies(state, work, search[kConvex], table.placed);
    with_room(work.shapes.most_corners, [&](auto room) {
        convex_pair_points<decltype(room)::value>(work, state.convex_pairs, search[kConvex], table.placed.data());
        constexpr int corners = decltype(room)::value;
        convex_mesh_points<corners>(work, state.convex_meshes, mesh_patches<corners>(state, work, patch_settings(model, work)),
                                    search[kConvexMeshes]);
    });
    // The cap of a rod is a polygon of its own.
    with_room(work.shapes.most_corners + points::rim_points,
              [&](auto room) { convex_cylinder_points<decltype(room)::value>(work, state.convex_cylinders, search[kConvexCylinders]); });
}

}  // namespace scree::SCREE_FLAVOR
