// Friction problems from outside a simulation, solved by the engine's methods: a second front of the engine beside engine.hpp.
#pragma once

#include "engine/cone/explicit_solution.hpp"
#include "engine/engine.hpp"

namespace scree {

/// Solves the problem. Iterative methods run in the flavor asked for; the interior point method is host code in double. Auto takes the
/// interior point method up to 4,000 contacts, since it alone reaches any tolerance; past that APGD, and the interior point method where
/// APGD does not reach it. Sizes must fit each other and normals be of unit length (readers see to it). Throws Error where the device is
/// not there.
ConeSolution solve_cone_problem(const ExplicitProblem& problem, const ConeProblemSettings& settings, Device device, Precision precision);

/// u = N x + r.
std::vector<Vec3> velocities(const ExplicitProblem& problem, const std::vector<Vec3>& x);

}  // namespace scree
