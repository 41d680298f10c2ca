// The inverse of a sparse symmetric matrix, block by block of RowBlocks, so that applying it is a few products with dense columns and
// no substitution: kernels can do that. With A_b the matrix of a block once all blocks of earlier stages are eliminated and E_b its
// part against the rows that it is coupled to, the values are A_b^-1 and A_b^-1 E_b; E_b^T A_b^-1 E_b is taken from blocks of later stages
// (a multifrontal elimination: Duff & Reid 1983).
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/SparseCore>

#include "engine/joints/row_blocks.hpp"

namespace scree {

class BlockInverse {
public:
    using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

    /// Of matrices with this pattern, their lower triangle.
    void analyse(const Matrix& pattern, RowBlocks blocks);
    const RowBlocks& blocks() const { return blocks_; }
    /// Values of A + shift, as RowBlock::value says, for its diagonal 1. `filtered`: where nothing is cut, the inverse in the range of A
    /// and nothing in its null space. False where it is not positive definite. O(rows part^2), or the cube of the largest block.
    bool invert(const Matrix& lower, double shift, bool filtered, std::vector<double>& values) const;
    /// x = B r by the values of B; both in RowBlocks::order.
    void apply(const std::vector<double>& values, std::vector<double> r, std::vector<double>& x) const;

private:
    struct Target {
        std::int64_t value, mirrored;  // where an entry goes, and again within a block; -1: nowhere
    };
    Target target_of(std::int32_t place, std::int32_t other) const;
    bool eliminate(std::size_t b, std::vector<double>& values) const;

    RowBlocks blocks_;
    std::vector<std::int32_t> block_of_;       // each place of RowBlocks::order
    std::vector<Target> of_entry_;             // of the matrix
    std::vector<Target> of_coupling_;          // of the lower triangle of E^T A^-1 E, block after block
    std::vector<std::size_t> first_coupling_;  // of each block
};

}  // namespace scree
