// Two spheres. In: relative position in double (state/relative.hpp). Out: gap quantities in contact precision.
#pragma once

#include <cmath>

#include "base/vec3.hpp"

namespace scree {

template <class T>
struct SphereGap {
    Vec3T<T> normal;  // unit, from A to B; (0, 0, 1) where the centres coincide
    T delta;          // overlap [m], negative apart
    T lever;          // distance of the centres over the sum of radii: each lever arm is radius * lever
};

/// d: relative position [m]; r_a, r_b radii [m]. The overlap comes from (s^2 - d^2) / (s + d) with the difference in double,
/// which keeps its digits where the contact computes in float.
template <class T>
SCREE_HD SphereGap<T> sphere_gap(Vec3 d, double r_a, double r_b) {
    const double d2 = norm2(d);
    const double s = r_a + r_b;
    const T overlap2 = static_cast<T>(s * s - d2);
    const T sum = static_cast<T>(s);
    const bool apart = d2 > 0.0;
    const T distance = std::sqrt(static_cast<T>(d2));
    const T inverse = T(1) / (apart ? distance : T(1));
    const Vec3T<T> c = cast<T>(d);
    SphereGap<T> gap;
    gap.normal = {c.x * inverse, c.y * inverse, apart ? c.z * inverse : T(1)};
    gap.delta = overlap2 / (sum + distance);
    gap.lever = distance / sum;
    return gap;
}

}  // namespace scree
