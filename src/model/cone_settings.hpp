// Settings of the cone method (method.kind = "cone"): time stepping by a cone complementarity problem per step.
#pragma once

#include <cstdint>

#include "base/vec3.hpp"

namespace scree {

enum class ConeSolver : std::int32_t { Auto, Jacobi, GaussSeidel, Apgd, BarzilaiBorwein, InteriorPoint };

/// Ccp: the convex relaxation, in which a sliding contact opens at mu |u_t|. Coulomb: exact.
enum class FrictionLaw : std::int32_t { Ccp, Coulomb };

struct ConeSettings {
    ConeSolver solver{ConeSolver::Auto};
    FrictionLaw friction{FrictionLaw::Coulomb};
    std::int64_t iterations{1000};     // at most, per solve
    double tolerance{0};               // largest residual of a contact or row [m/s]; 0: 1e-2 |g| dt, or 1e-6 m/s without gravity
    double residual_limit{0};          // a larger one stops the run [m/s]; 0: a tenth of the least half thickness in a step
    double omega{0};                   // relaxation of Jacobi and Gauss–Seidel steps; 0: each method's own
    double lambda{0};                  // blending of Jacobi iterates (Algorithm 1); 0: the method's own
    double recovery_speed{0};          // fastest way out of an overlap [m/s]; 0: 0.2 smallest radius / (100 dt)
    double restitution_threshold{-1};  // approach slower than this ends without rebound [m/s]; below 0: twice what a step causes
    double envelope{0};                // gaps up to this make contacts [m]; 0: chosen from speeds and step
    bool warm_start{true};
    bool direct_joints{true};             // joints are solved exactly within each iteration, else row by row with the contacts
    double joint_tolerance{1e-10};        // of positions after a step, relative to the mechanism's size
    std::int64_t joint_substeps{8};       // parts of a step that mechanisms take while nothing touches them
    std::int64_t coulomb_iterations{20};  // outer ones of the fixed point
};

/// Residual at which solves end [m/s], under gravity `g` with steps of `dt`.
inline double tolerance_of(const ConeSettings& cone, Vec3 g, double dt) {
    if (cone.tolerance > 0) return cone.tolerance;
    const double falls = norm(g) * dt;
    return falls > 0 ? 1e-2 * falls : 1e-6;
}

}  // namespace scree
