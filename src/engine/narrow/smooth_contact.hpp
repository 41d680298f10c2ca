// Contacts of bodies with a smooth surface (model/smooth_surface.hpp) with each other, with balls and with planes.
// Of all directions n the one counts along which the bodies are the least deep in each other,
//   overlap(n) = h_A(n) + h_B(-n) - n . d,  d from centre to centre, h the support functions,
// so that there the outermost points of both lie on one line along n: found by Newton's method on the unit sphere, on which the second
// derivative is the sum of both matrices of radii of curvature less the overlap. Apart, -overlap is a concave function with one maximum.
// A force f(overlap) n at these points is minus the gradient of its integral: nothing is gained over a closed way.
// The touching surfaces are the paraboloid of the sum of both curvatures on a plane: R = 1 / sqrt(k1 k2) is its mean radius.
#pragma once

#include <cmath>

#include "engine/narrow/ellipsoids.hpp"
#include "engine/narrow/smooth_bodies.hpp"
#include "engine/narrow/superquadrics.hpp"

namespace scree {

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

/// A and B, n: where to start, a unit vector from A to B. False where they are `margin` apart or more: touch.normal shows it.
template <class A, class B>
SCREE_HD bool meet(const A& a, const B& b, Vec3 n, double margin, SmoothTouch& touch) {
    constexpr int most_steps = 60, most_trials = 12;
    const double size = a.scale < b.scale ? a.scale : b.scale;
    const bool quadratic = a.quadratic() && b.quadratic();
    Depth depth = depth_along(a, b, n);
    bool done = false;
    for (int step = 0;; ++step) {
        touch.normal = n;
        if (!(depth.value > -margin)) return false;
        const Tangents t = tangents_of(n);
        const Bend of_a = a.bend(depth.on_a, n, t), of_b = b.bend(depth.on_b, -n, t);
        if (!done) {
            const Vec3 w = depth.on_a - depth.on_b;
            const double wu = dot(w, t.u), wv = dot(w, t.v);
            const Bend R = a.radii(of_a, n, t) + b.radii(of_b, -n, t);
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
        touch.point = touching_point(depth.on_a, of_a, depth.on_b, of_b, t, size);
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

/// By points where that closes, else by directions. n: where to start.
template <class B>
SCREE_HD bool meet_either_way(const PlacedSmooth& a, const B& b, Vec3 n, double margin, SmoothTouch& touch) {
    const InPoints found = meet_in_points(a, b, n, margin, touch);
    return found == InPoints::Unknown ? meet(a, b, n, margin, touch) : found == InPoints::Met;
}

/// Neither is a capsule. axis: a direction to start from, of any length; zero where none is known. Where the two are apart touch.normal is
/// a direction that shows it.
SCREE_HD_SHARED bool curved_pair(const PlacedSmooth& a, const PlacedSmooth& b, Vec3 axis, double margin, SmoothTouch& touch) {
    const double size = norm(axis);
    const Vec3 n = size > 0 ? (1 / size) * axis : first_direction(a, b);
    return a.quadratic() && b.quadratic() ? ellipsoid_pair(a, b, n, margin, touch) : meet_either_way(a, b, n, margin, touch);
}
/// With a ball.
SCREE_HD_SHARED bool curved_with(const PlacedSmooth& a, const PlacedBall& b, double margin, SmoothTouch& touch) {
    const Vec3 n = first_direction(a, b);
    return a.quadratic() ? meet(a, b, n, margin, touch) : meet_either_way(a, b, n, margin, touch);
}
/// With a corner or a rim.
template <class B>
SCREE_HD_SHARED bool curved_with(const PlacedSmooth& a, const B& b, double margin, SmoothTouch& touch) {
    return meet(a, b, first_direction(a, b), margin, touch);
}

/// With what lies behind a plane through `point`; n: unit, out of the body into it.
SCREE_HD_SHARED bool curved_with_plane(const PlacedSmooth& a, Vec3 point, Vec3 n, double margin, SmoothTouch& touch) {
    const Vec3 top = a.support(n);
    touch.overlap = dot(top - point, n);
    if (!(touch.overlap > -margin)) return false;
    touch.normal = n;
    touch.point = top - (0.5 * touch.overlap) * n;
    fit_paraboloid(a.bend(top, n, tangents_of(n)), a.scale, touch);
    return true;
}

/// With the wall of a tube, from inside, or with a rod, from outside, of radius R: an edge where that is 0. `axis_point` and unit vector
/// `axis`; wall: its curvature around and along. Out: where along the axis, from that point, they touch. Newton's method on the angle at
/// which the body reaches farthest.
/// start_at: square to the axis, where to begin; zero: at the side of the body.
SCREE_HD_SHARED bool curved_with_cylinder(const PlacedSmooth& a, Vec3 axis_point, Vec3 axis, double R, bool inside, Bend wall,
                                          double margin, SmoothTouch& touch, double& along, Vec3 start_at = {}) {
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
    const double given = norm(start_at);
    const Vec3 middle = given > 0 ? (1 / given) * start_at : (off > 1e-9 * a.scale ? (1 / off) * c : tangents_of(axis).u),
               beside = cross(axis, middle);
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
    fit_paraboloid(a.bend(top + axis_point, touch.normal, {cross(axis, e), axis}) + wall, a.scale, touch);
    return true;
}

}  // namespace scree
