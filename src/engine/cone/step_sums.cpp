#include "engine/cone/step_sums.hpp"

#include "engine/cone/sum_order.hpp"

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
    sum.curvature = product(d, bend);
    sum.speed2 = product(next_u, scaled_scalar(cone, next_u, false, k));
    sum.onward = weighed * static_cast<double>(next - s.x.scalar[k]);
    sum.residual = larger_miss(0, miss_of_scalar(cone, s.next, s.next_u, k));
    return sum;
}

}  // namespace

void measure_contacts(ConeOperator& problem, const Late<TrialStep>& step, bool momentum, Gate gate, StepSums* sums) {
    const ConeView cone = problem.cone();
    fold_contacts(
        problem, "cone/step_sums", sums,
        SCREE_LAMBDA(StepSums & sum, Index k)->void { add_block_sums(sum, cone, step.now(), momentum, k); }, AddSums{}, gate);
}

void measure_rows(const Exec& exec, ConeView cone, const Late<TrialStep>& step, Gate gate, StepSums* sums) {
    if (cone.scalars == 0) return;
    fold_into(
        exec, "cone/row_sums", cone.scalars, sums, SCREE_LAMBDA(Index s)->StepSums { return row_sums(cone, step.now(), s); }, AddSums{},
        gate);
}

void multiply_and_measure(ConeOperator& problem, const Late<TrialStep>& step, bool momentum, Gate gate, StepSums* sums) {
    problem.multiply(step.part(&TrialStep::next), step.part(&TrialStep::next_u), true, gate);
    measure_contacts(problem, step, momentum, gate, sums);
    measure_rows(problem.exec(), problem.cone(), step, gate, sums + 1);
}

void ConeOperator::measure(const Late<TrialStep>& step, Gate gate, StepSums* sums) {
    multiply_and_measure(*this, step, true, gate, sums);
}

void measure_miss(const ConeOperator& problem, const Late<UnknownsView>& x, const Late<UnknownsView>& u, Gate gate, double* miss) {
    const ConeView cone = problem.cone();
    fold_into(
        problem.exec(), "cone/miss", cone.contacts, miss,
        SCREE_LAMBDA(Index k)->double { return larger_miss(0, miss_of(cone, block_of(x.now(), k), block_of(u.now(), k), k)); },
        LargerMiss{}, gate);
    if (cone.scalars == 0) return;
    fold_into(
        problem.exec(), "cone/miss_rows", cone.scalars, miss + 1,
        SCREE_LAMBDA(Index s)->double { return larger_miss(0, miss_of_scalar(cone, x.now(), u.now(), s)); }, LargerMiss{}, gate);
}

}  // namespace scree::SCREE_FLAVOR
