// Polyhedra whose edges and corners are rounded off by bevels.
#pragma once

#include "model/convex_shape.hpp"

namespace scree {

/// The polyhedron that is left of `sharp` when a ball of this radius [m] goes all about inside it, with `bevels` (1 or 2) flat faces for
/// each round edge; their corners lie on the round ones, so that it is within. Throws scree::Error where no such ball fits.
ConvexShape rounded_shape(const ConvexShape& sharp, double radius, int bevels);

}  // namespace scree
