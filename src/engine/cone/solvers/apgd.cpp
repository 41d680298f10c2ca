// Accelerated projected gradient descent (Mazhar, Heyn, Tasora & Negrut 2015, ACM TOG 34:32; Nesterov 1983) in the metric of H^-1
// (algebra.hpp), with backtracking on the Lipschitz constant, its slow decrease, restart by the gradient (O'Donoghue & Candès 2015) and the
// best iterate kept. One application per trial step: N y follows from N x of the last two iterates, and neither y nor N y is stored. A
// trial step that is refused is an iteration of its own with the same x and a smaller t. y extrapolated point, g = N y + r, t step, theta
// Nesterov's sequence.
#include "engine/cone/solvers/iterate.hpp"

namespace scree::SCREE_FLAVOR {

struct ApgdControl : IterationControl {
    // Bits of `done` under Coulomb's law, one of which is up: trial steps meet shifted cones, or discs.
    static constexpr std::uint32_t shifted = 2, disk = 4;

    double theta{1};          // Nesterov's sequence
    std::uint32_t slides{0};  // which of these; 0: another law
    std::int32_t since{0};    // steps taken since it was looked at last whether they get on
    double low_then{0};       // the lowest residual of the steps before that
    double low_now{0};        // the lowest residual of the steps since then
    StepSums sums[2]{};       // of this iteration: contacts, scalar rows
};

namespace detail {

constexpr double regrowth = 1.01;  // of t per iteration; 1 / 0.9 in the source, at the cost of many steps taken twice
constexpr double rounding = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon());
constexpr double shortest = 1e-6;  // no step of H N is shorter: a body has fewer contacts

/// The step that the move from y to next asks for; t where it is short enough. f(x) <= f(y) + g.d + |d|^2 / (2 t) for a quadratic f reads
/// d.N d <= |d|^2 / t, but for the rounding of u.
SCREE_HD double step_asked_for(const StepSums& s, double t) {
    if (!(s.length2 > 0) || !(s.curvature * t > s.length2)) return t;
    const double noise = rounding * std::sqrt(s.length2 * s.speed2);
    if ((s.curvature - noise) * t <= s.length2) return t;
    return std::fmax(std::fmax(0.25 * t, shortest), std::fmin(0.8 * t, 0.95 * s.length2 / s.curvature));
}

/// Momentum of the step after one with these sums: none where it ran against the momentum, (y - x) H^-1 (x - x_before) > 0.
SCREE_HD void set_momentum(ApgdControl& c, const StepSums& s) {
    const bool against = s.onward < 0;
    const double theta = c.theta;
    const double turned = against ? 1 : theta * (std::sqrt(theta * theta + 4) - theta) / 2;
    c.step.beta = against ? 0 : theta * (1 - theta) / (theta * theta + turned);
    c.theta = turned;
}

}  // namespace detail

namespace detail {

constexpr double first_follow = 0.2;    // of the way to the sliding found, with each step
constexpr std::int32_t patience = 100;  // steps
constexpr double got_on = 0.9;          // of the lowest residual of so many steps: the most that the next as many leave where they get on

/// Under Coulomb's law: steps that do not get on go the other way from here, with a shift that follows more slowly.
SCREE_HD void choose_way(ApgdControl& c, double residual) {
    c.low_now = c.since == 0 ? residual : std::fmin(c.low_now, residual);
    if (++c.since < patience) return;
    c.since = 0;
    const bool gets_on = c.low_then == 0 || c.low_now <= got_on * c.low_then;
    c.low_then = c.low_now;
    if (gets_on) return;
    if (c.slides == ApgdControl::disk) c.step.follow *= 0.5;
    c.slides ^= ApgdControl::shifted | ApgdControl::disk;
    c.low_then = 0;
    c.theta = 1;
    c.step.beta = 0;
}

}  // namespace detail

/// Coulomb's law holds: shifted cones first, which momentum suits; where a shift feeds on the sliding that it causes, as in a wedge that
/// closes, discs follow.
SCREE_HD void start_sliding(ApgdControl& c) {
    c.slides = ApgdControl::shifted;
    c.done |= c.slides;
    c.step.follow = detail::first_follow;
}

/// Takes the step that `sums` were measured of, or refuses it for a shorter one.
SCREE_HD void decide(ApgdControl& c) {
    ++c.iteration;
    const StepSums sums = of_both(c.sums);
    const double asked = detail::step_asked_for(sums, c.step.t);
    if (asked < c.step.t && c.iteration < c.iterations) {
        c.step.t = asked;
        return;
    }
    take_next(c, sums.residual);
    take_next_velocities(c);
    detail::set_momentum(c, sums);
    if (c.slides != 0) {
        detail::choose_way(c, sums.residual);
        c.done = (c.done & ApgdControl::stop) | c.slides;
    }
    c.step.t *= detail::regrowth;
    lay_out(c);
}

namespace {

void send_iteration(ConeOperator& problem, bool slides, SolveBuffers& buffers, ApgdControl* control) {
    const Gate gate{&control->done, ApgdControl::stop};
    const Late<TrialStep> step = Late<TrialStep>::at(&control->step);
    if (slides) {
        extrapolated_step(problem, step, StepInto::ShiftedCone, buffers.shift.data(),
                          {&control->done, ApgdControl::stop | ApgdControl::disk});
        extrapolated_step(problem, step, StepInto::Disk, nullptr, {&control->done, ApgdControl::stop | ApgdControl::shifted});
    } else {
        extrapolated_step(problem, step, StepInto::Cone, nullptr, gate);
    }
    extrapolated_rows(problem, step, gate);
    problem.measure(step, gate, control->sums);
    send_decision(problem.exec(), control);
}

}  // namespace

SolveReport apgd(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x) {
    const bool slides = problem.cone().slides;
    const auto begin = [&] {
        ApgdControl c = start_control<ApgdControl>(problem, settings, buffers, x);
        if (!slides) return c;
        set_shift(problem, view_of(buffers.u), buffers.shift, settings.gate());
        start_sliding(c);
        return c;
    };
    return iterate<ApgdControl>(problem, settings, buffers, x, begin,
                                [&](ApgdControl* control) { send_iteration(problem, slides, buffers, control); });
}

}  // namespace scree::SCREE_FLAVOR
