// Iterations that the host sends ahead of what it knows: kernels decide in memory of their own (iteration_control.hpp), a gate stops those
// sent too many, and the host looks behind. It waits for the first residual and for the report, whatever the number of iterations.
#pragma once

#include "engine/cone/algebra.hpp"

namespace scree::SCREE_FLAVOR {

/// A control at the start: x in K, u = N x + r, both numbered 0. Costs one application.
template <class Control>
Control start_control(ConeOperator& problem, const SolveSettings& settings, SolveRoom& room, Unknowns& x) {
    Control c;
    c.tolerance = settings.tolerance;
    c.iterations = settings.iterations;
    c.found = c.lowest = begin(problem, room, x, room.u);
    int k = 0;
    for (Unknowns* v : {&x, &room.previous, &room.y, &room.best}) c.iterate[k++] = view_of(*v);
    k = 0;
    for (Unknowns* v : {&room.u, &room.u_before, &room.gradient}) c.velocity[k++] = view_of(*v);
    c.step.t = 1;
    lay_out_at_rest(c);
    return c;
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
/// fewer where fewer are left. Returns the control as they leave it. `place`: where it lies meanwhile.
template <class Control, class Send>
Control run_ahead(const ConeOperator& problem, LookBehind& behind, Array<Control>& place, const Control& start, std::int64_t at_once,
                  Send send) {
    place.resize(1);
    place.put(0, start);
    Control* control = place.data();
    // An operator that waits within each product learns at once whether another is needed.
    const bool waits = problem.waits();
    behind.forget();
    do {
        std::int64_t ahead = waits ? 1 : problem.exec().iterations_ahead;
        for (; ahead > 0; ahead -= at_once) send(control);
        behind.send(&control->done);
    } while (!behind.seen(Control::stop, waits ? 1 : 2));
    return place.at(0);
}

/// The same for iterates that change places, one iteration at once; x becomes the best one.
template <class Control, class Send>
SolveReport iterate(ConeOperator& problem, SolveRoom& room, Unknowns& x, Array<Control>& place, Control c, Send send) {
    if (goes_on(c)) c = run_ahead(problem, room.behind, place, c, 1, send);
    Unknowns* const iterate[] = {&x, &room.previous, &room.y, &room.best};
    if (c.best() != 0) std::swap(x, *iterate[c.best()]);
    return {c.iteration, c.lowest, c.lowest <= c.tolerance};
}

}  // namespace scree::SCREE_FLAVOR
