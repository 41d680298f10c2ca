// What an iteration of the method of Barzilai and Borwein decides: from the sums of its direction how far to go, and how long the next step
// is; from the residual what comes next. Now and then an iteration computes u anew in place of a step: sums of N d round.
#pragma once

#include "engine/cone/solvers/iteration_control.hpp"

namespace scree::SCREE_FLAVOR {

/// What the operator is applied to: u = N x, or N x + r where `with_r`.
struct Product {
    UnknownsView x, u;
    bool with_r;
};

/// What the direction d = next - x says, summed over blocks.
struct DescentSums {
    double slope{0};      // d.u
    double curvature{0};  // d.N d
    double length2{0};    // d.H^-1 d
    double image2{0};     // N d.H N d
};
struct AddDescentSums {
    SCREE_HD void operator()(DescentSums& sum, const DescentSums& part) const {
        sum.slope += part.slope;
        sum.curvature += part.curvature;
        sum.length2 += part.length2;
        sum.image2 += part.image2;
    }
};

/// TrialStep: t is alpha, u moves in place, next_u is N d.
struct BarzilaiBorweinControl : IterationControl {
    static constexpr std::uint32_t renews = 2;  // bit of `done` while u is computed anew: no step
    static constexpr std::int64_t memory = 10;  // objectives looked back on

    UnknownsView direction{};  // d
    Product product{};         // of this iteration
    double lambda{1};          // share of d that is gone
    double f{0};               // objective, relative to the start
    double recent[memory]{};   // the last few objectives, without order
    std::int64_t noted{0};     // objectives so far
    std::int64_t renewed{1};   // iteration that computed u last
    bool longer{false};        // which of both lengths the last step had
    DescentSums sums[2]{};     // of this iteration: contacts, scalar rows
    double miss[2]{};          // residual of the next iterate, likewise
};

namespace detail {

constexpr double slope_part = 1e-4;  // of the decrease that the slope promises (Armijo)
constexpr double least_alpha = 1e-4, most_alpha = 1e8;
constexpr std::int64_t renewal = 50;  // iterations after which u is computed anew

SCREE_HD double limited(double value, double least, double most) {
    return value < least ? least : (most < value ? most : value);
}

/// The largest of the last objectives.
SCREE_HD double largest_recent(const BarzilaiBorweinControl& c) {
    double largest = c.recent[0];
    for (std::int64_t k = 1; k < c.noted && k < c.memory; ++k) largest = c.recent[k] > largest ? c.recent[k] : largest;
    return largest;
}
SCREE_HD void note(BarzilaiBorweinControl& c, double f) {
    c.f = f;
    c.recent[c.noted++ % c.memory] = f;
}

/// The next step's length.
SCREE_HD double next_alpha(double alpha, const DescentSums& s, bool longer) {
    if (!(s.curvature > 0) || !(s.image2 > 0)) return std::fmin(10 * alpha, most_alpha);
    return limited(longer ? s.length2 / s.curvature : s.curvature / s.image2, least_alpha, most_alpha);
}

/// A step is next.
SCREE_HD void lay_out_step(BarzilaiBorweinControl& c) {
    lay_out_at_rest(c);
    c.product = {c.direction, c.step.next_u, false};
    c.done &= ~BarzilaiBorweinControl::renews;
}
/// The velocities of the next iterate are computed before it is taken.
SCREE_HD void lay_out_renewal(BarzilaiBorweinControl& c) {
    c.product = {c.step.next, c.step.u, true};
    c.done |= BarzilaiBorweinControl::renews;
}

}  // namespace detail

/// The direction is known.
SCREE_HD void start_descent(BarzilaiBorweinControl& c) {
    detail::note(c, 0);
    detail::lay_out_step(c);
}

/// How far to go along d, and what follows for the objective and the next step.
SCREE_HD void choose_share(BarzilaiBorweinControl& c) {
    DescentSums s = c.sums[0];
    AddDescentSums{}(s, c.sums[1]);
    const bool whole = c.f + s.slope + s.curvature / 2 <= detail::largest_recent(c) + detail::slope_part * s.slope;
    c.lambda = whole || !(s.curvature > 0) ? 1.0 : detail::limited(-s.slope / s.curvature, 0.0, 1.0);
    detail::note(c, c.f + (c.lambda * s.slope + c.lambda * c.lambda * s.curvature / 2));
    c.longer = !c.longer;
    c.step.t = detail::next_alpha(c.step.t, s, c.longer);
}

/// Takes the next iterate, once its velocities are good enough to judge it by.
SCREE_HD void decide(BarzilaiBorweinControl& c) {
    ++c.iteration;
    const double found = c.miss[0] > c.miss[1] ? c.miss[0] : c.miss[1];
    if ((c.done & BarzilaiBorweinControl::renews) != 0) {
        c.renewed = c.iteration;
    } else if ((c.iteration - c.renewed >= detail::renewal || found <= c.tolerance) && c.iteration < c.iterations) {
        detail::lay_out_renewal(c);
        return;
    }
    take_next(c, found);
    detail::lay_out_step(c);
}

}  // namespace scree::SCREE_FLAVOR
