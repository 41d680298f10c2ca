// Contacts of capsules: a stick of radius r is met where its axis is nearest to the axis of another, to a centre, a corner or an edge.
// Their R is that of two balls, wherever they touch, and that of a ball on surfaces: the force is minus the gradient of an energy. Sticks
// that are parallel touch in one point of those that are as near, planes and tubes at both ends.
#pragma once

#include "engine/narrow/smooth_bodies.hpp"

namespace scree {

struct Stick {
    Vec3 from, way;         // an end of the axis; unit vector along it
    double length, radius;  // of the axis; of the body [m]

    SCREE_HD Vec3 at(double along) const { return from + along * way; }
    SCREE_HD Vec3 end(int k) const { return k == 0 ? from : at(length); }
    SCREE_HD Vec3 middle() const { return at(0.5 * length); }
    /// Where the axis is the nearest to a point [m].
    SCREE_HD double nearest(Vec3 to) const {
        const double along = dot(to - from, way);
        return along < 0 ? 0 : (along > length ? length : along);
    }
};

SCREE_HD Stick stick_of(const PlacedSmooth& a) {
    const Vec3 z = a.turn * Vec3{0, 0, 1};
    const double half = a.scale * a.surface.stick;
    return {a.at - half * z, z, 2 * half, a.scale * a.surface.axes.x};
}

/// Two balls about points of the axes, of radii a and b, of which one may be 0. False where they are `margin` apart or more. fallback:
/// normal where the centres are one.
SCREE_HD bool touch_of_balls(Vec3 at_a, double a, Vec3 at_b, double b, Vec3 fallback, double margin, SmoothTouch& touch) {
    const Vec3 to = at_b - at_a;
    const double distance = norm(to);
    touch.overlap = a + b - distance;
    if (!(touch.overlap > -margin)) return false;
    touch.normal = distance > 0 ? (1 / distance) * to : fallback;
    touch.point = at_a + (a - 0.5 * touch.overlap) * touch.normal;
    touch.radius = b > 0 ? a * b / (a + b) : a;
    touch.share = 1;
    return true;
}

/// Where two axes are nearest to each other: along[0] of p, along[1] of q [m]. Of parallel ones the middle of where they are beside.
SCREE_HD void nearest_of_axes(const Stick& p, const Stick& q, double (&along)[2]) {
    const Vec3 between = q.from - p.from;
    const double c = dot(p.way, q.way), on_p = dot(between, p.way), on_q = -dot(between, q.way), square = 1 - c * c;
    const auto within = [](double x, double length) { return x < 0 ? 0 : (x > length ? length : x); };
    double s;
    if (square > 1e-12) {
        s = within((on_p + c * on_q) / square, p.length);
    } else {
        const double first = on_p, last = on_p + c * q.length, low = first < last ? first : last, high = first < last ? last : first;
        s = 0.5 * (within(low, p.length) + within(high, p.length));
    }
    double t = within(on_q + c * s, q.length);
    s = within(on_p + c * t, p.length);
    along[0] = s;
    along[1] = t;
}

SCREE_HD bool stick_with_stick(const Stick& p, const Stick& q, double margin, SmoothTouch& touch) {
    double along[2];
    nearest_of_axes(p, q, along);
    const Vec3 beside = cross(p.way, q.way), own = norm2(beside) > 0 ? (1 / norm(beside)) * beside : tangents_of(p.way).u;
    return touch_of_balls(p.at(along[0]), p.radius, q.at(along[1]), q.radius, own, margin, touch);
}

SCREE_HD bool stick_with_ball(const Stick& p, Vec3 at, double radius, double margin, SmoothTouch& touch) {
    return touch_of_balls(p.at(p.nearest(at)), p.radius, at, radius, tangents_of(p.way).u, margin, touch);
}

/// Both ends with what lies behind a plane; n: unit, out of the body into it.
SCREE_HD SmoothTouches stick_with_plane(const Stick& p, Vec3 point, Vec3 n, double margin) {
    SmoothTouches found;
    for (int k = 0; k < 2; ++k) {
        SmoothTouch t{};
        t.overlap = dot(p.end(k) - point, n) + p.radius;
        if (!(t.overlap > -margin)) continue;
        t.normal = n;
        t.point = p.end(k) + (p.radius - 0.5 * t.overlap) * n;
        t.radius = p.radius;
        t.share = 1;
        found.add(t);
    }
    return found;
}

/// Where on [low, high], of a size, a cost with one minimum there is the least, by the golden section.
template <class Cost>
SCREE_HD double least_along(const Cost& cost, double low, double high, double size) {
    constexpr double golden = 0.61803398874989485;
    double first = high - golden * (high - low), last = low + golden * (high - low);
    double at_first = cost(first), at_last = cost(last);
    for (int k = 0; k < 60 && high - low > 1e-12 * size; ++k) {
        if (at_first < at_last) {
            high = last;
            last = first;
            at_last = at_first;
            at_first = cost(first = high - golden * (high - low));
        } else {
            low = first;
            first = last;
            at_first = at_last;
            at_last = cost(last = low + golden * (high - low));
        }
    }
    return 0.5 * (low + high);
}

/// A circle about an axis, the rim of a tube, as a stick within or before the tube sees it.
struct SeenRim {
    const Stick& p;
    Vec3 centre, axis;
    double R;

    struct Seen {
        double distance;
        Vec3 to;  // from the axis of the stick
    };
    SCREE_HD Vec3 radial(double s) const {
        const Vec3 from = p.at(s) - centre;
        return from - dot(from, axis) * axis;
    }
    SCREE_HD Seen from(double s) const {
        const Vec3 r = radial(s), out = norm2(r) > 0 ? (1 / norm(r)) * r : tangents_of(axis).u, to = R * out - (p.at(s) - centre);
        return {norm(to), to};
    }
    /// Where the stick is the nearest to the axis: the rim may be met on both sides of that.
    SCREE_HD double turn() const {
        const Vec3 across = p.way - dot(p.way, axis) * axis;
        const double steep = norm2(across), lowest = steep > 0 ? -dot(radial(0), across) / steep : 0;
        return lowest < 0 ? 0 : (lowest > p.length ? p.length : lowest);
    }
    /// Where the stick is the nearest on this stretch of it.
    SCREE_HD void meet(double low, double high, double margin, SmoothTouches& found) const {
        if (!(high > low)) return;
        const double s = least_along([&](double at) { return from(at).distance; }, low, high, p.length);
        const Seen seen = from(s);
        SmoothTouch t{};
        t.overlap = p.radius - seen.distance;
        if (!(t.overlap > -margin) || !(seen.distance > 0)) return;
        t.normal = (1 / seen.distance) * seen.to;
        t.point = p.at(s) + (p.radius - 0.5 * t.overlap) * t.normal;
        t.radius = p.radius;
        t.share = 1;
        found.add(t);
    }
};

/// With the wall of a tube that it is in, from 0 to length along its axis: both ends with the wall, of one past a mouth the stick with the
/// rim there. Of a stick that is past the mouth with both ends each side of it counts.
SCREE_HD SmoothTouches stick_in_tube(const Stick& p, Vec3 axis_point, Vec3 axis, double R, double length, double margin) {
    SmoothTouches found;
    const double climb = dot(p.way, axis), along[2] = {dot(p.end(0) - axis_point, axis), dot(p.end(1) - axis_point, axis)};
    for (int k = 0; k < 2; ++k) {
        if (along[k] < 0 || along[k] > length) {
            const double mouth = along[k] < 0 ? 0 : length, other = along[1 - k];
            const SeenRim rim{p, axis_point + mouth * axis, axis, R};
            if (along[k] < 0 ? other < 0 : other > length) {
                if (k > 0) continue;
                rim.meet(0, rim.turn(), margin, found);
                rim.meet(rim.turn(), p.length, margin, found);
                continue;
            }
            // Nearer places are as near to the plane of the mouth. A stick that lies across it meets the rim on this side of its turn; the
            // other end has its own place.
            const double cross_at = (mouth - along[0]) / climb, reach = rim.from(cross_at).distance / std::fabs(climb), turn = rim.turn();
            const bool across = turn > 0 && turn < p.length;
            rim.meet(std::fmax(across && k == 1 ? turn : 0.0, cross_at - reach),
                     std::fmin(across && k == 0 ? turn : p.length, cross_at + reach), margin, found);
            continue;
        }
        const Vec3 from = p.end(k) - axis_point, radial = from - along[k] * axis;
        const double off = norm(radial);
        SmoothTouch t{};
        t.overlap = off + p.radius - R;
        if (!(t.overlap > -margin) || !(off > 0)) continue;
        t.normal = (1 / off) * radial;
        t.point = p.end(k) + (p.radius - 0.5 * t.overlap) * t.normal;
        t.radius = p.radius;
        t.share = 1;
        found.add(t);
    }
    return found;
}

/// With a tube that its middle is beside, or past a mouth of: where it is the nearest to the wall or a rim.
SCREE_HD bool stick_beside_tube(const Stick& p, Vec3 axis_point, Vec3 axis, double R, double length, double margin, SmoothTouch& touch) {
    constexpr int samples = 16;
    const auto way = [&](double s) {
        const Vec3 from = p.at(s) - axis_point;
        const double along = dot(from, axis), held = along < 0 ? 0 : (along > length ? length : along);
        const Vec3 radial = from - along * axis, out = norm2(radial) > 0 ? (1 / norm(radial)) * radial : tangents_of(axis).u;
        return R * out - radial + (held - along) * axis;
    };
    const double middle = 0.5 * p.length, level = 1e-10 / p.length;
    const auto cost = [&](double s) { return norm(way(s)) + level * (s - middle) * (s - middle); };
    int best = 0;
    double least = cost(0);
    for (int k = 1; k <= samples; ++k) {
        const double here = cost(p.length * k / samples);
        if (!(here < least)) continue;
        least = here;
        best = k;
    }
    const double s = least_along(cost, p.length * (best > 0 ? best - 1 : 0) / samples,
                                 p.length * (best < samples ? best + 1 : samples) / samples, p.length);
    const Vec3 to = way(s);
    const double distance = norm(to);
    touch.overlap = p.radius - distance;
    if (!(touch.overlap > -margin) || !(distance > 0)) return false;
    touch.normal = (1 / distance) * to;
    touch.point = p.at(s) + (p.radius - 0.5 * touch.overlap) * touch.normal;
    touch.radius = p.radius;
    touch.share = 1;
    return true;
}

/// With a solid rod from 0 to length along its axis, at its side, an end or the rim between: where the distance from the axis of the stick,
/// which is convex along it, is the least. Where all of a stretch is as near its middle counts.
SCREE_HD bool stick_with_rod(const Stick& p, Vec3 axis_point, Vec3 axis, double R, double length, double margin, SmoothTouch& touch) {
    struct Near {
        double distance;
        Vec3 to;
    };
    const auto near = [&](double s) {
        const Vec3 from = p.at(s) - axis_point;
        const double along = dot(from, axis);
        const Vec3 radial = from - along * axis;
        const double off = norm(radial), held = along < 0 ? 0 : (along > length ? length : along);
        const Vec3 to = (off > R ? (R / off) * radial : radial) + held * axis - from;
        return Near{norm(to), to};
    };
    const double middle = 0.5 * p.length, level = 1e-10 / p.length;
    const double least =
        least_along([&](double s) { return near(s).distance + level * (s - middle) * (s - middle); }, 0, p.length, p.length);
    const double s = least < 1e-9 * p.length ? 0 : (least > (1 - 1e-9) * p.length ? p.length : least);
    const Near found = near(s);
    touch.overlap = p.radius - found.distance;
    if (!(touch.overlap > -margin)) return false;
    if (!(found.distance > 0)) return false;  // run through
    touch.normal = (1 / found.distance) * found.to;
    touch.point = p.at(s) + (p.radius - 0.5 * touch.overlap) * touch.normal;
    touch.radius = p.radius;
    touch.share = 1;
    return true;
}

/// Contacts of one body and one surface as one: springs that grow as the overlap to the power m, 1 or 1.5, have together its force, the
/// moment of it and, where their normals are the same, its energy. Of those that push against each other the deeper counts alone.
SCREE_HD SmoothTouch as_one(const SmoothTouches& all, double m) {
    if (all.count < 2) return all.touch[0];
    const SmoothTouch &a = all.touch[0], &b = all.touch[1], &deeper = a.overlap < b.overlap ? b : a;
    if (!(a.overlap > 0) || !(b.overlap > 0)) return deeper;
    const double of_a = m == 1 ? a.overlap : a.overlap * std::sqrt(a.overlap), of_b = m == 1 ? b.overlap : b.overlap * std::sqrt(b.overlap);
    const Vec3 sum = of_a * a.normal + of_b * b.normal;
    const double force = norm(sum), both = of_a + of_b;
    if (force < 0.5 * both) return deeper;
    SmoothTouch one = deeper;
    one.overlap = (of_a * a.overlap + of_b * b.overlap) / both;
    one.normal = (1 / force) * sum;
    one.point = (1 / both) * (of_a * a.point + of_b * b.point);
    one.weight = force / (m == 1 ? one.overlap : one.overlap * std::sqrt(one.overlap));
    return one;
}

}  // namespace scree
