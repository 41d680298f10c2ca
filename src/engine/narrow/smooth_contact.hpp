// Contacts of bodies with a smooth surface (model/smooth_surface.hpp) with each other, with balls and with planes.
// Of all directions n the one counts along which the bodies are the least deep in each other,
//   overlap(n) = h_A(n) + h_B(-n) - n . d,  d from centre to centre, h the support functions,
// so that there the outermost points of both lie on one line along n: found by Newton's method on the unit sphere, on which the second
// derivative is the sum of both matrices of radii of curvature less the overlap. Apart, -overlap is a concave function with one maximum.
// A force f(overlap) n at these points is minus the gradient of its integral: nothing is gained over a closed way.
// The touching surfaces are the paraboloid of the sum of both curvatures on a plane: R = 1 / sqrt(k1 k2) is its mean radius.
#pragma once

#include <cmath>

#include "engine/narrow/convex_overlap.hpp"

namespace scree {

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

struct PlacedSmooth {
    SmoothSurface surface;
    Vec3 at;
    Mat3 turn;
    double scale;  // bounding radius [m]

    /// Is one step of Newton's method right to second order?
    SCREE_HD bool quadratic() const { return surface.ellipsoid(); }
    SCREE_HD Vec3 support(Vec3 n) const { return at + turn * (scale * surface.support(transposed_times(turn, n))); }
    /// At the point `top` with the outward normal n.
    SCREE_HD Bend bend(Vec3 top, Vec3 n, const Tangents& t) const {
        const Vec3 own = (1 / scale) * transposed_times(turn, top - at), m = transposed_times(turn, n);
        const auto K = surface.curvature(own, dot(own, m));
        const Vec3 u = transposed_times(turn, t.u), v = transposed_times(turn, t.v);
        return {K.along(u, u) / scale, K.along(u, v) / scale, K.along(v, v) / scale};
    }
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
    SCREE_HD Vec3 outwards(Vec3 to) const { return (1 / norm(to)) * to; }
};

/// Where two smooth bodies touch.
struct SmoothTouch {
    double overlap;  // [m]; above 0 where they touch
    Vec3 normal;     // from A to B
    Vec3 point;      // between the outermost points of both: in the middle, or where the more curved one has it if the other is flat there
    double radius;   // R [m]
    double share;    // of the force of two balls of this R at this overlap: below 1 where the touching region is an ellipse
};

/// What the force of a paraboloid with curvatures k1 >= k2 is over that of a ball of R = 1 / sqrt(k1 k2): Hertz with the elliptic
/// integrals of Brewe & Hamrock (1977, J. Lubr. Technol. 99:485-487), within 2 % up to k1 = 30 k2, 7 % at 100.
SCREE_HD double ellipse_share(double k1, double k2) {
    constexpr double pi = 3.14159265358979324;
    const double ratio = k1 / k2;
    if (!(ratio > 1 + 1e-9)) return 1;
    const double q = 0.5 * pi - 1, form = std::pow(ratio, 2 / pi), second = 1 + q / ratio, first = 0.5 * pi + q * std::log(ratio);
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

/// Of the smaller body's size: a step that changes the overlap by less ends the search. Newton's step before it has left a hundredth of
/// that, and of the normal an error of its root.
inline constexpr double least_gain = 1e-13;

/// Radii of curvature; nearly flat surfaces have long ones, not infinite ones.
SCREE_HD Bend radii_of(Bend k, double size) {
    const double least = 1e-3 / size, uu = k.uu + least, vv = k.vv + least, det = uu * vv - k.uv * k.uv;
    return {vv / det, -k.uv / det, uu / det};
}

/// Where two paraboloids with tops at a and b touch: K_a (x - a) + K_b (x - b) = 0 in their tangent plane, half way between them. A flat
/// one's top says little of where that is.
SCREE_HD Vec3 between(Vec3 a, Bend of_a, Vec3 b, Bend of_b, const Tangents& t, double size) {
    const double least = 1e-6 / size;
    const Bend sum{of_a.uu + of_b.uu + 2 * least, of_a.uv + of_b.uv, of_a.vv + of_b.vv + 2 * least};
    const Vec3 apart = b - a;
    const double u = dot(apart, t.u), v = dot(apart, t.v), det = sum.uu * sum.vv - sum.uv * sum.uv;
    const double pu = (of_b.uu + least) * u + of_b.uv * v, pv = of_b.uv * u + (of_b.vv + least) * v;
    const double xu = (sum.vv * pu - sum.uv * pv) / det, xv = (sum.uu * pv - sum.uv * pu) / det;
    return a + 0.5 * (apart - u * t.u - v * t.v) + xu * t.u + xv * t.v;
}

/// How deep A and B are in each other along n, and their outermost points.
struct Depth {
    Vec3 on_a, on_b;
    double value;
};
template <class A, class B>
SCREE_HD Depth depth_along(const A& a, const B& b, Vec3 n) {
    Depth d{a.support(n), b.support(-n), 0};
    d.value = dot(d.on_a - d.on_b, n);
    return d;
}

/// A and B, n: where to start, a unit vector from A to B. False where they are `margin` apart or more.
template <class A, class B>
SCREE_HD bool meet(const A& a, const B& b, Vec3 n, double margin, SmoothTouch& touch) {
    constexpr int most_steps = 60, most_trials = 12;
    const double size = a.scale < b.scale ? a.scale : b.scale;
    const bool quadratic = a.quadratic() && b.quadratic();
    Depth depth = depth_along(a, b, n);
    bool done = false;
    for (int step = 0;; ++step) {
        if (!(depth.value > -margin)) return false;
        const Tangents t = tangents_of(n);
        const Bend of_a = a.bend(depth.on_a, n, t), of_b = b.bend(depth.on_b, -n, t);
        if (!done) {
            const Vec3 w = depth.on_a - depth.on_b;
            const double wu = dot(w, t.u), wv = dot(w, t.v);
            const Bend R = radii_of(of_a, a.scale) + radii_of(of_b, b.scale);
            double uu = R.uu - depth.value, vv = R.vv - depth.value, det = uu * vv - R.uv * R.uv;
            if (!(uu > 0 && det > 0)) {
                uu = R.uu;
                vv = R.vv;
                det = uu * vv - R.uv * R.uv;
            }
            const double du = (R.uv * wv - vv * wu) / det, dv = (R.uv * wu - uu * wv) / det;
            done = step == most_steps || !(-(wu * du + wv * dv) > least_gain * size);
            if (!done) {
                const double far = std::sqrt(du * du + dv * dv), widest = far > 0.5 ? 0.5 / far : 1.0;
                const auto turned = [&](double part) {
                    const Vec3 m = n + (part * du) * t.u + (part * dv) * t.v;
                    return (1 / norm(m)) * m;
                };
                const double before = depth.value;
                double part = widest;
                Vec3 to = turned(part);
                Depth there = depth_along(a, b, to);
                int trial = 0;
                for (; !(there.value < before) && trial < most_trials; ++trial) {
                    part *= 0.5;
                    to = turned(part);
                    there = depth_along(a, b, to);
                }
                // Where a surface is flat in one place and curved beside it, a step may fall far too short.
                const bool wider = !quadratic && trial == 0 && part == 1.0;
                for (; wider && part * far < 0.5 && trial < most_trials; ++trial) {
                    const Vec3 next = turned(2 * part);
                    const Depth then = depth_along(a, b, next);
                    if (!(then.value < there.value)) break;
                    there = then;
                    to = next;
                    part *= 2;
                }
                done = !(before - there.value > least_gain * size);
                if (there.value < before) {
                    n = to;
                    depth = there;
                    continue;
                }
            }
        }
        touch.overlap = depth.value;
        touch.normal = n;
        touch.point = between(depth.on_a, of_a, depth.on_b, of_b, t, size);
        fit_paraboloid(of_a + of_b, size, touch);
        return true;
    }
}

/// A direction to start from where nothing is known.
template <class A, class B>
SCREE_HD Vec3 first_direction(const A& a, const B& b) {
    const Vec3 to = b.at - a.at;
    if (!(norm2(to) > 0)) return {1, 0, 0};
    const Vec3 n = a.outwards(to) - b.outwards(-to), along = (1 / norm(to)) * to;
    const double length = norm(n);
    return length > 0.1 ? (1 / length) * n : along;
}

/// axis: a direction to start from, of any length; zero where none is known.
SCREE_HD_SHARED bool smooth_pair(const PlacedSmooth& a, const PlacedSmooth& b, Vec3 axis, double margin, SmoothTouch& touch) {
    const double size = norm(axis);
    return meet(a, b, size > 0 ? (1 / size) * axis : first_direction(a, b), margin, touch);
}
SCREE_HD_SHARED bool smooth_with_ball(const PlacedSmooth& a, const PlacedBall& b, double margin, SmoothTouch& touch) {
    return meet(a, b, first_direction(a, b), margin, touch);
}

/// With what lies behind a plane through `point`; n: unit, out of the body into it.
SCREE_HD_SHARED bool smooth_with_plane(const PlacedSmooth& a, Vec3 point, Vec3 n, double margin, SmoothTouch& touch) {
    const Vec3 top = a.support(n);
    touch.overlap = dot(top - point, n);
    if (!(touch.overlap > -margin)) return false;
    touch.normal = n;
    touch.point = top - (0.5 * touch.overlap) * n;
    fit_paraboloid(a.bend(top, n, tangents_of(n)), a.scale, touch);
    return true;
}

/// With the wall of a tube, from inside, or with a rod, from outside: `axis_point` and unit vector `axis`. Out: where along the axis, from
/// that point, they touch. Newton's method on the angle at which the body reaches farthest.
SCREE_HD_SHARED bool smooth_with_cylinder(const PlacedSmooth& a, Vec3 axis_point, Vec3 axis, double R, bool inside, double margin,
                                          SmoothTouch& touch, double& along) {
    const Vec3 from = a.at - axis_point, c = from - dot(from, axis) * axis;
    const double off = norm(c);
    if (inside ? off + a.scale < R - margin : off - a.scale > R + margin) return false;
    const double sign = inside ? 1.0 : -1.0;  // outwards along sign e, e from the axis to the wall, the body meets it
    const auto depth_at = [&](Vec3 way, Vec3& top) {
        top = a.support(sign * way) - axis_point;
        return sign * (dot(top, way) - R);
    };
    Vec3 e, top;
    double depth = 0;
    // A body with corners may reach farther out beside the middle.
    const Vec3 middle = off > 1e-9 * a.scale ? (1 / off) * c : tangents_of(axis).u, beside = cross(axis, middle);
    const int starts = a.quadratic() ? 1 : 3;
    for (int start = 0; start < starts; ++start) {
        const double aside = (start == 0 ? 0.0 : (start == 1 ? 0.5 : -0.5)) * a.scale / (off > a.scale ? off : a.scale);
        Vec3 way = (1 / std::sqrt(1 + aside * aside)) * (middle + aside * beside), out;
        double found = depth_at(way, out);
        for (int step = 0; step < 60; ++step) {
            const Vec3 side = cross(axis, way);
            const double slope = sign * dot(out, side);
            const Bend radii = radii_of(a.bend(out + axis_point, sign * way, {side, axis}), a.scale);
            // Of sign (c.e + sign h(sign e) - R), with h'' + h the radius of curvature.
            double second = -sign * dot(out, way) + radii.uu;
            if (inside ? !(second < 0) : !(second > 0)) second = inside ? -radii.uu - a.scale : radii.uu + a.scale;
            double turn = -slope / second;
            if (!(std::fabs(slope * turn) > least_gain * a.scale)) break;
            const double before = found;
            turn = turn > 0.5 ? 0.5 : (turn < -0.5 ? -0.5 : turn);
            bool moved = false;
            for (int k = 0; k < 12 && !moved; ++k, turn *= 0.5) {
                const Vec3 turned = way + turn * side, next_way = (1 / norm(turned)) * turned;
                Vec3 next;
                const double there = depth_at(next_way, next);
                if (inside ? !(there > found) : !(there < found)) continue;
                moved = true;
                way = next_way;
                out = next;
                found = there;
            }
            if (!moved || !(std::fabs(found - before) > least_gain * a.scale)) break;
        }
        if (start > 0 && (inside ? !(found > depth) : !(found < depth))) continue;
        e = way;
        top = out;
        depth = found;
    }
    touch.overlap = depth;
    if (!(depth > -margin)) return false;
    touch.normal = sign * e;
    touch.point = axis_point + top - (0.5 * depth) * touch.normal;
    along = dot(top, axis);
    Bend sum = a.bend(top + axis_point, touch.normal, {cross(axis, e), axis});
    sum.uu += inside ? -1 / R : 1 / R;
    fit_paraboloid(sum, a.scale, touch);
    return true;
}

}  // namespace scree
