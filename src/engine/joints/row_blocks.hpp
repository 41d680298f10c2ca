// Bilateral rows in blocks small enough to be inverted. What hangs together and is small is one block. What is large is cut: a few rows
// without which it falls apart, those at one distance from an end of it or those of one body, are set aside as a separator, and the pieces
// are blocks, or are cut once more. The separators, of which those depend on each other that a block lies between, are the rows of the next
// stage, and are cut likewise (nested dissection: George 1973).
// Invariant: a row depends only on rows of its own block, on rows of later stages that its block is coupled to, and on those of earlier
// stages whose blocks are coupled to it.
// Blocks of chains and trees stay within the size that is asked for; where one body carries many joints, and in the last stages of a net,
// what cannot be cut is a block of its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/joints/joint_rows.hpp"

namespace scree {

/// Rows that depend on each other and are of one stage. Where its values begin: its inverse by columns of `count`, then for each row that
/// it is coupled to a column of `count`.
struct RowBlock {
    std::int32_t first, count;      // its rows, places in RowBlocks::order
    std::int32_t coupled, couples;  // rows of later stages that it depends on: the first in RowBlocks::coupled, how many
    std::int64_t value;
};

struct RowBlocks {
    std::vector<std::int32_t> order;    // rows: stage by stage, block by block
    std::vector<std::int32_t> stage;    // stages + 1: places in `order`
    std::vector<RowBlock> block;        // ascending
    std::vector<std::int32_t> coupled;  // places in `order`, ascending for each block
    std::int64_t values{0};             // of all blocks
    int number{0};                      // of this cut; another one has another number

    bool cut() const { return stage.size() > 2; }
};

/// Rows of one block, at most where they can be cut. Larger blocks cost more to invert and to apply, smaller ones more stages, each of
/// which is a kernel or two of every product.
struct BlockLimits {
    std::int32_t whole{128};  // that hang together: larger mechanisms are cut
    std::int32_t part{48};    // of those that are cut
};

/// bodies: how many there are. O(rows log rows) for chains and trees.
RowBlocks cut_rows(const std::vector<JointRow>& rows, std::size_t bodies, const BlockLimits& limits);

}  // namespace scree
