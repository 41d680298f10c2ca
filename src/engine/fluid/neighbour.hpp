// Distances of neighbours in units of the support radius, and the kernels there, for loops over rows in vector code.
#pragma once

#include <cmath>

#include "engine/exec/row_sums.hpp"
#include "engine/fluid/fluid.hpp"

namespace scree::SCREE_FLAVOR {

/// From a particle to its neighbour j [h].
SCREE_HD void load_offset(const FluidWorld& world, const Row4* place, Vec3 from, Index j, LoadedLane to) {
    const double* x = place[j].value;
    to[0] = static_cast<Real>((x[0] - from.x) * world.wide_inverse_h);
    to[1] = static_cast<Real>((x[1] - from.y) * world.wide_inverse_h);
    to[2] = static_cast<Real>((x[2] - from.z) * world.wide_inverse_h);
}
/// Out of reach.
SCREE_HD void fill_offset(LoadedLane to) {
    to[0] = Real(2);
    to[1] = to[2] = 0;
}

/// The kernel at an offset without its factor, and what times the offset is its gradient, without its factor.
struct KernelAt {
    Real value, slope;
};
SCREE_HD KernelAt kernel_at(Real q2) {
    const Real q = std::sqrt(q2);
    const Real u = q < Real(1) ? Real(1) - q : Real(0);
    // The particle itself has no gradient: its offset is zero.
    return {u * u * u, u * u / (q > Real(0) ? q : Real(1))};
}

}  // namespace scree::SCREE_FLAVOR
