// What an overlap is held against: limits, flags and records of both methods, and what faults tell of them.
#pragma once

#include "engine/state/bodies.hpp"
#include "engine/state/shapes.hpp"

namespace scree::SCREE_FLAVOR {

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

/// Of body i [m]: a sphere's radius.
SCREE_HD double thickness_of(const BodyView& body, const ShapeView& shapes, Index i) {
    return body.is_sphere(i) ? body.radius[i] : thickness_share(shapes.entry[body.shape[i]].inradius) * body.radius[i];
}
/// Of bodies i and j: the smaller one.
SCREE_HD double thickness_of(const BodyView& body, const ShapeView& shapes, Index i, Index j) {
    const double a = thickness_of(body, shapes, i), b = thickness_of(body, shapes, j);
    return a < b ? a : b;
}

}  // namespace scree::SCREE_FLAVOR
