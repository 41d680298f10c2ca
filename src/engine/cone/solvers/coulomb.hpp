// Coulomb's law by a sequence of cone complementarity problems.
#pragma once

#include "engine/cone/solvers/solve.hpp"

namespace scree::SCREE_FLAVOR {

/// Solves u = N x + r + s n, s = mu |u_t| (De Saxcé & Feng 1998), by the fixed point on s (Acary, Cadoux, Lemaréchal & Malick 2011) around
/// any method: x solves the problem with the s of the last x. The report's residual is that of Coulomb's problem. Leaves no shift behind.
SolveReport solve_coulomb(ConeMethod method, ConeOperator& problem, const SolveSettings& settings, SolveBuffers& buffers, Unknowns& x);

}  // namespace scree::SCREE_FLAVOR
