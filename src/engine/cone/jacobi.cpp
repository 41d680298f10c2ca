// Algorithm 1 of Negrut et al. 2010 (steps 6-10): all blocks step at once and are blended, x <- lambda P(x - omega H u) + (1 - lambda) x.
// It converges where lambda omega < 2 / L, L the largest eigenvalue of H N; L grows with the contacts of a body, so in dense packings no
// number below 1 serves always. Unless omega is given, it follows the curvature that steps meet, d.N d / d.H^-1 d, which tends to L in
// just the mode that grows.
#include <algorithm>
#include <cmath>

#include "engine/cone/algebra.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double own_lambda = 0.9;
constexpr double safe_part = 1.6;  // of 2: the curvature of a step is a lower bound of L
constexpr double regrowth = 1.01;  // per iteration: one early, stiff mode must not slow the rest

}  // namespace

SolveReport jacobi(ConeOperator& problem, const SolveSettings& settings, SolveRoom& room, Unknowns& x) {
    const Exec& exec = problem.exec();
    const double lambda = settings.lambda > 0 ? settings.lambda : own_lambda;
    double omega = settings.omega > 0 ? settings.omega : 1.0;
    double found = begin(problem, room, x, room.u);
    std::int64_t iteration = 1;
    Best best(x, room.best, found);
    while (found > settings.tolerance && iteration < settings.iterations && std::isfinite(found)) {
        copy(x, room.previous);
        std::swap(room.u, room.gradient);
        relaxed_step(problem, room.previous, omega, lambda, room.gradient, x);
        problem.apply(x, room.u, true);
        ++iteration;
        found = residual(problem, x, room.u);
        if (!best.offer(x, found)) break;
        if (settings.omega > 0) continue;
        combine(exec, 1, x, -1, room.previous, room.direction);
        combine(exec, 1, room.u, -1, room.gradient, room.image);
        to_velocities(problem, room.direction, room.scaled);
        const double curvature = problem.dot(room.direction, room.image), length2 = problem.dot(room.direction, room.scaled);
        omega = std::min(omega * regrowth, curvature > 0 ? safe_part * length2 / (lambda * curvature) : omega * regrowth);
    }
    found = best.restore(x);
    return {iteration, found, found <= settings.tolerance};
}

}  // namespace scree::SCREE_FLAVOR
