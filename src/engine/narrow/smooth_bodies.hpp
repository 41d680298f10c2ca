// Bodies with a smooth surface (model/smooth_surface.hpp), and what they touch, as the search for their contact sees them: outermost points
// along directions, and how the surface curves there.
#pragma once

#include <cmath>

#include "engine/narrow/convex_overlap.hpp"

namespace scree {

/// Radii of curvature and their inverses of flat and sharp places count as so much of a size.
inline constexpr double least_radius = 1e-3;

/// Curvatures in a tangent plane [1/m]: u.K u, u.K v, v.K v.
struct Bend {
    double uu, uv, vv;
};
SCREE_HD Bend operator+(Bend a, Bend b) {
    return {a.uu + b.uu, a.uv + b.uv, a.vv + b.vv};
}

/// Unit vectors that are square to n and to each other.
struct Tangents {
    Vec3 u, v;
};
SCREE_HD Tangents tangents_of(Vec3 n) {
    const Mat3 frame = clip::frame_about(n);
    return {frame.row[0], frame.row[1]};
}

/// Radii of curvature; nearly flat surfaces have long ones, not infinite ones.
SCREE_HD Bend radii_of(Bend k, double size) {
    const double least = least_radius / size, uu = k.uu + least, vv = k.vv + least, det = uu * vv - k.uv * k.uv;
    return {vv / det, -k.uv / det, uu / det};
}

struct PlacedSmooth {
    SmoothSurface surface;
    Vec3 at;
    Mat3 turn;
    double scale;  // bounding radius [m]

    SCREE_HD bool capsule() const { return surface.stick > 0; }

    /// Is one step of Newton's method right to second order?
    SCREE_HD bool quadratic() const { return surface.ellipsoid(); }
    /// Is a point within `margin` of a body that is no capsule? Or about so, apart from it.
    SCREE_HD bool holds(Vec3 point, double margin) const {
        const Vec3 own = (1 / scale) * transposed_times(turn, point - at);
        const double smallest = std::fmin(surface.axes.x, std::fmin(surface.axes.y, surface.axes.z));
        return surface.gauge(own) <= 1 + margin / (smallest * scale);
    }
    /// Can a line from `from` to `to` come within `margin` of it? Asked of the ellipsoid that it is, or of the box about it.
    SCREE_HD bool may_hold(Vec3 from, Vec3 to, double margin) const {
        const Vec3 p = (1 / scale) * transposed_times(turn, from - at), q = (1 / scale) * transposed_times(turn, to - at);
        const double add = margin / scale;
        const Vec3 size{surface.axes.x + add, surface.axes.y + add, surface.axes.z + add};
        const Vec3 a{p.x / size.x, p.y / size.y, p.z / size.z}, way = Vec3{q.x / size.x, q.y / size.y, q.z / size.z} - a;
        if (surface.ellipsoid()) {
            const double s = -dot(a, way) / norm2(way);
            return norm2(a + (s < 0 ? 0 : (s > 1 ? 1 : s)) * way) <= 1 + 1e-12;
        }
        double low = 0, high = 1;
        const auto cut = [&](double x, double along) {
            if (std::fabs(along) < 1e-300) return std::fabs(x) <= 1;
            const double first = (-1 - x) / along, last = (1 - x) / along;
            low = std::fmax(low, std::fmin(first, last));
            high = std::fmin(high, std::fmax(first, last));
            return true;
        };
        return cut(a.x, way.x) && cut(a.y, way.y) && cut(a.z, way.z) && low <= high;
    }
    SCREE_HD Vec3 support(Vec3 n) const { return at + turn * (scale * surface.support(transposed_times(turn, n))); }
    /// At the point `top` with the outward normal n.
    SCREE_HD Bend bend(Vec3 top, Vec3 n, const Tangents& t) const {
        const Vec3 own = (1 / scale) * transposed_times(turn, top - at), m = transposed_times(turn, n);
        const auto K = surface.curvature(own, dot(own, m));
        const Vec3 u = transposed_times(turn, t.u), v = transposed_times(turn, t.v);
        return {K.along(u, u) / scale, K.along(u, v) / scale, K.along(v, v) / scale};
    }
    SCREE_HD Bend radii(Bend k, Vec3, const Tangents&) const { return radii_of(k, scale); }
    SCREE_HD Vec3 outwards(Vec3 to) const {
        const Vec3 n = turn * surface.outwards(transposed_times(turn, to));
        return (1 / norm(n)) * n;
    }
};

/// A shape that has a smooth surface.
template <class T>
SCREE_HD PlacedSmooth smooth_of(const PlacedConvex<T>& a) {
    return {*a.shape.smooth, cast<double>(a.at), cast<double>(a.turn), static_cast<double>(a.scale)};
}

struct PlacedBall {
    Vec3 at;
    double scale;  // radius [m]

    SCREE_HD bool quadratic() const { return true; }
    SCREE_HD Vec3 support(Vec3 n) const { return at + scale * n; }
    SCREE_HD Bend bend(Vec3, Vec3, const Tangents&) const { return {1 / scale, 0, 1 / scale}; }
    SCREE_HD Bend radii(Bend k, Vec3, const Tangents&) const { return radii_of(k, scale); }
    SCREE_HD Vec3 outwards(Vec3 to) const { return (1 / norm(to)) * to; }
};

/// A corner. Its contact is as stiff as that with a plane: what a corner is sharper by is not told.
struct PlacedCorner {
    Vec3 at;
    double scale;  // of what touches it [m]

    SCREE_HD bool quadratic() const { return true; }
    SCREE_HD Vec3 support(Vec3) const { return at; }
    SCREE_HD Bend bend(Vec3, Vec3, const Tangents&) const { return {0, 0, 0}; }
    SCREE_HD Bend radii(Bend, Vec3, const Tangents&) const { return {0, 0, 0}; }
    SCREE_HD Vec3 outwards(Vec3 to) const { return (1 / norm(to)) * to; }
};

/// A place on a circle that a body is in.
struct PlacedRim {
    Vec3 at, way, bow;  // way: unit vector along it; bow: from the centre to there, over the square of the radius [1/m]
    double scale;       // of what touches it [m]

    SCREE_HD bool quadratic() const { return true; }
    SCREE_HD Vec3 support(Vec3) const { return at; }
    SCREE_HD Bend bend(Vec3, Vec3 n, const Tangents& t) const {
        const double k = dot(bow, n), u = dot(way, t.u), v = dot(way, t.v);
        return {k * u * u, k * u * v, k * v * v};
    }
    SCREE_HD Bend radii(Bend, Vec3, const Tangents&) const { return {0, 0, 0}; }
    SCREE_HD Vec3 outwards(Vec3 to) const { return (1 / norm(to)) * to; }
};

/// A disc without thickness: the end of a rod, met at its rim. As stiff as a corner.
struct PlacedDisc {
    Vec3 at, axis;  // unit
    double radius;  // [m]
    double scale;   // of what touches it [m]

    SCREE_HD bool quadratic() const { return true; }
    SCREE_HD Vec3 support(Vec3 n) const {
        const Vec3 across = n - dot(n, axis) * axis;
        const double length = norm(across);
        return length > 0 ? at + (radius / length) * across : at;
    }
    SCREE_HD Bend bend(Vec3, Vec3, const Tangents&) const { return {0, 0, 0}; }
    SCREE_HD Bend radii(Bend, Vec3 n, const Tangents& t) const {
        const Vec3 round = cross(axis, n);
        const double length2 = norm2(round), u = dot(round, t.u), v = dot(round, t.v);
        const double R = length2 > 1e-12 ? radius / (length2 * std::sqrt(length2)) : 0.0;
        return {R * u * u, R * u * v, R * v * v};
    }
    SCREE_HD Vec3 outwards(Vec3 to) const { return (1 / norm(to)) * to; }
};

/// Where two smooth bodies touch.
struct SmoothTouch {
    double overlap;  // [m]; above 0 where they touch
    Vec3 normal;     // from A to B
    Vec3 point;      // between the outermost points of both: in the middle, or where the more curved one has it if the other is flat there
    double radius;   // R [m]
    double share;    // of the force of two balls of this R at this overlap: below 1 where the touching region is an ellipse
    double weight{1};  // so many contacts alike
};

/// Where a body touches a surface in more than one place.
struct SmoothTouches {
    SmoothTouch touch[2];
    int count{0};

    SCREE_HD void add(const SmoothTouch& t) { touch[count++] = t; }
};

/// What the force of a paraboloid with curvatures k1 >= k2 is over that of a ball of R = 1 / sqrt(k1 k2): Hertz with the elliptic
/// integrals of Brewe & Hamrock (1977, J. Lubr. Technol. 99:485-487), within 2 % up to k1 = 30 k2, 7 % at 100.
SCREE_HD double ellipse_share(double k1, double k2) {
    constexpr double pi = 3.14159265358979324;
    const double ratio = k1 / k2;
    if (!(ratio > 1 + 1e-9)) return 1;
    const double q = 0.5 * pi - 1, power = std::log(ratio), form = std::exp(2 / pi * power), second = 1 + q / ratio,
                 first = 0.5 * pi + q * power;
    // F = pi k E' sqrt(2 E R / 9) (overlap / K)^1.5 with E' = 2 E_eff and 1 / R = k1 + k2, over 4/3 E_eff sqrt(R_mean) overlap^1.5.
    return 1.5 * pi * form * std::sqrt(2.0 / 9 * second * std::sqrt(k1 * k2) / (k1 + k2)) / (first * std::sqrt(first));
}

/// Radii of curvature up to so many radii of the smaller body count: faces that are nearly flat end at their rims.
inline constexpr double flattest = 10;

SCREE_HD void fit_paraboloid(Bend sum, double size, SmoothTouch& touch) {
    const double mean = 0.5 * (sum.uu + sum.vv), half = 0.5 * (sum.uu - sum.vv), apart = std::sqrt(half * half + sum.uv * sum.uv);
    const double least = 1 / (flattest * size);
    const double k1 = mean + apart > least ? mean + apart : least, k2 = mean - apart > least ? mean - apart : least;
    touch.radius = 1 / std::sqrt(k1 * k2);
    touch.share = ellipse_share(k1, k2);
}

}  // namespace scree
