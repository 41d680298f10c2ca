// The one question all methods ask in the end: do two spheres touch? Differences of positions in double, so that a place far from the
// origin costs nothing, and the same answer whichever of the two is asked first.
#pragma once

#include <cmath>

#include "engine/collide/problem.hpp"
#include "engine/exec/config.hpp"

namespace scree::SCREE_FLAVOR {

struct Touch {
    bool yes;     // |c_b - c_a| <= r_a + r_b
    bool barely;  // equal
};

/// Spheres as x, y, z, r.
SCREE_HD Touch touch(const double a[4], const double b[4]) {
    const double dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2];
    const double reach = a[3] + b[3];
    const double d2 = dx * dx + dy * dy + dz * dz, reach2 = reach * reach;
    return {d2 <= reach2, d2 == reach2};
}

SCREE_HD Touch touch(const SphereView& s, std::uint32_t a, std::uint32_t b) {
    const double first[4] = {s.x[a], s.y[a], s.z[a], s.r[a]}, second[4] = {s.x[b], s.y[b], s.z[b], s.r[b]};
    return touch(first, second);
}

}  // namespace scree::SCREE_FLAVOR
