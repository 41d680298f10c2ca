// Several bodies against one at once: positions on an integer lattice, distances in float, answers as bit masks. A distance within a margin
// of the limit is a hit that is not sure; the caller decides it in double. So the answer never depends on the width of vectors.
#pragma once

#include <cstdint>

#include "engine/exec/config.hpp"

#if defined(__AVX512F__) && defined(__AVX512BW__) && !defined(SCREE_ON_CUDA)
// g++ 12 warns of its own header.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#define SCREE_AVX512_LANES 1
#endif

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)
inline constexpr int lanes = 1;
#else
inline constexpr int lanes = 16;  // one AVX-512 register of floats; arrays that are read by lanes have room for that many more at their end
#endif

/// Bodies on the lattice, by component; radius in units of the lattice, null where all are equal.
struct LatticeView {
    const std::int32_t* x;
    const std::int32_t* y;
    const std::int32_t* z;
    const float* radius;
};

/// One body on the lattice and how near others must come. Of equal spheres only `far2` and `near2` count.
struct LatticeBody {
    std::int32_t x, y, z;
    float radius;
    float far2, near2;    // squares of the distances beyond which none touches, and within which all do
    float margin, widen;  // of unequal spheres: these distances are s (1 ± widen) ± margin, s the sum of the radii
};

/// Bit k: body from + k may touch (hit), touches for certain (sure).
struct LaneMask {
    std::uint32_t hit, sure;
};

namespace detail {

/// The lowest `count` bits.
SCREE_HD std::uint32_t first_bits(Index count) {
    return count >= 32 ? 0xffffffffu : (1u << count) - 1u;
}

template <bool Equal>
SCREE_HD LaneMask near_lanes_plain(const LatticeView& all, Index from, const LatticeBody& me) {
    std::uint32_t hit = 0, sure = 0;
    for (int k = 0; k < lanes; ++k) {
        const auto dx = static_cast<float>(all.x[from + k] - me.x);
        const auto dy = static_cast<float>(all.y[from + k] - me.y);
        const auto dz = static_cast<float>(all.z[from + k] - me.z);
        const float d2 = dx * dx + dy * dy + dz * dz;
        float far2 = me.far2, near2 = me.near2;
        if constexpr (!Equal) {
            const float s = all.radius[from + k] + me.radius;
            const float wide = s * me.widen + me.margin;
            const float far = s + wide, near = s > wide ? s - wide : 0.0f;
            far2 = far * far;
            near2 = near * near;
        }
        hit |= static_cast<std::uint32_t>(d2 <= far2) << k;
        sure |= static_cast<std::uint32_t>(d2 < near2) << k;
    }
    return {hit, sure};
}

}  // namespace detail

#if defined(SCREE_AVX512_LANES)

/// The bodies from `from` on against `me`; bits past `count` are clear.
template <bool Equal>
SCREE_HD LaneMask near_lanes(const LatticeView& all, Index from, Index count, const LatticeBody& me) {
    const __m512 dx = _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_loadu_si512(all.x + from), _mm512_set1_epi32(me.x)));
    const __m512 dy = _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_loadu_si512(all.y + from), _mm512_set1_epi32(me.y)));
    const __m512 dz = _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_loadu_si512(all.z + from), _mm512_set1_epi32(me.z)));
    const __m512 d2 = _mm512_add_ps(_mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy)), _mm512_mul_ps(dz, dz));
    __m512 far2 = _mm512_set1_ps(me.far2), near2 = _mm512_set1_ps(me.near2);
    if constexpr (!Equal) {
        const __m512 s = _mm512_add_ps(_mm512_loadu_ps(all.radius + from), _mm512_set1_ps(me.radius));
        const __m512 wide = _mm512_add_ps(_mm512_mul_ps(s, _mm512_set1_ps(me.widen)), _mm512_set1_ps(me.margin));
        const __m512 far = _mm512_add_ps(s, wide);
        const __m512 near = _mm512_max_ps(_mm512_sub_ps(s, wide), _mm512_setzero_ps());
        far2 = _mm512_mul_ps(far, far);
        near2 = _mm512_mul_ps(near, near);
    }
    const auto inside = static_cast<__mmask16>(detail::first_bits(count));
    return {_mm512_mask_cmp_ps_mask(inside, d2, far2, _CMP_LE_OQ), _mm512_mask_cmp_ps_mask(inside, d2, near2, _CMP_LT_OQ)};
}

#else

template <bool Equal>
SCREE_HD LaneMask near_lanes(const LatticeView& all, Index from, Index count, const LatticeBody& me) {
    const LaneMask found = detail::near_lanes_plain<Equal>(all, from, me);
    const std::uint32_t inside = detail::first_bits(count);
    return {found.hit & inside, found.sure & inside};
}

#endif

/// Places of the set bits, one after the other: body(k).
template <class Body>
SCREE_HD void each_bit(std::uint32_t mask, Body body) {
    for (; mask != 0; mask &= mask - 1) {
        int k = 0;
        if constexpr (lanes > 1) k = __builtin_ctz(mask);
        body(k);
    }
}

/// Number of set bits.
SCREE_HD Index count_lanes(std::uint32_t mask) {
    if constexpr (lanes == 1) return static_cast<Index>(mask & 1u);
    return __builtin_popcount(mask);
}

/// Writes ids[k] of each bit k of the mask one after the other and returns how many; reads and may write `lanes` values.
SCREE_HD Index pack_lanes(std::uint32_t* to, const std::uint32_t* ids, std::uint32_t mask) {
#if defined(SCREE_AVX512_LANES)
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), _mm512_loadu_si512(ids)));
#else
    Index size = 0;
    each_bit(mask, [&](int k) { to[size++] = ids[k]; });
#endif
    return count_lanes(mask);
}

}  // namespace scree::SCREE_FLAVOR
