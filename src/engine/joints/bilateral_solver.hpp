// Bilateral rows solved directly: A = G M^-1 G^T, scaled to a unit diagonal, factorised as sparse LDL^T (approximate minimum degree;
// Amestoy, Davis & Duff 1996). Where a pivot says that rows depend on each other, A + eps is factorised and lambda comes from iterated
// Tikhonov steps (Engl, Hanke & Neubauer 1996, sec. 5.1), lambda += (A + eps)^-1 F^2 r with the filter F = A (A + eps)^-1: exact in the
// range of A and zero in its null space, so that redundant rows share their load, and rounding or contradiction among them does not grow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/SparseCholesky>

#include "engine/joints/block_inverse.hpp"
#include "engine/joints/joint_system.hpp"

namespace scree {

/// G v of one row.
inline double rate_of(const JointRow& row, const std::vector<Twist>& v) {
    return rate_of(row, v.data());
}
/// v += M^-1 G^T lambda.
void push(const JointRow& row, const std::vector<JointBody>& bodies, double lambda, std::vector<Twist>& v);

class BilateralSolver {
public:
    /// Pattern and ordering of these rows; which bodies they join must not change after.
    void analyse(const std::vector<JointRow>& rows, std::size_t bodies);
    void factorise(const std::vector<JointRow>& rows, const std::vector<JointBody>& bodies);
    /// See JointSystem::project.
    void project(const std::vector<JointRow>& rows, std::vector<Twist>& v, bool with_bias, std::vector<double>* impulse) const;
    /// Cuts the rows given to analyse() anew.
    void cut(const std::vector<JointRow>& rows, std::size_t bodies, const BlockLimits& limits);
    /// Of the rows given to analyse().
    const RowBlocks& blocks() const { return inverse_.blocks(); }
    /// See JointSystem::inverse.
    void inverse(const std::vector<JointRow>& rows, std::size_t bodies, RowInverse& out) const;
    /// Do some rows depend on others?
    bool dependent() const { return dependent_; }

private:
    using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
    struct Term {
        std::int32_t row, body;
        Vec3 linear, angular;
        Twist answer;  // M^-1 of the term
    };
    struct Product {
        int entry;                   // of the values of A
        std::int32_t first, second;  // terms on one body
    };
    double residual(const std::vector<JointRow>& rows, const std::vector<Twist>& v, bool with_bias) const;
    bool decompose(double shift);
    /// Passes until the residual is within `enough` of the terms of a row's rate, or does not shrink any more; solve(): r_ -> lambda_.
    template <class Solve>
    int repeat(const std::vector<JointRow>& rows, std::vector<Twist>& v, bool with_bias, std::vector<double>* impulse, double enough,
               Solve solve) const;

    Matrix matrix_;  // A, lower triangle, scaled
    Eigen::SimplicialLDLT<Matrix, Eigen::Lower> factor_;
    std::vector<int> diagonal_;  // entry of each row's diagonal
    std::vector<Term> terms_;    // of all rows, ascending
    std::vector<Product> products_;
    std::vector<double> scale_;  // of each row, 1 / sqrt(G M^-1 G^T); 0 for rows that move nothing
    BlockInverse inverse_;
    double shift_{0};
    bool dependent_{false};
    mutable Eigen::VectorXd r_, lambda_;
};

}  // namespace scree
