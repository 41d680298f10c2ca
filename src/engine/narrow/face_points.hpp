// The points between a reference face of one polyhedron and what of the other lies over it. In: the pair as seen from the owner of the face
// (axis::FaceView). Out: points with the face's normal and, each, its own gap.
// Corners of the shared polygon are known by what they come from: a vertex of either face, or two sides that cross. Whichever of two faces
// that lie flush is the reference, the corners and their keys are the same.
#pragma once

#include "engine/narrow/convex_axis.hpp"
#include "engine/narrow/convex_manifold.hpp"
#include "engine/narrow/point_choice.hpp"

namespace scree::points {

template <class T>
SCREE_HD constexpr T no_gap() {
    return T(1e30);
}

/// A face shows a distance (or depth) where the nearest that lies over it has this gap at most: then its normal is within 0.02 rad of the
/// true one, or the gap so small that it does not matter.
template <class T>
SCREE_HD T farthest_shown(T gap, T envelope) {
    return gap + T(2e-4) * std::fabs(gap) + T(1e-3) * envelope;
}

/// A polygon whose corner i starts side label[i]: a side of the incident face k >= 0, or ~k of the reference (entries of the loop tables).
template <int Capacity, class T>
struct LabelledPolygon {
    T x[Capacity], y[Capacity], z[Capacity];
    std::int32_t label[Capacity];
    std::int32_t corners;

    SCREE_HD Vec3T<T> corner(std::int32_t i) const { return {x[i], y[i], z[i]}; }
    SCREE_HD void add(Vec3T<T> p, std::int32_t side) {
        if (corners >= Capacity) return;
        x[corners] = p.x;
        y[corners] = p.y;
        z[corners] = p.z;
        label[corners++] = side;
    }
};

/// Keeps what is on the side n . x <= h (Sutherland and Hodgman 1974); false where nothing was cut and `out` is not written.
template <int Capacity, class T>
SCREE_HD bool cut_labelled(const LabelledPolygon<Capacity, T>& in, Vec3T<T> n, T h, std::int32_t label, LabelledPolygon<Capacity, T>& out) {
    T d[Capacity];
    bool all = true;
    for (std::int32_t i = 0; i < in.corners; ++i) {
        d[i] = n.x * in.x[i] + n.y * in.y[i] + n.z * in.z[i] - h;
        all = all && d[i] <= T(0);
    }
    if (all) return false;
    out.corners = 0;
    for (std::int32_t i = 0; i < in.corners; ++i) {
        const std::int32_t next = i + 1 == in.corners ? 0 : i + 1;
        const bool here = d[i] <= T(0), there = d[next] <= T(0);
        if (here) out.add(in.corner(i), in.label[i]);
        if (here == there) continue;
        const T t = d[i] / (d[i] - d[next]);
        out.add(in.corner(i) + t * (in.corner(next) - in.corner(i)), here ? ~label : in.label[i]);
    }
    return true;
}

/// What counts as the same: a thousandth of the smaller body, and of depths a tenth of the envelope at most.
template <class T>
SCREE_HD ChoiceWindow<T> window_of(T small, T size, T envelope) {
    const T tenth = T(0.1) * envelope, flat = T(1e-3) * small;
    return {(tenth < flat ? tenth : flat) + T(32) * axis::epsilon<T>() * size, T(2e-3) * small};
}
template <class T>
SCREE_HD ChoiceWindow<T> point_window(const PlacedConvex<T>& a, const PlacedConvex<T>& b, T envelope) {
    return window_of(a.scale < b.scale ? a.scale : b.scale, a.scale + b.scale, envelope);
}

/// The face of a shape at its vertex and lowest edge along m (in its frame) that looks against m.
template <class T>
SCREE_HD std::int32_t incident_face(const ConvexView<T>& s, std::int32_t vertex, Vec3T<T> m) {
    std::int32_t edge = 0;
    T least = no_gap<T>();
    for (std::int32_t e = 0; e < s.edges; ++e) {
        const std::int32_t p = s.edge[2 * e], q = s.edge[2 * e + 1];
        if (p != vertex && q != vertex) continue;
        const T height = dot(s.vertex(p == vertex ? q : p), m);
        edge = height < least ? e : edge;
        least = height < least ? height : least;
    }
    const std::int32_t left = s.edge_face[2 * edge], right = s.edge_face[2 * edge + 1];
    return dot(s.normal(right), m) < dot(s.normal(left), m) ? right : left;
}

/// The vertex of a face nearest to p across m, within `near2`; -1 where none is. Sides `begin` … `end` - 1 of the loop start at it; `at`
/// gives places.
template <class T, class Place>
SCREE_HD std::int32_t vertex_near(const std::int32_t* loop, std::int32_t begin, std::int32_t end, Vec3T<T> p, Vec3T<T> m, T near2,
                                  const Place& at) {
    std::int32_t best = -1;
    for (std::int32_t k = begin; k < end; ++k) {
        const Vec3T<T> to = at(k) - p;
        const T up = dot(to, m), d2 = norm2(to) - up * up;
        best = d2 < near2 ? loop[k] : best;
        near2 = d2 < near2 ? d2 : near2;
    }
    return best;
}

/// The key that the labels of a corner tell.
template <class T>
SCREE_HD std::int32_t label_key(const axis::FaceView<T>& v, bool of_a, std::int32_t before, std::int32_t after, std::int32_t begin,
                                std::int32_t end) {
    if (before >= 0 && after >= 0) return point_key::of_vertex(!of_a, v.other->shape.face_vertex[after]);
    if (before < 0 && after < 0) {
        // Two sides of the reference, in either order: the vertex between them starts the later one.
        const std::int32_t s = ~before, t = ~after, follows = s + 1 == end ? begin : s + 1;
        return point_key::of_vertex(of_a, v.owner->shape.face_vertex[follows == t ? t : s]);
    }
    const std::int32_t reference = before < 0 ? ~before : ~after, incident = before < 0 ? after : before;
    return of_a ? point_key::of_sides(reference, incident) : point_key::of_sides(incident, reference);
}

/// The incident face clipped by the planes through the sides of the reference face; which of the two polygons holds it. Its own corners go
/// to `incident` (Capacity).
template <int Capacity, class T>
SCREE_HD int clip_to_face(const axis::FaceView<T>& v, std::int32_t face, std::int32_t other, LabelledPolygon<Capacity, T>* polygon,
                          Vec3T<T>* incident) {
    const ConvexView<T>&r = v.owner->shape, &s = v.other->shape;
    const Vec3T<T> m = r.normal(face);
    polygon[0].corners = 0;
    for (std::int32_t k = s.face_start[other]; k < s.face_start[other + 1] && polygon[0].corners < Capacity; ++k) {
        const Vec3T<T> p = axis::place(v, s.face_vertex[k]);
        incident[polygon[0].corners] = p;
        polygon[0].add(p, k);
    }
    int now = 0;
    const std::int32_t begin = r.face_start[face], end = r.face_start[face + 1];
    Vec3T<T> from = v.owner->scale * r.vertex(r.face_vertex[begin]);
    for (std::int32_t k = begin; k < end && polygon[now].corners > 0; ++k) {
        const Vec3T<T> to = v.owner->scale * r.vertex(r.face_vertex[k + 1 < end ? k + 1 : begin]);
        const Vec3T<T> side = cross(to - from, m);
        if (cut_labelled(polygon[now], side, dot(side, from), k, polygon[1 - now])) now = 1 - now;
        from = to;
    }
    return now;
}

/// The key of a corner: where a vertex is within the root of `near2`, that vertex, A's before B's. Sides that run along each other cross
/// anywhere near their ends, and which of two vertices that meet is the corner is up to noise.
template <int Capacity, class T>
SCREE_HD std::int32_t snapped_key(const axis::FaceView<T>& v, std::int32_t face, std::int32_t other, bool of_a, const PointCandidate<T>& c,
                                  Vec3T<T> m, T near2, const Vec3T<T>* incident) {
    if (c.key >> point_key::kind_shift == point_key::VertexOfA) return c.key;
    const ConvexView<T>&r = v.owner->shape, &s = v.other->shape;
    const std::int32_t begin = s.face_start[other], corners = s.face_start[other + 1] - begin;
    const std::int32_t end = begin + (corners < Capacity ? corners : Capacity);
    const auto of_reference = [&] {
        return vertex_near(r.face_vertex, r.face_start[face], r.face_start[face + 1], c.at, m, near2,
                           [&](std::int32_t k) { return v.owner->scale * r.vertex(r.face_vertex[k]); });
    };
    const auto of_incident = [&] {
        return vertex_near(s.face_vertex, begin, end, c.at, m, near2, [&](std::int32_t k) { return incident[k - begin]; });
    };
    const std::int32_t vertex_a = of_a ? of_reference() : of_incident();
    if (vertex_a >= 0) return point_key::of_vertex(true, vertex_a);
    if (c.key >> point_key::kind_shift == point_key::VertexOfB) return c.key;
    const std::int32_t vertex_b = of_a ? of_incident() : of_reference();
    return vertex_b >= 0 ? point_key::of_vertex(false, vertex_b) : c.key;
}

/// What of the incident face lies over the reference.
template <class T>
struct FaceShare {
    T least, most;  // gaps; no_gap() where nothing does
    T width;        // it is at least so wide in all directions of the plane

    /// Whether no pair of edges can overlap less than `depth`, the depth along the face's normal, but with a normal within 0.02 rad of
    /// that: both bodies hold the columns between share and face, so along an axis that leans from the normal by phi they overlap by
    /// width sin(phi) - most cos(phi) or more, which is concave in phi: its ends tell.
    SCREE_HD bool settles(T depth) const {
        const T level = touch::level<T>();
        return width >= depth && T(0.999) * level * width >= depth + (most > T(0) ? most : (T(1) - T(0.5) * level * level) * most);
    }
};

template <int Capacity, class T>
SCREE_HD FaceShare<T> measure_share(const LabelledPolygon<Capacity, T>& shared, Vec3T<T> m, T plane) {
    FaceShare<T> share{no_gap<T>(), -no_gap<T>(), T(0)};
    T far2 = T(0), twice_area = T(0);
    Vec3T<T> before{};
    for (std::int32_t i = 0; i < shared.corners; ++i) {
        const T gap = dot(m, shared.corner(i)) - plane;
        share.least = gap < share.least ? gap : share.least;
        share.most = gap > share.most ? gap : share.most;
        const Vec3T<T> to = shared.corner(i) - shared.corner(0);
        const T d2 = norm2(to);
        far2 = d2 > far2 ? d2 : far2;
        twice_area += dot(m, cross(before, to));
        before = to;
    }
    // A convex figure is at least as wide as its area over its diameter, and that is twice the farthest corner's distance at most.
    if (far2 > T(0)) share.width = T(0.25) * std::fabs(twice_area) / std::sqrt(far2);
    return share;
}

/// The points that a pair had a step ago, in the frame they are told in now; count 0: none.
template <class T>
struct HeldPoints {
    /// They stay while they span this much of what a fresh choice spans, and no other corner is deeper by more than so many windows.
    static constexpr double spread = 0.7, windows = 3;
    std::int32_t count{0};
    Vec3T<T> at[4];
};

/// Adds up to four points over face `face` of the owner with gaps up to `envelope`; `of_a`: the owner is A. Where there are more to choose
/// from, those of `held` stay as long as they are about as good: what they carry is known.
template <int Capacity, class T>
SCREE_HD_SHARED FaceShare<T> face_points(const axis::FaceView<T>& v, std::int32_t face, bool of_a, T envelope, const HeldPoints<T>& held,
                                         ContactPoints<T>& result) {
    const ConvexView<T>&r = v.owner->shape, &s = v.other->shape;
    const Vec3T<T> m = r.normal(face), in_other = transposed_times(v.turn, m);
    const std::int32_t low = axis::lowest_vertex(s, in_other).vertex;
    const std::int32_t other = incident_face(s, low < s.vertices ? low : s.vertices - 1, in_other);
    LabelledPolygon<Capacity, T> polygon[2];
    Vec3T<T> incident[Capacity];
    const LabelledPolygon<Capacity, T>& shared = polygon[clip_to_face(v, face, other, polygon, incident)];
    const T plane = v.owner->scale * r.h[face];
    PointCandidate<T> candidate[Capacity];
    std::int32_t count = 0;
    const FaceShare<T> share = measure_share(shared, m, plane);
    for (std::int32_t i = 0; i < shared.corners; ++i) {
        const Vec3T<T> p = shared.corner(i);
        const T gap = dot(m, p) - plane;
        if (!(gap <= envelope)) continue;
        const std::int32_t before = shared.label[i == 0 ? shared.corners - 1 : i - 1];
        candidate[count++] = {p, gap, label_key(v, of_a, before, shared.label[i], r.face_start[face], r.face_start[face + 1])};
    }
    if (count == 0) return share;
    const ChoiceWindow<T> window = point_window(*v.owner, *v.other, envelope);
    if (count > ContactPoints<T>::most) count = straighten(candidate, count, window.same);
    std::int32_t chosen[ContactPoints<T>::most];
    const std::int32_t points = choose_points(candidate, count, m, window, chosen);
    if (held.count == ContactPoints<T>::most && count > ContactPoints<T>::most && points == ContactPoints<T>::most) {
        Vec3T<T> before[4];
        for (int k = 0; k < 4; ++k) before[k] = transposed_times(v.owner->turn, held.at[k] - v.owner->at);
        std::int32_t again[4];
        if (choose_again(candidate, count, m, before, chosen, T(held.spread), T(held.windows) * window.depth, again)) {
            for (int k = 0; k < 4; ++k) chosen[k] = again[k];
        }
    }
    const Vec3T<T> out = v.owner->normal(face), n = of_a ? out : -out;
    for (std::int32_t k = 0; k < points; ++k) {
        const PointCandidate<T>& c = candidate[chosen[k]];
        const Vec3T<T> middle = c.at - (T(0.5) * c.gap) * m;
        const std::int32_t key = snapped_key<Capacity>(v, face, other, of_a, c, m, T(0.25) * window.same * window.same, incident);
        add_point(result, n, v.owner->at + v.owner->turn * middle, c.gap, key);
    }
    return share;
}

/// One point at the other's lowest vertex over a face, wherever beside the face it is.
template <class T>
SCREE_HD void lowest_vertex_point(const axis::FaceView<T>& v, std::int32_t face, bool of_a, ContactPoints<T>& result) {
    const axis::Lowest<T> low = axis::face_gap(v, face);
    const Vec3T<T> out = v.owner->normal(face), m = v.owner->shape.normal(face);
    const Vec3T<T> middle = axis::place(v, low.vertex) - (T(0.5) * low.value) * m;
    const std::int32_t last = v.other->shape.vertices - 1;
    add_point(result, of_a ? out : -out, v.owner->at + v.owner->turn * middle, low.value,
              point_key::of_vertex(!of_a, low.vertex < last ? low.vertex : last));
}

}  // namespace scree::points
