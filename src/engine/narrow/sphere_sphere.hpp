// Two spheres. In: relative position in double (state/relative.hpp). Out: gap quantities in contact precision.
#pragma once

#include <cmath>

#include "base/vec3.hpp"

namespace scree {

template <class T>
struct SphereGap {
    Vec3T<T> normal;  // unit, from A to B; (0, 0, 1) where the centres coincide
    T delta;          // overlap [m], negative apart
    T distance;       // of the centres [m]
};

/// d relative position; overlap2 = s^2 - d^2, formed in double; s sum of radii. delta = overlap2 / (s + |d|) keeps its digits where the
/// contact computes in float.
template <class T>
SCREE_HD SphereGap<T> gap_from_squares(Vec3T<T> d, T overlap2, T s) {
    const T d2 = norm2(d);
    const bool apart = d2 > T(0);
    const T distance = std::sqrt(d2);
    // One division for both 1 / |d| and 1 / (s + |d|).
    const T whole = s + distance;
    const T both = T(1) / ((apart ? distance : T(1)) * whole);
    const T inverse = both * whole;
    SphereGap<T> gap;
    gap.normal = {d.x * inverse, d.y * inverse, apart ? d.z * inverse : T(1)};
    gap.delta = overlap2 * (both * (apart ? distance : T(1)));
    gap.distance = distance;
    return gap;
}

/// The same from positions and radii in double.
template <class T>
SCREE_HD SphereGap<T> sphere_gap(Vec3 d, double r_a, double r_b) {
    const double s = r_a + r_b;
    return gap_from_squares<T>(cast<T>(d), static_cast<T>(s * s - norm2(d)), static_cast<T>(s));
}

}  // namespace scree
