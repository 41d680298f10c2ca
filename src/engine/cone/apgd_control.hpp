// What an iteration of APGD decides from the sums of a trial step. A trial step that is refused is an iteration of its own with the same x
// and a smaller t.
#pragma once

#include "engine/cone/iteration_control.hpp"

namespace scree::SCREE_FLAVOR {

struct ApgdControl : IterationControl {
    double theta{1};     // Nesterov's sequence
    StepSums sums[2]{};  // of this iteration: contacts, scalar rows
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
    c.step.t *= detail::regrowth;
    lay_out(c);
}

}  // namespace scree::SCREE_FLAVOR
