// Where a step leads two bodies that are not in touch yet. A nearest point of today says little of where they meet: a box that slides along
// a flush seam is beside the next tile today and on top of it tomorrow. Of planes that keep a pair apart, the last to be crossed is the one
// that they meet at (the separating axis theorem for bodies that move; Ericson 2005, section 5.5); one that is not crossed within the step
// at all keeps them apart through it.
// In: the pair's relative motion. Out: whether a contact stands, or which plane it is to have instead.
// Invariant: bodies in touch within `slack` along a plane count as not past it, so that what rounding and the solver leave between flush
// surfaces shows no side of theirs.
#pragma once

#include "engine/narrow/contact_points.hpp"

namespace scree {

/// Motion of B against A within a step: B's point at x goes by `along` + `turn` x x; x from where the shapes were placed.
template <class T>
struct Way {
    /// Overlap up to which surfaces count as passing, in half thicknesses of the thinner body: past what solves leave, less than is seen.
    static constexpr double share = 1e-3;

    Vec3T<T> along{}, turn{};  // [m], [rad]
    T slack{};                 // [m]

    /// How much nearer the two come at x along n, the unit vector from A to B [m].
    SCREE_HD T nearer(Vec3T<T> n, Vec3T<T> x) const { return -dot(n, along + cross(turn, x)); }
    /// Nothing moves, or nobody says so.
    SCREE_HD bool any() const { return slack > T(0); }
};

namespace passing {

/// Does a contact stand as it is: overlapping, not to be met within the step, or hardly moving along its normal?
template <class T>
SCREE_HD bool settled(const Way<T>& way, Vec3T<T> n, Vec3T<T> x, T gap) {
    const T nearer = way.nearer(n, x);
    return gap < -way.slack || gap - nearer > way.slack || T(64) * nearer <= way.slack;
}

template <class T>
SCREE_HD bool settled(const Way<T>& way, const ContactPoints<T>& c) {
    if (!way.any()) return true;
    for (std::int32_t q = 0; q < c.count; ++q) {
        if (!settled(way, c.normal[q], c.point[q], c.gap[q])) return false;
    }
    return true;
}

/// The plane met last among those that were shown to it.
template <class T>
class LastMet {
public:
    SCREE_HD explicit LastMet(T slack) : slack_(slack) {}

    /// Is a plane that is `gap` off, and comes `nearer` in the step, met notably later than all before, or not at all?
    SCREE_HD bool is_later(T gap, T nearer) {
        if (gap < -slack_) return false;
        const T end = gap - nearer;
        const bool apart = end > slack_;
        const T never = T(1e30), margin = T(1.01);
        T time = nearer > T(0) ? (gap + slack_) / nearer : never;
        time = time < never ? time : never;
        const bool later = apart != apart_ ? apart : apart ? end > margin * end_ : time > margin * time_;
        if (any_ && !later) return false;
        any_ = true;
        apart_ = apart;
        end_ = end;
        time_ = time;
        return true;
    }
    /// Does that plane keep the pair apart through the step?
    SCREE_HD bool apart() const { return any_ && apart_; }

private:
    T slack_, end_{}, time_{};
    bool any_{false}, apart_{false};
};

/// That of a contact's points which is met first.
template <class T>
SCREE_HD std::int32_t first_met(const Way<T>& way, const ContactPoints<T>& c) {
    std::int32_t first = 0;
    T least = T(0);
    for (std::int32_t q = 0; q < c.count; ++q) {
        const T end = c.gap[q] - way.nearer(c.normal[q], c.point[q]);
        if (q > 0 && !(end < least)) continue;
        least = end;
        first = q;
    }
    return first;
}

/// A surface from where a sphere's centre will be.
struct SeenSurface {
    Vec3 normal;      // unit, from the sphere
    double distance;  // of the centre [m]
    bool counts;      // the surface's point there is nobody else's
};
/// What a sphere is to have a contact with.
struct PassedSurface {
    Vec3 normal;  // unit, from the sphere
    double gap;   // of today's sphere to the plane through the surface's point there, along the normal [m]
};

/// look(w): the surface where the sphere has gone the share w in [0, 1] of `way`. Where the sphere, of this radius less the slack, touches
/// within the step, the normal there; else the normal where it comes nearest. Up to 24 looks; the first counts.
template <class Look>
SCREE_HD PassedSurface passed_surface(Look look, Vec3 way, double radius, double slack) {
    const double length = norm(way), touch = radius - slack;
    double w = 0, nearest = 1e300;
    PassedSurface found{};
    for (int k = 0; k < 24; ++k) {
        const SeenSurface here = look(w);
        if (here.counts && here.distance < nearest) {
            nearest = here.distance;
            found = {here.normal, here.distance + w * dot(way, here.normal) - radius};
        }
        const double free = here.distance - touch;
        if (!(free > 1e-3 * slack) || w >= 1) break;
        // It can not touch before it has gone so far. Past a corner that would take for ever.
        const double on = free / length, least = 1.0 / 16;
        w += on > least ? on : least;
        w = w < 1 ? w : 1;
    }
    return found;
}

/// Two spheres that pass each other within the step: the direction from A to B where they are nearest, and today's gap along it. False
/// where they touch, or come no nearer: they meet along the line of centres.
SCREE_HD bool passed_sphere(Vec3 between, Vec3 way, double radii, double slack, PassedSurface& found) {
    const double way2 = norm2(way);
    const double w = way2 > 0 ? -dot(between, way) / way2 : 0;
    if (!(w > 0)) return false;
    const Vec3 then = between + (w < 1 ? w : 1) * way;
    const double nearest = norm(then);
    if (!(nearest > radii - slack) || !(norm(between) - radii > slack)) return false;
    found.normal = then / nearest;
    found.gap = dot(between, found.normal) - radii;
    return true;
}

}  // namespace passing

}  // namespace scree
