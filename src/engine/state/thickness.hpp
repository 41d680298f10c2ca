// What an overlap is held against: limits, flags and records of both methods, and what faults tell of them.
#pragma once

#include "engine/state/bodies.hpp"
#include "engine/state/shapes.hpp"
#include "model/thickness.hpp"

namespace scree::SCREE_FLAVOR {

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
