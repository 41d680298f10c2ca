// Iterations that the host sends ahead of what it knows: kernels decide in memory of their own (iteration_control.hpp), a gate stops those
// sent too many, and the host looks behind, so that a device always has work. What comes out is in the last look.
#pragma once

#include <cmath>
#include <optional>
#include <utility>

#include "engine/cone/algebra.hpp"
#include "engine/cone/step_sums.hpp"

namespace scree::SCREE_FLAVOR {

/// The residual of the guess x into buffers.products, u = N x + r. Costs an application.
inline void send_guess_residual(ConeOperator& problem, SolveBuffers& buffers, Unknowns& x, Gate gate) {
    problem.multiply(view_of(x), view_of(buffers.u), true, gate);
    buffers.products.resize_zero(2);
    measure_miss(problem, view_of(x), view_of(buffers.u), gate, buffers.products.data());
}

/// A control at the start: x in K, u = N x + r, both numbered 0. Costs one application, whose residual kernels leave in buffers.products.
template <class Control>
Control start_control(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x) {
    Control c;
    c.tolerance = settings.tolerance;
    c.iterations = settings.iterations;
    shape_buffers(problem, buffers);
    project(problem, x, settings.gate());
    send_guess_residual(problem, buffers, x, settings.gate());
    int k = 0;
    for (Unknowns* v : {&x, &buffers.previous, &buffers.y, &buffers.best}) c.iterate[k++] = view_of(*v);
    k = 0;
    for (Unknowns* v : {&buffers.u, &buffers.u_before, &buffers.gradient}) c.velocity[k++] = view_of(*v);
    c.step.t = 1;
    lay_out_at_rest(c);
    return c;
}

/// The control as it starts, from where one thread takes the residual of the guess: that of contacts and that of scalar rows. `within`:
/// what the problem is part of, or null.
template <class Control>
void send_start(const Exec& exec, const Control& start, const double* miss, const OuterControl* within, Control* control) {
    for_each(
        exec, "cone/start", 1, SCREE_LAMBDA(Index)->void {
            *control = start;
            control->found = control->lowest = larger_miss(miss[0], miss[1]);
            take_layout(*control);
            if (within != nullptr) {
                control->tolerance = within->inner_tolerance;
                control->done |= closed_by(within);
                if ((control->done & closed_before) != 0) control->lowest = within->lowest;
            }
            if (!goes_on(*control)) control->done |= Control::stop;
        });
}

/// One thread decides on the iteration.
template <class Control>
void send_decision(const Exec& exec, Control* control) {
    for_each(
        exec, "cone/decide", 1, SCREE_LAMBDA(Index)->void {
            if ((control->done & Control::stop) == 0) decide(*control);
        });
}

/// Calls send(control) until kernels say that nothing is left to do; each call sends the kernels of `at_once` iterations or more, or of
/// fewer where fewer are left. The residual of the guess lies in buffers.products. Returns the control as kernels leave it; `place`: where
/// it lies meanwhile.
template <class Control, class Send>
Control run_ahead(const ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Array<Control>& place,
                  const Control& start, std::int64_t at_once, Send send) {
    place.resize(1);
    Control* control = place.data();
    send_start(problem.exec(), start, buffers.products.data(), settings.within, control);
    buffers.behind.forget();
    std::optional<Control> last;
    const auto look = [&] {
        buffers.behind.send(control);
        last = buffers.behind.seen<Control>([](const Control& c) { return (c.done & Control::stop) != 0; });
    };
    look();  // comes in while the first iterations are on their way
    while (!last) {
        for (std::int64_t ahead = problem.exec().iterations_ahead; ahead > 0; ahead -= at_once) send(control);
        look();
    }
    return *last;
}

/// run() from the guess x, which is zero the second time where its residual is not a number. Returns the control that run() returns.
template <class Run>
auto run_from_guess(const ConeOperator& problem, Unknowns& x, Run run) {
    auto c = run();
    if (std::isfinite(c.lowest)) return c;
    problem.shape(x);
    return run();
}

template <class Control>
SolveReport report_of(const Control& c) {
    return {c.iteration, c.lowest, c.lowest <= c.tolerance, (c.done & closed_before) != 0, (c.done & closed_throughout) != 0};
}

/// Runs ahead with iterates that change places, one iteration at once, from begin(); x becomes the best one.
template <class Control, class Begin, class Send>
SolveReport iterate(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x, Array<Control>& place,
                    Begin begin, Send send) {
    const Control c = run_from_guess(problem, x, [&] { return run_ahead(problem, settings, buffers, place, begin(), 1, send); });
    Unknowns* const iterate[] = {&x, &buffers.previous, &buffers.y, &buffers.best};
    if (c.best() != 0) std::swap(x, *iterate[c.best()]);
    return report_of(c);
}

}  // namespace scree::SCREE_FLAVOR
