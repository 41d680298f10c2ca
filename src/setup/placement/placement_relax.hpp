// Pushes overlapping spheres apart until none overlap: what random placement goes on with when sequential addition stalls.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec3.hpp"
#include "setup/placement/region.hpp"

namespace scree {

/// Fixed spheres that others must keep clear of.
struct Obstacles {
    std::vector<Vec3> position;  // [m]
    std::vector<double> radius;  // [m]
};

/// Moves `position` inside the region until no two spheres overlap; serial, so the same on any machine with the same arithmetic.
/// `fraction` is the share of the region that the spheres take; it sets the gap that is aimed at.
/// Returns the largest factor by which all radii can be scaled without overlap, at most 1; below 1 the packing did not come about.
/// `looks` is how many looks at a pair may be spent yet, and is lowered by those spent; at 0 or below the search has given up. It counts
/// work, not time, so that every machine gives up, or does not, at the same sweep.
double relax_overlaps(const PlaceRegion& region, const std::vector<double>& radius, std::vector<Vec3>& position, const Obstacles& obstacles,
                      double fraction, std::int64_t& looks);

}  // namespace scree
