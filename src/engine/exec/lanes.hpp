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
using MaskLanes = bool;
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
SCREE_HD Lanes choose(MaskLanes where, Lanes a, Lanes b) {
    return where ? a : b;
}

#else

using Lanes = std::experimental::native_simd<Real>;
using MaskLanes = Lanes::mask_type;
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
/// a where the comparison holds, else b. With clang 15 the library's own way leaves b as it is in vectors of 512 bits.
inline Lanes choose(MaskLanes where, Lanes a, Lanes b) {
#if defined(__clang__)
    return Lanes([&](auto l) { return where[l] ? a[l] : b[l]; });
#else
    std::experimental::where(where, b) = a;
    return b;
#endif
}

#endif

/// Lanes of `Count` registers: each operation is done to all before the next, so that a chain of operations in one does not leave the core
/// waiting.
template <int Count, class Part = Lanes>
struct LaneGroup {
    Part part[Count];

    /// f(j) for each register j.
    template <class F>
    SCREE_HD static LaneGroup of(F f) {
        LaneGroup group;
        for (int j = 0; j < Count; ++j) group.part[j] = f(j);
        return group;
    }
    SCREE_HD static LaneGroup all(Part value) {
        return of([&](int) { return value; });
    }
    SCREE_HD LaneGroup& operator+=(const LaneGroup& b) { return *this = *this + b; }
    SCREE_HD LaneGroup& operator-=(const LaneGroup& b) { return *this = *this - b; }

    SCREE_HD friend LaneGroup operator+(const LaneGroup& a, const LaneGroup& b) {
        return of([&](int j) { return a.part[j] + b.part[j]; });
    }
    SCREE_HD friend LaneGroup operator-(const LaneGroup& a, const LaneGroup& b) {
        return of([&](int j) { return a.part[j] - b.part[j]; });
    }
    SCREE_HD friend LaneGroup operator-(const LaneGroup& a) {
        return of([&](int j) { return -a.part[j]; });
    }
    SCREE_HD friend LaneGroup operator*(const LaneGroup& a, const LaneGroup& b) {
        return of([&](int j) { return a.part[j] * b.part[j]; });
    }
    SCREE_HD friend LaneGroup operator/(const LaneGroup& a, const LaneGroup& b) {
        return of([&](int j) { return a.part[j] / b.part[j]; });
    }
};

template <int Count>
using MaskGroup = LaneGroup<Count, MaskLanes>;

template <int Count>
SCREE_HD MaskGroup<Count> operator<=(const LaneGroup<Count>& a, const LaneGroup<Count>& b) {
    return MaskGroup<Count>::of([&](int j) { return a.part[j] <= b.part[j]; });
}
template <int Count>
SCREE_HD MaskGroup<Count> operator>(const LaneGroup<Count>& a, const LaneGroup<Count>& b) {
    return MaskGroup<Count>::of([&](int j) { return a.part[j] > b.part[j]; });
}
template <int Count>
SCREE_HD LaneGroup<Count> choose(const MaskGroup<Count>& where, const LaneGroup<Count>& a, const LaneGroup<Count>& b) {
    return LaneGroup<Count>::of([&](int j) { return choose(where.part[j], a.part[j], b.part[j]); });
}
template <int Count>
SCREE_HD LaneGroup<Count> root_of(const LaneGroup<Count>& x) {
    return LaneGroup<Count>::of([&](int j) { return root_of(x.part[j]); });
}

}  // namespace scree::SCREE_FLAVOR
