#include "engine/cone/coulomb.hpp"

#include <algorithm>
#include <cmath>

#include "engine/cone/algebra.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double inner_part = 0.1;          // of the residual left: inner solutions are as good as their shift
constexpr double inner_least = 0.3;         // of the tolerance
constexpr std::int64_t first_budget = 100;  // of an inner solve: a problem with the wrong shift can be far worse than the true one
constexpr double budget_growth = 1.5;       // where an inner solve has used it up
constexpr double least_relaxation = 0.1, most_relaxation = 4;

}  // namespace

void remove_normal_parts(const Exec& exec, ConeView cone, Vec3R* u) {
    for_each(
        exec, "cone/remove_normal_parts", cone.contacts,
        SCREE_LAMBDA(Index k)->void { u[k] -= dot(u[k], cone.normal[k]) * cone.normal[k]; });
}

namespace {

/// Velocities of x, whose sliding becomes the shift; then the residual of Coulomb's problem. Two applications.
double shift_and_measure(ConeOperator& problem, Unknowns& x, Unknowns& u, Unknowns& sliding) {
    problem.apply(x, sliding, true);
    remove_normal_parts(problem.exec(), problem.cone(), sliding.impulse.data());
    problem.shift_by_sliding(&sliding);
    problem.apply(x, u, true);
    return residual(problem, x, u);
}

/// Relaxation of vector sequences after Aitken (Irons & Tuck 1969): what makes the last two changes cancel along their difference.
double aitken(ConeOperator& problem, SolveRoom& room, double relaxation, Unknowns& change, Unknowns& change_before) {
    Unknowns& turn = room.gradient;
    combine(problem.exec(), 1, change, -1, change_before, turn);
    const double along = dot(problem, room, change_before, turn), length2 = dot(problem, room, turn, turn);
    if (!(length2 > 0) || !std::isfinite(along / length2)) return relaxation;
    return std::clamp(-relaxation * along / length2, least_relaxation, most_relaxation);
}

}  // namespace

SolveReport solve_coulomb(ConeMethod method, ConeOperator& problem, const SolveSettings& settings, SolveRoom& room, Unknowns& x) {
    const Exec& exec = problem.exec();
    problem.shift_by_sliding(nullptr);
    for (Unknowns* v : {&room.sliding, &room.sliding_found, &room.change_before, &room.settled}) problem.shape(*v);
    begin(problem, room, x, room.u);
    double found = shift_and_measure(problem, x, room.u, room.sliding);
    std::int64_t iterations = 3;
    Best best(x, room.settled, found);
    double relaxation = 1;
    std::int64_t budget = first_budget;
    for (std::int64_t outer = 0; outer < settings.coulomb_iterations; ++outer) {
        if (!(found > settings.tolerance) || iterations + 2 >= settings.iterations || !std::isfinite(found)) break;
        SolveSettings inner = settings;
        inner.tolerance = std::max(inner_part * found, inner_least * settings.tolerance);
        inner.iterations = std::min(budget, settings.iterations - iterations - 2);
        const SolveReport report = method(problem, inner, room, x);
        if (!report.converged) budget = static_cast<std::int64_t>(budget_growth * static_cast<double>(budget));
        found = shift_and_measure(problem, x, room.u, room.sliding_found);
        iterations += report.iterations + 2;
        if (!best.offer(x, found)) break;
        combine(exec, 1, room.sliding_found, -1, room.sliding, room.direction);
        if (outer > 0) relaxation = aitken(problem, room, relaxation, room.direction, room.change_before);
        combine(exec, 1, room.sliding, relaxation, room.direction, room.sliding);
        problem.shift_by_sliding(&room.sliding);
        std::swap(room.direction, room.change_before);
    }
    found = best.restore(x);
    problem.shift_by_sliding(nullptr);
    return {iterations, found, found <= settings.tolerance};
}

}  // namespace scree::SCREE_FLAVOR
