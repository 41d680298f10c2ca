// How thick a body counts, which is what overlaps and speeds are held against: by the engine, and before it runs.
#pragma once

#include "base/macros.hpp"

namespace scree {

/// Of a polyhedron over its bounding radius: that radius of a body as thick as a cube, less of a flatter one (1.7 inradii).
SCREE_HD double thickness_share(double inradius) {
    const double share = 1.7 * inradius;
    return share < 1 ? share : 1.0;
}

/// Thicknesses that a body may move in a step under the penalty method. On its way through a wall without thickness a sphere is past the
/// limit of overlaps, 0.3, for 1.4 of them, a cube, before its centre is through, for 0.29: below these shares none passes unseen.
constexpr double most_thicknesses(bool sphere) {
    return sphere ? 0.5 : 0.25;
}

}  // namespace scree
