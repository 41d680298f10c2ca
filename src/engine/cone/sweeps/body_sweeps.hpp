// What sweeps over bodies keep. Manifolds are swept in blocks: those of one block have one colour and one number of points, one in each
// lane, and their points lie in the order of the sweep, so that a sweep reads memory in order but for bodies.
#pragma once

#include <optional>

#include "engine/cone/sweeps/colouring.hpp"
#include "engine/exec/lanes.hpp"

namespace scree::SCREE_FLAVOR {

// Values of a block: the centre of B from that of A, then of each point these, each `lane_count` wide.
inline constexpr int head_values = 3;
// kSteep: mu h_n / h_t of the steps h along the normal and across it; kShrink: 1 / (1 + mu * that).
enum PointValue : int { kArm = 0, kNormal = 3, kBase = 6, kImpulse = 9, kAlong = 12, kAcross, kMu, kSteep, kShrink, kEta, kPointValues };

/// Values of a block.
SCREE_HD Index block_values(int points) {
    return (head_values + static_cast<Index>(points) * kPointValues) * lane_count;
}

/// Manifolds of one colour with the same number of points, one a lane.
struct SweepBlock {
    Index data;           // where their values start: centre of B from that of A, then the points one after the other
    std::int32_t points;  // of each
};

/// Where the first manifold of a RowBucket lies among all, its first block and the values of that.
struct SweepStart {
    Index manifold, block, value;
};
/// Blocks, or manifolds, from one start to another.
SCREE_HD Index count_between(const SweepStart& from, const SweepStart& to, bool blocks) {
    return blocks ? to.block - from.block : to.manifold - from.manifold;
}

struct SweepBuffers {
    ColourBuffers colours;
    Array<Index> bucket_start;
    Array<std::uint32_t> by_bucket;  // rows by bucket, then in their order, which is that of space
    Array<SweepStart> start;         // by bucket, and the end
    Array<Manifold> manifold;        // by block and lane; count 0: the lane is empty. Where contacts roll: by colour
    Array<SweepBlock> block;         // by colour
    Array<Real> value;               // of the blocks
    Array<Manifold> in_series;       // without colour, in the order of keys; count 0: none
    Array<SweepFit> fit;             // one
    std::optional<SweepSizes> most;  // what the next layout has room for; none: nothing is expected
    std::size_t bytes() const {
        return colours.bytes() + bucket_start.bytes() + by_bucket.bytes() + start.bytes() + manifold.bytes() + block.bytes() +
               value.bytes() + in_series.bytes() + fit.bytes();
    }
};

/// Colours the manifolds of the table and lays them out; where contacts resist rolling, without blocks. Where colours come in rounds it
/// lays out nothing if `most` is too little (buffers.fit), and waits only if nothing is expected. O(rows).
void lay_out_sweeps(const Exec& exec, ContactTable& table, Index bodies, SortBuffers& sort, SweepBuffers& buffers);

/// Lays out what is coloured, with as many rounds more and as much room as it needs. The host waits for its sizes, once more each time that
/// rounds do not suffice.
void fit_sweeps(const Exec& exec, ContactTable& table, Index bodies, SortBuffers& sort, SweepBuffers& buffers);

/// Sizes to expect of a problem after one of these.
SweepSizes expected_after(const SweepSizes& sizes);

}  // namespace scree::SCREE_FLAVOR
