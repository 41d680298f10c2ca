// Settings of the method of fluids (method.kind = "fluid"): particles whose density is kept by moving them (Macklin & Müller 2013).
#pragma once

#include <cstdint>

namespace scree {

struct FluidSettings {
    double support{2.0};             // radius of the kernels, in spacings
    std::int64_t iterations{4};      // of the density constraint in a step
    double relaxation{0.5};          // added to a constraint's response, over the largest of a lattice at rest
    double artificial_pressure{0};   // at `pressure_at`, as an excess of density
    std::int64_t pressure_power{4};  // of the kernel in it
    double pressure_at{0.2};         // in support radii
    double viscosity{0.01};          // share of the neighbours' velocity taken on in a step (XSPH)
    double vorticity{0};             // strength of vorticity confinement [m/s]
};

}  // namespace scree
