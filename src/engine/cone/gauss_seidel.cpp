// Projected block Gauss-Seidel (Tasora & Anitescu 2011): each block steps with what those before it have become. Between looks at the
// residual, which costs an application, the sweeps that are left alone grow with those done. Unless omega is given it starts at 1 and
// shrinks while the residual finds no new low: with eta = 3 / trace a block's own step is sure only for omega < 2/3 (a slender body's
// contact has nearly all of its trace in one direction, and at 1 it goes to and fro for ever), in practice 1 is faster. What a look
// decides: gauss_seidel_control.hpp.
#include <cmath>
#include <utility>

#include "engine/cone/iterate.hpp"
#include "engine/cone/step_sums.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// The residual of the guess, once it lies in K. The host waits for it.
double first_look(ConeOperator& problem, SolveRoom& room, Unknowns& x) {
    room.products.resize(2);
    double* miss = room.products.data();
    if (!problem.look(x, true, {}, miss)) {
        problem.shape(room.u);
        return start(problem, x, room.u);
    }
    const double found = room.products.at(0);
    if (std::isfinite(found)) return found;
    problem.shape(x);
    problem.look(x, true, {}, miss);
    return room.products.at(0);
}

void send_look(ConeOperator& problem, SolveRoom& room, Unknowns& x, Gate gate, double* miss) {
    if (problem.look(x, false, gate, miss)) return;
    problem.multiply(view_of(x), view_of(room.u), true, gate);
    measure_miss(problem, view_of(x), view_of(room.u), gate, miss);
}

void send_sweeps(ConeOperator& problem, SolveRoom& room, Unknowns& x, std::int64_t sweeps, GaussSeidelControl* control) {
    const Gate all{&control->done, GaussSeidelControl::stop};
    problem.sweep(x, Late<double>::at(&control->omega), false, sweeps, all);
    send_look(problem, room, x, all, control->miss);
    send_decision(problem.exec(), control);
    copy(problem.exec(), x, room.best, {&control->done, GaussSeidelControl::stop | GaussSeidelControl::worse});
}

}  // namespace

SolveReport gauss_seidel(ConeOperator& problem, const SolveSettings& settings, SolveRoom& room, Unknowns& x) {
    GaussSeidelControl c;
    c.iterations = settings.iterations;
    c.tolerance = settings.tolerance;
    c.adapts = !(settings.omega > 0);
    if (!c.adapts) c.omega = settings.omega;
    c.found = c.lowest = first_look(problem, room, x);
    if (goes_on(c)) {
        copy(x, room.best);
        std::int64_t iteration = c.iteration;
        c = run_ahead(problem, room.behind, room.gauss_seidel, c, GaussSeidelControl::least_sweeps, [&](GaussSeidelControl* control) {
            const std::int64_t sweeps = sweeps_after(iteration, settings.iterations);
            if (sweeps == 0) return;  // all are on their way
            send_sweeps(problem, room, x, sweeps, control);
            iteration += sweeps + 1;
        });
        if ((c.done & GaussSeidelControl::worse) != 0) std::swap(x, room.best);
    }
    return {c.iteration, c.lowest, c.lowest <= c.tolerance};
}

}  // namespace scree::SCREE_FLAVOR
