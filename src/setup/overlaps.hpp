// Overlaps of bodies at the start.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "model/model.hpp"

namespace scree {

/// The worst overlap of two bodies, in shares of the smaller radius, and how many pairs lie past two shares.
struct Overlaps {
    double worst{0};         // share of the smaller radius
    std::int32_t first{-1};  // ids of the worst pair, first < second; -1: nothing overlaps
    std::int32_t second{-1};
    std::int64_t past_warning{0};  // pairs
    std::int64_t past_limit{0};    // pairs, also counted in past_warning
};

/// Checks all pairs of spheres with a grid; those with a polyhedron are left to the engine. Members of one compound do not count, nor do
/// pairs of `apart` (ids of bodies or compounds, lower first). O(n).
Overlaps find_overlaps(const BodyTable& bodies, double warning, double limit,
                       const std::set<std::pair<std::int32_t, std::int32_t>>& apart = {});

}  // namespace scree
