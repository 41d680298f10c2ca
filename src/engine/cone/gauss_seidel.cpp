// Projected block Gauss-Seidel (Tasora & Anitescu 2011): each block steps with what those before it have become. Between looks at the
// residual, which costs an application, the sweeps that are left alone grow with those done. Unless omega is given it starts at 1 and
// shrinks while the residual finds no new low: with eta = 3 / trace a block's own step is sure only for omega < 2/3 (a slender body's
// contact has nearly all of its trace in one direction, and at 1 it goes to and fro for ever), in practice 1 is faster.
#include <algorithm>
#include <cmath>

#include "engine/cone/algebra.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr std::int64_t least_sweeps = 8;  // between looks, each of which may cost as much as three sweeps
constexpr double sure_omega = 0.6;
constexpr double shrink = 0.8;
constexpr double grown = 2.0;  // residuals fluctuate by less where sweeps converge
constexpr int patience = 3;    // looks without a new low

/// The residual of x, at the start of what K makes of it.
double look(ConeOperator& problem, SolveRoom& room, Unknowns& x, bool first) {
    double found = problem.look(x, first);
    if (found >= 0) {
        if (!first || std::isfinite(found)) return found;
        problem.shape(x);
        return problem.look(x, true);
    }
    if (!first) {
        problem.apply(x, room.u, true);
        return residual(problem, x, room.u);
    }
    problem.shape(room.u);
    return start(problem, x, room.u);
}

}  // namespace

SolveReport gauss_seidel(ConeOperator& problem, const SolveSettings& settings, SolveRoom& room, Unknowns& x) {
    double omega = settings.omega > 0 ? settings.omega : 1.0;
    double found = look(problem, room, x, true);
    std::int64_t iteration = 1;
    Best best(x, room.best, found);
    int looks_without_low = 0;
    while (found > settings.tolerance && iteration + 1 < settings.iterations && std::isfinite(found)) {
        const std::int64_t left = settings.iterations - iteration - 1, wanted = std::max<std::int64_t>(least_sweeps, iteration / 4);
        const std::int64_t sweeps = left < wanted + least_sweeps / 2 ? left : wanted;  // few at the end are not worth a look of their own
        problem.sweep(x, static_cast<Real>(omega), false, sweeps);
        iteration += sweeps + 1;
        found = look(problem, room, x, false);
        looks_without_low = found < best.residual() ? 0 : looks_without_low + 1;
        if (!best.offer(x, found)) break;
        if (settings.omega > 0 || (found <= grown * best.residual() && looks_without_low < patience)) continue;
        omega = std::max(sure_omega, omega * shrink);
        looks_without_low = 0;
    }
    found = best.restore(x);
    return {iteration, found, found <= settings.tolerance};
}

}  // namespace scree::SCREE_FLAVOR
