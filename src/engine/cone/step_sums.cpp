#include "engine/cone/step_sums.hpp"

#include "engine/exec/reduce.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

SCREE_HD StepSums row_sums(const ConeView& cone, const TrialStep& s, Index k) {
    const Real ahead = static_cast<Real>(1 + s.beta), back = static_cast<Real>(-s.beta);
    const Real next = s.next.scalar[k], next_u = s.next_u.scalar[k];
    const Real d = next - (ahead * s.x.scalar[k] + back * s.before.scalar[k]);
    const Real bend = next_u - (ahead * s.u.scalar[k] + back * s.u_before.scalar[k]);
    const double weighed = static_cast<double>(scaled_scalar(cone, d, true, k));
    StepSums sum;
    sum.length2 = static_cast<double>(d) * weighed;
    sum.curvature = static_cast<double>(d) * static_cast<double>(bend);
    sum.speed2 = static_cast<double>(next_u) * static_cast<double>(scaled_scalar(cone, next_u, false, k));
    sum.onward = weighed * static_cast<double>(next - s.x.scalar[k]);
    sum.residual = larger_miss(0, miss_of_scalar(cone, s.next, s.next_u, k));
    return sum;
}

}  // namespace

void measure_contacts(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Gate gate, StepSums* sums) {
    fold_into(
        exec, "cone/step_sums", cone.contacts, sums,
        SCREE_LAMBDA(Index k)->StepSums {
            StepSums sum;
            add_block_sums(sum, cone, step.now(), k);
            return sum;
        },
        AddSums{}, gate);
}

void measure_rows(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Gate gate, StepSums* sums) {
    if (cone.scalars == 0) return;
    fold_into(
        exec, "cone/row_sums", cone.scalars, sums, SCREE_LAMBDA(Index s)->StepSums { return row_sums(cone, step.now(), s); }, AddSums{},
        gate);
}

void ConeOperator::measure(const Late<TrialStep>& step, Gate gate, StepSums* sums) {
    multiply(step.part(&TrialStep::next), step.part(&TrialStep::next_u), true, gate);
    measure_contacts(exec(), cone(), step, gate, sums);
    measure_rows(exec(), cone(), step, gate, sums + 1);
}

}  // namespace scree::SCREE_FLAVOR
