// What a trial step says, summed block by block: where there is no faster pass over contacts.
#pragma once

#include <limits>

#include "engine/cone/sweeps/block_steps.hpp"

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

/// Of two parts of a residual.
struct LargerMiss {
    SCREE_HD void operator()(double& largest, double part) const { largest = larger_miss(largest, part); }
};

/// Sums over contacts, and over scalar rows.
SCREE_HD StepSums of_both(const StepSums* sums) {
    StepSums sum = sums[0];
    AddSums{}(sum, sums[1]);
    return sum;
}

SCREE_HD double product(Real a, Real b) {
    return static_cast<double>(a) * static_cast<double>(b);
}
SCREE_HD double product(Vec3R a, Vec3R b) {
    return dot(cast<double>(a), cast<double>(b));
}

/// Adds block k of the contacts to a step's sums; length2, curvature and residual alone where the step has no `momentum`.
SCREE_HD void add_block_sums(StepSums& sum, const ConeView& cone, const TrialStep& s, bool momentum, Index k) {
    const Real ahead = static_cast<Real>(1 + s.beta), back = static_cast<Real>(-s.beta);
    const ImpulseAndCouple<Real> x = block_of(s.x, k), x_before = block_of(s.before, k), next = block_of(s.next, k);
    const ImpulseAndCouple<Real> u = block_of(s.u, k), u_before = block_of(s.u_before, k), next_u = block_of(s.next_u, k);
    const ImpulseAndCouple<Real> d{next.impulse - (ahead * x.impulse + back * x_before.impulse),
                                   next.couple - (ahead * x.couple + back * x_before.couple)};
    const ImpulseAndCouple<Real> weighed = scaled_block(cone, d, true, k);
    const bool rolls = cone.rolling != nullptr;
    sum.length2 += product(d.impulse, weighed.impulse);
    sum.curvature += product(d.impulse, next_u.impulse - (ahead * u.impulse + back * u_before.impulse));
    sum.residual = larger_miss(sum.residual, miss_of(cone, next, next_u, k));
    if (rolls) {
        sum.length2 += product(d.couple, weighed.couple);
        sum.curvature += product(d.couple, next_u.couple - (ahead * u.couple + back * u_before.couple));
    }
    if (!momentum) return;
    const ImpulseAndCouple<Real> forced = scaled_block(cone, next_u, false, k);
    sum.onward += product(weighed.impulse, next.impulse - x.impulse);
    sum.speed2 += product(next_u.impulse, forced.impulse);
    if (!rolls) return;
    sum.onward += product(weighed.couple, next.couple - x.couple);
    sum.speed2 += product(next_u.couple, forced.couple);
}

/// next_u = N next + r of a step by an application of its own, and what the step says, as ConeOperator::measure has it; speed2 and onward
/// only with `momentum`.
void multiply_and_measure(ConeOperator& problem, const Late<TrialStep>& step, bool momentum, Gate gate, StepSums* sums);

/// The residual of x, whose velocities are u, into miss[0], of contacts, and miss[1], of scalar rows where there are any.
void measure_miss(const ConeOperator& problem, const Late<UnknownsView>& x, const Late<UnknownsView>& u, Gate gate, double* miss);

/// What a step says in the scalar rows, into *sums; nothing where there are none.
void measure_rows(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Gate gate, StepSums* sums);

}  // namespace scree::SCREE_FLAVOR
