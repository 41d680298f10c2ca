// The region that two convex polyhedra share, as moments.
#pragma once

#include <cstdint>

#include "model/convex_view.hpp"

namespace scree {

/// Moments of the region P that two polyhedra share (or a polyhedron and what is behind a plane); sums over disjoint regions add up.
template <class T>
struct Overlap {
    T volume{};            // of P [m3]
    Vec3T<T> area;         // integral of A's outward normal over A's surface within B [m2]: the gradient of volume with the position of A
    Vec3T<T> moment;       // integral of x over P, about the common origin [m4]
    Vec3T<T> couple;       // integral of x cross n over A's surface within B, about the common origin [m3]
    Vec3T<T> direction{};  // from A to B, of any length: that of the area, but for sides of the bodies square to it
};

}  // namespace scree
