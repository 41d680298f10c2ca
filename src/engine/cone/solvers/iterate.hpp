// Where an iterative method stands, and its repetition (exec/repeat_until.hpp). One thread of kernels decides from sums what comes next, so
// that a device goes from iteration to iteration without the host. An iteration is one application of the operator, and every iteration
// starts the same kernels. Iterates have numbers; they change places, nothing is copied. What comes out is in the last look.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "engine/cone/algebra.hpp"
#include "engine/cone/step_sums.hpp"
#include "engine/exec/while_graph.hpp"

namespace scree::SCREE_FLAVOR {

struct IterationControl : RepeatControl {
    static constexpr int iterate_count = 4, velocity_count = 3;

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
/// fewer where fewer are left. The residual of the guess lies in buffers.products. `same`: every call sends the same kernels, so that a
/// device may repeat them by itself once it is worth a recording. Returns the control as kernels leave it.
template <class Control, class Send>
Control run_ahead(const ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, const Control& start,
                  std::int64_t at_once, Send send, bool same = false) {
    constexpr std::int64_t batches_first = 2;  // a recording costs about as much as the launches of ten iterations
    const Exec& exec = problem.exec();
    Control* control = buffers.iterations.control<Control>();
    send_start(exec, start, buffers.products.data(), settings.within, control);
    const auto send_batch = [&] {
        for (std::int64_t ahead = exec.iterations_ahead; ahead > 0; ahead -= at_once) send(control);
        return true;
    };
    constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
    const bool records = same && exec.iterations_recorded;
    if (const std::optional<Control> end = buffers.iterations.repeat_until_stop<Control>(records ? batches_first : any, send_batch))
        return *end;
    WhileGraph graph;
    if (graph.run("cone/iterations", {&control->done, Control::stop}, send_batch)) return buffers.iterations.look<Control>();
    return *buffers.iterations.repeat_until_stop<Control>(any, send_batch);
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
SolveReport iterate(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x, Begin begin, Send send) {
    const Control c = run_from_guess(problem, x, [&] { return run_ahead<Control>(problem, settings, buffers, begin(), 1, send, true); });
    Unknowns* const iterate[] = {&x, &buffers.previous, &buffers.y, &buffers.best};
    if (c.best() != 0) std::swap(x, *iterate[c.best()]);
    return report_of(c);
}

}  // namespace scree::SCREE_FLAVOR
