// Convex polygons of plane models, as prisms held in the plane z = 0.
#pragma once

#include "model/convex_shape.hpp"

namespace scree {

/// The template of a convex polygon given by its corners, counterclockwise, none on a line with its neighbours.
/// A prism over the polygon, about z = 0 and as thick as its bounding radius, in which contacts are found: faces and edges that touch then
/// lie in the plane. The bounding radius is that of the circle about the centre of mass, so `volume` is also the polygon's area over its
/// square; the moment about z is the polygon's, and those about x and y are so large that nothing turns it out of the plane.
/// Throws scree::Error with `name` where the corners are not those of a convex polygon.
ConvexShape planar_shape(const std::string& name, const std::vector<Vec3>& corners);

/// The corners of the convex hull of points in the plane z = 0, counterclockwise, without those within 1e-9 of the size of a side (monotone
/// chain, Andrew 1979). O(n log n).
std::vector<Vec3> planar_hull(std::vector<Vec3> points);

}  // namespace scree
