// `Auto` is APGD, whatever the size. Applications or sweeps to 1e-5 m/s, most of the first twelve steps of a pile of 2,048 spheres with
// 4,497 contacts (examples/cone_pile.toml): APGD 339, Barzilai-Borwein 684, Gauss-Seidel 2,711, Jacobi 7,784. On ten reference problems of
// friction (2 to 570 contacts, to 1e-9 m/s) APGD or Barzilai-Borwein needs the fewest, the other at most 2.5 times as many; on the two
// whose matrices are not quite symmetric it is APGD.
#include "engine/cone/solvers/solve.hpp"

#include "base/error.hpp"
#include "engine/cone/solvers/coulomb.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

ConeMethod method_of(ConeSolver solver) {
    switch (solver) {
        case ConeSolver::Jacobi:
            return jacobi;
        case ConeSolver::GaussSeidel:
            return gauss_seidel;
        case ConeSolver::Auto:
        case ConeSolver::Apgd:
            return apgd;
        case ConeSolver::BarzilaiBorwein:
            return barzilai_borwein;
        case ConeSolver::InteriorPoint:
            return interior_point;
    }
    throw Error("no such method for cone problems");
}

}  // namespace

SolveReport solve(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x) {
    const ConeMethod method = method_of(settings.solver);
    const bool coulomb = settings.friction == FrictionLaw::Coulomb;
    // Line searches need a function that falls; the interior-point method knows Coulomb's law itself.
    if (coulomb && method == barzilai_borwein) return solve_coulomb(method, problem, settings, buffers, x);
    problem.shift_by_sliding(nullptr, {});
    problem.let_slide(coulomb && method != interior_point);
    const SolveReport report = method(problem, settings, buffers, x);
    problem.let_slide(false);
    return report;
}

}  // namespace scree::SCREE_FLAVOR
