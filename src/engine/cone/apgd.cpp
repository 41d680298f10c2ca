// Accelerated projected gradient descent (Mazhar, Heyn, Tasora & Negrut 2015, ACM TOG 34:32; Nesterov 1983) in the metric of H^-1
// (algebra.hpp), with backtracking on the Lipschitz constant, its slow decrease, restart by the gradient (O'Donoghue & Candès 2015) and the
// best iterate kept. One application per trial step: N y follows from N x of the last two iterates, and neither y nor N y is stored. What
// an iteration decides is decided where kernels run (apgd_control.hpp): the host sends iterations ahead and looks behind. y extrapolated
// point, g = N y + r, t step, theta Nesterov's sequence.
#include "engine/cone/algebra.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Vectors in the order of their numbers.
constexpr int iterate_count = 4, velocity_count = 3;
struct Numbered {
    Unknowns* iterate[iterate_count];
    Unknowns* velocity[velocity_count];
};

ApgdControl control_of(const SolveSettings& settings, const Numbered& vectors, double found) {
    ApgdControl c;
    c.tolerance = settings.tolerance;
    c.iterations = settings.iterations;
    c.found = c.lowest = found;
    for (int k = 0; k < iterate_count; ++k) c.iterate[k] = view_of(*vectors.iterate[k]);
    for (int k = 0; k < velocity_count; ++k) c.velocity[k] = view_of(*vectors.velocity[k]);
    c.step.t = 1;
    c.step.beta = 0;
    detail::lay_out(c);
    return c;
}

}  // namespace

void send_decision(const Exec& exec, ApgdControl* control) {
    for_each(
        exec, "cone/apgd_decide", 1, SCREE_LAMBDA(Index)->void {
            if (control->done == 0) decide(*control);
        });
}

namespace {

void send_iteration(ConeOperator& problem, ApgdControl* control) {
    const Gate gate{&control->done, ApgdControl::stop};
    const Late<TrialStep> step = Late<TrialStep>::at(&control->step);
    extrapolated_step(problem, step, gate);
    problem.measure(step, gate, control->sums);
    send_decision(problem.exec(), control);
}

}  // namespace

SolveReport apgd(ConeOperator& problem, const SolveSettings& settings, SolveRoom& room, Unknowns& x) {
    const double found = begin(problem, room, x, room.u);
    const Numbered vectors{{&x, &room.previous, &room.y, &room.best}, {&room.u, &room.u_before, &room.gradient}};
    ApgdControl c = control_of(settings, vectors, found);
    if (goes_on(c)) {
        copy(x, room.previous);
        copy(room.u, room.u_before);
        room.control.resize(1);
        room.control.put(0, c);
        ApgdControl* control = room.control.data();
        // An operator that waits within each product learns at once whether another is needed.
        const bool waits = problem.waits();
        room.behind.forget();
        do {
            for (int k = waits ? 1 : problem.exec().iterations_ahead; k > 0; --k) send_iteration(problem, control);
            room.behind.send(&control->done);
        } while (!room.behind.seen(ApgdControl::stop, waits ? 1 : 2));
        c = room.control.at(0);
    }
    if (c.best() != 0) std::swap(x, *vectors.iterate[c.best()]);
    return {c.iteration, c.lowest, c.lowest <= settings.tolerance};
}

}  // namespace scree::SCREE_FLAVOR
