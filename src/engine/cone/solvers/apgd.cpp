// Accelerated projected gradient descent (Mazhar, Heyn, Tasora & Negrut 2015, ACM TOG 34:32; Nesterov 1983) in the metric of H^-1
// (algebra.hpp), with backtracking on the Lipschitz constant, its slow decrease, restart by the gradient (O'Donoghue & Candès 2015) and the
// best iterate kept. One application per trial step: N y follows from N x of the last two iterates, and neither y nor N y is stored. What
// an iteration decides: apgd_control.hpp. y extrapolated point, g = N y + r, t step, theta Nesterov's sequence.
#include "engine/cone/solvers/iterate.hpp"

namespace scree::SCREE_FLAVOR {

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
    return iterate(problem, settings, buffers, x, buffers.apgd, begin,
                   [&](ApgdControl* control) { send_iteration(problem, slides, buffers, control); });
}

}  // namespace scree::SCREE_FLAVOR
