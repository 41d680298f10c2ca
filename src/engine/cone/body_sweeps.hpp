// What sweeps over bodies keep. Manifolds are swept in blocks: those of one block have one colour and one number of points, one in each
// lane, and their points lie in the order of the sweep, so that a sweep reads memory in order but for bodies.
#pragma once

#include <array>

#include "engine/cone/colouring.hpp"
#include "engine/exec/lanes.hpp"

namespace scree::SCREE_FLAVOR {

// Values of a block: the centre of B from that of A, then of each point these, each `lane_count` wide.
inline constexpr int head_values = 3;
enum PointValue : int { kArm = 0, kNormal = 3, kBase = 6, kImpulse = 9, kAlong = 12, kAcross, kSlope, kStretch, kEta, kPointValues };

/// Manifolds of one colour with the same number of points, one a lane.
struct SweepBlock {
    Index data;           // where their values start: centre of B from that of A, then the points one after the other
    std::int32_t points;  // of each
};

/// Where the first manifold of a RowBucket lies among all, its first block and the values of that.
struct SweepStart {
    Index manifold, block, value;
};

struct SweepRoom {
    ColourRoom colours;
    Array<Index> bucket_start;
    Array<std::uint32_t> by_bucket;  // rows by bucket, then in their order, which is that of space
    Array<SweepStart> start;         // by bucket, and the end
    Array<Manifold> manifold;        // by block and lane; count 0: the lane is empty. Where contacts roll: by colour
    Array<SweepBlock> block;         // by colour
    Array<Real> value;               // of the blocks
    Array<Manifold> in_series;       // without colour, in the order of keys
    // Of each colour in the blocks (where contacts roll: in the manifolds), and the end: the same for colours that nothing has.
    std::array<Index, most_colours + 1> colour_start{};
    std::size_t bytes() const {
        return colours.bytes() + bucket_start.bytes() + by_bucket.bytes() + start.bytes() + manifold.bytes() + block.bytes() +
               value.bytes() + in_series.bytes();
    }
};

/// Colours the manifolds of the table and lays them out; where contacts resist rolling, without blocks. The host waits once, for the
/// numbers of manifolds by colour and points, which are the lengths of what follows; once more each time that rounds of colouring do not
/// suffice. O(rows).
void lay_out_sweeps(const Exec& exec, ContactTable& table, Index bodies, SortRoom& sort, SweepRoom& room);

}  // namespace scree::SCREE_FLAVOR
