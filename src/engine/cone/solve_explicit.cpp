// A problem from outside by the methods of the engine: block operator, method, and back to the host in double.
#include "engine/cone/solve_explicit.hpp"

#include <algorithm>
#include <cmath>

#include "engine/cone/block_operator.hpp"
#include "engine/cone/direct/direct.hpp"

namespace scree::SCREE_FLAVOR {

ConeSolution solve_explicit(const ExplicitProblem& problem, const ConeProblemSettings& settings) {
    BlockOperator matrix({1, false}, problem);
    Unknowns x;
    matrix.shape(x);
    SolveBuffers buffers;
    double size = 0;
    for (const Vec3& r : problem.r) size += norm2(r);
    SolveSettings solving;
    solving.solver = settings.solver;
    solving.friction = settings.law;
    solving.coulomb_iterations = 1000;
    // The methods stop at the largest residual of a contact, by its own scale; the caller at the norm with unit step. So each round asks
    // for a tenth of the residual before, from where that one ended.
    solving.tolerance = settings.tolerance * std::max(std::sqrt(size), 1e-300);
    ConeSolution best;
    best.impulse.assign(problem.mu.size(), Vec3{0, 0, 0});
    best.residual = relative_residual(problem, best.impulse, settings.law);
    std::int64_t used = 0;
    for (int round = 0; round < 12 && best.residual > settings.tolerance && used < settings.iterations; ++round) {
        solving.iterations = settings.iterations - used;
        const SolveReport report = solve(matrix, solving, buffers, x);
        used += std::max<std::int64_t>(report.iterations, 1);
        std::vector<Vec3> found;
        for (const Vec3R& g : x.impulse.host()) found.push_back(cast<double>(g));
        const double residual = relative_residual(problem, found, settings.law);
        if (residual < best.residual) {
            best.residual = residual;
            best.impulse = std::move(found);
        }
        solving.tolerance *= 0.1;
    }
    best.iterations = used;
    best.converged = best.residual <= settings.tolerance;
    return best;
}

}  // namespace scree::SCREE_FLAVOR
