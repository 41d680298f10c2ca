// Contact points of a polyhedron (A) and a cylinder: within a tube, beside a rod, at a rod's flat caps, at a tube's rims.
// In: the cylinder relative to the origin the body was placed in, in double, since its radius may be far larger than the body. Out: up to
// four points with a normal each. Tubes: vertices against the wall, and at open ends edges where they cross the end. Rods: the axis against
// the polyhedron (narrow/segment_points.hpp), so a face or an edge that lies along the rod has two points.
// Approximate are the rims alone: near a cap the rod is a prism of 24 sides with a corner where the body is, elsewhere on the rim 0.9 % of
// the radius too small at most; the rim of a tube is 24 points. The wall of a tube with ends has no thickness.
#pragma once

#include "engine/narrow/points_convex.hpp"
#include "engine/narrow/points_plane.hpp"
#include "engine/narrow/points_sphere.hpp"

namespace scree {

/// About point + s * axis, s in [0, length]; past 1e300 endless both ways (as for cylinder_gap).
struct PlacedCylinder {
    Vec3 point, axis;
    double radius, length;
    bool inside;  // a tube

    SCREE_HD bool endless() const { return length > 1e300; }
    SCREE_HD double along(Vec3 x) const { return dot(x - point, axis); }
    SCREE_HD Vec3 radial(Vec3 x) const { return x - point - along(x) * axis; }
    SCREE_HD bool between_ends(Vec3 x, double slack) const { return endless() || (along(x) >= -slack && along(x) <= length + slack); }
};

namespace points {

inline constexpr int rim_points = 24;

/// A regular prism as the end of a rod, for as far as the body reaches; a view of it is valid while it lives.
template <class T>
struct RodEnd {
    static constexpr int sides = rim_points, faces = sides + 2, padded_faces = 32;
    T x[2 * sides], y[2 * sides], z[2 * sides], nx[padded_faces], ny[padded_faces], nz[padded_faces], h[padded_faces];
    std::int32_t face_start[faces + 1], face_vertex[6 * sides], edge[6 * sides], edge_face[6 * sides];
    Vec3 at;
    double scale;

    /// End point with outward unit `out`, a rim corner towards the unit `toward` across it; `depth` long.
    SCREE_HD void set(Vec3 end, Vec3 out, Vec3 toward, double radius, double depth) {
        at = end - 0.5 * depth * out;
        scale = std::sqrt(radius * radius + 0.25 * depth * depth);
        const Vec3 side = cross(out, toward);
        const double step = 2 * 3.14159265358979324 / sides;
        for (int k = 0; k < sides; ++k) {
            const double angle = step * k, middle = step * (k + 0.5);
            const Vec3 p = radius * (std::cos(angle) * toward + std::sin(angle) * side);
            put_vertex(k, p + 0.5 * depth * out);
            put_vertex(sides + k, p - 0.5 * depth * out);
            put_face(k, std::cos(middle) * toward + std::sin(middle) * side, radius * std::cos(0.5 * step));
            const std::int32_t next = k + 1 == sides ? 0 : k + 1, before = k == 0 ? sides - 1 : k - 1;
            const std::int32_t loop[4] = {k, sides + k, sides + next, next};
            face_start[k] = 4 * k;
            for (int c = 0; c < 4; ++c) face_vertex[4 * k + c] = loop[c];
            face_vertex[4 * sides + k] = k;
            face_vertex[5 * sides + k] = 2 * sides - 1 - k;
            put_edge(3 * k, k, next, k, sides);
            put_edge(3 * k + 1, sides + k, sides + next, k, sides + 1);
            put_edge(3 * k + 2, k, sides + k, k, before);
        }
        face_start[sides] = 4 * sides;
        face_start[sides + 1] = 5 * sides;
        face_start[sides + 2] = 6 * sides;
        put_face(sides, out, 0.5 * depth);
        for (int f = sides + 1; f < padded_faces; ++f) put_face(f, -out, 0.5 * depth);
    }

    SCREE_HD PlacedConvex<T> placed() const {
        PlacedConvex<T> p;
        p.shape = {x, y, z, nx, ny, nz, h, face_start, face_vertex, edge, edge_face, 2 * sides, faces, 3 * sides, {}, {}};
        p.at = cast<T>(at);
        p.turn = {{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}};
        p.scale = static_cast<T>(scale);
        return p;
    }

private:
    SCREE_HD void put_vertex(int k, Vec3 p) {
        x[k] = static_cast<T>(p.x / scale);
        y[k] = static_cast<T>(p.y / scale);
        z[k] = static_cast<T>(p.z / scale);
    }
    SCREE_HD void put_face(int f, Vec3 n, double offset) {
        nx[f] = static_cast<T>(n.x);
        ny[f] = static_cast<T>(n.y);
        nz[f] = static_cast<T>(n.z);
        h[f] = static_cast<T>(offset / scale);
    }
    SCREE_HD void put_edge(int e, std::int32_t p, std::int32_t q, std::int32_t left, std::int32_t right) {
        edge[2 * e] = p < q ? p : q;
        edge[2 * e + 1] = p < q ? q : p;
        edge_face[2 * e] = left;
        edge_face[2 * e + 1] = right;
    }
};

/// Candidates with a normal each, and the choice among them.
template <class T>
struct RoundList {
    static constexpr int most = 48;
    PointCandidate<T> entry[most];
    Vec3T<T> normal[most];
    std::int32_t count{0};

    /// x on A's surface, n from A to the wall.
    SCREE_HD void add(Vec3 x, Vec3 n, double gap, std::int32_t key) {
        if (count == most) return;
        normal[count] = cast<T>(n);
        entry[count++] = {cast<T>(x + 0.5 * gap * n), static_cast<T>(gap), key};
    }
    SCREE_HD ContactPoints<T> choose(T size, T envelope) const {
        ContactPoints<T> result;
        if (count == 0) return result;
        std::int32_t deepest = 0;
        for (std::int32_t k = 1; k < count; ++k) deepest = entry[k].gap < entry[deepest].gap ? k : deepest;
        std::int32_t chosen[ContactPoints<T>::most];
        const std::int32_t n = choose_points(entry, count, normal[deepest], window_of(size, size, envelope), chosen);
        for (std::int32_t k = 0; k < n; ++k) {
            const PointCandidate<T>& c = entry[chosen[k]];
            add_point(result, normal[chosen[k]], c.at, c.gap, c.key);
        }
        return result;
    }
};

SCREE_HD Vec3 any_across(Vec3 axis) {
    return normalized(cross(axis, std::fabs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
}

/// A point x of the body against the wall from within, where the gap is in [low, high].
template <class T>
SCREE_HD void add_at_wall(const PlacedCylinder& c, Vec3 x, double low, double high, std::int32_t key, RoundList<T>& list) {
    const Vec3 radial = c.radial(x);
    const double rho = norm(radial), gap = c.radius - rho;
    if (gap >= low && gap <= high) list.add(x, rho > 0 ? radial / rho : any_across(c.axis), gap, key);
}

/// Vertices against the wall from within, and edges where they leave through an open end. Of a body whose centre is past an end, what is
/// farther beyond the wall than behind the rim lies on the rim.
template <class T>
SCREE_HD void add_within_tube(const PlacedConvex<T>& a, const PlacedCylinder& c, double envelope, RoundList<T>& list) {
    const double s = c.along(cast<double>(a.at)), r = static_cast<double>(a.scale);
    const bool past = !c.endless() && (s < 0 || s > c.length);
    for (std::int32_t k = 0; k < a.shape.vertices; ++k) {
        const Vec3 x = cast<double>(a.vertex(k));
        if (!c.between_ends(x, 0)) continue;
        const double behind = s < 0 ? c.along(x) : c.length - c.along(x);
        add_at_wall(c, x, past ? -behind : -1e300, envelope, point_key::of_vertex(true, k), list);
    }
    if (c.endless() || (s > r && s < c.length - r)) return;
    for (std::int32_t e = 0; e < a.shape.edges; ++e) {
        const Vec3 p = cast<double>(a.vertex(a.shape.edge[2 * e])), q = cast<double>(a.vertex(a.shape.edge[2 * e + 1]));
        for (int end = 0; end < 2; ++end) {
            const double level = end == 0 ? 0 : c.length, dp = c.along(p) - level, dq = c.along(q) - level;
            if ((dp < 0) == (dq < 0)) continue;
            add_at_wall(c, p + (dp / (dp - dq)) * (q - p), past ? 0 : -1e300, envelope, point_key::of_edges(e, end), list);
        }
    }
}

/// Points of a tube's rims against the body, where its centre is past an end.
template <class T>
SCREE_HD void add_rim(const PlacedConvex<T>& a, const PlacedCylinder& c, double envelope, RoundList<T>& list) {
    const double s = c.along(cast<double>(a.at));
    if (s >= 0 && s <= c.length) return;
    const Vec3 end = c.point + (s < 0 ? 0.0 : c.length) * c.axis, u = any_across(c.axis), v = cross(c.axis, u);
    for (int k = 0; k < rim_points; ++k) {
        const double angle = 2 * 3.14159265358979324 * k / rim_points;
        const Vec3 p = end + c.radius * (std::cos(angle) * u + std::sin(angle) * v);
        const NearestPoint<T> near = nearest_to(a, cast<T>(p));
        if (static_cast<double>(near.distance) > envelope) continue;
        list.add(cast<double>(near.point), cast<double>(near.normal), static_cast<double>(near.distance), point_key::of_vertex(false, k));
    }
}

/// Where the body lies beside the rod: a face or an edge along it, or one point. `n` from A to the axis, x on A nearest to it.
template <class T>
SCREE_HD void add_beside_rod(const PlacedConvex<T>& a, const PlacedCylinder& c, const touch::Segment<T>& part, const bool* whole,
                             Vec3T<T> n, Vec3 x, std::int32_t key, double envelope, RoundList<T>& list) {
    T aligned;
    const std::int32_t face = touch::face_along(a, n, aligned);
    if (aligned > T(1) - T(0.5) * touch::level<T>() * touch::level<T>()) {
        const Share<T> share = share_over_face(a, face, part);
        const Vec3 m = cast<double>(a.normal(face)), on_face = cast<double>(a.vertex(a.shape.face_vertex[a.shape.face_start[face]]));
        const std::int32_t before = list.count;
        for (int end = 0; end < 2 && share.low <= share.high; ++end) {
            const Vec3 p = cast<double>(part.start + (end == 0 ? share.low : share.high) * part.way);
            const double height = dot(m, p - on_face);
            const std::int32_t side = end == 0 ? share.low_side : share.high_side;
            const std::int32_t own = side >= 0 ? point_key::of_sides(side, 0) : point_key::of_vertex(false, whole[end] ? end : end + 2);
            if (height - c.radius <= envelope) list.add(p - height * m, m, height - c.radius, own);
        }
        if (list.count > before) return;
    }
    const std::int32_t edge = touch::edge_along(a, n);
    const touch::Segment<T> s = touch::edge_of(a, edge);
    const Vec3 start = cast<double>(s.start), way = cast<double>(s.way);
    const double run = dot(way, c.axis), off2 = norm2(way - run * c.axis);
    const double flat = static_cast<double>(touch::level<T>());
    if (off2 < flat * flat * norm2(way)) {
        const double first = c.along(start);
        double t[2] = {0, 1};
        if (!c.endless()) {
            for (double& value : t) {
                const double at = first + value * run, held = at < 0 ? 0 : (at > c.length ? c.length : at);
                value = (held - first) / run;
            }
        }
        const std::int32_t before = list.count;
        for (int end = 0; end < 2; ++end) {
            const Vec3 p = start + t[end] * way, radial = c.radial(p);
            const double rho = norm(radial);
            const bool fits = rho - c.radius <= envelope && rho > 0;
            if (fits) list.add(p, -1 / rho * radial, rho - c.radius, point_key::of_vertex(true, a.shape.edge[2 * edge + end]));
        }
        if (list.count > before) return;
    }
    const Vec3 wanted = cast<double>(n);
    list.add(x, wanted, dot(-c.radial(x), wanted) - c.radius, key);
}

/// The axis of the rod beside the body, cut to its surroundings; `whole` where an end is the rod's own.
template <class T>
SCREE_HD bool axis_near(const PlacedConvex<T>& a, const PlacedCylinder& c, double envelope, touch::Segment<T>& part, bool* whole) {
    const double s = c.along(cast<double>(a.at)), reach = 1.5 * static_cast<double>(a.scale) + envelope;
    const double past = c.endless() ? 0 : reach + c.radius;  // as much of a rod as a body at its cap may see
    double low = s - reach - past, high = s + reach + past;
    if (!c.endless()) {
        low = low > 0 ? low : 0;
        high = high < c.length ? high : c.length;
    }
    whole[0] = !c.endless() && low == 0;
    whole[1] = !c.endless() && high == c.length;
    if (!(low < high)) return false;
    part = {cast<T>(c.point + low * c.axis), cast<T>((high - low) * c.axis)};
    return true;
}

/// Against a cap of the rod and its rim.
template <int Capacity, class T>
SCREE_HD_SHARED ContactPoints<T> cap_points(const PlacedConvex<T>& a, const PlacedCylinder& c, Vec3 n, T envelope) {
    const double s = c.along(cast<double>(a.at));
    const bool top = 2 * s > c.length;
    const Vec3 out = top ? c.axis : -c.axis, across = -(n - dot(n, c.axis) * c.axis);
    const double length = norm(across), most = 4 * (static_cast<double>(a.scale) + c.radius);
    RodEnd<T> end;
    end.set(c.point + (top ? c.length : 0.0) * c.axis, out, length > 1e-6 ? across / length : any_across(c.axis), c.radius,
            most < c.length ? most : c.length);
    return convex_points<Capacity>(a, end.placed(), envelope);
}

}  // namespace points

/// Up to four points with gaps up to `envelope` [m]; no contact where A is wholly in a rod. Points in the origin A was placed in, near its
/// centre. O(vertices) in tubes, O(faces + edges) at rods, that of convex_points at caps. Capacity: at least 24 more than for A alone.
template <int Capacity = 64, class T>
SCREE_HD ContactPoints<T> cylinder_points(const PlacedConvex<T>& a, const PlacedCylinder& c, T envelope) {
    points::RoundList<T> list;
    const Vec3 centre = cast<double>(a.at);
    const double r = static_cast<double>(a.scale), margin = static_cast<double>(envelope), rho = norm(c.radial(centre));
    if (!c.between_ends(centre, r + margin)) return {};
    const bool within = c.inside && rho < c.radius;
    if (within ? rho + r + margin < c.radius : rho - r - margin > c.radius) return {};
    if (c.inside && !c.endless()) points::add_rim(a, c, margin, list);
    if (within) {
        points::add_within_tube(a, c, margin, list);
        return list.choose(a.scale, envelope);
    }
    touch::Segment<T> part;
    bool whole[2];
    if (!points::axis_near(a, c, margin, part, whole)) return list.choose(a.scale, envelope);
    const points::SegmentAxis<T> found = points::segment_axis(a, part, points::SegmentJoints<T>{});
    if (static_cast<double>(found.any_gap) > c.radius + margin) return list.choose(a.scale, envelope);
    Vec3T<T> n = found.any_normal;
    Vec3 x{};
    std::int32_t key = point_key::of_edges(touch::edge_along(a, n), 0);
    const T level = touch::level<T>();
    bool beside = std::fabs(dot(n, cast<T>(c.axis))) <= level;
    if (found.any_gap > T(0)) {
        const points::SegmentShape<T> shape(part, a.scale);
        const PlacedConvex<T> line = shape.placed();
        const Closest<T> near = closest_points(a, line, axis::relate(a, line), n);
        if (near.distance > T(1024) * axis::epsilon<T>() * a.scale) n = near.normal;
        x = cast<double>(near.on_a);
        if (near.vertex_a >= 0) key = point_key::of_vertex(true, near.vertex_a);
        beside = c.between_ends(x, 1e-3 * r) && std::fabs(dot(n, cast<T>(c.axis))) <= level;
    } else {
        const touch::Segment<T> edge = touch::edge_of(a, touch::edge_along(a, n));
        x = cast<double>(touch::between_edges(edge, part) - (T(0.5) * found.any_gap) * n);
    }
    if (beside) {
        points::add_beside_rod(a, c, part, whole, n, x, key, margin, list);
    } else if (!c.inside && !c.endless()) {
        return points::cap_points<Capacity>(a, c, cast<double>(n), envelope);
    }
    return list.choose(a.scale, envelope);
}

}  // namespace scree
