// Points of pairs of polyhedra, kept until their rows are written. Positions are relative to the centre of body A.
#include "engine/cone/points/kept_points.hpp"
#include "engine/cone/points/point_search.hpp"
#include "engine/narrow/points_convex.hpp"
#include "engine/narrow/points_smooth.hpp"
#include "engine/penalty/convex_capacity.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// One copy for all kernels: the search is large.
template <int Capacity>
SCREE_HD_SHARED ContactPoints<Real> pair_points(const PlacedConvex<Real>& a, const PlacedConvex<Real>& b, Real envelope,
                                                std::int32_t* remembered, const points::HeldPoints<Real>& held) {
    return convex_points<Capacity>(a, b, envelope, remembered, held);
}

/// Where bodies are and how they are turned, once for all their pairs.
void place_bodies(const State& state, Workspace& work, const PointSearch& s, Array<PlacedBody>& placed) {
    const Index all = state.bodies.count + work.images.count;
    placed.resize(all);
    PlacedBody* to = placed.data();
    for_each(
        work.exec, "cone/place_bodies", all,
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
template <int Capacity>
SCREE_HD_SHARED void search_pair(const ConvexPairSearch& v, Index p, Vec3R d, const SeenPlace& place, double margin) {
    const PointSearch& s = v.s;
    const Index i = v.a[p], j = v.b[p];
    const PlacedBody &own = v.placed[i], &its = v.placed[j];
    const PlacedConvex<Real> A{s.shapes[s.body.shape[i]], {}, own.turn, own.scale}, B{s.shapes[s.body.shape[j]], d, its.turn, its.scale};
    points::HeldPoints<Real> held;
    if (!s.planar) held = held_points(v.memory.kept[p], v.memory, p, own);
    const bool smooth = A.shape.smooth != nullptr || B.shape.smooth != nullptr;
    ContactPoints<Real> all = smooth ? smooth_points(A, B, static_cast<Real>(margin))
                                     : pair_points<Capacity>(A, B, static_cast<Real>(margin), v.feature + p, held);
    const Way<Real> way = s.way(i, j);
    if (!smooth && !passing::settled(way, all)) passing_points<Capacity>(A, B, way, static_cast<Real>(margin), held, all);
    const ContactPoints<Real> found = in_space(s, all, smaller(s.body, i, j));
    if (found.count > 0) keep_points(found, A, B, place, v.memory.kept[p]);
    keep(s, p, found);
}

template <int Capacity>
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
    if (had && margin <= s.envelope && recall_points(v.memory.kept[p], v.memory, p, A, B, d, place, envelope, s.points[p]) &&
        passing::settled(s.way(i, j), s.points[p])) {
        s.count[p] = s.points[p].count;
        return;
    }
    search_pair<Capacity>(v, p, d, place, margin);
}

template <int Capacity>
void convex_pair_points(Workspace& work, ContactList& pairs, PointSearch s, const PlacedBody* placed) {
    const ConvexPairSearch v{s, placed, pairs.a.data(), pairs.b.data(), pairs.patches.points.view(), pairs.patches.feature.data()};
    for_each(
        work.exec, "cone/convex_points", pairs.size(), SCREE_LAMBDA(Index p)->void { find_pair<Capacity>(v, p); }, s.gate);
}

}  // namespace

void find_pair_points(State& state, Workspace& work, const PointSearch& s, Array<PlacedBody>& placed) {
    if (state.lists[kConvex].size() > 0) place_bodies(state, work, s, placed);
    with_capacity(work.shapes.most_corners,
                  [&](auto buffers) { convex_pair_points<decltype(buffers)::value>(work, state.lists[kConvex], s, placed.data()); });
}

}  // namespace scree::SCREE_FLAVOR
