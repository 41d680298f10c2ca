// Solving a cone complementarity problem: one file per method behind one signature.
// Residual: the largest over blocks of |x - P(x - eta u)| / eta, u = N x + r: a velocity [m/s], zero at a solution and only there (natural
// map of the full cone, normal and tangential). Under the Coulomb law u carries the De Saxcé term of its own sliding.
#pragma once

#include <string>

#include "engine/cone/operator.hpp"
#include "engine/cone/solvers/outer_control.hpp"
#include "model/cone_settings.hpp"

namespace scree::SCREE_FLAVOR {

struct SolveSettings {
    ConeSolver solver{ConeSolver::Auto};
    FrictionLaw friction{FrictionLaw::Ccp};
    std::int64_t iterations{500};  // at most, operator applications or sweeps
    double tolerance{1e-6};        // of the residual [m/s]
    double omega{0}, lambda{0};    // 0: the method's own
    std::int64_t coulomb_iterations{20};
    // What the problem is part of, in memory of kernels: it gives the tolerance, and nothing is done once it has ended.
    const OuterControl* within{nullptr};
    // Where kernels may leave the residual of iterations that run out under Coulomb's law; else the host waits for it.
    double* tell{nullptr};
    Gate gate() const { return within == nullptr ? Gate{} : Gate{&within->done, OuterControl::stop}; }
};

struct SolveReport {
    std::int64_t iterations{0};
    double residual{0};
    bool converged{false};
    bool closed{false};      // what the problem is part of had ended: x stays, the residual is that of its best iterate
    bool throughout{false};  // and so had what that is part of
    bool told{false};        // the residual is where SolveSettings::tell says, and finite
};

/// What methods reuse between solves.
struct SolveBuffers {
    Unknowns u, y, gradient, best, previous, direction, u_before;
    Unknowns sliding, sliding_found, change_before,
        settled;             // of the fixed point of Coulomb's law, which has a method inside that uses the others
    Array<Real> shift;       // contacts: De Saxcé's term as APGD goes by it [m/s]
    Repetition iterations;   // of the method that is used
    Repetition fixed_point;  // of Coulomb's law
    Array<double> products;  // residuals of the guess: of contacts and of scalar rows
    std::size_t bytes() const {
        std::size_t sum = iterations.bytes() + fixed_point.bytes() + products.bytes() + shift.bytes();
        for (const Unknowns* v :
             {&u, &y, &gradient, &best, &previous, &direction, &u_before, &sliding, &sliding_found, &change_before, &settled})
            sum += v->bytes();
        return sum;
    }
};

/// Improves x, whose start value is the guess (in or out of K), until the residual is within the tolerance or the iterations are used up.
using ConeMethod = SolveReport (*)(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x);

SolveReport jacobi(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x);
SolveReport gauss_seidel(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x);
SolveReport apgd(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x);
SolveReport barzilai_borwein(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x);
/// On the explicit form of N: for small, ill-conditioned problems. O(rows^3).
SolveReport interior_point(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x);

inline constexpr std::int64_t least_sweeps = 8;  // between looks at the residual, each of which may cost as much as three sweeps
/// Sweeps of the Gauss-Seidel method before its next look at the residual; none where the iterations are used up.
SCREE_HD std::int64_t sweeps_after(std::int64_t iteration, std::int64_t iterations) {
    constexpr std::int64_t least = least_sweeps;
    const std::int64_t left = iterations - iteration - 1, wanted = iteration / 4 > least ? iteration / 4 : least;
    if (left <= 0) return 0;
    return left < wanted + least / 2 ? left : wanted;  // few at the end are not worth a look of their own
}

/// Method and friction law by the settings; `Auto`'s choice is documented in solve.cpp.
SolveReport solve(ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x);

}  // namespace scree::SCREE_FLAVOR
