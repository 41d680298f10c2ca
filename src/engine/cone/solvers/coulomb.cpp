#include "engine/cone/solvers/coulomb.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/cone/algebra.hpp"
#include "engine/cone/solvers/iterate.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr std::int64_t first_budget = 100;  // of an inner solve: a problem with the wrong shift can be far worse than the true one
constexpr double budget_growth = 1.5;       // where an inner solve has used it up

}  // namespace

/// Where the fixed point stands: whether another inner problem is worth it, how good its solution must be and how far the shift goes.
struct CoulombControl : OuterControl {
    static constexpr std::uint32_t worse = 2;  // bit of `done`: x is not the best iterate so far

    bool moved{false};                // the shift has moved before: Aitken's rule has something to go by
    double tolerance{0};              // of the residual of Coulomb's problem [m/s]
    double found{0};                  // residual of x
    double relaxation{1};             // of the shift
    double miss[2]{};                 // residual of this iterate: contacts, scalar rows
    double along[2]{}, length2[2]{};  // products of the last changes: change_before . (change - change_before), and its square
};

namespace detail {

constexpr double inner_part = 0.1;   // of the residual left: inner solutions are as good as their shift
constexpr double inner_least = 0.3;  // of the tolerance
constexpr double least_relaxation = 0.1, most_relaxation = 4;

}  // namespace detail

/// Judges the iterate whose residual is in `miss`; `last`: no inner problem may follow.
SCREE_HD void judge(CoulombControl& c, bool last) {
    c.found = larger_miss(c.miss[0], c.miss[1]);
    c.done = c.found <= c.lowest ? 0 : CoulombControl::worse;
    if (c.found <= c.lowest) c.lowest = c.found;
    const bool worth = c.found > c.tolerance && c.found < std::numeric_limits<double>::infinity();
    if (last || !worth) c.done |= CoulombControl::stop;
    c.inner_tolerance = std::fmax(detail::inner_part * c.found, detail::inner_least * c.tolerance);
}

/// Relaxation of vector sequences after Aitken (Irons & Tuck 1969): what makes the last two changes cancel along their difference.
SCREE_HD void relax(CoulombControl& c) {
    if (c.moved) {
        const double along = c.along[0] + c.along[1], length2 = c.length2[0] + c.length2[1];
        if (length2 > 0 && std::fabs(along / length2) < std::numeric_limits<double>::infinity()) {
            const double wanted = -c.relaxation * along / length2;
            c.relaxation = std::fmin(std::fmax(wanted, detail::least_relaxation), detail::most_relaxation);
        }
    }
    c.moved = true;
}

void remove_normal_parts(const Exec& exec, ConeView cone, Vec3R* u, Gate gate) {
    for_each(
        exec, "cone/remove_normal_parts", cone.contacts,
        SCREE_LAMBDA(Index k)->void { u[k] -= dot(u[k], cone.normal[k]) * cone.normal[k]; }, gate);
}

void send_control(const Exec& exec, const CoulombControl& start, const OuterControl* within, CoulombControl* control) {
    for_each(
        exec, "cone/start_coulomb", 1, SCREE_LAMBDA(Index)->void {
            *control = start;
            control->done = closed_by(within);
            if (control->done != 0) control->lowest = within->lowest;
        });
}

void send_judgement(const Exec& exec, bool last, CoulombControl* control) {
    for_each(
        exec, "cone/judge", 1, SCREE_LAMBDA(Index)->void {
            if ((control->done & CoulombControl::stop) == 0) judge(*control, last);
        });
}

void tell_lowest(const Exec& exec, const CoulombControl* control, double* to) {
    for_each(
        exec, "cone/tell_residual", 1, SCREE_LAMBDA(Index)->void { *to = control->lowest; });
}

void send_relaxation(const Exec& exec, CoulombControl* control, Gate gate) {
    for_each(
        exec, "cone/relax_shift", 1, SCREE_LAMBDA(Index)->void { relax(*control); }, gate);
}

namespace {

/// Velocities of x, whose sliding becomes the shift; then the residual of Coulomb's problem, and what follows from it. Two applications.
void shift_and_judge(ConeOperator& problem, SolveBuffers& buffers, Unknowns& x, Unknowns& sliding, bool last) {
    const Exec& exec = problem.exec();
    CoulombControl* control = buffers.fixed_point.control<CoulombControl>();
    const Gate gate{&control->done, CoulombControl::stop};
    problem.multiply(view_of(x), view_of(sliding), true, gate);
    remove_normal_parts(exec, problem.cone(), sliding.impulse.data(), gate);
    problem.shift_by_sliding(&sliding, gate);
    problem.multiply(view_of(x), view_of(buffers.u), true, gate);
    measure_miss(problem, view_of(x), view_of(buffers.u), gate, control->miss);
    send_judgement(exec, last, control);
    copy(exec, x, buffers.settled, {&control->done, CoulombControl::worse});
}

/// Moves the shift towards the sliding that was found last.
void move_shift(ConeOperator& problem, SolveBuffers& buffers) {
    const Exec& exec = problem.exec();
    CoulombControl* control = buffers.fixed_point.control<CoulombControl>();
    const Gate gate{&control->done, CoulombControl::stop};
    Unknowns &change = buffers.direction, &turn = buffers.gradient;
    combine(exec, buffers.sliding_found, -1.0, buffers.sliding, change, gate);
    combine(exec, change, -1.0, buffers.change_before, turn, gate);
    send_products(problem, buffers.change_before, turn, gate, control->along);
    send_products(problem, turn, turn, gate, control->length2);
    send_relaxation(exec, control, gate);
    combine(exec, buffers.sliding, Late<double>::at(&control->relaxation), change, buffers.sliding, gate);
    problem.shift_by_sliding(&buffers.sliding, gate);
    std::swap(change, buffers.change_before);
}

struct FixedPoint {
    std::int64_t iterations;
    double lowest;       // residual of the best iterate, which is in buffers.settled [m/s]
    bool closed{false};  // what it is part of had ended: there is none
    bool told{false};    // lowest is where SolveSettings::tell says
};

FixedPoint find_fixed_point(ConeMethod method, ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x) {
    shape_buffers(problem, buffers);
    for (Unknowns* v : {&buffers.sliding, &buffers.sliding_found, &buffers.change_before, &buffers.settled}) problem.shape(*v);
    CoulombControl* control = buffers.fixed_point.control<CoulombControl>();
    CoulombControl start;
    start.tolerance = settings.tolerance;
    start.lowest = std::numeric_limits<double>::infinity();
    send_control(problem.exec(), start, settings.within, control);
    problem.shift_by_sliding(nullptr, {});
    project(problem, x, {&control->done, CoulombControl::stop});
    std::int64_t iterations = 2, outer = 0, budget = first_budget;
    const auto ends = [&] { return outer >= settings.coulomb_iterations || iterations + 2 >= settings.iterations; };
    // Where the host sends nothing ahead it looks before it starts an inner problem.
    const bool looks = problem.exec().iterations_ahead <= 1;
    bool last = ends();
    shift_and_judge(problem, buffers, x, buffers.sliding, last);
    for (;;) {
        if (last && !looks && settings.tell != nullptr && outer > 0) {
            // An inner problem was solved, so the first residual was a number, and what this is part of had not ended.
            tell_lowest(problem.exec(), control, settings.tell);
            return {iterations, 0, false, true};
        }
        if (looks || last) {
            const CoulombControl seen = buffers.fixed_point.look<CoulombControl>();
            if ((seen.done & CoulombControl::stop) != 0) return {iterations, seen.lowest, (seen.done & closed_before) != 0};
        }
        SolveSettings inner = settings;
        inner.iterations = std::min(budget, settings.iterations - iterations - 2);
        inner.within = control;
        const SolveReport report = method(problem, inner, buffers, x);
        if (report.closed) return {iterations, report.residual, report.throughout};
        if (!report.converged) budget = static_cast<std::int64_t>(budget_growth * static_cast<double>(budget));
        iterations += report.iterations + 2;
        ++outer;
        last = ends();
        shift_and_judge(problem, buffers, x, buffers.sliding_found, last);
        if (!last) move_shift(problem, buffers);
    }
}

}  // namespace

SolveReport solve_coulomb(ConeMethod method, ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x) {
    const FixedPoint found = run_from_guess(problem, x, [&] { return find_fixed_point(method, problem, settings, buffers, x); });
    if (!found.closed) copy(buffers.settled, x);
    problem.shift_by_sliding(nullptr, {});
    SolveReport report{found.iterations, found.lowest, !found.told && found.lowest <= settings.tolerance, found.closed};
    report.told = found.told;
    return report;
}

}  // namespace scree::SCREE_FLAVOR
