// Overlaps of bodies at the start.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "model/cell.hpp"
#include "model/model.hpp"

namespace scree {

/// The worst overlap of two bodies, in shares of the smaller radius, and how many pairs lie past two shares.
struct Overlaps {
    double worst{0};         // share of the smaller radius
    std::int32_t first{-1};  // ids of the worst pair, first < second; -1: nothing overlaps
    std::int32_t second{-1};
    std::int64_t past_warning{0};  // pairs
    std::int64_t past_limit{0};    // pairs of spheres, also counted in past_warning
};

/// Checks all pairs with a grid. Of a pair with a polyhedron the depth is the way out along the best of the faces' normals, the edges'
/// products and, for spheres, the directions from the vertices; as in the engine it is held against the bounding radius, or 1.7 inradii of
/// a flat shape. That depth is greater than the mean depth which the engine stops at, so past_limit counts spheres only. Members of one
/// compound do not count, nor do pairs of `apart` (ids of bodies or compounds, lower first). Across the borders of a periodic cell, too.
/// O(n).
Overlaps find_overlaps(const BodyTable& bodies, const std::vector<ConvexShape>& shapes, double warning, double limit,
                       const std::set<std::pair<std::int32_t, std::int32_t>>& apart = {}, const Cell& cell = {});

}  // namespace scree
