// What the cone method asks of the narrow phase: up to four points per pair, with the gap at each, for pairs that touch or are nearly
// there.
#pragma once

#include <cstdint>

#include "base/vec3.hpp"

namespace scree {

/// Points between A and B. A point lies midway between the two surfaces, so that both bodies have the same one and angular momentum is
/// kept.
template <class T>
struct ContactPoints {
    static constexpr int most = 4;
    std::int32_t count{0};
    Vec3T<T> normal[most];   // unit, from A to B
    Vec3T<T> point[most];    // relative to the origin the shapes were placed in [m]
    T gap[most] = {};        // along the normal; negative: overlap [m]
    std::int32_t key[most];  // of the features that meet, the same while they do; unique within the pair
};

}  // namespace scree
