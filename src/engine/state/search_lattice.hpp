// Bodies on an integer lattice, in the order of slots, for the search of pairs: several distances at once in float (exec/near_lanes.hpp).
// Invariant: a pair that the lattice calls sure is within the skin, one that it does not hit is not; the rest is decided in double.
#pragma once

#include "engine/exec/near_lanes.hpp"

namespace scree::SCREE_FLAVOR {

struct SearchLattice {
    LatticeView body;
    bool equal;         // all radii are the same
    float skin;         // [steps]
    float far2, near2;  // of equal radii, with the skin

    /// A distance on the lattice differs from the true one by less than this many steps (each coordinate is rounded by less than one) and
    /// this part of itself (rounding of float: some 2e-7).
    static constexpr float margin = 2.0f;
    static constexpr float widen = 1e-6f;

    SCREE_HD LatticeBody at(Index i) const {
        return {body.x[i], body.y[i], body.z[i], (equal ? 0.0f : body.radius[i]) + skin, far2, near2, margin, widen};
    }
};

}  // namespace scree::SCREE_FLAVOR
