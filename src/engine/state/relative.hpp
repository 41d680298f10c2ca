// Relative position and velocity of two bodies: the one place where they are formed, in double. V: a Vec3, or a row of four.
#pragma once

#include "base/vec3.hpp"

namespace scree {

/// What separates B from A. Later periodic images and sheared boundaries enter here and nowhere else.
template <class V>
SCREE_HD V relative_position(V a, V b) {
    return b - a;
}
template <class V>
SCREE_HD V relative_velocity(V a, V b) {
    return b - a;
}

}  // namespace scree
