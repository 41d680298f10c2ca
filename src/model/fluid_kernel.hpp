// The kernel of fluids in two and three dimensions, lengths in units of its support radius h: the spiky one (Müller, Charypar & Gross 2003,
// Particle-based fluid simulation for interactive applications, section 3.5; in two dimensions the same function normalised over the
// plane). And what a lattice at rest and a plane wall beside it make of it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/macros.hpp"
#include "model/fluid_settings.hpp"

namespace scree {

/// W(q) = peak (1 - q)^3 for q in [0, 1], 0 beyond.
struct FluidKernel {
    double peak;

    SCREE_HD double value(double q) const {
        const double u = q < 1 ? 1 - q : 0;
        return peak * u * u * u;
    }
    /// -dW/dq.
    SCREE_HD double slope(double q) const {
        const double u = q < 1 ? 1 - q : 0;
        return 3 * peak * u * u;
    }
};

FluidKernel fluid_kernel(int dimensions);

/// A lattice of spacings d at rest, square or cubic, of density 1.
struct FluidRest {
    int dimensions{3};
    double spacing{0};     // d / h
    double volume{0};      // V: the sum of V W over the lattice, a body's own share with it, is 1
    double gradient{0};    // of density by a neighbour, times (1 - q)^2, so that a linear field on the lattice has its own slope
    double response{0};    // sum of the squares of these gradients
    double spread{0};      // largest response of a wave of displacements on the lattice, over `response`
    std::int64_t near{0};  // bodies within h of one, itself too

    /// A plane wall at distance s stands for the layers that the lattice would have behind it, each spread evenly over itself: their
    /// density, and by what that grows as the wall comes nearer. Entry k is at s = k wall_step [h]; the last, at h, is 0.
    std::vector<double> wall_density, wall_gradient;
    double wall_step{0};
};

FluidRest fluid_rest(const FluidSettings& settings, int dimensions);

}  // namespace scree
