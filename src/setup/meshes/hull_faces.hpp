// Convex polyhedra as lists of faces: volume, what two share, and copies with fewer faces.
#pragma once

#include <vector>

#include "model/convex_shape.hpp"

namespace scree {

/// The convex hull of points, its faces counterclockwise from outside. Throws scree::Error where they are flat.
FaceList hull_of(const std::vector<Vec3>& points);

double volume_of(const FaceList& hull);  // [m3]

/// Volume that two convex polyhedra share [m3].
double common_volume(const FaceList& a, const FaceList& b);

/// The hull of fewer of its corners, as few as lose no more than `loss` [m3], and as may be in one shape (kMostFacesAndCorners), whatever
/// is lost then.
FaceList with_fewer_faces(const FaceList& hull, double loss);

}  // namespace scree
