// A segment (an outer edge of a mesh patch, the axis of a rod) against a convex polyhedron A. In: the segment in the polyhedron's origin.
// Out: the axis of greatest gap among those that are allowed, and where the two are nearest. Same theorem as narrow/convex_axis.hpp, the
// other body being a line: its arcs are the great circle across it.
#pragma once

#include "engine/narrow/convex_closest.hpp"
#include "engine/narrow/convex_manifold.hpp"
#include "engine/narrow/point_choice.hpp"

namespace scree::points {

/// Whether the nearest points of the lines of two edges lie on the edges.
template <class T>
SCREE_HD bool cross_within(const touch::Segment<T>& p, const touch::Segment<T>& q) {
    const Vec3T<T> c = cross(p.way, q.way), d = q.start - p.start;
    const T c2 = norm2(c), slack = T(64) * axis::epsilon<T>() * c2;
    const T s = dot(cross(d, q.way), c), t = dot(cross(d, p.way), c);
    return s >= -slack && s <= c2 + slack && t >= -slack && t <= c2 + slack;
}

/// A segment as a polyhedron without faces; a view of it is valid while it lives.
template <class T>
struct SegmentShape {
    T x[8], y[8], z[8], scale;

    /// `size`: of what it meets, for rounding [m].
    SCREE_HD SegmentShape(const touch::Segment<T>& s, T size) : scale(size) {
        for (int k = 0; k < 8; ++k) {
            const Vec3T<T> p = (k == 0 ? s.start : s.start + s.way) / size;
            x[k] = p.x;
            y[k] = p.y;
            z[k] = p.z;
        }
    }
    SCREE_HD PlacedConvex<T> placed() const {
        PlacedConvex<T> p;
        p.shape = {x, y, z, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 2, 0, 0, {}, {}};
        p.at = {};
        p.turn = {{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}};
        p.scale = scale;
        return p;
    }
};

/// What is joined to a segment, so that axes count which have all of it behind the segment: along such an axis n, from A to the segment,
/// nothing joined to the segment's lowest point goes lower. Nothing joined: every axis counts.
template <class T>
struct SegmentJoints {
    static constexpr int most_spokes = 4;
    Vec3T<T> way{};              // unit, along the segment
    Vec3T<T> own[2], beyond[2];  // unit, from start and end to the third corner of the triangle, of its neighbour
    bool joined{false}, shared{false};
    bool whole[2] = {true, true};  // start, end: a vertex; else a place where a longer segment was cut
    Vec3T<T> spoke[2][most_spokes];
    int spokes[2] = {0, 0};  // unit, from start and end along the outer edges there

    SCREE_HD static constexpr T slack() { return T(-1e-4); }

    /// The triangle alone.
    SCREE_HD bool wide(Vec3T<T> n) const {
        if (!joined) return true;
        const T along = dot(n, way);
        const int low = along > T(0) ? 0 : 1;
        return dot(n, own[low]) >= slack() && (whole[low] || std::fabs(along) <= touch::level<T>());
    }
    /// All that is known of.
    SCREE_HD bool all(Vec3T<T> n) const {
        if (!wide(n)) return false;
        if (!joined) return true;
        const T along = dot(n, way);
        const int low = along > T(0) ? 0 : 1;
        if (shared && dot(n, beyond[low]) < slack()) return false;
        for (int k = 0; k < spokes[low] && std::fabs(along) > touch::level<T>(); ++k) {
            if (dot(n, spoke[low][k]) < slack()) return false;
        }
        return true;
    }
};

/// Axes of a polyhedron and a segment.
template <class T>
struct SegmentAxis {
    T gap;                // the greatest of those allowed
    Vec3T<T> normal;      // unit, from A to the segment
    std::int32_t edge;    // of A; -1: the axis is a face normal
    T wide_gap, any_gap;  // the greatest of those that the triangle allows, and of all
    Vec3T<T> wide_normal, any_normal;
};

template <class T>
SCREE_HD void put_axis(SegmentAxis<T>& best, T gap, T margin, Vec3T<T> n, std::int32_t edge, const SegmentJoints<T>& joints) {
    if (gap > best.any_gap + margin) {
        best.any_gap = gap;
        best.any_normal = n;
    }
    if (gap > best.wide_gap + margin && joints.wide(n)) {
        best.wide_gap = gap;
        best.wide_normal = n;
    }
    if (gap > best.gap + margin && joints.all(n)) {
        best.gap = gap;
        best.normal = n;
        best.edge = edge;
    }
}

/// O(faces + edges). Where no axis is allowed the gap is axis::lowest().
template <class T>
SCREE_HD_SHARED SegmentAxis<T> segment_axis(const PlacedConvex<T>& a, const touch::Segment<T>& s, const SegmentJoints<T>& joints) {
    const Vec3T<T> up{T(0), T(0), T(1)};
    const T none = axis::lowest<T>();
    SegmentAxis<T> best{none, up, -1, none, none, up, up};
    const Vec3T<T> start = transposed_times(a.turn, s.start - a.at), way = transposed_times(a.turn, s.way), end = start + way;
    for (std::int32_t f = 0; f < a.shape.faces; ++f) {
        const Vec3T<T> n = a.shape.normal(f);
        const T p = dot(n, start), q = dot(n, end);
        put_axis(best, (p < q ? p : q) - a.scale * a.shape.h[f], T(0), a.turn * n, -1, joints);
    }
    const T length = norm(way);
    const T size = a.scale + length;
    for (std::int32_t e = 0; e < a.shape.edges; ++e) {
        const axis::Edge<T> edge = axis::edge_of_a(a, e);
        if (!(dot(edge.left, way) * dot(edge.right, way) < T(0))) continue;
        const Vec3T<T> c = cross(edge.way, way);
        const T c2 = norm2(c), lengths = norm(edge.way) * length;
        if (!(c2 > T(1e-8) * lengths * lengths)) continue;
        const T inverse = (dot(c, edge.left + edge.right) > T(0) ? T(1) : T(-1)) / std::sqrt(c2);
        const Vec3T<T> n = inverse * c;
        put_axis(best, dot(n, start - edge.start), T(32) * axis::epsilon<T>() * size * lengths * std::fabs(inverse), a.turn * n, e, joints);
    }
    return best;
}

/// What of a segment lies over a face of A: start + t * way for t in [low, high]; empty where low > high.
template <class T>
struct Share {
    T low, high;
    std::int32_t low_side, high_side;  // the sides that cut it (loop entries), -1: its own end
};

template <class T>
SCREE_HD Share<T> share_over_face(const PlacedConvex<T>& a, std::int32_t face, const touch::Segment<T>& s) {
    Share<T> share{T(0), T(1), -1, -1};
    const ConvexView<T>& shape = a.shape;
    const Vec3T<T> m = shape.normal(face), start = transposed_times(a.turn, s.start - a.at), way = transposed_times(a.turn, s.way);
    const std::int32_t begin = shape.face_start[face], end = shape.face_start[face + 1];
    Vec3T<T> from = a.scale * shape.vertex(shape.face_vertex[begin]);
    for (std::int32_t k = begin; k < end; ++k) {
        const Vec3T<T> to = a.scale * shape.vertex(shape.face_vertex[k + 1 < end ? k + 1 : begin]);
        const Vec3T<T> side = cross(to - from, m);
        const T d = dot(side, start - from), slope = dot(side, way);
        from = to;
        if (slope == T(0)) {
            if (d > T(0)) share.high = T(-1);
            continue;
        }
        const T t = -d / slope;
        if (slope > T(0) && t < share.high) {
            share.high = t;
            share.high_side = k;
        }
        if (slope < T(0) && t > share.low) {
            share.low = t;
            share.low_side = k;
        }
    }
    return share;
}

}  // namespace scree::points
