// Random directions and turns for the tests of smooth bodies.
#pragma once

#include "base/mat3.hpp"
#include "base/quat.hpp"
#include "base/rng.hpp"

namespace scree {

inline Vec3 random_direction(Rng& rng) {
    const double x = rng.normal(), y = rng.normal();
    return normalized(Vec3{x, y, rng.normal()});
}
inline Mat3 random_turn(Rng& rng) {
    const double w = rng.normal(), x = rng.normal(), y = rng.normal();
    return rotation_matrix(normalized(Quat{w, x, y, rng.normal()}));
}

}  // namespace scree
