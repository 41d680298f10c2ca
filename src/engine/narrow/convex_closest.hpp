// The closest points of two convex polyhedra that are apart, by the method of Gilbert, Johnson and Keerthi (1988) on their difference, with
// the regions of simplices after Ericson (2005, section 5.1). In: placed shapes and a direction to start from. Out: points and distance.
#pragma once

#include "engine/narrow/convex_axis.hpp"

namespace scree {

/// Distance of two polyhedra and where it is.
template <class T>
struct Closest {
    Vec3T<T> on_a, on_b;              // common frame
    Vec3T<T> normal;                  // unit, from A to B; where they are not apart, the direction to start from
    T distance;                       // [m]
    std::int32_t vertex_a, vertex_b;  // the vertex of A, of B that it is; -1: on an edge or face
};

namespace closest {

/// Points of the difference B - A with what they are made of.
template <class T>
struct Simplex {
    Vec3T<T> w[4], a[4], b[4];
    std::int32_t i[4], j[4];
    T weight[4];
    std::int32_t count{0};
};

template <class T>
SCREE_HD void keep(Simplex<T>& s, int to, int from) {
    s.w[to] = s.w[from];
    s.a[to] = s.a[from];
    s.b[to] = s.b[from];
    s.i[to] = s.i[from];
    s.j[to] = s.j[from];
}

/// Weights of the point nearest to the origin on the segment between two corners.
template <class T>
SCREE_HD void on_segment(Vec3T<T> p, Vec3T<T> q, T* weight) {
    const Vec3T<T> way = q - p;
    const T length2 = norm2(way);
    T t = length2 > T(0) ? -dot(p, way) / length2 : T(0);
    t = t > T(0) ? (t < T(1) ? t : T(1)) : T(0);
    weight[0] = T(1) - t;
    weight[1] = t;
}

/// The same on a triangle.
template <class T>
SCREE_HD void on_triangle(Vec3T<T> p, Vec3T<T> q, Vec3T<T> r, T* weight) {
    const Vec3T<T> n = cross(q - p, r - p);
    const T of_p = dot(n, cross(q, r)), of_q = dot(n, cross(r, p)), of_r = dot(n, cross(p, q));
    if (of_p > T(0) && of_q > T(0) && of_r > T(0)) {
        const T inverse = T(1) / (of_p + of_q + of_r);
        weight[0] = of_p * inverse;
        weight[1] = of_q * inverse;
        weight[2] = of_r * inverse;
        return;
    }
    const Vec3T<T> corner[3] = {p, q, r};
    T least = T(-1);
    for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        T two[2];
        on_segment(corner[k], corner[next], two);
        const T d2 = norm2(two[0] * corner[k] + two[1] * corner[next]);
        if (!(least < T(0)) && d2 >= least) continue;
        least = d2;
        weight[k] = two[0];
        weight[next] = two[1];
        weight[(k + 2) % 3] = T(0);
    }
}

/// The point nearest to the origin; keeps the corners it needs. The origin is not within.
template <class T>
SCREE_HD Vec3T<T> reduce(Simplex<T>& s) {
    for (int k = 0; k < 4; ++k) s.weight[k] = k == 0 ? T(1) : T(0);
    if (s.count == 2) on_segment(s.w[0], s.w[1], s.weight);
    if (s.count == 3) on_triangle(s.w[0], s.w[1], s.w[2], s.weight);
    if (s.count == 4) {
        T least = T(-1);
        // The newest corner belongs to the answer: three sides have it.
        for (int k = 0; k < 3; ++k) {
            const int next = (k + 1) % 3;
            T three[3];
            on_triangle(s.w[k], s.w[next], s.w[3], three);
            const T d2 = norm2(three[0] * s.w[k] + three[1] * s.w[next] + three[2] * s.w[3]);
            if (!(least < T(0)) && d2 >= least) continue;
            least = d2;
            s.weight[k] = three[0];
            s.weight[next] = three[1];
            s.weight[(k + 2) % 3] = T(0);
            s.weight[3] = three[2];
        }
    }
    std::int32_t count = 0;
    for (int k = 0; k < s.count; ++k) {
        if (!(s.weight[k] > T(0))) continue;
        keep(s, count, k);
        s.weight[count++] = s.weight[k];
    }
    s.count = count;
    Vec3T<T> v{};
    for (int k = 0; k < count; ++k) v += s.weight[k] * s.w[k];
    return v;
}

/// The corner of the difference least along v; in A's frame.
template <class T>
SCREE_HD void add_support(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const axis::Pair<T>& pair, Vec3T<T> v, Simplex<T>& s) {
    const std::int32_t i = axis::lowest_vertex(a.shape, -v).vertex;
    const std::int32_t j = axis::lowest_vertex(b.shape, transposed_times(pair.turn, v)).vertex;
    const int k = s.count++;
    s.i[k] = i < a.shape.vertices ? i : a.shape.vertices - 1;  // padding repeats the last
    s.j[k] = j < b.shape.vertices ? j : b.shape.vertices - 1;
    s.a[k] = a.scale * a.shape.vertex(i);
    s.b[k] = pair.b_in_a + pair.turn * (b.scale * b.shape.vertex(j));
    s.w[k] = s.b[k] - s.a[k];
}

}  // namespace closest

/// A and B must be apart; `start` [unit] points from A to B. Mostly two to six searches for extreme vertices.
template <class T>
SCREE_HD_SHARED Closest<T> closest_points(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const axis::Pair<T>& pair, Vec3T<T> start) {
    closest::Simplex<T> s, last;
    closest::add_support(a, b, pair, transposed_times(a.turn, start), s);
    Vec3T<T> v = closest::reduce(s);
    T v2 = norm2(v);
    last = s;
    const T tolerance = T(16) * axis::epsilon<T>();
    for (int pass = 0; pass < 64 && v2 > T(0); ++pass) {
        closest::add_support(a, b, pair, v, s);
        const int added = s.count - 1;
        // No corner lies nearer along v: v is the answer. What rounding of the corners can hide is no gain either.
        const T gain = v2 - dot(v, s.w[added]);
        if (!(gain > tolerance * (v2 + pair.size * std::sqrt(v2)))) break;
        const Vec3T<T> next = closest::reduce(s);
        const T next2 = norm2(next);
        if (!(next2 < v2)) break;
        v = next;
        v2 = next2;
        last = s;
    }
    Closest<T> result{{}, {}, start, std::sqrt(v2), last.i[0], last.j[0]};
    Vec3T<T> on_a{}, on_b{};
    for (int k = 0; k < last.count; ++k) {
        on_a += last.weight[k] * last.a[k];
        on_b += last.weight[k] * last.b[k];
        if (last.i[k] != last.i[0]) result.vertex_a = -1;
        if (last.j[k] != last.j[0]) result.vertex_b = -1;
    }
    result.on_a = a.at + a.turn * on_a;
    result.on_b = a.at + a.turn * on_b;
    if (result.distance > T(0)) result.normal = a.turn * (v / result.distance);
    return result;
}

}  // namespace scree
