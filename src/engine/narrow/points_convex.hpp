// Contact points of two convex polyhedra, from deep overlap up to a gap of `envelope`: what the cone method asks of them.
// The normal is that of least depth, or apart that of the distance. Where a face of either is within 0.02 rad of it, that face is the
// reference: the other's face at its lowest vertex and edge is clipped by the planes through its sides, and corners count with their own
// gaps. Else edges cross, or a vertex or an edge beside the faces is nearest. Faces beat edges, so that bodies that lie flat stay flat.
// Invariant: a remembered axis never changes a result (narrow/convex_axis.hpp).
#pragma once

#include "engine/narrow/convex_axis.hpp"
#include "engine/narrow/convex_closest.hpp"
#include "engine/narrow/convex_manifold.hpp"
#include "engine/narrow/face_points.hpp"
#include "engine/narrow/passing.hpp"
#include "engine/narrow/segment_points.hpp"

namespace scree {

namespace points {

/// Two views of a pair, from the faces of either.
template <class T>
struct Views {
    axis::FaceView<T> of_a, of_b;
    HeldPoints<T> held;
};

/// Two edges across n: one point where they cross, two at the ends of what they share where they run along each other.
template <class T>
SCREE_HD void edge_points(const PlacedConvex<T>& a, std::int32_t edge_a, const PlacedConvex<T>& b, std::int32_t edge_b, Vec3T<T> n, T same,
                          T envelope, ContactPoints<T>& result) {
    const touch::Segment<T> p = touch::edge_of(a, edge_a), q = touch::edge_of(b, edge_b);
    const T p2 = norm2(p.way), q2 = norm2(q.way);
    const Vec3T<T> c = cross(p.way, q.way);
    const T c2 = norm2(c);
    const std::int32_t key = point_key::of_edges(edge_a, edge_b);
    const bool along = !(c2 > touch::level<T>() * touch::level<T>() * p2 * q2);
    T s[2];
    if (along) {
        const T s0 = dot(q.start - p.start, p.way) / p2, s1 = s0 + dot(q.way, p.way) / p2;
        s[0] = touch::within_edge(s0 < s1 ? s0 : s1);
        s[1] = touch::within_edge(s0 < s1 ? s1 : s0);
    } else {
        s[0] = s[1] = touch::within_edge(dot(cross(q.start - p.start, q.way), c) / c2);
    }
    const bool two = (s[1] - s[0]) * (s[1] - s[0]) * p2 > same * same;
    for (int k = 0; k < (two ? 2 : 1); ++k) {
        const Vec3T<T> on_a = p.start + s[k] * p.way;
        const Vec3T<T> on_b = q.start + touch::within_edge(dot(on_a - q.start, q.way) / q2) * q.way;
        const T gap = dot(on_b - on_a, n);
        if (gap <= envelope) add_point(result, n, T(0.5) * (on_a + on_b), gap, k == 0 ? key : key + (1 << point_key::side_shift) / 2);
    }
}

/// The face of either that is within `level` of n, as reference. False where there is none or what lies over it is farther than `most`.
template <int Capacity, class T>
SCREE_HD bool level_face_points(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const Views<T>& views, Vec3T<T> n, T envelope, T most,
                                ContactPoints<T>& result) {
    T cosine_a, cosine_b;
    const std::int32_t face_a = touch::face_along(a, n, cosine_a), face_b = touch::face_along(b, -n, cosine_b);
    const bool of_a = cosine_a >= cosine_b;
    const T level = T(1) - T(0.5) * touch::level<T>() * touch::level<T>();
    if (!((of_a ? cosine_a : cosine_b) > level)) return false;
    if (face_points<Capacity>(of_a ? views.of_a : views.of_b, of_a ? face_a : face_b, of_a, envelope, views.held, result).least <= most)
        return true;
    result.count = 0;
    return false;
}

/// Apart, with no face or crossing of edges that shows the distance: vertices and edges beside the faces.
template <int Capacity, class T>
SCREE_HD_SHARED void apart_points(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const axis::Pair<T>& pair, const Views<T>& views,
                                  const Axis<T>& best, T envelope, ContactPoints<T>& result) {
    const Closest<T> found = closest_points(a, b, pair, best.normal);
    if (found.distance > envelope) return;
    // Nearer than rounding lets a direction be told, the axis stands.
    const bool clear = found.distance > T(1024) * axis::epsilon<T>() * pair.size;
    const Vec3T<T> n = clear ? found.normal : best.normal;
    if (level_face_points<Capacity>(a, b, views, n, envelope, farthest_shown(found.distance, envelope), result)) return;
    const std::int32_t edge_a = touch::edge_along(a, n), edge_b = touch::edge_along(b, -n);
    const touch::Segment<T> p = touch::edge_of(a, edge_a), q = touch::edge_of(b, edge_b);
    if (touch::is_level(p, n) && touch::is_level(q, n)) {
        edge_points(a, edge_a, b, edge_b, n, point_window(a, b, envelope).same, envelope, result);
        if (result.count > 1) return;
        result.count = 0;
    }
    const std::int32_t key = found.vertex_a >= 0   ? point_key::of_vertex(true, found.vertex_a)
                             : found.vertex_b >= 0 ? point_key::of_vertex(false, found.vertex_b)
                                                   : point_key::of_edges(edge_a, edge_b);
    add_point(result, n, T(0.5) * (found.on_a + found.on_b), clear ? found.distance : best.gap, key);
}

/// The axis is that of two edges.
template <int Capacity, class T>
SCREE_HD_SHARED void crossing_points(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const axis::Pair<T>& pair, const Views<T>& views,
                                     const Axis<T>& best, T envelope, ContactPoints<T>& result) {
    if (level_face_points<Capacity>(a, b, views, best.normal, envelope, farthest_shown(best.gap, envelope), result)) return;
    const std::int32_t index = best.feature & ((1 << axis::kind_shift) - 1);
    const bool known = best.feature >= 0;
    const std::int32_t edge_a = known ? index >> axis::edge_shift : touch::edge_along(a, best.normal);
    const std::int32_t edge_b = known ? index & (axis::edge_limit - 1) : touch::edge_along(b, -best.normal);
    if (best.gap > T(0) && !cross_within(touch::edge_of(a, edge_a), touch::edge_of(b, edge_b))) {
        apart_points<Capacity>(a, b, pair, views, best, envelope, result);
        return;
    }
    edge_points(a, edge_a, b, edge_b, best.normal, point_window(a, b, envelope).same, envelope, result);
}

}  // namespace points

/// Up to four points between A and B with gaps up to `envelope` [m], >= 0. `remembered` (or null) is the feature that separated this very
/// pair last, -1 for none: it is tried first and renewed. Capacity as for manifold().
template <int Capacity = 64, class T>
SCREE_HD ContactPoints<T> convex_points(const PlacedConvex<T>& a, const PlacedConvex<T>& b, T envelope, std::int32_t* remembered = nullptr,
                                        const points::HeldPoints<T>& held = {}) {
    ContactPoints<T> result;
    if (remembered != nullptr && *remembered >= 0 && test_feature(a, b, *remembered).gap > envelope) return result;
    std::int32_t apart = -1;
    std::int32_t& feature = remembered != nullptr ? *remembered : apart;
    feature = -1;
    Axis<T> best = axis::sphere_axis(a, b, b.at - a.at);
    if (best.gap > envelope) {
        feature = best.feature;
        return result;
    }
    const axis::Pair<T> pair = axis::relate(a, b);
    const points::Views<T> views{{&a, &b, pair.turn, pair.b_in_a}, {&b, &a, axis::transposed(pair.turn), pair.a_in_b}, held};
    axis::BestFace<T> fa = axis::best_face(views.of_a, envelope);
    best = {fa.gap, a.normal(fa.face), (axis::FaceOfA << axis::kind_shift) + fa.face};
    axis::BestFace<T> fb{axis::lowest<T>(), 0, {}, {}};
    if (!(best.gap > envelope)) fb = axis::best_face(views.of_b, envelope);
    const bool of_a = fa.gap >= fb.gap;
    if (!of_a) best = {fb.gap, -b.normal(fb.face), (axis::FaceOfB << axis::kind_shift) + fb.face};
    if (best.gap > envelope) {
        feature = best.feature;
        return result;
    }
    const axis::FaceView<T>& view = of_a ? views.of_a : views.of_b;
    const std::int32_t face = of_a ? fa.face : fb.face;
    const points::FaceShare<T> share = points::face_points<Capacity>(view, face, of_a, envelope, views.held, result);
    const bool shown = share.least <= points::farthest_shown(best.gap, envelope);
    if (best.gap > T(0)) {
        // Apart, the distance is between best.gap and share.least.
        if (shown) return result;
        result.count = 0;
        points::apart_points<Capacity>(a, b, pair, views, best, envelope, result);
        return result;
    }
    if (shown && share.settles(-best.gap)) return result;
    axis::best_edges(views.of_a, views.of_b, pair, fa, fb, best, envelope);
    if (best.feature >= 0 && (best.feature >> axis::kind_shift) != axis::EdgePair) {
        // The axis of least depth has its vertex over the face.
        if (result.count == 0) points::lowest_vertex_point(view, face, of_a, result);
        return result;
    }
    result.count = 0;
    if (best.gap > envelope) {
        feature = best.feature;
        return result;
    }
    points::crossing_points<Capacity>(a, b, pair, views, best, envelope, result);
    return result;
}

/// Puts the points over the face whose plane keeps A and B apart longest in place of `result`, where that is later than what they show.
/// O(faces (vertices + faces)), of pairs that may meet within the step alone.
template <int Capacity, class T>
SCREE_HD_SHARED void passing_points(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const Way<T>& way, T envelope,
                                    const points::HeldPoints<T>& held, ContactPoints<T>& result) {
    const axis::Pair<T> pair = axis::relate(a, b);
    const points::Views<T> views{{&a, &b, pair.turn, pair.b_in_a}, {&b, &a, axis::transposed(pair.turn), pair.a_in_b}, held};
    passing::LastMet<T> last(way.slack);
    const std::int32_t q = passing::first_met(way, result);
    last.is_later(result.gap[q], way.nearer(result.normal[q], result.point[q]));
    std::int32_t face = -1;
    bool of_a = true;
    for (int owner = 0; owner < 2; ++owner) {
        const axis::FaceView<T>& view = owner == 0 ? views.of_a : views.of_b;
        for (std::int32_t f = 0; f < view.owner->shape.faces; ++f) {
            const axis::Lowest<T> low = axis::face_gap(view, f);
            if (low.value < -way.slack) continue;
            const Vec3T<T> out = view.owner->normal(f), x = view.owner->at + view.owner->turn * axis::place(view, low.vertex);
            if (!last.is_later(low.value, way.nearer(owner == 0 ? out : -out, x))) continue;
            face = f;
            of_a = owner == 0;
        }
    }
    if (face < 0) return;
    const axis::FaceView<T>& view = of_a ? views.of_a : views.of_b;
    result.count = 0;
    points::face_points<Capacity>(view, face, of_a, envelope, held, result);
    if (result.count == 0) points::lowest_vertex_point(view, face, of_a, result);
}

}  // namespace scree
