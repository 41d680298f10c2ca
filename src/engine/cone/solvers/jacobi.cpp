// Algorithm 1 of Negrut et al. 2010 (steps 6-10): all blocks step at once and are blended, x <- lambda P(x - omega H u) + (1 - lambda) x.
// It converges where lambda omega < 2 / L, L the largest eigenvalue of H N; L grows with the contacts of a body, so in dense packings no
// number below 1 serves always. Unless omega is given, it follows the curvature that steps meet, d.N d / d.H^-1 d, which tends to L in
// just the mode that grows.
#include "engine/cone/solvers/iterate.hpp"

namespace scree::SCREE_FLAVOR {

/// A trial step without momentum, whose length t is omega.
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

namespace {

constexpr double own_lambda = 0.9;

void send_iteration(ConeOperator& problem, double lambda, JacobiControl* control) {
    const Gate gate{&control->done, JacobiControl::stop};
    const Late<TrialStep> step = Late<TrialStep>::at(&control->step);
    relaxed_step(problem, step, lambda, {}, gate);
    multiply_and_measure(problem, step, false, gate, control->sums);
    send_decision(problem.exec(), control);
}

}  // namespace

SolveReport jacobi(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x) {
    const double lambda = settings.lambda > 0 ? settings.lambda : own_lambda;
    const auto start_anew = [&] {
        JacobiControl start = start_control<JacobiControl>(problem, settings, buffers, x);
        start.lambda = lambda;
        start.follows = !(settings.omega > 0);
        if (!start.follows) start.step.t = settings.omega;
        return start;
    };
    return iterate<JacobiControl>(problem, settings, buffers, x, start_anew,
                                  [&](JacobiControl* control) { send_iteration(problem, lambda, control); });
}

}  // namespace scree::SCREE_FLAVOR
