#include "engine/cone_problem.hpp"

#include <algorithm>

#include "engine/flavors.hpp"

namespace scree {

namespace {

constexpr std::size_t most_direct =
    4000;  // contacts, for Auto: where the matrix is full, a factor of 12,000 rows takes 1.2 GB and half a minute
constexpr std::int64_t iterations_before = 20000;  // of APGD before the interior point method takes over

ConeSolution solve_directly(const ExplicitProblem& problem, const ConeProblemSettings& settings) {
    DirectSettings direct;
    direct.law = settings.law;
    direct.tolerance = settings.tolerance;
    if (settings.iterations > 0) direct.iterations = settings.iterations;
    ConeSolution solution;
    const DirectReport report = flavor(false, Precision::Double).solve_direct(problem, direct, solution.impulse);
    solution.iterations = report.iterations;
    solution.residual = report.residual;
    solution.converged = report.converged;
    solution.solver = ConeSolver::InteriorPoint;
    return solution;
}

ConeSolution solve_iteratively(const ExplicitProblem& problem, const ConeProblemSettings& settings, Device device, Precision precision) {
    const Flavor& chosen = flavor(runs_on_cuda(device, precision), precision);
    chosen.use_device(std::max(0, device.number));
    ConeSolution solution = chosen.solve_explicit(problem, settings);
    solution.solver = settings.solver;
    return solution;
}

}  // namespace

ConeSolution solve_cone_problem(const ExplicitProblem& problem, const ConeProblemSettings& settings, Device device, Precision precision) {
    const bool is_auto = settings.solver == ConeSolver::Auto;
    if (settings.solver == ConeSolver::InteriorPoint || (is_auto && problem.mu.size() <= most_direct)) {
        return solve_directly(problem, settings);
    }
    ConeProblemSettings iterative = settings;
    if (is_auto) iterative.solver = ConeSolver::Apgd;
    if (settings.iterations == 0) iterative.iterations = is_auto ? iterations_before : 1'000'000;
    ConeSolution found = solve_iteratively(problem, iterative, device, precision);
    if (found.converged || !is_auto) return found;
    const ConeSolution direct = solve_directly(problem, settings);
    return direct.residual < found.residual ? direct : found;
}

}  // namespace scree
