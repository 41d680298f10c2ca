// Relative position and velocity of two bodies: the one place where they are formed, in double.
#pragma once

#include "base/vec3.hpp"

namespace scree {

/// What separates B from A. Later periodic images and sheared boundaries enter here and nowhere else.
SCREE_HD Vec3 relative_position(Vec3 a, Vec3 b) {
    return b - a;
}
SCREE_HD Vec3 relative_velocity(Vec3 a, Vec3 b) {
    return b - a;
}

}  // namespace scree
