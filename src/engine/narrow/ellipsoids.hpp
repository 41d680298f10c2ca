// Contacts of two ellipsoids, as smooth_contact.hpp finds those of smooth bodies, with the second derivatives of their support functions
// sqrt(n . F n) in closed form. T: double for one pair, Four for four at once, by the same operations and so with the same bits.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/four.hpp"
#include "engine/narrow/smooth_bodies.hpp"

namespace scree {

/// Of the smaller body's size: a step that changes the overlap by less ends the search. Newton's step before it has left a hundredth of
/// that, and of the normal an error of its root.
inline constexpr double least_gain = 1e-13;

template <class T>
struct TangentsOf {
    Vec3T<T> u, v;
};
/// As clip::frame_about.
template <class T>
SCREE_HD TangentsOf<T> tangents_about(Vec3T<T> n) {
    const T one = all_as<T>(1), sign = choose(n.z < 0.0, -one, one), a = -1.0 / (sign + n.z), b = n.x * n.y * a;
    return {{1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

template <class T>
struct BendOf {
    T uu, uv, vv;

    SCREE_HD BendOf inverse() const {
        const T det = uu * vv - uv * uv;
        return {vv / det, -uv / det, uu / det};
    }
    SCREE_HD friend BendOf operator+(const BendOf& a, const BendOf& b) { return {a.uu + b.uu, a.uv + b.uv, a.vv + b.vv}; }
};

/// Where two paraboloids with tops at a and b touch: K_a (x - a) + K_b (x - b) = 0 in their tangent plane, half way between them. A flat
/// one's top says little of where that is.
template <class T, class AnyBend, class AnyTangents>
SCREE_HD Vec3T<T> touching_point(Vec3T<T> a, const AnyBend& of_a, Vec3T<T> b, const AnyBend& of_b, const AnyTangents& t, T size) {
    const T least = 1e-6 / size;
    const T uu = of_a.uu + of_b.uu + 2.0 * least, uv = of_a.uv + of_b.uv, vv = of_a.vv + of_b.vv + 2.0 * least;
    const Vec3T<T> apart = b - a;
    const T u = dot(apart, t.u), v = dot(apart, t.v), det = uu * vv - uv * uv;
    const T pu = (of_b.uu + least) * u + of_b.uv * v, pv = of_b.uv * u + (of_b.vv + least) * v;
    const T xu = (vv * pu - uv * pv) / det, xv = (uu * pv - uv * pu) / det;
    return a + all_as<T>(0.5) * (apart - u * t.u - v * t.v) + xu * t.u + xv * t.v;
}

/// The rotation of a unit quaternion as a matrix, as rotation_matrix().
template <class T>
SCREE_HD Mat3T<T> turn_of(T w, T x, T y, T z) {
    const T xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
    return {{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
             {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
             {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

/// F of an ellipsoid whose support function about its centre is sqrt(n . F n).
template <class T>
struct EllipsoidForm {
    T xx, xy, xz, yy, yz, zz;

    SCREE_HD Vec3T<T> times(Vec3T<T> n) const {
        return {xx * n.x + xy * n.y + xz * n.z, xy * n.x + yy * n.y + yz * n.z, xz * n.x + yz * n.y + zz * n.z};
    }
};
/// axes: half of them [m]; rows of the matrix that turns the body.
template <class T>
SCREE_HD EllipsoidForm<T> form_of(Vec3T<T> axes, const Mat3T<T>& turn) {
    const Vec3T<T> p{axes.x * axes.x, axes.y * axes.y, axes.z * axes.z};
    const Vec3T<T> x = turn.row[0], y = turn.row[1], z = turn.row[2], px{p.x * x.x, p.y * x.y, p.z * x.z},
                   py{p.x * y.x, p.y * y.y, p.z * y.z};
    return {dot(px, x), dot(px, y), dot(px, z), dot(py, y), dot(py, z), p.x * z.x * z.x + p.y * z.y * z.y + p.z * z.z * z.z};
}

/// Two ellipsoids along a direction, from A's centre: their outermost points, how far off these are, and how deep the two are in each
/// other.
template <class T>
struct EllipsoidReach {
    Vec3T<T> on_a, on_b;
    T h_a, h_b, value;
};
template <class T>
SCREE_HD EllipsoidReach<T> reach_of(const EllipsoidForm<T>& a, const EllipsoidForm<T>& b, Vec3T<T> d, Vec3T<T> n) {
    const Vec3T<T> along_a = a.times(n), along_b = b.times(n);
    EllipsoidReach<T> r;
    r.h_a = root_of(dot(along_a, n));
    r.h_b = root_of(dot(along_b, n));
    r.on_a = (1.0 / r.h_a) * along_a;
    r.on_b = d - (1.0 / r.h_b) * along_b;
    r.value = r.h_a + r.h_b - dot(d, n);
    return r;
}
/// Radii of curvature at the outermost point `top`, h from the centre along the normal.
template <class T>
SCREE_HD BendOf<T> radii_of(const EllipsoidForm<T>& f, Vec3T<T> top, T h, const TangentsOf<T>& t) {
    const Vec3T<T> u = f.times(t.u), v = f.times(t.v);
    const T su = dot(top, t.u), sv = dot(top, t.v);
    return {(dot(u, t.u) - su * su) / h, (dot(u, t.v) - su * sv) / h, (dot(v, t.v) - sv * sv) / h};
}

template <class Mask, class T>
SCREE_HD Vec3T<T> choose(Mask where, Vec3T<T> a, Vec3T<T> b) {
    return {choose(where, a.x, b.x), choose(where, a.y, b.y), choose(where, a.z, b.z)};
}
template <class Mask, class T>
SCREE_HD EllipsoidReach<T> choose(Mask where, const EllipsoidReach<T>& a, const EllipsoidReach<T>& b) {
    return {choose(where, a.on_a, b.on_a), choose(where, a.on_b, b.on_b), choose(where, a.h_a, b.h_a), choose(where, a.h_b, b.h_b),
            choose(where, a.value, b.value)};
}

/// How two ellipsoids meet: all from A's centre.
template <class T>
struct EllipsoidTouch {
    T overlap{};
    Vec3T<T> normal, point;
    BendOf<T> bend{};  // sum of both curvatures [1/m]
};

/// A step of Newton's method that turns the direction by less leaves an error of its square: it is the last one.
inline constexpr double short_turn2 = 1e-7;

/// d: from A's centre to B's; n: where to start, a unit vector; size: of the smaller body. Returns where they are less than `margin` apart;
/// elsewhere touch.normal is a direction that shows it.
template <class T>
SCREE_HD auto meet_ellipsoids(const EllipsoidForm<T>& a, const EllipsoidForm<T>& b, Vec3T<T> d, Vec3T<T> n, T size, double margin,
                              EllipsoidTouch<T>& touch) {
    constexpr int most_steps = 60, most_trials = 12;
    EllipsoidReach<T> here = reach_of(a, b, d, n);
    auto near = here.value > -margin;
    auto going = near;
    for (int step = 0; step < most_steps && any_of(going); ++step) {
        const TangentsOf<T> t = tangents_about(n);
        const BendOf<T> R = radii_of(a, here.on_a, here.h_a, t) + radii_of(b, d - here.on_b, here.h_b, t);
        const Vec3T<T> w = here.on_a - here.on_b;
        const T wu = dot(w, t.u), wv = dot(w, t.v);
        const T du0 = R.uu - here.value, dv0 = R.vv - here.value, det0 = du0 * dv0 - R.uv * R.uv;
        const auto convex = (du0 > 0.0) & (det0 > 0.0);
        const T uu = choose(convex, du0, R.uu), vv = choose(convex, dv0, R.vv), det = choose(convex, det0, R.uu * R.vv - R.uv * R.uv);
        const T inverse_det = 1.0 / det, du = (R.uv * wv - vv * wu) * inverse_det, dv = (R.uv * wu - uu * wv) * inverse_det;
        auto trying = going & (-(wu * du + wv * dv) > least_gain * size);
        going = trying & not_where(trying);
        if (!any_of(trying)) break;
        const T far2 = du * du + dv * dv;
        T part = choose(far2 > 0.25, 0.5 / root_of(far2), all_as<T>(1));
        for (int trial = 0; trial < most_trials && any_of(trying); ++trial) {
            const Vec3T<T> m = n + (part * du) * t.u + (part * dv) * t.v, to = (1.0 / root_of(norm2(m))) * m;
            const EllipsoidReach<T> there = reach_of(a, b, d, to);
            const auto better = trying & (there.value < here.value);
            const auto on =
                better & not_where(far2 < short_turn2) & (here.value - there.value > least_gain * size) & (there.value > -margin);
            n = choose(better, to, n);
            here = choose(better, there, here);
            going = going | on;
            trying = trying & not_where(better);
            part = 0.5 * part;
        }
    }
    near = here.value > -margin;
    touch.overlap = here.value;
    touch.normal = n;
    if (!any_of(near)) return near;
    const TangentsOf<T> t = tangents_about(n);
    const BendOf<T> k_a = radii_of(a, here.on_a, here.h_a, t).inverse(), k_b = radii_of(b, d - here.on_b, here.h_b, t).inverse();
    touch.point = touching_point(here.on_a, k_a, here.on_b, k_b, t, size);
    touch.bend = k_a + k_b;
    return near;
}

/// As meet().
SCREE_HD_SHARED bool ellipsoid_pair(const PlacedSmooth& a, const PlacedSmooth& b, Vec3 n, double margin, SmoothTouch& touch) {
    const double size = a.scale < b.scale ? a.scale : b.scale;
    EllipsoidTouch<double> found;
    const bool near = meet_ellipsoids(form_of(a.scale * a.surface.axes, a.turn), form_of(b.scale * b.surface.axes, b.turn), b.at - a.at, n,
                                      size, margin, found);
    touch.normal = found.normal;
    if (!near) return false;
    touch.overlap = found.overlap;
    touch.point = a.at + found.point;
    fit_paraboloid({found.bend.uu, found.bend.uv, found.bend.vv}, size, touch);
    return true;
}

/// A unit vector in 30 bits, by its place on an octahedron laid flat (Meyer et al. 2010); -1 of what is none.
SCREE_HD std::int32_t rounded_direction(Vec3 n) {
    const double sum = std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z);
    if (!(sum > 0.5)) return -1;
    double u = n.x / sum, v = n.y / sum;
    if (n.z < 0) {
        const double folded = (1 - std::fabs(v)) * (u < 0 ? -1 : 1);
        v = (1 - std::fabs(u)) * (v < 0 ? -1 : 1);
        u = folded;
    }
    return (static_cast<std::int32_t>((u + 1) * 16383 + 0.5) << 15) | static_cast<std::int32_t>((v + 1) * 16383 + 0.5);
}
SCREE_HD Vec3 direction_of(std::int32_t code) {
    const double u = (code >> 15) / 16383.0 - 1, v = (code & 32767) / 16383.0 - 1, w = 1 - std::fabs(u) - std::fabs(v),
                 fold = w < 0 ? -w : 0.0;
    const Vec3 n{u < 0 ? u + fold : u - fold, v < 0 ? v + fold : v - fold, w};
    return (1 / norm(n)) * n;
}

}  // namespace scree
