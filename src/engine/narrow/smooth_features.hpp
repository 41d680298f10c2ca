// What smooth bodies of every kind touch: each other, balls, planes, cylinders, edges, corners, rims and polyhedra. A polyhedron is met at
// that face, edge or corner along whose outward normals the two are the least deep in each other, so that the contact goes from one to the
// next without a jump.
#pragma once

#include "engine/narrow/capsule_contact.hpp"
#include "engine/narrow/smooth_contact.hpp"

namespace scree {

/// What a normal may miss of a range of normals, and a place of an edge, over the size of the body: as exactly as numbers of type T have
/// it.
template <class T>
inline constexpr double feature_slack = sizeof(T) < 8 ? 1e-6 : 1e-9;

/// Is a point within the body?
SCREE_HD bool smooth_holds(const PlacedSmooth& a, Vec3 point) {
    const double slack = feature_slack<double> * a.scale;
    if (!a.capsule()) return a.holds(point, slack);
    const Stick p = stick_of(a);
    return norm(point - p.at(p.nearest(point))) <= p.radius + slack;
}

SCREE_HD void turn_round(SmoothTouch& touch) {
    touch.normal = -touch.normal;
}

SCREE_HD_SHARED bool smooth_with_ball(const PlacedSmooth& a, const PlacedBall& b, double margin, SmoothTouch& touch) {
    if (a.capsule()) return stick_with_ball(stick_of(a), b.at, b.scale, margin, touch);
    return curved_with(a, b, margin, touch);
}

/// A body that is no capsule with one.
SCREE_HD_SHARED bool curved_with_stick(const PlacedSmooth& a, const Stick& p, double margin, SmoothTouch& touch) {
    const double k = 1 / p.radius;
    double along = 0;
    if (!curved_with_cylinder(a, p.from, p.way, p.radius, false, {k, 0, k}, margin, touch, along)) return false;
    if (along >= 0 && along <= p.length) return true;
    return curved_with(a, PlacedBall{p.end(along < 0 ? 0 : 1), p.radius}, margin, touch);
}

/// axis: a direction to start from, of any length; zero where none is known.
SCREE_HD_SHARED bool smooth_pair(const PlacedSmooth& a, const PlacedSmooth& b, Vec3 axis, double margin, SmoothTouch& touch) {
    if (a.capsule() && b.capsule()) return stick_with_stick(stick_of(a), stick_of(b), margin, touch);
    if (b.capsule()) return curved_with_stick(a, stick_of(b), margin, touch);
    if (!a.capsule()) return curved_pair(a, b, axis, margin, touch);
    if (!curved_with_stick(b, stick_of(a), margin, touch)) return false;
    turn_round(touch);
    return true;
}

/// With what lies behind a plane through `point`; n: unit, out of the body into it. A capsule touches it with both ends.
SCREE_HD_SHARED SmoothTouches smooth_with_plane(const PlacedSmooth& a, Vec3 point, Vec3 n, double margin) {
    if (a.capsule()) return stick_with_plane(stick_of(a), point, n, margin);
    SmoothTouches found;
    SmoothTouch t{};
    if (curved_with_plane(a, point, n, margin, t)) found.add(t);
    return found;
}

/// With an edge, from `from` along the unit vector `way`.
SCREE_HD_SHARED bool smooth_with_edge(const PlacedSmooth& a, Vec3 from, Vec3 way, double length, double margin, SmoothTouch& touch) {
    const double slack = feature_slack<double> * a.scale;
    const double beside = dot(a.at - from, way), near = beside < 0 ? 0 : (beside > length ? length : beside), reach = a.scale + margin;
    if (norm2(a.at - from - near * way) > reach * reach) return false;
    if (!a.capsule()) {
        double along = 0;
        if (!a.may_hold(from, from + length * way, margin)) return false;
        if (!curved_with_cylinder(a, from, way, 0, false, {0, 0, 0}, margin, touch, along) || along < -slack || along > length + slack)
            return false;
        // Of a line that misses the body a direction that does not show it may be the least deep of those about.
        return !(touch.overlap > 0) || a.holds(from + along * way, slack);
    }
    const Stick p = stick_of(a), edge{from, way, length, 0};
    double along[2];
    nearest_of_axes(p, edge, along);
    if (!(along[1] > slack && along[1] < length - slack)) return false;  // that is a corner's
    const Vec3 beside_both = cross(p.way, way);
    const Vec3 own = norm2(beside_both) > 0 ? (1 / norm(beside_both)) * beside_both : tangents_of(way).u;
    return touch_of_balls(p.at(along[0]), p.radius, edge.at(along[1]), 0, own, margin, touch);
}

SCREE_HD_SHARED bool smooth_with_corner(const PlacedSmooth& a, Vec3 at, double margin, SmoothTouch& touch) {
    const double reach = a.scale + margin;
    if (norm2(a.at - at) > reach * reach) return false;
    if (a.capsule()) return stick_with_ball(stick_of(a), at, 0, margin, touch);
    return a.holds(at, margin + feature_slack<double> * a.scale) && curved_with(a, PlacedCorner{at, a.scale}, margin, touch);
}

/// What a body meets of a cylinder, in its own frame.
struct CylinderWall {
    Vec3 point, axis;  // one end of its axis; unit
    double radius, length;
    bool solid;   // with ends
    bool inside;  // the body is in it
};

/// Of a body that is no capsule with the rim of a tube, a circle of radius R about `centre` in the plane square to `axis`: at that place of
/// the rim which is the deepest in the body. e: where to start, a unit vector square to the axis. Along the rim the depth grows as the
/// normal leans, and bends as body and rim do.
SCREE_HD_SHARED bool curved_with_mouth(const PlacedSmooth& a, Vec3 centre, Vec3 axis, double R, Vec3 e, double margin, SmoothTouch& touch) {
    const double apart = 0.2 * a.scale + margin;
    SmoothTouch best{};
    bool met = false;
    for (int step = 0; step < 40; ++step) {
        const Vec3 way = cross(axis, e);
        const PlacedRim rim{centre + R * e, way, (1 / R) * e, a.scale};
        SmoothTouch t{};
        const bool here = met ? meet(a, rim, best.normal, apart, t) : curved_with(a, rim, apart, t);
        if (!here) break;
        const double slope = -dot(t.normal, way), least = 0.01 / R,
                     bends = a.bend(a.support(t.normal), t.normal, {way, axis}).uu - dot(t.normal, e) / R,
                     bend = bends > least ? bends : least;
        const bool better = !met || t.overlap > best.overlap;
        if (better) best = t;
        met = true;
        const double far = slope / bend, most = 0.3 * R, step_along = far > most ? most : (far < -most ? -most : far);
        if (!(std::fabs(slope * step_along) > least_gain * a.scale)) break;
        const Vec3 turned = e + (step_along / R) * way;
        e = (1 / norm(turned)) * turned;
    }
    if (!met || !(best.overlap > -margin)) return false;
    touch = best;
    return true;
}

/// From the axis of a tube, square to it, to where the line through a body's centre and a place of it passes the plane of a mouth; zero
/// where that is farther from the centre than the place and its opposite. All from an end of the axis.
SCREE_HD Vec3 passes_mouth(const CylinderWall& c, Vec3 centre, Vec3 place, double mouth) {
    const double from = dot(centre, c.axis), to = dot(place, c.axis), part = (from - mouth) / (from - to);
    if (!(std::fabs(part) <= 1.2)) return {};
    const Vec3 at = centre + part * (place - centre);
    return at - dot(at, c.axis) * c.axis;
}
/// Is a place of a body within a tube, rather than beside it? Told by the centre or, if that is past a mouth, by where the line between
/// passes it.
SCREE_HD bool goes_within(const CylinderWall& c, Vec3 centre, Vec3 place) {
    const double height = dot(centre, c.axis);
    const bool past = height < 0 || height > c.length;
    const Vec3 radial = past ? passes_mouth(c, centre, place, height < 0 ? 0 : c.length) : centre - height * c.axis;
    return norm2(radial) < c.radius * c.radius;
}

/// A body that is no capsule with the wall and the rims of a tube: a long one with two places of it.
SCREE_HD_SHARED void curved_with_tube(const PlacedSmooth& a, const CylinderWall& c, double margin, SmoothTouches& found) {
    const double k = 1 / c.radius;
    const Vec3 from = a.at - c.point;
    const double height = dot(from, c.axis), off = norm(from - height * c.axis);
    const bool past = height < 0 || height > c.length;
    Vec3 other;  // from the axis to the place opposite to that which is met first
    const auto meet_side = [&](bool inside, Vec3 start) {
        SmoothTouch t{};
        double along = 0;
        if (!curved_with_cylinder(a, c.point, c.axis, c.radius, inside, {inside ? -k : k, 0, 0}, margin, t, along, start)) return false;
        other = 2.0 * from - (t.point - c.point);
        other = other - dot(other, c.axis) * c.axis;
        if (along >= 0 && along <= c.length) {
            // A place of the body before the wall, if that is where it is: the outermost is behind it.
            const double back = std::fmin(std::fabs(t.overlap), 0.02 * a.scale);
            if (past && goes_within(c, from, t.point - back * t.normal - c.point) != inside) return false;
        } else {
            // Of a long body the rim may be far from where it is farthest out.
            const double mouth = along < 0 ? 0 : c.length;
            const Vec3 rim = c.point + mouth * c.axis, by = passes_mouth(c, from, t.point - c.point, mouth),
                       e = inside ? t.normal : -t.normal;
            if (!curved_with_mouth(a, rim, c.axis, c.radius, e, margin, t) &&
                !(norm2(by) > 0 && curved_with_mouth(a, rim, c.axis, c.radius, (1 / norm(by)) * by, margin, t))) {
                return false;
            }
        }
        if (found.count == 0 || norm(found.touch[0].point - t.point) > 0.01 * a.scale) found.add(t);
        return true;
    };
    const bool inside = past || c.inside;
    const bool met = meet_side(inside, {});
    // The product of the parts of a chord.
    const double reach = a.scale + margin;
    if (inside && norm2(other) > 0 && reach * reach > c.radius * c.radius - off * off) meet_side(true, other);
    if (past && !met && found.count == 0) meet_side(false, {});
}

SCREE_HD_SHARED void smooth_with_cylinder(const PlacedSmooth& a, const CylinderWall& wall, double margin, SmoothTouches& found) {
    const bool endless = wall.length > 1e300;
    CylinderWall c = wall;
    if (endless && c.inside) {  // a tube about the body, whose mouths are far
        const double reach = 4 * (a.scale + c.radius + margin);
        c.point += (dot(a.at - c.point, c.axis) - reach) * c.axis;
        c.length = 2 * reach;
    }
    SmoothTouch t{};
    if (a.capsule()) {
        const Stick p = stick_of(a);
        if (c.inside || (!c.solid && !endless)) {
            const Vec3 middle = p.middle() - c.point;
            const double height = dot(middle, c.axis), mouth = height < 0 ? 0 : (height > c.length ? c.length : height);
            const Vec3 end = p.end((height < mouth) == (dot(p.way, c.axis) > 0) ? 1 : 0) - c.point;  // the nearer one, past a mouth
            const double rest = dot(end, c.axis) - mouth;
            if ((height < mouth ? rest < 0 : height > mouth && rest > 0) || goes_within(c, middle, end)) {
                found = stick_in_tube(p, c.point, c.axis, c.radius, c.length, margin);
            } else if (stick_beside_tube(p, c.point, c.axis, c.radius, c.length, margin, t)) {
                found.add(t);
            }
            return;
        }
        if (endless) {
            const double reach = 4 * (a.scale + c.radius + margin), beside = dot(a.at - c.point, c.axis);
            const Stick round{c.point + (beside - reach) * c.axis, c.axis, 2 * reach, c.radius};
            if (!stick_with_stick(p, round, margin, t)) return;
            t.radius = p.radius;
            found.add(t);
            return;
        }
        if (!stick_with_rod(p, c.point, c.axis, c.radius, c.length, margin, t)) return;
        found.add(t);
        return;
    }
    if (c.inside || (!c.solid && !endless)) {
        curved_with_tube(a, c, margin, found);
        return;
    }
    double along = 0;
    if (!curved_with_cylinder(a, c.point, c.axis, c.radius, false, {1 / c.radius, 0, 0}, margin, t, along)) return;
    if (endless || (along >= 0 && along <= c.length)) {
        found.add(t);
        return;
    }
    const Vec3 out = along < 0 ? -c.axis : c.axis, end = c.point + (along < 0 ? 0.0 : c.length) * c.axis;
    if (!curved_with_plane(a, end, -out, margin, t)) return;
    const Vec3 from = t.point - end, across = from - dot(from, out) * out;
    if (norm2(across) <= c.radius * c.radius ||
        (curved_with(a, PlacedDisc{end, out, c.radius, a.scale}, margin, t) && -dot(t.normal, out) >= 0))
        found.add(t);
}

/// Its lowest point over such a plane: of a capsule the lower end, of equals the first.
SCREE_HD bool lowest_on_plane(const PlacedSmooth& a, Vec3 point, Vec3 n, double margin, SmoothTouch& touch) {
    if (!a.capsule()) return curved_with_plane(a, point, n, margin, touch);
    const SmoothTouches both = stick_with_plane(stick_of(a), point, n, margin);
    if (both.count == 0) return false;
    touch = both.touch[both.count > 1 && both.touch[1].overlap > both.touch[0].overlap ? 1 : 0];
    return true;
}

/// With a polyhedron; normal from A to B.
template <class T>
SCREE_HD_SHARED bool smooth_with_convex(const PlacedSmooth& a, const PlacedConvex<T>& b, double margin, SmoothTouch& best) {
    const Vec3 at = cast<double>(b.at);
    const Mat3 turn = cast<double>(b.turn);
    const double scale = static_cast<double>(b.scale), slack = feature_slack<T> * (a.scale + scale);
    const auto corner = [&](std::int32_t v) { return at + turn * (scale * cast<double>(b.shape.vertex(v))); };
    const auto outwards = [&](std::int32_t f) { return turn * cast<double>(b.shape.normal(f)); };
    SmoothTouch deep{};
    double least = 1e300, least_deep = 1e300;
    for (std::int32_t f = 0; f < b.shape.faces; ++f) {
        const Vec3 n = -outwards(f);
        const std::int32_t begin = b.shape.face_start[f], end = b.shape.face_start[f + 1];
        const Vec3 point = corner(b.shape.face_vertex[begin]);
        if (dot(point - a.at, n) > a.scale + margin) return false;
        SmoothTouch t{};
        if (!lowest_on_plane(a, point, n, margin, t)) return false;
        if (!(t.overlap < least)) continue;
        const Vec3 foot = t.point + (t.overlap > 0 ? 0.5 * t.overlap : 0.0) * n;
        bool within = true;
        for (std::int32_t q = begin; q < end && within; ++q) {
            const Vec3 from = corner(b.shape.face_vertex[q]), to = corner(b.shape.face_vertex[q + 1 < end ? q + 1 : begin]);
            within = dot(cross(to - from, foot - from), n) <= slack * norm(to - from);
        }
        if (within && t.overlap < least_deep) {
            least_deep = t.overlap;
            deep = t;
        }
        // Where B is thinner than that, it is met elsewhere, unless they are in each other through and through.
        for (std::int32_t g = 0; g < b.shape.faces && within && t.overlap > 0; ++g)
            within = dot(outwards(g), foot - at) <= scale * static_cast<double>(b.shape.h[g]) + slack;
        if (!within) continue;
        least = t.overlap;
        best = t;
    }
    if (least < 1e300) return true;
    // Normals of edges and corners: those along which no other corner of B is farther out.
    const auto outermost = [&](Vec3 on, Vec3 n) {
        for (std::int32_t v = 0; v < b.shape.vertices; ++v)
            if (dot(on - corner(v), n) > slack) return false;
        return true;
    };
    SmoothTouch t{};
    const auto take = [&](Vec3 on) {
        if (!(t.overlap < least) || !outermost(on, t.normal)) return;
        least = t.overlap;
        best = t;
    };
    for (std::int32_t e = 0; e < b.shape.edges; ++e) {
        const Vec3 from = corner(b.shape.edge[2 * e]), to = corner(b.shape.edge[2 * e + 1]);
        const double length = norm(to - from);
        if (smooth_with_edge(a, from, (1 / length) * (to - from), length, margin, t)) take(from);
    }
    for (std::int32_t v = 0; v < b.shape.vertices; ++v) {
        const Vec3 on = corner(v);
        if (smooth_with_corner(a, on, margin, t)) take(on);
    }
    if (least < 1e300) return true;
    bool through = true;
    for (std::int32_t f = 0; f < b.shape.faces && through; ++f)
        through = dot(outwards(f), a.at - at) < scale * static_cast<double>(b.shape.h[f]);
    best = deep;
    return least_deep < 1e300 && (through || (!a.capsule() && a.holds(at, 0)));
}

}  // namespace scree
