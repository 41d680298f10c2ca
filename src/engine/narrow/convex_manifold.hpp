// How two polyhedra touch: the kind of contact and up to four points. In: placed shapes and their axis of least depth. Out: Manifold, and
// the paper's patch of penetrating vertices (BLAZE-DEM section 3.2: mean of the vertices and of their depths).
// Method: the face best in line with the axis is the reference; the other shape's face that looks at it is clipped by the planes through
// its sides and by its own plane. A face counts as in line where its normal is within 0.02 rad of the axis, an edge as level where it is
// within 0.02 rad of the plane across the axis: about what the eye takes for flat.
#pragma once

#include <cstdint>

#include "engine/narrow/convex_axis.hpp"
#include "engine/narrow/convex_overlap.hpp"
#include "engine/snapshot.hpp"

namespace scree {

template <class T>
struct Manifold {
    ContactKind kind{ContactKind::None};
    Vec3T<T> normal;  // unit, from A to B
    T depth{};        // along the normal, the greatest of the points [m]
    std::int32_t points{0};
    Vec3T<T> point[4];      // of the incident shape, the deepest first
    T point_depth[4] = {};  // behind the reference face [m]
    T area{};               // of the incident face's part within the reference shape, across the normal [m2]; 0 for edges that cross
    Vec3T<T> centroid;      // of that part, or the point
};

/// The paper's patch.
template <class T>
struct VertexPatch {
    std::int32_t count{0};  // of the vertices inside; 1 for edges that cross
    Vec3T<T> point;         // their mean
    T depth{};              // mean along the axis [m]
};

namespace touch {

template <class T>
SCREE_HD constexpr T level() {
    return T(0.02);  // [rad]
}

/// The face whose normal has the greatest component along n.
template <class T>
SCREE_HD std::int32_t face_along(const PlacedConvex<T>& a, Vec3T<T> n, T& cosine) {
    const Vec3T<T> d = transposed_times(a.turn, n);
    std::int32_t best = 0;
    cosine = dot(a.shape.normal(0), d);
    for (std::int32_t f = 1; f < a.shape.faces; ++f) {
        const T c = dot(a.shape.normal(f), d);
        best = c > cosine ? f : best;
        cosine = c > cosine ? c : cosine;
    }
    return best;
}

/// The edge that reaches farthest along n with its lower end.
template <class T>
SCREE_HD std::int32_t edge_along(const PlacedConvex<T>& a, Vec3T<T> n) {
    const Vec3T<T> d = transposed_times(a.turn, n);
    std::int32_t best = 0;
    T most = axis::lowest<T>(), most_upper = axis::lowest<T>();
    for (std::int32_t e = 0; e < a.shape.edges; ++e) {
        const T p = dot(a.shape.vertex(a.shape.edge[2 * e]), d), q = dot(a.shape.vertex(a.shape.edge[2 * e + 1]), d);
        const T lower = p < q ? p : q, upper = p < q ? q : p;
        const bool farther = lower > most || (lower == most && upper > most_upper);
        best = farther ? e : best;
        most_upper = farther ? upper : most_upper;
        most = farther ? lower : most;
    }
    return best;
}

template <class T>
struct Segment {
    Vec3T<T> start, way;
};

template <class T>
SCREE_HD Segment<T> edge_of(const PlacedConvex<T>& a, std::int32_t e) {
    const Vec3T<T> start = a.vertex(a.shape.edge[2 * e]);
    return {start, a.vertex(a.shape.edge[2 * e + 1]) - start};
}

template <class T>
SCREE_HD bool is_level(const Segment<T>& s, Vec3T<T> n) {
    const T along = dot(s.way, n);
    return along * along <= level<T>() * level<T>() * norm2(s.way);
}

template <class T>
SCREE_HD T within_edge(T t) {
    return t > T(0) ? (t < T(1) ? t : T(1)) : T(0);
}

/// Midway between the closest points of two lines, held to the edges; of parallel ones, between their middles.
template <class T>
SCREE_HD Vec3T<T> between_edges(const Segment<T>& a, const Segment<T>& b) {
    const Vec3T<T> c = cross(a.way, b.way), d = b.start - a.start;
    const T c2 = norm2(c);
    const bool parallel = !(c2 > T(1e-8) * norm2(a.way) * norm2(b.way));
    const T inverse = parallel ? T(0) : T(1) / c2;
    const T s = parallel ? T(0.5) : within_edge(dot(cross(d, b.way), c) * inverse);
    const T t = parallel ? T(0.5) : within_edge(dot(cross(d, a.way), c) * inverse);
    return T(0.5) * (a.start + s * a.way + b.start + t * b.way);
}

/// The incident face clipped by the planes through the sides of the reference face along its normal m.
template <int Capacity, class T>
SCREE_HD int clip_incident(const PlacedConvex<T>& reference, std::int32_t face, Vec3T<T> m, const PlacedConvex<T>& incident,
                           std::int32_t other, clip::Polygon<Capacity, T>* polygon) {
    const ConvexView<T>&r = reference.shape, &s = incident.shape;
    std::int32_t n = 0;
    for (std::int32_t k = s.face_start[other]; k < s.face_start[other + 1] && n < Capacity; ++k, ++n) {
        const Vec3T<T> p = incident.vertex(s.face_vertex[k]);
        polygon[0].x[n] = p.x;
        polygon[0].y[n] = p.y;
        polygon[0].z[n] = p.z;
    }
    polygon[0].corners = n;
    int now = 0;
    const std::int32_t begin = r.face_start[face], end = r.face_start[face + 1];
    Vec3T<T> from = reference.vertex(r.face_vertex[end - 1]);
    for (std::int32_t k = begin; k < end && polygon[now].corners > 2; ++k) {
        const Vec3T<T> to = reference.vertex(r.face_vertex[k]);
        const Vec3T<T> side = cross(to - from, m);
        if (clip::cut(polygon[now], side.x, side.y, side.z, dot(side, from), polygon[1 - now])) now = 1 - now;
        from = to;
    }
    return now;
}

template <int Capacity, class T>
SCREE_HD Vec3T<T> corner(const clip::Polygon<Capacity, T>& p, std::int32_t i) {
    return {p.x[i], p.y[i], p.z[i]};
}

/// Area across n and centroid of a polygon; of one without area, the mean of its corners.
template <int Capacity, class T>
SCREE_HD void measure(const clip::Polygon<Capacity, T>& p, Vec3T<T> n, T& area, Vec3T<T>& centroid) {
    const Vec3T<T> p0 = corner(p, 0);
    T sum{};
    Vec3T<T> moment{}, mean{};
    for (std::int32_t i = 0; i < p.corners; ++i) mean += corner(p, i) - p0;
    for (std::int32_t i = 2; i < p.corners; ++i) {
        const Vec3T<T> u = corner(p, i - 1) - p0, v = corner(p, i) - p0;
        const T a = dot(cross(u, v), n);
        sum += a;
        moment += a * (u + v);
    }
    area = T(0.5) * std::fabs(sum);
    centroid = p0 + (area > T(0) ? moment / (T(3) * sum) : mean / T(p.corners));
}

template <class T>
SCREE_HD void add_point(Vec3T<T> p, T depth, Manifold<T>& result) {
    result.point[result.points] = p;
    result.point_depth[result.points] = depth;
    ++result.points;
}

/// Puts in the deepest corner and the three that spread widest with it: farthest from it, then from their line to either side.
template <int Capacity, class T>
SCREE_HD void choose_points(const clip::Polygon<Capacity, T>& p, Vec3T<T> n, Vec3T<T> m, T plane, Manifold<T>& result) {
    std::int32_t deepest = 0, farthest = -1, left = -1, right = -1;
    T most = plane - dot(corner(p, 0), m);
    for (std::int32_t i = 1; i < p.corners; ++i) {
        const T depth = plane - dot(corner(p, i), m);
        deepest = depth > most ? i : deepest;
        most = depth > most ? depth : most;
    }
    const Vec3T<T> first = corner(p, deepest);
    most = T(0);
    for (std::int32_t i = 0; i < p.corners; ++i) {
        const T d2 = norm2(corner(p, i) - first);
        farthest = d2 > most ? i : farthest;
        most = d2 > most ? d2 : most;
    }
    const Vec3T<T> across = farthest < 0 ? Vec3T<T>{} : cross(n, corner(p, farthest) - first);
    T most_left = T(0), most_right = T(0);
    for (std::int32_t i = 0; i < p.corners; ++i) {
        const T d = dot(corner(p, i) - first, across);
        left = d > most_left ? i : left;
        most_left = d > most_left ? d : most_left;
        right = d < most_right ? i : right;
        most_right = d < most_right ? d : most_right;
    }
    const std::int32_t chosen[4] = {deepest, farthest, left, right};
    for (int k = 0; k < 4; ++k) {
        if (chosen[k] >= 0) add_point(corner(p, chosen[k]), plane - dot(corner(p, chosen[k]), m), result);
    }
}

/// A level edge: the ends of what of it lies over the reference face.
template <class T>
SCREE_HD void edge_points(const PlacedConvex<T>& reference, std::int32_t face, Vec3T<T> m, T plane, const Segment<T>& edge,
                          Manifold<T>& result) {
    const ConvexView<T>& r = reference.shape;
    T low = T(0), high = T(1);
    const std::int32_t begin = r.face_start[face], end = r.face_start[face + 1];
    Vec3T<T> from = reference.vertex(r.face_vertex[end - 1]);
    for (std::int32_t k = begin; k < end; ++k) {
        const Vec3T<T> to = reference.vertex(r.face_vertex[k]);
        const Vec3T<T> side = cross(to - from, m);
        const T d = dot(side, edge.start - from), slope = dot(side, edge.way);
        from = to;
        if (slope > T(0)) {
            const T t = -d / slope;
            high = t < high ? t : high;
        } else if (slope < T(0)) {
            const T t = -d / slope;
            low = t > low ? t : low;
        }
    }
    if (!(low <= high)) low = high = within_edge(T(0.5) * (low + high));
    const Vec3T<T> p = edge.start + low * edge.way, q = edge.start + high * edge.way;
    const T p_depth = plane - dot(p, m), q_depth = plane - dot(q, m);
    const bool p_first = p_depth >= q_depth;
    add_point(p_first ? p : q, p_first ? p_depth : q_depth, result);
    if (high > low) add_point(p_first ? q : p, p_first ? q_depth : p_depth, result);
}

}  // namespace touch

/// `found`: what separating_axis gave for A and B that touch. Capacity: at least the corners of two faces; more are left out. The volume
/// they share is overlap().volume.
template <int Capacity = 64, class T>
SCREE_HD Manifold<T> manifold(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const Axis<T>& found) {
    const Vec3T<T> n = found.normal;
    Manifold<T> result;
    result.normal = n;
    result.depth = -found.gap;
    T cosine_a, cosine_b;
    const std::int32_t face_a = touch::face_along(a, n, cosine_a), face_b = touch::face_along(b, -n, cosine_b);
    const T level = T(1) - T(0.5) * touch::level<T>() * touch::level<T>();
    const bool of_a = cosine_a >= cosine_b;
    if (!((of_a ? cosine_a : cosine_b) > level)) {
        result.kind = ContactKind::EdgeEdge;
        result.centroid = touch::between_edges(touch::edge_of(a, touch::edge_along(a, n)), touch::edge_of(b, touch::edge_along(b, -n)));
        touch::add_point(result.centroid, result.depth, result);
        return result;
    }
    const PlacedConvex<T>&reference = of_a ? a : b, &incident = of_a ? b : a;
    const std::int32_t face = of_a ? face_a : face_b, other = of_a ? face_b : face_a;
    const Vec3T<T> m = reference.normal(face);
    const T plane = dot(m, reference.vertex(reference.shape.face_vertex[reference.shape.face_start[face]]));
    clip::Polygon<Capacity, T> polygon[2];
    int now = touch::clip_incident(reference, face, m, incident, other, polygon);
    if (polygon[now].corners > 2 && clip::cut(polygon[now], m.x, m.y, m.z, plane, polygon[1 - now])) now = 1 - now;
    const Vec3T<T> deepest = incident.vertex(axis::lowest_vertex(incident.shape, transposed_times(incident.turn, m)).vertex);
    result.centroid = deepest;
    if (polygon[now].corners > 2) touch::measure(polygon[now], n, result.area, result.centroid);
    const touch::Segment<T> edge = touch::edge_of(incident, touch::edge_along(incident, -m));
    if ((of_a ? cosine_b : cosine_a) > level) {
        result.kind = ContactKind::FaceFace;
        if (polygon[now].corners > 2) {
            touch::choose_points(polygon[now], n, m, plane, result);
        } else {
            touch::add_point(deepest, plane - dot(deepest, m), result);
        }
    } else if (touch::is_level(edge, m)) {
        result.kind = ContactKind::EdgeFace;
        touch::edge_points(reference, face, m, plane, edge, result);
    } else {
        result.kind = ContactKind::VertexFace;
        touch::add_point(deepest, plane - dot(deepest, m), result);
    }
    return result;
}

namespace touch {

/// The greatest of n . x over a shape.
template <class T>
SCREE_HD T reach(const PlacedConvex<T>& a, Vec3T<T> n) {
    return dot(a.at, n) - a.scale * axis::lowest_vertex(a.shape, -transposed_times(a.turn, n)).value;
}

/// Vertices of A inside B; depth along n, which points out of A into B, from B's lowest point.
template <class T>
SCREE_HD VertexPatch<T> vertices_inside(const PlacedConvex<T>& a, const PlacedConvex<T>& b, Vec3T<T> n) {
    VertexPatch<T> patch;
    const T low = -reach(b, -n);
    for (std::int32_t k = 0; k < a.shape.vertices; ++k) {
        const Vec3T<T> p = a.vertex(k);
        const T depth = dot(p, n) - low;
        if (!(depth >= T(0))) continue;
        const Vec3T<T> q = transposed_times(b.turn, p - b.at);
        bool inside = true;
        for (std::int32_t f = 0; f < b.shape.faces && inside; ++f) inside = !(dot(b.shape.normal(f), q) > b.scale * b.shape.h[f]);
        if (!inside) continue;
        ++patch.count;
        patch.point += p;
        patch.depth += depth;
    }
    return patch;
}

template <class T>
SCREE_HD VertexPatch<T> mean_of(const VertexPatch<T>& sum) {
    const T share = T(1) / T(sum.count > 0 ? sum.count : 1);
    return {sum.count, share * sum.point, share * sum.depth};
}

}  // namespace touch

/// The paper's patch of A and B that touch: A's vertices inside B, else B's inside A, else where the edges cross.
template <class T>
SCREE_HD VertexPatch<T> penetrating_vertices(const PlacedConvex<T>& a, const PlacedConvex<T>& b, const Axis<T>& found) {
    VertexPatch<T> patch = touch::vertices_inside(a, b, found.normal);
    if (patch.count == 0) patch = touch::vertices_inside(b, a, -found.normal);
    if (patch.count > 0) return touch::mean_of(patch);
    // Faces may cross with no vertex inside: their points stand for those of the edges.
    const Manifold<T> m = manifold(a, b, found);
    for (std::int32_t k = 0; k < m.points; ++k) {
        patch.point += m.point[k];
        patch.depth += m.point_depth[k];
    }
    patch.count = m.points;
    return touch::mean_of(patch);
}

/// The same with what is behind the plane through `point`; normal [unit] points to the free side.
template <class T>
SCREE_HD VertexPatch<T> penetrating_vertices(const PlacedConvex<T>& a, Vec3T<T> point, Vec3T<T> normal) {
    VertexPatch<T> patch;
    for (std::int32_t k = 0; k < a.shape.vertices; ++k) {
        const Vec3T<T> p = a.vertex(k);
        const T depth = dot(point - p, normal);
        if (!(depth > T(0))) continue;
        ++patch.count;
        patch.point += p;
        patch.depth += depth;
    }
    return touch::mean_of(patch);
}

}  // namespace scree
