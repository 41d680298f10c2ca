// Semismooth Newton method with line search on an equation whose zeros are the solutions: the natural map r - P_K(r - w), or that of Alart
// and Curnier (1991), whose friction disc has the radius mu (r_n - u_n)+ (Coulomb law alone). Singular problems (more contacts than the
// bodies have freedoms) are met by adding a multiple of the identity to M in the slope alone, which leaves the zeros where they are
// (Levenberg–Marquardt in the manner of Fan & Yuan 2005).
#pragma once

#include "engine/cone/direct/problem.hpp"

namespace scree::direct {

enum class Equation { Natural, AlartCurnier };

struct NewtonSettings {
    FrictionLaw law{FrictionLaw::Ccp};
    Equation equation{Equation::Natural};
    double target{1e-14};  // norm of the equation, in units of |q|
    int iterations{30};
    double proximal{0};  // weight of |r - centre|^2 / 2, makes any problem regular; 0: none
};

struct NewtonResult {
    int iterations{0};
    double residual{0};  // of the equation's own, proximal term included
};

/// Improves r; leaves the best iterate found in it. `centre` is used with a proximal term only. One LU factorisation per trial slope.
NewtonResult newton(const Problem& problem, const Vector& q, const NewtonSettings& settings, const Vector& centre, Vector& r);

}  // namespace scree::direct
