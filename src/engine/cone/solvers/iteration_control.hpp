// Where an iterative method stands. It lies in memory of kernels, and one thread of them decides from sums what comes next, so that a
// device goes from iteration to iteration without the host. An iteration is one application of the operator, and every iteration starts the
// same kernels. Iterates have numbers; they change places, nothing is copied.
#pragma once

#include <cmath>
#include <limits>

#include "engine/cone/solvers/outer_control.hpp"
#include "engine/cone/step_sums.hpp"

namespace scree::SCREE_FLAVOR {

struct IterationControl {
    static constexpr std::uint32_t stop = 1;
    static constexpr int iterate_count = 4, velocity_count = 3;

    std::uint32_t done{0};       // `stop` once nothing is left to do: the gate of all kernels
    std::int32_t age{0};         // accepted steps since the best iterate
    std::int64_t iteration{1};   // applications so far
    std::int64_t iterations{0};  // at most
    double tolerance{0};         // of the residual [m/s]
    double found{0}, lowest{0};  // residual of x, and of the best iterate [m/s]
    // Numbers of the vectors in their roles; x_kept: the best iterate, where it is neither of the last two.
    std::int32_t x{0}, x_before{1}, x_next{2}, x_kept{3}, u{0}, u_before{1}, u_next{2};
    UnknownsView iterate[iterate_count]{}, velocity[velocity_count]{};  // by number
    TrialStep step{};                                                   // of this iteration

    /// Number of the best iterate.
    SCREE_HD std::int32_t best() const { return age == 0 ? x : (age == 1 ? x_before : x_kept); }
};

/// Is another iteration worth it?
SCREE_HD bool goes_on(const IterationControl& c) {
    return c.found > c.tolerance && c.iteration < c.iterations && c.found < std::numeric_limits<double>::infinity();
}

/// Nothing is laid out for these methods.
SCREE_HD void take_layout(IterationControl&) {
}

namespace detail {

/// next takes the place of now, now that of before, whose own is free then.
SCREE_HD void advance(std::int32_t& before, std::int32_t& now, std::int32_t& next) {
    const std::int32_t free = before;
    before = now;
    now = next;
    next = free;
}

}  // namespace detail

/// The next iterate, of this residual, becomes x, and may be the best; ends the method where there is nothing left to gain.
SCREE_HD void take_next(IterationControl& c, double residual) {
    if (c.age == 1) {
        // The best iterate's place is needed.
        const std::int32_t best = c.x_before;
        c.x_before = c.x_kept;
        c.x_kept = best;
    }
    detail::advance(c.x_before, c.x, c.x_next);
    c.found = residual;
    ++c.age;
    if (residual <= c.lowest) {
        c.lowest = residual;
        c.age = 0;
    }
    if (!goes_on(c)) c.done = IterationControl::stop;
}

/// Its velocities, where iterates have their own, become those of x.
SCREE_HD void take_next_velocities(IterationControl& c) {
    detail::advance(c.u_before, c.u, c.u_next);
}

/// What kernels of the next iteration find.
SCREE_HD void lay_out(IterationControl& c) {
    c.step.x = c.iterate[c.x];
    c.step.before = c.iterate[c.x_before];
    c.step.next = c.iterate[c.x_next];
    c.step.u = c.velocity[c.u];
    c.step.u_before = c.velocity[c.u_before];
    c.step.next_u = c.velocity[c.u_next];
}

/// The same where the next step starts at x itself: none before x is asked for.
SCREE_HD void lay_out_at_rest(IterationControl& c) {
    lay_out(c);
    c.step.before = c.step.x;
    c.step.u_before = c.step.u;
    c.step.beta = 0;
}

}  // namespace scree::SCREE_FLAVOR
