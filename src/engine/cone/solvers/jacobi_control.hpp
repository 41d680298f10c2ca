// What an iteration of Jacobi's method decides from the sums of its step, d = x - x_before, N d = u - u_before: a trial step without
// momentum whose length t is omega.
#pragma once

#include "engine/cone/solvers/iteration_control.hpp"

namespace scree::SCREE_FLAVOR {

struct JacobiControl : IterationControl {
    double lambda{1};     // share of the new in each iterate
    bool follows{false};  // omega follows the curvature that steps meet
    StepSums sums[2]{};   // of this iteration: contacts, scalar rows
};

namespace detail {

constexpr double safe_part = 1.6;        // of 2: the curvature of a step is a lower bound of L
constexpr double omega_regrowth = 1.01;  // per iteration: one early, stiff mode must not slow the rest

}  // namespace detail

/// Takes the step, and finds the next one's length.
SCREE_HD void decide(JacobiControl& c) {
    ++c.iteration;
    const StepSums s = of_both(c.sums);
    take_next(c, s.residual);
    take_next_velocities(c);
    if (c.follows) {
        const double longer = c.step.t * detail::omega_regrowth;
        c.step.t = s.curvature > 0 ? std::fmin(longer, detail::safe_part * s.length2 / (c.lambda * s.curvature)) : longer;
    }
    lay_out_at_rest(c);
}

}  // namespace scree::SCREE_FLAVOR
