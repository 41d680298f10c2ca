// Several values that kernels compute with at once: a vector register of the host, one value on a device. For loops whose bodies hold too
// much state for the compiler to make vector code of them. Invariant: each lane rounds as a single value does, so that the number of lanes
// never shows in a result.
#pragma once

#include <cmath>

#include "base/vec3.hpp"
#include "engine/exec/config.hpp"

#if !defined(SCREE_ON_CUDA)
#include <experimental/simd>
#endif

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)

using Lanes = Real;
inline constexpr int lane_count = 1;

SCREE_HD Lanes load_lanes(const Real* from) {
    return *from;
}
SCREE_HD void store_lanes(Real* to, Lanes value) {
    *to = value;
}
SCREE_HD Lanes root_of(Lanes x) {
    return std::sqrt(x);
}
/// a where the comparison holds, else b.
SCREE_HD Lanes choose(bool where, Lanes a, Lanes b) {
    return where ? a : b;
}

#else

using Lanes = std::experimental::native_simd<Real>;
inline constexpr int lane_count = static_cast<int>(Lanes::size());

inline Lanes load_lanes(const Real* from) {
    return Lanes(from, std::experimental::element_aligned);
}
inline void store_lanes(Real* to, Lanes value) {
    value.copy_to(to, std::experimental::element_aligned);
}
/// By a loop: what the library makes of it warns with GCC 12.
inline Lanes root_of(Lanes x) {
    alignas(64) Real value[lane_count];
    x.copy_to(value, std::experimental::vector_aligned);
#pragma omp simd
    for (int l = 0; l < lane_count; ++l) value[l] = std::sqrt(value[l]);
    return Lanes(value, std::experimental::vector_aligned);
}
/// a where the comparison holds, else b.
inline Lanes choose(Lanes::mask_type where, Lanes a, Lanes b) {
    std::experimental::where(where, b) = a;
    return b;
}

#endif

using Vec3L = Vec3T<Lanes>;

/// Three components that lie `lane_count` apart.
SCREE_HD Vec3L load_vector(const Real* from) {
    return {load_lanes(from), load_lanes(from + lane_count), load_lanes(from + 2 * lane_count)};
}
SCREE_HD void store_vector(Real* to, Vec3L v) {
    store_lanes(to, v.x);
    store_lanes(to + lane_count, v.y);
    store_lanes(to + 2 * lane_count, v.z);
}

}  // namespace scree::SCREE_FLAVOR
