// How an explicit friction problem is to be solved, and what comes back; the same in every flavor.
#pragma once

#include "engine/cone/explicit_problem.hpp"
#include "model/cone_settings.hpp"

namespace scree {

struct ConeProblemSettings {
    ConeSolver solver{ConeSolver::Auto};
    FrictionLaw law{FrictionLaw::Ccp};
    double tolerance{1e-8};      // of |P_K(x - w) - x| / |r|, unit step, 2-norms
    std::int64_t iterations{0};  // at most; 0: 1,000,000 applications or sweeps, 2,000 factorisations
};

struct ConeSolution {
    std::vector<Vec3> impulse;  // x, best found
    std::int64_t iterations{0};
    double residual{0};  // as the tolerance
    bool converged{false};
    ConeSolver solver{ConeSolver::Auto};  // the one that found it
};

}  // namespace scree
