#include "engine/joints/boxed_problem.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree {

namespace {

constexpr int most_rounds = 50;
constexpr int sweeps_per_round = 20;

double residual(const BoxedProblem& problem, const Eigen::VectorXd& x) {
    double largest = 0;
    const Eigen::VectorXd u = problem.W * x + problem.q;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const double w = problem.W(i, i);
        if (w > 0) largest = std::max(largest, w * std::fabs(x[i] - std::clamp(x[i] - u[i] / w, problem.low[i], problem.high[i])));
    }
    return largest;
}

void sweep(const BoxedProblem& problem, Eigen::VectorXd& x) {
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const double w = problem.W(i, i);
        if (!(w > 0)) continue;
        const double u = problem.W.row(i).dot(x) + problem.q[i];
        x[i] = std::clamp(x[i] - u / w, problem.low[i], problem.high[i]);
    }
}

/// x with the entries within their bounds solved for and those at a bound left; clamped.
Eigen::VectorXd solved_within(const BoxedProblem& problem, const Eigen::VectorXd& x) {
    std::vector<Eigen::Index> within;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        if (problem.W(i, i) > 0 && x[i] > problem.low[i] && x[i] < problem.high[i]) within.push_back(i);
    }
    if (within.empty()) return x;
    const Eigen::VectorXd u = problem.W * x + problem.q;
    const Eigen::MatrixXd W = problem.W(within, within);
    const Eigen::VectorXd change = W.completeOrthogonalDecomposition().solve(Eigen::VectorXd(-u(within)));
    Eigen::VectorXd next = x;
    for (std::size_t k = 0; k < within.size(); ++k) {
        const Eigen::Index i = within[k];
        next[i] = std::clamp(x[i] + change[static_cast<Eigen::Index>(k)], problem.low[i], problem.high[i]);
    }
    return next;
}

}  // namespace

double solve_boxed(const BoxedProblem& problem, Eigen::VectorXd& x) {
    x = x.cwiseMax(problem.low).cwiseMin(problem.high);
    const double enough = 1e-13 * problem.q.cwiseAbs().maxCoeff();
    double now = residual(problem, x);
    for (int round = 0; round < most_rounds && now > enough; ++round) {
        for (int k = 0; k < sweeps_per_round; ++k) sweep(problem, x);
        now = residual(problem, x);
        const Eigen::VectorXd direct = solved_within(problem, x);
        const double then = residual(problem, direct);
        if (then < now) {
            x = direct;
            now = then;
        }
    }
    return now;
}

}  // namespace scree
