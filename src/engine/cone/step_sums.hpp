// What a trial step says, summed block by block: for operators without a pass of their own over contacts.
#pragma once

#include <limits>

#include "engine/cone/block_steps.hpp"

namespace scree::SCREE_FLAVOR {

/// Adds up parts of a step's sums. Residuals are numbers or infinite.
struct AddSums {
    SCREE_HD void operator()(StepSums& sum, const StepSums& part) const {
        sum.length2 += part.length2;
        sum.curvature += part.curvature;
        sum.speed2 += part.speed2;
        sum.onward += part.onward;
        sum.residual = part.residual > sum.residual ? part.residual : sum.residual;
    }
};

/// The larger of a residual and a block's miss; infinite where that is not a number.
SCREE_HD double larger_miss(double residual, double miss) {
    if (miss <= residual) return residual;
    return miss < std::numeric_limits<double>::infinity() ? miss : std::numeric_limits<double>::infinity();
}

SCREE_HD double product(Vec3R a, Vec3R b) {
    return dot(cast<double>(a), cast<double>(b));
}

/// Adds block k of the contacts to a step's sums.
SCREE_HD void add_block_sums(StepSums& sum, const ConeView& cone, const TrialStep& s, Index k) {
    const Real ahead = static_cast<Real>(1 + s.beta), back = static_cast<Real>(-s.beta);
    const ImpulseAndCouple<Real> x = block_of(s.x, k), x_before = block_of(s.before, k), next = block_of(s.next, k);
    const ImpulseAndCouple<Real> u = block_of(s.u, k), u_before = block_of(s.u_before, k), next_u = block_of(s.next_u, k);
    const ImpulseAndCouple<Real> d{next.impulse - (ahead * x.impulse + back * x_before.impulse),
                                   next.couple - (ahead * x.couple + back * x_before.couple)};
    const ImpulseAndCouple<Real> weighed = scaled_block(cone, d, true, k), forced = scaled_block(cone, next_u, false, k);
    sum.length2 += product(d.impulse, weighed.impulse);
    sum.onward += product(weighed.impulse, next.impulse - x.impulse);
    sum.curvature += product(d.impulse, next_u.impulse - (ahead * u.impulse + back * u_before.impulse));
    sum.speed2 += product(next_u.impulse, forced.impulse);
    sum.residual = larger_miss(sum.residual, miss_of(cone, next, next_u, k));
    if (cone.rolling == nullptr) return;
    sum.length2 += product(d.couple, weighed.couple);
    sum.onward += product(weighed.couple, next.couple - x.couple);
    sum.curvature += product(d.couple, next_u.couple - (ahead * u.couple + back * u_before.couple));
    sum.speed2 += product(next_u.couple, forced.couple);
}

/// What a step says in the scalar rows, into *sums; nothing where there are none.
void measure_rows(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Gate gate, StepSums* sums);

}  // namespace scree::SCREE_FLAVOR
