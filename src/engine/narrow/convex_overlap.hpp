// The region P that two convex polyhedra share, or that one has behind a plane. In: placed shapes and a direction. Out: moments of P.
// Method: in a frame whose z is the given axis n, P lies in the slab between the lowest vertex of B and the highest of A. A face that does
// not reach into the slab neither bounds P nor cuts it: a segment from B's lowest vertex to a point of A outside B leaves B below the top
// of A, through a face that reaches into the slab. The other faces of A are clipped by such planes of B and conversely (Sutherland and
// Hodgman 1974), and the polygons left, which bound P, are summed with the field (0, 0, z), of divergence 1: V = sum of the integrals of z
// dx dy. Faces along the axis add nothing to V, so sides that lie in one plane by design (a stack of boxes) cannot spoil it by their
// rounding. Invariant: A is clipped by B enlarged by a few roundings and B by A reduced by as much, so that of two faces that coincide one
// counts.
#pragma once

#include <cstdint>

#include "engine/narrow/convex.hpp"
#include "engine/narrow/convex_small.hpp"

namespace scree {

/// One bit for each of the planes that are tested for all vertices at once, in an integer as wide as T.
template <class T>
struct OutcodeOf {
    using Word = std::uint64_t;
    static constexpr int bits = 64;
};
template <>
struct OutcodeOf<float> {
    using Word = std::uint32_t;
    static constexpr int bits = 32;
};

/// Corners of the shape's largest face.
template <class T>
SCREE_HD std::int32_t largest_face(const ConvexView<T>& shape) {
    std::int32_t corners = 0;
    for (std::int32_t f = 0; f < shape.faces; ++f) {
        const std::int32_t n = shape.face_start[f + 1] - shape.face_start[f];
        corners = n > corners ? n : corners;
    }
    return corners;
}

/// The least Capacity for `overlap` of two shapes, and of either with a plane.
template <class T>
SCREE_HD std::int32_t overlap_capacity(const ConvexView<T>& a, const ConvexView<T>& b) {
    const std::int32_t corners_a = largest_face(a), corners_b = largest_face(b);
    return (a.faces > b.faces ? a.faces : b.faces) + (corners_a > corners_b ? corners_a : corners_b);
}

namespace clip {

/// One shape in the frame of the contact: its vertices (of which a polyhedron has less than twice its faces), and the faces that reach into
/// the slab.
template <int Capacity, class T>
struct Side {
    T x[2 * Capacity], y[2 * Capacity], z[2 * Capacity];      // vertices, padded as in the shape's table
    typename OutcodeOf<T>::Word outside[2 * Capacity];        // of each vertex: bit j set where it is outside the other's plane j
    T nx[Capacity], ny[Capacity], nz[Capacity], h[Capacity];  // planes of the faces in the slab: n . x = h
    std::int32_t face[Capacity];                              // these faces, ascending
    std::int32_t faces;
};

template <int Capacity, class T>
struct Polygon {
    T x[Capacity], y[Capacity], z[Capacity];  // corners in order
    std::int32_t corners;
};

/// Sums over triangles of polygons; c is twice a triangle's vector area, S the sum of its corners.
template <class T>
struct Sums {
    T volume6{};                  // c_z S_z
    T x24{}, y24{}, z48{};        // c_z (S_x S_z + sum of x z) and the like
    Vec3T<T> area2{}, couple6{};  // c, S cross c
};

/// Rows e1, e2, n of a right-handed orthonormal frame (Duff et al. 2017).
template <class T>
SCREE_HD Mat3T<T> frame_about(Vec3T<T> n) {
    const T sign = n.z < T(0) ? T(-1) : T(1);
    const T a = T(-1) / (sign + n.z);
    const T b = n.x * n.y * a;
    return {{{T(1) + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}, n}};
}

/// e times turn.
template <class T>
SCREE_HD Mat3T<T> product(const Mat3T<T>& e, const Mat3T<T>& turn) {
    return {{transposed_times(turn, e.row[0]), transposed_times(turn, e.row[1]), transposed_times(turn, e.row[2])}};
}

/// How many entries of the shape's padded vertex table fit.
template <int Capacity, class T>
SCREE_HD std::int32_t table_size(const ConvexView<T>& shape) {
    const std::int32_t padded = (shape.vertices + 7) / 8 * 8;
    SCREE_ASSERT(padded <= 2 * Capacity);
    return padded <= 2 * Capacity ? padded : Capacity / 4 * 8;
}

/// Writes the vertices turned by m, scaled and shifted; returns sign * the greatest of sign * z.
template <int Capacity, class T>
SCREE_HD T place_vertices(const ConvexView<T>& shape, const Mat3T<T>& m, T scale, Vec3T<T> shift, T sign, Side<Capacity, T>& side) {
    const std::int32_t count = table_size<Capacity>(shape);
    const Vec3T<T> rx = scale * m.row[0], ry = scale * m.row[1], rz = scale * m.row[2];
    const T *sx = shape.x, *sy = shape.y, *sz = shape.z;
    T top[8];
    for (int l = 0; l < 8; ++l) top[l] = sign * (rz.x * sx[l] + rz.y * sy[l] + rz.z * sz[l] + shift.z);
    for (std::int32_t k = 0; k < count; k += 8) {
        for (int l = 0; l < 8; ++l) {
            const T x = sx[k + l], y = sy[k + l], z = sz[k + l];
            const T height = rz.x * x + rz.y * y + rz.z * z + shift.z;
            side.x[k + l] = rx.x * x + rx.y * y + rx.z * z + shift.x;
            side.y[k + l] = ry.x * x + ry.y * y + ry.z * z + shift.y;
            side.z[k + l] = height;
            top[l] = sign * height > top[l] ? sign * height : top[l];
        }
    }
    for (int half = 4; half > 0; half /= 2) {
        for (int l = 0; l < half; ++l) top[l] = top[l + half] > top[l] ? top[l + half] : top[l];
    }
    return sign * top[0];
}

/// Lists the faces with a vertex where sign * z > level, with their planes.
template <int Capacity, class T>
SCREE_HD void find_faces(const ConvexView<T>& shape, const Mat3T<T>& m, T scale, Vec3T<T> shift, T sign, T level, Side<Capacity, T>& side) {
    std::int32_t found = 0;
    const std::int32_t faces = shape.faces < Capacity ? shape.faces : Capacity;
    for (std::int32_t f = 0; f < faces; ++f) {
        const std::int32_t end = shape.face_start[f + 1];
        std::int32_t k = shape.face_start[f];
        while (k < end && !(sign * side.z[shape.face_vertex[k]] > level)) ++k;
        side.face[found] = f;
        found += k < end;
    }
    for (std::int32_t i = 0; i < found; ++i) {
        const std::int32_t f = side.face[i];
        const Vec3T<T> n = m * shape.normal(f);
        side.nx[i] = n.x;
        side.ny[i] = n.y;
        side.nz[i] = n.z;
        side.h[i] = scale * shape.h[f] + dot(n, shift);
    }
    side.faces = found;
}

/// Marks for each vertex the planes of `other` that it is more than `slack` outside of.
template <int Capacity, class T>
SCREE_HD void mark_outside(std::int32_t count, T slack, const Side<Capacity, T>& other, Side<Capacity, T>& side) {
    using Word = typename OutcodeOf<T>::Word;
    const std::int32_t planes = other.faces < OutcodeOf<T>::bits ? other.faces : OutcodeOf<T>::bits;
    for (std::int32_t k = 0; k < count; ++k) side.outside[k] = 0;
    for (std::int32_t j = 0; j < planes; ++j) {
        const T nx = other.nx[j], ny = other.ny[j], nz = other.nz[j], h = other.h[j] + slack;
        const Word bit = Word(1) << j;
        for (std::int32_t k = 0; k < count; ++k) {
            const T d = nx * side.x[k] + ny * side.y[k] + nz * side.z[k] - h;
            side.outside[k] |= d > T(0) ? bit : Word(0);
        }
    }
}

/// Where an edge meets the plane; cut from its inner to its outer end, so that the two faces at it find the same point.
template <int Capacity, class T>
SCREE_HD void cross_edge(const Polygon<Capacity, T>& from, std::int32_t in, std::int32_t out, T d_in, T d_out, Polygon<Capacity, T>& to,
                         std::int32_t m) {
    const T t = d_in / (d_in - d_out);
    to.x[m] = from.x[in] + t * (from.x[out] - from.x[in]);
    to.y[m] = from.y[in] + t * (from.y[out] - from.y[in]);
    to.z[m] = from.z[in] + t * (from.z[out] - from.z[in]);
}

/// Cuts off what is outside n . x = h; false, and nothing written to `to`, where nothing is. A convex polygon enters and leaves once.
template <int Capacity, class T>
SCREE_HD bool cut(const Polygon<Capacity, T>& from, T nx, T ny, T nz, T h, Polygon<Capacity, T>& to) {
    const std::int32_t n = from.corners;
    std::int32_t last = n - 1, enter = -1, leave = -1, outside = 0;
    T before = nx * from.x[last] + ny * from.y[last] + nz * from.z[last] - h;
    T enter_in = T(0), enter_out = T(0), leave_in = T(0), leave_out = T(0);
    for (std::int32_t i = 0; i < n; ++i) {
        const T now = nx * from.x[i] + ny * from.y[i] + nz * from.z[i] - h;
        const bool out0 = before > T(0), out1 = now > T(0);
        const bool enters = out0 && !out1, leaves = out1 && !out0;
        outside += out1;
        enter = enters ? i : enter;
        enter_in = enters ? now : enter_in;
        enter_out = enters ? before : enter_out;
        leave = leaves ? i : leave;
        leave_in = leaves ? before : leave_in;
        leave_out = leaves ? now : leave_out;
        before = now;
    }
    if (outside == 0) return false;
    to.corners = 0;
    if (enter < 0 || leave < 0) return true;
    cross_edge(from, enter, enter > 0 ? enter - 1 : last, enter_in, enter_out, to, 0);
    std::int32_t m = 1;
    last = leave > 0 ? leave - 1 : last;
    for (std::int32_t i = enter; m < Capacity - 1; i = i + 1 < n ? i + 1 : 0) {
        to.x[m] = from.x[i];
        to.y[m] = from.y[i];
        to.z[m] = from.z[i];
        ++m;
        if (i == last) break;
    }
    cross_edge(from, last, leave, leave_in, leave_out, to, m);
    to.corners = m + 1;
    return true;
}

/// Twice the vector areas of the faces that bound P, out of A: those of B reversed, then those of A.
template <int Capacity, class T>
struct Areas {
    Vec3T<T> face[2 * Capacity];
    std::int32_t of_b{0}, faces{0};
};

/// Adds a polygon to the sums of volume and moment, and where Surface to those of area and couple. Returns twice its vector area.
template <bool Surface, int Capacity, class T>
SCREE_HD Vec3T<T> add(const Polygon<Capacity, T>& p, Sums<T>& sums) {
    Vec3T<T> area2{};
    const T x0 = p.x[0], y0 = p.y[0], z0 = p.z[0];
    for (std::int32_t i = 2; i < p.corners; ++i) {
        const T x1 = p.x[i - 1], y1 = p.y[i - 1], z1 = p.z[i - 1];
        const T x2 = p.x[i], y2 = p.y[i], z2 = p.z[i];
        const Vec3T<T> c = cross(Vec3T<T>{x1 - x0, y1 - y0, z1 - z0}, Vec3T<T>{x2 - x0, y2 - y0, z2 - z0});
        const Vec3T<T> s{x0 + (x1 + x2), y0 + (y1 + y2), z0 + (z1 + z2)};
        sums.volume6 += c.z * s.z;
        sums.x24 += c.z * (s.x * s.z + (x0 * z0 + x1 * z1 + x2 * z2));
        sums.y24 += c.z * (s.y * s.z + (y0 * z0 + y1 * z1 + y2 * z2));
        sums.z48 += c.z * (s.z * s.z + (z0 * z0 + z1 * z1 + z2 * z2));
        area2 += c;
        if constexpr (Surface) sums.couple6 += cross(s, c);
    }
    if constexpr (Surface) sums.area2 += area2;
    return area2;
}

/// Sum of some faces' areas, each over the length of the whole, those square to the whole's direction n left out by degrees; `kept` is what
/// is left of the whole along n.
template <int Capacity, class T>
SCREE_HD Vec3T<T> upright_sum(const Areas<Capacity, T>& areas, std::int32_t begin, std::int32_t end, Vec3T<T> n, T length, T& kept) {
    Vec3T<T> sum{};
    for (std::int32_t k = begin; k < end; ++k) {
        const Vec3T<T> c = areas.face[k] / length;
        const T along = dot(c, n), size2 = norm2(c);
        const T part = along * along, limit = small::steepest<T>() * small::steepest<T>() * size2;
        if (part > T(0)) sum += (part < limit ? part / limit : T(1)) * c;
    }
    kept = dot(sum, n);
    return sum;
}

/// The direction of the vector area without the sides of either body: a side that is about to come out of the other body has some area
/// square to the contact, which would tilt the normal to and fro by depth over edge as it does. Of A's faces and B's, whose sums are the
/// same but for what was left out, the ones count that lost less.
template <int Capacity, class T>
SCREE_HD Vec3T<T> direction_of(const Areas<Capacity, T>& areas, Vec3T<T> whole) {
    const T length = norm(whole);
    if (!(length > T(0))) return whole;
    const Vec3T<T> n = whole / length;
    T kept_a, kept_b;
    const Vec3T<T> b = upright_sum(areas, 0, areas.of_b, n, length, kept_b);
    const Vec3T<T> a = upright_sum(areas, areas.of_b, areas.faces, n, length, kept_a);
    const T lost_a = std::fabs(T(1) - kept_a) + T(1e-6), lost_b = std::fabs(T(1) - kept_b) + T(1e-6);
    return lost_b * a + lost_a * b;
}

/// Clips a face of `side`, whose corners have `any` of the other's planes between them, by these planes, the `first` before all others.
/// Marks the planes that cut. Returns which of the two polygons holds what is left.
template <int Capacity, class T>
SCREE_HD int clip_face(const ConvexView<T>& shape, std::int32_t face, const Side<Capacity, T>& side, const Side<Capacity, T>& other,
                       T slack, typename OutcodeOf<T>::Word any, std::int32_t first, Polygon<Capacity, T>* polygon, bool* cuts) {
    using Word = typename OutcodeOf<T>::Word;
    const std::int32_t begin = shape.face_start[face], end = shape.face_start[face + 1];
    std::int32_t n = 0;
    for (std::int32_t k = begin; k < end; ++k) {
        if (n == Capacity) break;
        const std::int32_t v = shape.face_vertex[k];
        polygon[0].x[n] = side.x[v];
        polygon[0].y[n] = side.y[v];
        polygon[0].z[n] = side.z[v];
        ++n;
    }
    polygon[0].corners = n;
    int now = 0;
    const auto cut_by = [&](std::int32_t j) {
        if (!cut(polygon[now], other.nx[j], other.ny[j], other.nz[j], other.h[j] + slack, polygon[1 - now])) return;
        now = 1 - now;
        cuts[j] = true;
    };
    if (first < OutcodeOf<T>::bits && ((any >> first) & 1) != 0) {
        cut_by(first);
        any &= ~(Word(1) << first);
    }
    for (std::int32_t j = 0; any != 0 && polygon[now].corners > 2; ++j, any >>= 1) {
        if ((any & 1) != 0) cut_by(j);
    }
    for (std::int32_t j = OutcodeOf<T>::bits; j < other.faces && polygon[now].corners > 2; ++j) cut_by(j);
    return now;
}

/// Clips the listed faces of `side` by the listed planes of `other`, moved out by `slack`, and adds what is left. B first, which marks in
/// `cuts` the planes of A that cut its faces; of A then only faces that did or that have a vertex inside B: a face with part of B's surface
/// as a border cuts it there.
template <bool IsA, int Capacity, class T>
SCREE_HD void add_faces(const ConvexView<T>& shape, const Side<Capacity, T>& side, const Side<Capacity, T>& other, T slack, bool* cuts,
                        Sums<T>& sums, Areas<Capacity, T>& areas) {
    using Word = typename OutcodeOf<T>::Word;
    Polygon<Capacity, T> polygon[2];
    bool unused[Capacity];
    std::int32_t first = 0;
    for (std::int32_t j = 1; j < other.faces; ++j) {
        const bool flatter = IsA ? other.nz[j] < other.nz[first] : other.nz[j] > other.nz[first];
        first = flatter ? j : first;
    }
    for (std::int32_t i = 0; i < side.faces; ++i) {
        const std::int32_t begin = shape.face_start[side.face[i]], end = shape.face_start[side.face[i] + 1];
        Word all = ~Word(0), any = 0;
        bool inside = false;
        for (std::int32_t k = begin; k < end; ++k) {
            if (k == begin + Capacity) break;
            const Word code = side.outside[shape.face_vertex[k]];
            all &= code;
            any |= code;
            inside = inside || code == 0;
        }
        if (all != 0) continue;
        if (IsA && !inside && !cuts[i]) continue;
        const int now = clip_face(shape, side.face[i], side, other, slack, any, first, polygon, IsA ? unused : cuts);
        if (polygon[now].corners < 3) continue;
        const Vec3T<T> c = add<IsA>(polygon[now], sums);
        areas.face[areas.faces++] = IsA ? c : -c;
    }
}

/// The sums as moments about the common origin; e turns to the frame of the contact, which starts at `start`.
template <class T>
SCREE_HD Overlap<T> moments(const Sums<T>& sums, const Mat3T<T>& e, Vec3T<T> start) {
    Overlap<T> result;
    if (!(sums.volume6 > T(0))) return result;
    result.volume = sums.volume6 * T(1.0 / 6.0);
    const Vec3T<T> moment{sums.x24 * T(1.0 / 24.0), sums.y24 * T(1.0 / 24.0), sums.z48 * T(1.0 / 48.0)};
    result.moment = transposed_times(e, moment) + result.volume * start;
    result.area = T(0.5) * transposed_times(e, sums.area2);
    result.couple = T(1.0 / 6.0) * transposed_times(e, sums.couple6) + cross(start, result.area);
    return result;
}

/// Some roundings of a coordinate of size 1: what decides that two faces coincide.
template <class T>
SCREE_HD constexpr T rounding() {
    return sizeof(T) == sizeof(float) ? T(1e-6) : T(2e-15);
}

/// How far the planes of A and B are moved apart.
template <class T>
SCREE_HD T slack_of(const PlacedConvex<T>& a, const PlacedConvex<T>& b) {
    return rounding<T>() * (a.scale + b.scale);
}

}  // namespace clip

/// Moments of the region that A and B share; zeros where the volume is not positive. `axis` [unit]: any direction in which they may be
/// apart, best the one of least depth, from A to B; it decides what it costs, and changes the result by rounding only.
/// Small shapes take a way of their own (convex_small.hpp). Capacity: at least overlap_capacity of the two shapes.
template <int Capacity, class T>
SCREE_HD Overlap<T> overlap(const PlacedConvex<T>& a, const PlacedConvex<T>& b, Vec3T<T> axis) {
    const T slack = clip::slack_of(a, b);
    if constexpr (eight_at_once) {
        Overlap<T> result;
        const bool both = a.shape.small != nullptr && b.shape.small != nullptr;
        if (both && small::overlap<true>(a, b, axis, slack, result)) return result;
    }
    const Mat3T<T> e = clip::frame_about(axis);
    const Mat3T<T> turn_a = clip::product(e, a.turn), turn_b = clip::product(e, b.turn);
    // The frame starts at the centre of the smaller shape, raised to the top of A: coordinates of P are of its size.
    Vec3T<T> start = a.scale < b.scale ? a.at : b.at;
    Vec3T<T> shift_a = e * (a.at - start), shift_b = e * (b.at - start);
    clip::Side<Capacity, T> side_a, side_b;
    const T top = clip::place_vertices(a.shape, turn_a, a.scale, shift_a, T(1), side_a);
    const T bottom = clip::place_vertices(b.shape, turn_b, b.scale, shift_b, T(-1), side_b);
    if (!(top > bottom)) return {};
    start += top * e.row[2];
    shift_a.z -= top;
    shift_b.z -= top;
    const std::int32_t count_a = clip::table_size<Capacity>(a.shape), count_b = clip::table_size<Capacity>(b.shape);
    for (std::int32_t k = 0; k < count_a; ++k) side_a.z[k] -= top;
    for (std::int32_t k = 0; k < count_b; ++k) side_b.z[k] -= top;
    clip::find_faces(a.shape, turn_a, a.scale, shift_a, T(1), bottom - top - slack, side_a);
    clip::find_faces(b.shape, turn_b, b.scale, shift_b, T(-1), -slack, side_b);
    clip::mark_outside(count_a, slack, side_b, side_a);
    clip::mark_outside(count_b, -slack, side_a, side_b);
    clip::Sums<T> sums;
    bool cuts[Capacity];
    for (std::int32_t j = 0; j < side_a.faces; ++j) cuts[j] = false;
    clip::Areas<Capacity, T> areas;
    clip::add_faces<false>(b.shape, side_b, side_a, -slack, cuts, sums, areas);
    areas.of_b = areas.faces;
    clip::add_faces<true>(a.shape, side_a, side_b, slack, cuts, sums, areas);
    Overlap<T> result = clip::moments(sums, e, start);
    // Thinner than what decides that faces coincide: noise.
    if (result.volume < slack * norm(result.area)) return {};
    result.direction = transposed_times(e, clip::direction_of(areas, sums.area2));
    return result;
}

/// The same with what is behind the plane through `point`; normal [unit] points to the free side.
template <int Capacity, class T>
SCREE_HD Overlap<T> overlap_below_plane(const PlacedConvex<T>& a, Vec3T<T> point, Vec3T<T> normal) {
    const T height = dot(normal, a.at - point);
    if (height > a.scale) return {};
    const Mat3T<T> e = clip::frame_about(normal);
    // The frame starts in the plane, below the centre: the section that closes P adds nothing.
    const Vec3T<T> start = a.at - height * normal;
    clip::Side<Capacity, T> side;
    const T bottom = clip::place_vertices(a.shape, clip::product(e, a.turn), a.scale, Vec3T<T>{T(0), T(0), height}, T(-1), side);
    if (!(bottom < T(0))) return {};
    clip::Sums<T> sums;
    clip::Polygon<Capacity, T> polygon[2];
    const std::int32_t faces = a.shape.faces;
    for (std::int32_t f = 0; f < faces; ++f) {
        std::int32_t corners = 0;
        int below = 0, above = 0;
        for (std::int32_t k = a.shape.face_start[f]; k < a.shape.face_start[f + 1] && corners < Capacity; ++k, ++corners) {
            const std::int32_t v = a.shape.face_vertex[k];
            polygon[0].x[corners] = side.x[v];
            polygon[0].y[corners] = side.y[v];
            polygon[0].z[corners] = side.z[v];
            below |= side.z[v] < T(0);
            above |= side.z[v] > T(0);
        }
        if (!below) continue;
        polygon[0].corners = corners;
        if (above) clip::cut(polygon[0], T(0), T(0), T(1), T(0), polygon[1]);
        clip::add<true>(polygon[above], sums);
    }
    Overlap<T> result = clip::moments(sums, e, start);
    result.direction = -normal;
    return result;
}

}  // namespace scree
