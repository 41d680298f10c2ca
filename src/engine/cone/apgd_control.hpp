// Where an iteration of APGD stands, and what it decides from the sums of a trial step. It lies in memory of kernels, and one thread of
// them decides, so that a device goes from iteration to iteration without the host. A trial step that is refused is an iteration of its own
// with the same x and a smaller t: every iteration starts the same kernels. Vectors have numbers; they change places, nothing is copied.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/cone/step_sums.hpp"

namespace scree::SCREE_FLAVOR {

struct ApgdControl {
    static constexpr std::uint32_t stop = 1;

    std::uint32_t done{0};       // `stop` once nothing is left to do: the gate of all kernels
    std::int32_t age{0};         // accepted steps since the best iterate
    std::int64_t iteration{1};   // applications so far
    std::int64_t iterations{0};  // at most
    double tolerance{0};         // of the residual [m/s]
    double theta{1};             // Nesterov's sequence
    double found{0}, lowest{0};  // residual of x, and of the best iterate [m/s]
    // Numbers of the vectors in their roles; x_kept: the best iterate, where it is neither of the last two.
    std::int32_t x{0}, x_before{1}, x_next{2}, x_kept{3}, u{0}, u_before{1}, u_next{2};
    UnknownsView iterate[4]{}, velocity[3]{};  // by number
    TrialStep step{};                          // of this iteration
    StepSums sums[2]{};                        // of this iteration: contacts, scalar rows

    /// Number of the best iterate.
    SCREE_HD std::int32_t best() const { return age == 0 ? x : (age == 1 ? x_before : x_kept); }
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

/// next takes the place of now, now that of before, whose own is free then.
SCREE_HD void advance(std::int32_t& before, std::int32_t& now, std::int32_t& next) {
    const std::int32_t free = before;
    before = now;
    now = next;
    next = free;
}

/// The next iterate becomes x, and may be the best.
SCREE_HD void take_step(ApgdControl& c, double residual) {
    if (c.age == 1) {
        // The best iterate's place is needed.
        const std::int32_t best = c.x_before;
        c.x_before = c.x_kept;
        c.x_kept = best;
    }
    advance(c.x_before, c.x, c.x_next);
    advance(c.u_before, c.u, c.u_next);
    c.found = residual;
    ++c.age;
    if (!(residual <= c.lowest)) return;
    c.lowest = residual;
    c.age = 0;
}

/// Momentum of the step after one with these sums: none where it ran against the momentum, (y - x) H^-1 (x - x_before) > 0.
SCREE_HD void set_momentum(ApgdControl& c, const StepSums& s) {
    const bool against = s.onward < 0;
    const double theta = c.theta;
    const double turned = against ? 1 : theta * (std::sqrt(theta * theta + 4) - theta) / 2;
    c.step.beta = against ? 0 : theta * (1 - theta) / (theta * theta + turned);
    c.theta = turned;
}

/// What kernels of the next iteration find.
SCREE_HD void lay_out(ApgdControl& c) {
    c.step.x = c.iterate[c.x];
    c.step.before = c.iterate[c.x_before];
    c.step.next = c.iterate[c.x_next];
    c.step.u = c.velocity[c.u];
    c.step.u_before = c.velocity[c.u_before];
    c.step.next_u = c.velocity[c.u_next];
}

}  // namespace detail

/// Is another iteration worth it?
SCREE_HD bool goes_on(const ApgdControl& c) {
    return c.found > c.tolerance && c.iteration < c.iterations && c.found < std::numeric_limits<double>::infinity();
}

/// Takes the step that `sums` were measured of, or refuses it for a shorter one.
SCREE_HD void decide(ApgdControl& c) {
    ++c.iteration;
    StepSums sums = c.sums[0];
    AddSums{}(sums, c.sums[1]);
    const double asked = detail::step_asked_for(sums, c.step.t);
    if (asked < c.step.t && c.iteration < c.iterations) {
        c.step.t = asked;
        return;
    }
    detail::take_step(c, sums.residual);
    detail::set_momentum(c, sums);
    c.step.t *= detail::regrowth;
    detail::lay_out(c);
    if (!goes_on(c)) c.done = ApgdControl::stop;
}

}  // namespace scree::SCREE_FLAVOR
