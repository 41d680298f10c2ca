// Block Gauss–Seidel with exact solution of each contact (Jourdan, Alart & Jean 1998): slow to the end, but it starts from anywhere.
#pragma once

#include "engine/cone/direct/problem.hpp"

namespace scree::direct {

/// One contact alone: r with u = m r + q under the law. `guess`: whose sliding direction is preferred where several solve it, and which
/// comes back where none does (m not positive definite).
Vector3 solve_contact(const Matrix3& m, const Vector3& q, double mu, FrictionLaw law, const Vector3& guess);

/// Sweeps over all contacts in order, improving r. O(blocks) each.
void sweep_contacts(const Problem& problem, const Vector& q, FrictionLaw law, int sweeps, Vector& r);

}  // namespace scree::direct
