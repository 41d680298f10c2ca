// Friction problems solved to high accuracy on their explicit form, by factorisation: host code in double, one for all flavors.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cone/explicit_problem.hpp"
#include "model/cone_settings.hpp"

namespace scree {

/// Relative: relative_residual. Velocity: velocity_residual.
enum class DirectMeasure { Relative, Velocity };

struct DirectSettings {
    FrictionLaw law{FrictionLaw::Ccp};
    DirectMeasure measure{DirectMeasure::Relative};
    double tolerance{1e-8};         // in the measure
    std::int64_t iterations{2000};  // factorisations at most
};

struct DirectReport {
    std::int64_t iterations{0};  // factorisations
    double residual{0};          // of what came back, in the measure
    bool converged{false};
};

/// Solves the problem from scratch; x (resized) gets the best iterate. Ccp: interior point, then Newton. Coulomb: see direct.cpp. The
/// matrix may be singular, and asymmetric. O(contacts^3) unless it is sparse.
DirectReport solve_direct(const ExplicitProblem& problem, const DirectSettings& settings, std::vector<Vec3>& x);

/// u = N x + r.
std::vector<Vec3> velocities(const ExplicitProblem& problem, const std::vector<Vec3>& x);

/// |P_K(x - w) - x|_2 / |r|_2 with unit step, w = u, under Coulomb's law u + mu |u_t| n: the measure by which solvers of such problems are
/// compared. Where r is zero the norm alone.
double relative_residual(const ExplicitProblem& problem, const std::vector<Vec3>& x, FrictionLaw law);

/// The largest over contacts of |x - P(x - eta w)| / eta [m/s], eta = 3 / trace of the contact's block: what steps of a simulation stop at.
double velocity_residual(const ExplicitProblem& problem, const std::vector<Vec3>& x, FrictionLaw law);

}  // namespace scree
