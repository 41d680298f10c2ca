// The point of a convex polyhedron nearest to a point, as for the centre of a sphere. Exact over faces, edges and vertices, and continuous
// outside; inside, the face of least depth.
#pragma once

#include <cstdint>

#include "engine/narrow/convex.hpp"

namespace scree {

template <class T>
struct NearestPoint {
    Vec3T<T> point;   // of the polyhedron's surface
    Vec3T<T> normal;  // unit, out of the polyhedron; towards the given point where that is outside
    T distance;       // of the given point [m], negative inside
};

namespace nearest {

template <class T>
struct Highest {
    T value;
    std::int32_t face;
};

/// The face whose plane q is farthest outside of or least deep behind; q in the shape's frame. Eight lanes, as whole vectors.
template <class T>
SCREE_HD Highest<T> highest_plane(const ConvexView<T>& s, T scale, Vec3T<T> q) {
    T most[8];
    std::int32_t block[8];
    for (int l = 0; l < 8; ++l) most[l] = s.nx[l] * q.x + s.ny[l] * q.y + s.nz[l] * q.z - scale * s.h[l];
    for (int l = 0; l < 8; ++l) block[l] = 0;
    for (std::int32_t k = 8; k < s.faces; k += 8) {
        for (int l = 0; l < 8; ++l) {
            const T value = s.nx[k + l] * q.x + s.ny[k + l] * q.y + s.nz[k + l] * q.z - scale * s.h[k + l];
            block[l] = value > most[l] ? k : block[l];
            most[l] = value > most[l] ? value : most[l];
        }
    }
    Highest<T> best{most[0], block[0]};
    for (int l = 1; l < 8; ++l) {
        best.face = most[l] > best.value ? block[l] + l : best.face;
        best.value = most[l] > best.value ? most[l] : best.value;
    }
    best.face = best.face < s.faces ? best.face : s.faces - 1;  // padding repeats the last
    return best;
}

/// Whether the foot of q in the plane of a face lies within the face.
template <class T>
SCREE_HD bool above_face(const ConvexView<T>& s, T scale, std::int32_t face, Vec3T<T> q) {
    const Vec3T<T> n = s.normal(face);
    const std::int32_t begin = s.face_start[face], end = s.face_start[face + 1];
    Vec3T<T> from = scale * s.vertex(s.face_vertex[end - 1]);
    for (std::int32_t k = begin; k < end; ++k) {
        const Vec3T<T> to = scale * s.vertex(s.face_vertex[k]);
        if (dot(cross(to - from, q - from), n) < T(0)) return false;
        from = to;
    }
    return true;
}

/// The point of the edges nearest to q.
template <class T>
SCREE_HD Vec3T<T> on_edges(const ConvexView<T>& s, T scale, Vec3T<T> q) {
    Vec3T<T> best = scale * s.vertex(0);
    T least = norm2(q - best);
    for (std::int32_t e = 0; e < s.edges; ++e) {
        const Vec3T<T> start = scale * s.vertex(s.edge[2 * e]), way = scale * s.vertex(s.edge[2 * e + 1]) - start;
        T t = dot(q - start, way) / norm2(way);
        t = t > T(0) ? t : T(0);
        t = t < T(1) ? t : T(1);
        const Vec3T<T> p = start + t * way;
        const T d2 = norm2(q - p);
        const bool nearer = d2 < least;
        least = nearer ? d2 : least;
        best = {nearer ? p.x : best.x, nearer ? p.y : best.y, nearer ? p.z : best.z};
    }
    return best;
}

}  // namespace nearest

/// O(faces + edges). The distance of a point outside is at least that from any plane, so only the highest plane's face can hold the foot;
/// where it does not, an edge has the nearest point.
template <class T>
SCREE_HD NearestPoint<T> nearest_to(const PlacedConvex<T>& a, Vec3T<T> p) {
    const Vec3T<T> q = transposed_times(a.turn, p - a.at);
    const nearest::Highest<T> high = nearest::highest_plane(a.shape, a.scale, q);
    const Vec3T<T> n = a.shape.normal(high.face);
    NearestPoint<T> result{a.at + a.turn * (q - high.value * n), a.turn * n, high.value};
    if (!(high.value > T(0)) || nearest::above_face(a.shape, a.scale, high.face, q)) return result;
    const Vec3T<T> foot = nearest::on_edges(a.shape, a.scale, q);
    const Vec3T<T> out = q - foot;
    const T d = norm(out);
    result.point = a.at + a.turn * foot;
    result.distance = d;
    if (d > T(0)) result.normal = a.turn * (out / d);
    return result;
}

}  // namespace scree
