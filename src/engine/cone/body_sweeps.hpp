// What sweeps over bodies keep. Manifolds are swept in blocks: those of one block have one colour and one number of points, one in each
// lane, and their points lie in the order of the sweep, so that a sweep reads memory in order but for bodies.
#pragma once

#include <vector>

#include "engine/cone/colouring.hpp"
#include "engine/exec/lanes.hpp"

namespace scree::SCREE_FLAVOR {

/// Manifolds of one colour with the same number of points, one a lane.
struct SweepBlock {
    Index data;           // where their values start: centre of B from that of A, then the points one after the other
    std::int32_t points;  // of each
};

struct SweepRoom {
    Array<Manifold> manifold;         // by block and lane; count 0: the lane is empty
    Array<SweepBlock> block;          // by colour
    Array<Real> value;                // of the blocks
    std::vector<Index> colour_start;  // of each colour in the blocks, and the end
    Array<Manifold> in_series;        // without colour
    std::size_t bytes() const { return manifold.bytes() + block.bytes() + value.bytes() + in_series.bytes(); }
};

}  // namespace scree::SCREE_FLAVOR
