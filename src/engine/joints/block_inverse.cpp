#include "engine/joints/block_inverse.hpp"

#include <algorithm>
#include <utility>

#include <Eigen/Dense>

#include "base/macros.hpp"

namespace scree {

namespace {

using Dense = Eigen::MatrixXd;

/// The inverse in the range of A, nothing in its null space; B = (A + shift)^-1. With F = A B, F^2 B F^2 leaves 5 shift / sigma of what
/// belongs to an eigenvalue sigma, and each round of Newton and Schulz the square of what the one before left.
Dense filtered_inverse(const Dense& A, const Dense& B, double shift) {
    constexpr int rounds = 2;
    const Dense F = Dense::Identity(A.rows(), A.cols()) - shift * B;
    Dense X = F * (F * B * F) * F;
    for (int round = 0; round < rounds; ++round) X = (2 * X - X * (A * X)).eval();
    return X;
}

}  // namespace

void BlockInverse::analyse(const Matrix& pattern, RowBlocks blocks) {
    blocks_ = std::move(blocks);
    std::vector<std::int32_t> place(blocks_.order.size());
    block_of_.resize(blocks_.order.size());
    for (std::size_t p = 0; p < place.size(); ++p) place[static_cast<std::size_t>(blocks_.order[p])] = static_cast<std::int32_t>(p);
    for (std::size_t b = 0; b < blocks_.block.size(); ++b) {
        const RowBlock& block = blocks_.block[b];
        std::fill_n(block_of_.begin() + block.first, block.count, static_cast<std::int32_t>(b));
    }
    of_entry_.clear();
    for (int column = 0; column < pattern.outerSize(); ++column) {
        for (Matrix::InnerIterator at(pattern, column); at; ++at)
            of_entry_.push_back(target_of(place[static_cast<std::size_t>(at.row())], place[static_cast<std::size_t>(column)]));
    }
    of_coupling_.clear();
    first_coupling_.clear();
    for (const RowBlock& block : blocks_.block) {
        first_coupling_.push_back(of_coupling_.size());
        const std::int32_t* coupled = blocks_.coupled.data() + block.coupled;
        for (std::int32_t j = 0; j < block.couples; ++j) {
            for (std::int32_t i = j; i < block.couples; ++i) of_coupling_.push_back(target_of(coupled[i], coupled[j]));
        }
    }
}

BlockInverse::Target BlockInverse::target_of(std::int32_t place, std::int32_t other) const {
    const std::int32_t low = std::min(place, other), high = std::max(place, other);
    const RowBlock& block = blocks_.block[static_cast<std::size_t>(block_of_[static_cast<std::size_t>(low)])];
    const auto at = [&](std::int32_t row, std::int32_t column) { return block.value + std::int64_t{column} * block.count + row; };
    const std::int32_t row = low - block.first;
    if (high < block.first + block.count) return {at(row, high - block.first), low == high ? -1 : at(high - block.first, row)};
    const std::int32_t* coupled = blocks_.coupled.data() + block.coupled;
    const std::int32_t* found = std::lower_bound(coupled, coupled + block.couples, high);
    SCREE_ASSERT(found != coupled + block.couples && *found == high);  // else rows depend on each other across their blocks
    return {at(row, block.count + static_cast<std::int32_t>(found - coupled)), -1};
}

/// False where a pivot is not positive.
bool BlockInverse::eliminate(std::size_t b, std::vector<double>& values) const {
    const RowBlock& block = blocks_.block[b];
    Eigen::Map<Dense> A(values.data() + block.value, block.count, block.count);
    const Eigen::LLT<Dense> factor(A);
    if (factor.info() != Eigen::Success) return false;
    A = factor.solve(Dense::Identity(block.count, block.count));
    if (block.couples == 0) return true;
    Eigen::Map<Dense> E(values.data() + block.value + std::int64_t{block.count} * block.count, block.count, block.couples);
    // By the factor, not by the inverse: where the block's own rows all but depend on each other that would lose its digits.
    factor.matrixL().solveInPlace(E);
    Dense update = Dense::Zero(block.couples, block.couples);
    update.selfadjointView<Eigen::Lower>().rankUpdate(E.transpose());
    factor.matrixU().solveInPlace(E);
    const Target* target = of_coupling_.data() + first_coupling_[b];
    for (Eigen::Index j = 0; j < block.couples; ++j) {
        for (Eigen::Index i = j; i < block.couples; ++i, ++target) {
            values[static_cast<std::size_t>(target->value)] -= update(i, j);
            if (target->mirrored >= 0) values[static_cast<std::size_t>(target->mirrored)] -= update(i, j);
        }
    }
    return true;
}

bool BlockInverse::invert(const Matrix& lower, double shift, bool filtered, std::vector<double>& values) const {
    values.assign(static_cast<std::size_t>(blocks_.values), 0.0);
    const Target* target = of_entry_.data();
    for (int column = 0; column < lower.outerSize(); ++column) {
        for (Matrix::InnerIterator at(lower, column); at; ++at, ++target) {
            const double value = at.row() == column ? 1.0 + shift : at.value();
            values[static_cast<std::size_t>(target->value)] = value;
            if (target->mirrored >= 0) values[static_cast<std::size_t>(target->mirrored)] = value;
        }
    }
    for (std::size_t b = 0; b < blocks_.block.size(); ++b) {
        const RowBlock& block = blocks_.block[b];
        Eigen::Map<Dense> own(values.data() + block.value, block.count, block.count);
        Dense A;
        if (filtered) A = own - shift * Dense::Identity(block.count, block.count);
        if (!eliminate(b, values)) return false;
        if (filtered) own = filtered_inverse(A, own, shift);
    }
    return true;
}

void BlockInverse::apply(const std::vector<double>& values, std::vector<double> r, std::vector<double>& x) const {
    using Vector = Eigen::VectorXd;
    x.resize(r.size());
    const auto reached = [&](const RowBlock& b, Eigen::Index c) {
        return static_cast<std::size_t>(blocks_.coupled[static_cast<std::size_t>(b.coupled + c)]);
    };
    const auto own = [&](const RowBlock& b) { return Eigen::Map<const Dense>(values.data() + b.value, b.count, b.count); };
    const auto reaching = [&](const RowBlock& b) {
        return Eigen::Map<const Dense>(values.data() + b.value + std::int64_t{b.count} * b.count, b.count, b.couples);
    };
    const auto rates = [&](const RowBlock& b) { return Eigen::Map<const Vector>(r.data() + b.first, b.count); };
    for (const RowBlock& b : blocks_.block) {
        const Vector taken = reaching(b).transpose() * rates(b);
        for (Eigen::Index c = 0; c < b.couples; ++c) r[reached(b, c)] -= taken[c];
    }
    for (auto b = blocks_.block.rbegin(); b != blocks_.block.rend(); ++b) {
        Vector later(b->couples);
        for (Eigen::Index c = 0; c < b->couples; ++c) later[c] = x[reached(*b, c)];
        Eigen::Map<Vector>(x.data() + b->first, b->count) = own(*b) * rates(*b) - reaching(*b) * later;
    }
}

}  // namespace scree
