// The direction that separates two convex polyhedra, or along which they overlap least (separating axis theorem; BLAZE-DEM section 3.2).
// In: placed shapes. Out: gap along a unit axis from A to B, and which feature gave it. The axes that count for polyhedra are the face
// normals of either and the cross products of two edges whose arcs on the sphere of normals cross (Gregorius 2013, "The separating axis
// test between convex polyhedra"); spheres and boxes about the shapes reject most pairs first. Invariant: test_feature computes a feature
// as separating_axis does, to the last bit, and a feature that separates there makes the whole search find the pair apart too. So trying a
// remembered feature first saves work and never changes a verdict. An edge pair counts for less by the rounding it may have, 32 roundings
// of the pair's size over the sine of the angle of the edges: equal depths go to faces, parallel edges to none.
#pragma once

#include <cstdint>

#include "engine/narrow/convex.hpp"

namespace scree {

template <class T>
struct Axis {
    T gap;                 // > 0: apart along the axis [m]; < 0: -gap is the least depth
    Vec3T<T> normal;       // unit, from A to B
    std::int32_t feature;  // what gave it, for test_feature; -1: not to be remembered
};

namespace axis {

enum Kind : std::int32_t { Sphere = 0, Box = 1, FaceOfA = 2, FaceOfB = 3, EdgePair = 4 };
// A feature is kind * 2^28 + index; an edge pair's index is edge of A * 2^14 + edge of B.
inline constexpr std::int32_t kind_shift = 28;
inline constexpr std::int32_t edge_shift = 14;
inline constexpr std::int32_t edge_limit = 1 << edge_shift;
/// Edges of B that may pair, collected before the edges of A go over them.
inline constexpr std::int32_t batch = 32;

template <class T>
SCREE_HD constexpr T lowest() {
    return T(-1e30);
}
template <class T>
SCREE_HD constexpr T epsilon() {
    return sizeof(T) == sizeof(float) ? T(1.1920929e-7) : T(2.220446049250313e-16);
}

/// The pair in the frame of A and in that of B.
template <class T>
struct Pair {
    Mat3T<T> turn;     // A's frame <- B's frame
    Vec3T<T> b_in_a;   // centre of B in A's frame
    Vec3T<T> a_in_b;   // centre of A in B's frame
    Vec3T<T> between;  // centre of B minus centre of A, common frame
    T size;            // of the pair, for rounding: radii and distance
};

template <class T>
SCREE_HD Vec3T<T> column(const Mat3T<T>& m, int k) {
    return k == 0   ? Vec3T<T>{m.row[0].x, m.row[1].x, m.row[2].x}
           : k == 1 ? Vec3T<T>{m.row[0].y, m.row[1].y, m.row[2].y}
                    : Vec3T<T>{m.row[0].z, m.row[1].z, m.row[2].z};
}

template <class T>
SCREE_HD Mat3T<T> transposed(const Mat3T<T>& m) {
    return {{column(m, 0), column(m, 1), column(m, 2)}};
}

template <class T>
SCREE_HD Pair<T> relate(const PlacedConvex<T>& a, const PlacedConvex<T>& b) {
    Pair<T> pair;
    pair.between = b.at - a.at;
    const Vec3T<T> r0 = transposed_times(a.turn, column(b.turn, 0));
    const Vec3T<T> r1 = transposed_times(a.turn, column(b.turn, 1));
    const Vec3T<T> r2 = transposed_times(a.turn, column(b.turn, 2));
    pair.turn = {{{r0.x, r1.x, r2.x}, {r0.y, r1.y, r2.y}, {r0.z, r1.z, r2.z}}};
    pair.b_in_a = transposed_times(a.turn, pair.between);
    pair.a_in_b = -transposed_times(b.turn, pair.between);
    pair.size = a.scale + b.scale;
    return pair;
}

/// Spheres about the centres.
template <class T>
SCREE_HD Axis<T> sphere_axis(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const Vec3T<T>& between) {
    const T reach = a.scale + b.scale;
    const T d2 = norm2(between);
    if (!(d2 > reach * reach)) return {T(-1), {T(0), T(0), T(1)}, -1};
    const T d = std::sqrt(d2);
    // Rounding of the root must not turn the verdict of the squares.
    const T gap = d - reach;
    return {gap > T(0) ? gap : epsilon<T>() * reach, between / d, Sphere << kind_shift};
}

/// Oriented boxes about the shapes; `index` 0..2 A's axes, 3..5 B's, 6..14 their cross products. Gap times the length of the axis; its
/// margin covers rounding. The axis, in A's frame and not yet turned towards B, is written to `direction`.
template <class T>
SCREE_HD T box_gap(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const Pair<T>& pair, int index, Vec3T<T>& direction) {
    const Vec3T<T> half_a = T(0.5) * a.scale * (a.shape.box_max - a.shape.box_min);
    const Vec3T<T> half_b = T(0.5) * b.scale * (b.shape.box_max - b.shape.box_min);
    const Vec3T<T> middle_a = T(0.5) * a.scale * (a.shape.box_max + a.shape.box_min);
    const Vec3T<T> middle_b = T(0.5) * b.scale * (b.shape.box_max + b.shape.box_min);
    const Vec3T<T> d = pair.b_in_a + pair.turn * middle_b - middle_a;
    const Vec3T<T> unit[3] = {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}};
    if (index < 3) {
        direction = unit[index];
    } else if (index < 6) {
        direction = column(pair.turn, index - 3);
    } else {
        direction = cross(unit[(index - 6) / 3], column(pair.turn, (index - 6) % 3));
    }
    const Vec3T<T> in_b = transposed_times(pair.turn, direction);
    const T reach_a = half_a.x * std::fabs(direction.x) + half_a.y * std::fabs(direction.y) + half_a.z * std::fabs(direction.z);
    const T reach_b = half_b.x * std::fabs(in_b.x) + half_b.y * std::fabs(in_b.y) + half_b.z * std::fabs(in_b.z);
    return std::fabs(dot(direction, d)) - (reach_a + reach_b) - T(16) * epsilon<T>() * pair.size;
}

template <class T>
SCREE_HD Axis<T> box_axis(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const Pair<T>& pair, int index) {
    Vec3T<T> direction;
    const T gap = box_gap(a, b, pair, index, direction);
    if (!(gap > T(0))) return {T(-1), {T(0), T(0), T(1)}, -1};
    const Vec3T<T> middle_a = T(0.5) * a.scale * (a.shape.box_max + a.shape.box_min);
    const Vec3T<T> middle_b = T(0.5) * b.scale * (b.shape.box_max + b.shape.box_min);
    const Vec3T<T> d = pair.b_in_a + pair.turn * middle_b - middle_a;
    const T length = norm(direction);
    const T towards = dot(direction, d) < T(0) ? T(-1) : T(1);
    return {gap / length, a.turn * ((towards / length) * direction), (Box << kind_shift) + index};
}

template <class T>
struct Lowest {
    T value;
    std::int32_t vertex;
};

/// The vertex least along d, in the shape's frame and unscaled. Eight lanes, so that the loop runs in whole vectors.
template <class T>
SCREE_HD Lowest<T> lowest_vertex(const ConvexView<T>& shape, Vec3T<T> d) {
    const T *x = shape.x, *y = shape.y, *z = shape.z;
    T least[8];
    std::int32_t block[8];
    for (int l = 0; l < 8; ++l) least[l] = d.x * x[l] + d.y * y[l] + d.z * z[l];
    for (int l = 0; l < 8; ++l) block[l] = 0;
    for (std::int32_t k = 8; k < shape.vertices; k += 8) {
        for (int l = 0; l < 8; ++l) {
            const T value = d.x * x[k + l] + d.y * y[k + l] + d.z * z[k + l];
            block[l] = value < least[l] ? k : block[l];
            least[l] = value < least[l] ? value : least[l];
        }
    }
    for (int l = 0; l < 8; ++l) block[l] += l;
    for (int half = 4; half > 0; half /= 2) {
        for (int l = 0; l < half; ++l) {
            block[l] = least[l + half] < least[l] ? block[l + half] : block[l];
            least[l] = least[l + half] < least[l] ? least[l + half] : least[l];
        }
    }
    return {least[0], block[0]};
}

/// What a face search needs of one shape, the owner, and the other in its frame.
template <class T>
struct FaceView {
    const PlacedConvex<T>* owner;
    const PlacedConvex<T>* other;
    Mat3T<T> turn;    // owner's frame <- other's
    Vec3T<T> centre;  // of the other, in the owner's frame
};

template <class T>
SCREE_HD Vec3T<T> place(const FaceView<T>& v, std::int32_t vertex) {
    return v.centre + v.turn * (v.other->scale * v.other->shape.vertex(vertex));
}

/// Distance of the other from the plane of face f, and its vertex there.
template <class T>
SCREE_HD Lowest<T> face_gap(const FaceView<T>& v, std::int32_t f) {
    const Vec3T<T> n = v.owner->shape.normal(f);
    const Lowest<T> low = lowest_vertex(v.other->shape, transposed_times(v.turn, n));
    return {v.other->scale * low.value + (dot(n, v.centre) - v.owner->scale * v.owner->shape.h[f]), low.vertex};
}

/// Distance of a point from the plane of face f of the owner.
template <class T>
SCREE_HD T above_face(const FaceView<T>& v, std::int32_t f, Vec3T<T> p) {
    return dot(v.owner->shape.normal(f), p) - v.owner->scale * v.owner->shape.h[f];
}

template <class T>
struct BestFace {
    T gap;
    std::int32_t face;
    Vec3T<T> point;  // the other's vertex there, in the owner's frame
    Vec3T<T> far;    // a low vertex of the other on the far side of its centre
};

/// The face with the greatest gap, or at once one whose gap is past `stop`. Starts with the face whose plane is farthest inside of the
/// other's centre; a point of the other bounds each gap from above, which leaves few faces to search.
template <class T>
SCREE_HD BestFace<T> best_face(const FaceView<T>& v, T stop = T(0)) {
    const ConvexView<T>& s = v.owner->shape;
    const Vec3T<T> c = v.centre;
    const T scale = v.owner->scale;
    T most[8];
    std::int32_t block[8];
    for (int l = 0; l < 8; ++l) most[l] = lowest<T>();
    for (int l = 0; l < 8; ++l) block[l] = 0;
    for (std::int32_t k = 0; k < s.faces; k += 8) {
        for (int l = 0; l < 8; ++l) {
            const T value = s.nx[k + l] * c.x + s.ny[k + l] * c.y + s.nz[k + l] * c.z - scale * s.h[k + l];
            block[l] = value > most[l] ? k : block[l];
            most[l] = value > most[l] ? value : most[l];
        }
    }
    T highest = most[0];
    std::int32_t first = block[0];
    for (int l = 1; l < 8; ++l) {
        first = most[l] > highest ? block[l] + l : first;
        highest = most[l] > highest ? most[l] : highest;
    }
    first = first < s.faces ? first : s.faces - 1;  // padding repeats the last
    Lowest<T> low = face_gap(v, first);
    BestFace<T> best{low.value, first, place(v, low.vertex), v.centre};
    if (best.gap > stop) return best;
    const T margin = T(64) * epsilon<T>() * (scale + v.other->scale);
    for (std::int32_t f = 0; f < s.faces; ++f) {
        if (f == first || above_face(v, f, best.point) < best.gap - margin) continue;
        low = face_gap(v, f);
        if (!(low.value > best.gap)) continue;
        best = {low.value, f, place(v, low.vertex), v.centre};
        if (best.gap > stop) return best;
    }
    return best;
}

/// Sets `far`: faces that meet, level and flush, need a second point to rule out their edges.
template <class T>
SCREE_HD void find_far_point(const FaceView<T>& v, BestFace<T>& best) {
    const Vec3T<T> n = v.owner->shape.normal(best.face), out = best.point - v.centre;
    const Vec3T<T> along = out - dot(out, n) * n;
    const T length = norm(along);
    const T tilt = length > T(0) ? T(0.05) / length : T(0);
    best.far = place(v, lowest_vertex(v.other->shape, transposed_times(v.turn, n + tilt * along)).vertex);
}

/// Whether the pair may be less deep than `gap` along a direction n between the normals of an edge's faces. For n as for each point p of
/// the other shape the gap is at most n . (p - edge); where both faces give no more than a negative gap, n gives less.
template <class T>
SCREE_HD bool edge_may_count(const FaceView<T>& v, std::int32_t e, const BestFace<T>& found, T gap) {
    const std::int32_t left = v.owner->shape.edge_face[2 * e], right = v.owner->shape.edge_face[2 * e + 1];
    const bool near = above_face(v, left, found.point) > gap || above_face(v, right, found.point) > gap;
    return near && (above_face(v, left, found.far) > gap || above_face(v, right, found.far) > gap);
}

/// An edge as the pair test needs it, in A's frame: an end, the way to the other end over the scale, and the normals of its faces.
template <class T>
struct Edge {
    Vec3T<T> start, way, left, right;
};

template <class T>
SCREE_HD Edge<T> edge_of_a(const PlacedConvex<T>& a, std::int32_t e) {
    const ConvexView<T>& s = a.shape;
    const Vec3T<T> p = s.vertex(s.edge[2 * e]);
    return {a.scale * p, s.vertex(s.edge[2 * e + 1]) - p, s.normal(s.edge_face[2 * e]), s.normal(s.edge_face[2 * e + 1])};
}

/// Of B, with its normals turned round: on the sphere of directions from A to B.
template <class T>
SCREE_HD Edge<T> edge_of_b(const PlacedConvex<T>& b, const Pair<T>& pair, std::int32_t e) {
    const ConvexView<T>& s = b.shape;
    const Vec3T<T> p = s.vertex(s.edge[2 * e]);
    return {pair.b_in_a + pair.turn * (b.scale * p), pair.turn * (s.vertex(s.edge[2 * e + 1]) - p),
            -(pair.turn * s.normal(s.edge_face[2 * e])), -(pair.turn * s.normal(s.edge_face[2 * e + 1]))};
}

/// Of two edges along their common perpendicular: the gap, and what it is at least.
template <class T>
struct EdgeGap {
    T gap, least;
    /// What counts: nothing separates that might not by rounding.
    SCREE_HD T verdict() const { return least > T(0) || gap > T(0) ? least : gap; }
};

/// Their gap and its direction in A's frame; `lowest` where their arcs do not cross: then no support of the pair.
template <class T>
SCREE_HD EdgeGap<T> edge_gap(const Edge<T>& a, const Edge<T>& b, T size, Vec3T<T>& normal) {
    // Each arc runs from side to side of the plane of the other's, which is perpendicular to the other edge.
    const EdgeGap<T> none{lowest<T>(), lowest<T>()};
    const T b_left = dot(b.left, a.way), b_right = dot(b.right, a.way);
    if (!(b_left * b_right < T(0))) return none;
    const T a_left = dot(a.left, b.way), a_right = dot(a.right, b.way);
    if (!(a_left * a_right < T(0))) return none;
    const Vec3T<T> c = cross(a.way, b.way);
    // Both arcs pass through +c or both through -c: one sign for the middle of either.
    const T side_a = dot(c, a.left + a.right), side_b = dot(c, b.left + b.right);
    if (!(side_a * side_b > T(0))) return none;
    const T c2 = norm2(c);
    const T lengths = std::sqrt(norm2(a.way) * norm2(b.way));
    if (!(c2 > T(0))) return none;
    const T inverse = (side_a > T(0) ? T(1) : T(-1)) / std::sqrt(c2);
    normal = inverse * c;
    const T gap = dot(normal, b.start - a.start);
    return {gap, gap - T(32) * epsilon<T>() * size * lengths * std::fabs(inverse)};
}

/// Goes over the pairs of edges that may be less deep than `best` and puts the least deep there, or the first that separates by more than
/// `stop`. best.gap must not be positive.
template <class T>
SCREE_HD void best_edges(const FaceView<T>& va, const FaceView<T>& vb, const Pair<T>& pair, BestFace<T>& fa, BestFace<T>& fb, Axis<T>& best,
                         T stop = T(0)) {
    const PlacedConvex<T>&a = *va.owner, &b = *vb.owner;
    const T face_gap = best.gap;
    T least = best.gap;
    find_far_point(va, fa);
    find_far_point(vb, fb);
    std::int32_t number[batch];
    Edge<T> edge[batch];
    for (std::int32_t next = 0; next < b.shape.edges;) {
        std::int32_t count = 0;
        for (; next < b.shape.edges && count < batch; ++next) {
            if (!edge_may_count(vb, next, fb, face_gap)) continue;
            number[count] = next;
            edge[count++] = edge_of_b(b, pair, next);
        }
        if (count == 0) return;
        for (std::int32_t i = 0; i < a.shape.edges; ++i) {
            if (!edge_may_count(va, i, fa, face_gap)) continue;
            const Edge<T> edge_a = edge_of_a(a, i);
            for (std::int32_t j = 0; j < count; ++j) {
                Vec3T<T> normal;
                const EdgeGap<T> found = edge_gap(edge_a, edge[j], pair.size, normal);
                if (!(found.least > least)) continue;
                least = found.least;
                const bool fits = i < edge_limit && number[j] < edge_limit;
                const std::int32_t feature = (EdgePair << kind_shift) + (i << edge_shift) + number[j];
                best = {found.verdict(), a.turn * normal, fits ? feature : -1};
                if (best.gap > stop) return;
            }
        }
    }
}

/// The first box axis that separates, or gap -1.
template <class T>
SCREE_HD Axis<T> first_box_axis(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const Pair<T>& pair) {
    Vec3T<T> direction;
    for (int index = 0; index < 15; ++index) {
        if (box_gap(a, b, pair, index, direction) > T(0)) return box_axis(a, b, pair, index);
    }
    return {T(-1), {T(0), T(0), T(1)}, -1};
}

}  // namespace axis

/// One feature of a pair again: gap > 0 only where it separates; where the feature is not one of this pair now (or -1), the gap is negative
/// and nothing else is to be read from it.
template <class T>
SCREE_HD Axis<T> test_feature(const PlacedConvex<T>& a, const PlacedConvex<T>& b, std::int32_t feature) {
    const Axis<T> none{T(-1), {T(0), T(0), T(1)}, -1};
    if (feature < 0) return none;
    const std::int32_t kind = feature >> axis::kind_shift, index = feature & ((1 << axis::kind_shift) - 1);
    if (kind == axis::Sphere) return axis::sphere_axis(a, b, b.at - a.at);
    const axis::Pair<T> pair = axis::relate(a, b);
    if (kind == axis::Box && index < 15) return axis::box_axis(a, b, pair, index);
    if (kind == axis::FaceOfA && index < a.shape.faces) {
        return {axis::face_gap(axis::FaceView<T>{&a, &b, pair.turn, pair.b_in_a}, index).value, a.normal(index), feature};
    }
    if (kind == axis::FaceOfB && index < b.shape.faces) {
        return {axis::face_gap(axis::FaceView<T>{&b, &a, axis::transposed(pair.turn), pair.a_in_b}, index).value, -b.normal(index),
                feature};
    }
    const std::int32_t i = index >> axis::edge_shift, j = index & (axis::edge_limit - 1);
    if (kind == axis::EdgePair && i < a.shape.edges && j < b.shape.edges) {
        Vec3T<T> normal{T(0), T(0), T(1)};
        const axis::EdgeGap<T> found = axis::edge_gap(axis::edge_of_a(a, i), axis::edge_of_b(b, pair, j), pair.size, normal);
        return {found.verdict(), a.turn * normal, feature};
    }
    return none;
}

/// Whether a feature separates for certain, at less cost than test_feature: by boxes about the shapes, with a margin that covers the
/// rounding of either, so that test_feature would say so too.
template <class T>
SCREE_HD bool feature_separates(const PlacedConvex<T>& a, const PlacedConvex<T>& b, std::int32_t feature) {
    const std::int32_t index = feature & ((1 << axis::kind_shift) - 1);
    if (feature < 0 || (feature >> axis::kind_shift) != axis::Box || index > 14) return false;
    const Vec3T<T> half_a = T(0.5) * a.scale * (a.shape.box_max - a.shape.box_min);
    const Vec3T<T> half_b = T(0.5) * b.scale * (b.shape.box_max - b.shape.box_min);
    const Vec3T<T> middle_a = T(0.5) * a.scale * (a.shape.box_max + a.shape.box_min);
    const Vec3T<T> middle_b = T(0.5) * b.scale * (b.shape.box_max + b.shape.box_min);
    const Vec3T<T> between = (b.at + b.turn * middle_b) - (a.at + a.turn * middle_a);
    const Vec3T<T> of_a = axis::column(a.turn, index < 6 ? index : (index - 6) / 3);
    const Vec3T<T> of_b = axis::column(b.turn, index < 6 ? index - 3 : (index - 6) % 3);
    const Vec3T<T> n = index < 3 ? of_a : (index < 6 ? of_b : cross(of_a, of_b));
    const Vec3T<T> in_a = transposed_times(a.turn, n), in_b = transposed_times(b.turn, n);
    const T reach_a = half_a.x * std::fabs(in_a.x) + half_a.y * std::fabs(in_a.y) + half_a.z * std::fabs(in_a.z);
    const T reach_b = half_b.x * std::fabs(in_b.x) + half_b.y * std::fabs(in_b.y) + half_b.z * std::fabs(in_b.z);
    const T size = a.scale + b.scale + norm(between);
    return std::fabs(dot(n, between)) - (reach_a + reach_b) > T(128) * axis::epsilon<T>() * size;
}

/// An axis that separates A and B, or that of least depth. Cost: apart mostly that of the boxes; touching O(faces) and a few support
/// searches.
template <class T>
SCREE_HD Axis<T> separating_axis(const PlacedConvex<T>& a, const PlacedConvex<T>& b) {
    Axis<T> best = axis::sphere_axis(a, b, b.at - a.at);
    if (best.gap > T(0)) return best;
    const axis::Pair<T> pair = axis::relate(a, b);
    best = axis::first_box_axis(a, b, pair);
    if (best.gap > T(0)) return best;
    const axis::FaceView<T> va{&a, &b, pair.turn, pair.b_in_a}, vb{&b, &a, axis::transposed(pair.turn), pair.a_in_b};
    axis::BestFace<T> fa = axis::best_face(va);
    best = {fa.gap, a.normal(fa.face), (axis::FaceOfA << axis::kind_shift) + fa.face};
    if (best.gap > T(0)) return best;
    axis::BestFace<T> fb = axis::best_face(vb);
    if (fb.gap > best.gap) best = {fb.gap, -b.normal(fb.face), (axis::FaceOfB << axis::kind_shift) + fb.face};
    if (best.gap > T(0)) return best;
    axis::best_edges(va, vb, pair, fa, fb, best);
    return best;
}

}  // namespace scree
