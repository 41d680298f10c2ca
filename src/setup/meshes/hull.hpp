// Convex hull of points, by Qhull (Barber, Dobkin & Huhdanpaa 1996, ACM Trans. Math. Software 22:469).
#pragma once

#include <string>
#include <vector>

#include "model/convex_shape.hpp"

namespace scree {

/// The corners of the hull and its faces, all wound alike (clockwise from outside, as Qhull has them); coplanar neighbours are one face as
/// far as rounding in double shows. Throws scree::Error with `name` for fewer than four points, or points of one plane (to 1e-6 of their
/// extent).
FaceList convex_hull(const std::string& name, const std::vector<Vec3>& points);

}  // namespace scree
