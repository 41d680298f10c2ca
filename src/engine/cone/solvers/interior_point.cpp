// The direct solver as a method among the others: the operator's explicit form, solved on the host in double, whatever the flavor.
#include "base/error.hpp"
#include "engine/cone/algebra.hpp"
#include "engine/cone/direct/direct.hpp"

namespace scree::SCREE_FLAVOR {

SolveReport interior_point(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x) {
    ExplicitProblem written;
    if (!problem.explicit_form(written)) {
        throw Error(
            "the interior-point method solves contacts alone: with rolling friction, or joints that are not solved directly, choose "
            "another solver, as \"apgd\"");
    }
    DirectSettings direct;
    direct.law = settings.friction;
    direct.measure = DirectMeasure::Velocity;
    direct.tolerance = settings.tolerance;
    direct.iterations = settings.iterations;
    std::vector<Vec3> solution;
    const DirectReport found = solve_direct(written, direct, solution);
    std::vector<Vec3R> impulse;
    impulse.reserve(solution.size());
    for (const Vec3 g : solution) impulse.push_back(cast<Real>(g));
    x.impulse.assign(impulse);
    // The residual of what is kept, which single precision may have rounded.
    SolveReport report{found.iterations, begin(problem, buffers, x, buffers.u), false};
    if (settings.friction == FrictionLaw::Coulomb) {
        problem.shift_by_sliding(&buffers.u, {});
        report.residual = begin(problem, buffers, x, buffers.u);
        problem.shift_by_sliding(nullptr, {});
    }
    report.converged = report.residual <= settings.tolerance;
    return report;
}

}  // namespace scree::SCREE_FLAVOR
