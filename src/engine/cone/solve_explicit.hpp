// What module.cpp sees of each flavor, for engine/cone_problem.cpp.
#pragma once

#include "engine/cone/explicit_solution.hpp"
#include "engine/cone/solvers/solve.hpp"

namespace scree::SCREE_FLAVOR {

/// Solves from rest by one of the iterative methods; the iterations of settings bound all rounds together.
ConeSolution solve_explicit(const ExplicitProblem& problem, const ConeProblemSettings& settings);

}  // namespace scree::SCREE_FLAVOR
