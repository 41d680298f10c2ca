// A small dense complementarity problem with bounds: x in [low, high] with u = W x + q zero within the bounds, u >= 0 at low, u <= 0 at
// high. W symmetric, positive semidefinite. Sweeps of projected Gauss–Seidel find which bounds are reached, then the rest is solved
// directly (as in Portugal, Judice & Vicente 1994), until both agree.
#pragma once

#include <Eigen/Dense>

namespace scree {

struct BoxedProblem {
    Eigen::MatrixXd W;
    Eigen::VectorXd q, low, high;
};

/// Improves x; returns the largest residual |x - P(x - u / W_ii)| W_ii. Rows with W_ii = 0 stay as they are. O(n^3) per round.
double solve_boxed(const BoxedProblem& problem, Eigen::VectorXd& x);

}  // namespace scree
