// Primal-dual interior point method for the convex problem: Nesterov–Todd scaling, Mehrotra's predictor and corrector (Nesterov & Todd
// 1997; Mehrotra 1992; the formulas of Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010, sections 4-7). Under
// Coulomb's law the term mu |u_t| is part of the equations and of their slope (as Acary, Armand, Nguyen & Shpakovych 2023): then it may
// fail, but where it arrives it has followed a path through the inside of the cones, far from the wrong choices of sticking and sliding
// that stop Newton's method.
#pragma once

#include "engine/cone/direct/problem.hpp"

namespace scree::direct {

struct InteriorResult {
    int iterations{0};
    double gap{0};            // r . u / contacts at the end
    double infeasibility{0};  // |w(M r + q) - w|
};

/// Solves r in K, w in K*, r . w = 0 for the given q in place of the problem's own. r comes back strictly inside K, the nearer
/// to a solution the smaller the gap; `target` bounds gap and infeasibility. At most `most` iterations of one factorisation each.
InteriorResult interior_point(const Problem& problem, const Vector& q, FrictionLaw law, double target, int most, Vector& r);

}  // namespace scree::direct
