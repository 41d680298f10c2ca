// Systems left_i M_ij right_j + delta_ij add_i, as Newton's method asks for: assembled, factorised, solved. Dense up to a few thousand
// rows, sparse beyond where the factor stays sparse.
#pragma once

#include <memory>
#include <vector>

#include "engine/cone/direct/problem.hpp"

namespace scree::direct {

class BlockSystem {
public:
    /// Symmetric systems are factorised by Cholesky and must be positive definite; others by LU.
    BlockSystem(const Problem& problem, bool symmetric);
    ~BlockSystem();

    /// Returns false where the factorisation breaks down. O(rows^3) dense.
    bool factorise(const std::vector<Matrix3>& left, const std::vector<Matrix3>& right, const std::vector<Matrix3>& add);
    Vector solve(const Vector& rhs) const;

private:
    struct Factors;
    std::unique_ptr<Factors> factors_;
};

}  // namespace scree::direct
