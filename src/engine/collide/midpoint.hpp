// The point that decides which bin or box a pair of touching spheres belongs to: the midpoint of the collision volume on the line of
// centres; of a sphere inside another, its centre. Inside both bounding boxes but for rounding.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/vec3.hpp"
#include "engine/collide/problem.hpp"

namespace scree {

/// Spheres as x, y, z, r; the one with the lower id first, so that a pair gives the same bits wherever it is found.
SCREE_HD Vec3 collision_midpoint(const double a[4], const double b[4]) {
    const Vec3 d{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double distance = norm(d);
    const bool contained = distance <= std::fabs(b[3] - a[3]);
    // Along the way from a to b the volume reaches from distance - r_b to r_a.
    const double along = contained ? (a[3] < b[3] ? 0.0 : distance) : 0.5 * (distance - b[3] + a[3]);
    return Vec3{a[0], a[1], a[2]} + (distance > 0 ? along / distance : 0.0) * d;
}

/// a < b.
SCREE_HD Vec3 collision_midpoint(const SphereView& s, std::uint32_t a, std::uint32_t b) {
    const double first[4] = {s.x[a], s.y[a], s.z[a], s.r[a]}, second[4] = {s.x[b], s.y[b], s.z[b], s.r[b]};
    return collision_midpoint(first, second);
}

/// How far a sphere reaches along an axis where its centre is at c: a part in 10^12 farther than its radius, for the rounding of midpoints.
SCREE_HD double reach_of(double c, double r) {
    return r + 1e-12 * (r + std::fabs(c));
}

}  // namespace scree
