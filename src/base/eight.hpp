// Eight values at once, one AVX-512 register of doubles or half a one of floats; without it, and on a device, eight plain values. For
// geometry of a few points whose loops are too short for the compiler to make vector code of them. Invariant: each value rounds as a
// single one does and sums run in one order, so that the kind of machine never shows in a result.
// Answers of comparisons are the low eight bits of a word. An order is eight bytes, the lowest for value 0: where each value comes from.
#pragma once

#include <cstdint>

#include "base/vec3.hpp"

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && !defined(__CUDACC__) && \
    !defined(SCREE_ON_CUDA)
// g++ 12 warns of its own header.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#define SCREE_EIGHT_IN_REGISTER 1
#endif

// Before a loop: one pass at a time. g++ would turn a few passes that read single values of a register into permutations of it.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define SCREE_ONE_AT_A_TIME _Pragma("GCC unroll 1")
#else
#define SCREE_ONE_AT_A_TIME
#endif

namespace scree {

/// Whether eight values at once pay: not on a device, whose threads have one each.
#if defined(__CUDACC__) || defined(SCREE_ON_CUDA)
inline constexpr bool eight_at_once = false;
#else
inline constexpr bool eight_at_once = true;
#endif

using Order8 = std::uint64_t;

/// Eight equal bytes.
SCREE_HD constexpr std::uint64_t eight_bytes(std::uint64_t byte) {
    return byte * 0x0101010101010101u;
}
/// Bit k: byte k is not zero.
SCREE_HD std::uint32_t bytes_set(std::uint64_t word) {
    const std::uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    const std::uint64_t top = (((word & low) + low) | word) & ~low;
    return static_cast<std::uint32_t>(((top >> 7) * 0x0102040810204080u) >> 56);
}
/// Number of the lowest bit that is set; 32 for none.
SCREE_HD int lowest_bit(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
    return bits == 0 ? 32 : __ffs(static_cast<int>(bits)) - 1;
#else
    return bits == 0 ? 32 : __builtin_ctz(bits);
#endif
}
SCREE_HD int highest_bit(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
    return 31 - __clz(static_cast<int>(bits));
#else
    return 31 - __builtin_clz(bits);
#endif
}
SCREE_HD int count_bits(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
}

/// Of eight sets of bits, the bytes of `rows`, and eight more, those of `columns`: bit j of byte f says of row f and column j whether they
/// have a bit in common (some), and whether all bits of the row are in the column (all).
struct CommonBits {
    std::uint64_t some, all;
};

#if !defined(SCREE_EIGHT_IN_REGISTER)

SCREE_HD CommonBits common_bits(std::uint64_t rows, std::uint64_t columns) {
    CommonBits bits{0, 0};
    for (int f = 0; f < 8; ++f) {
        const std::uint64_t row = eight_bytes((rows >> (8 * f)) & 255u), both = row & columns;
        bits.some |= static_cast<std::uint64_t>(bytes_set(both)) << (8 * f);
        bits.all |= static_cast<std::uint64_t>(~bytes_set(both ^ row) & 255u) << (8 * f);
    }
    return bits;
}

template <class T>
struct Eight {
    T v[8];
};
template <class T>
SCREE_HD Eight<T> all_eight(T x) {
    return {{x, x, x, x, x, x, x, x}};
}
template <class T>
SCREE_HD Eight<T> load_eight(const T* from) {
    Eight<T> r;
    for (int l = 0; l < 8; ++l) r.v[l] = from[l];
    return r;
}
template <class T>
SCREE_HD void store_eight(T* to, const Eight<T>& a) {
    for (int l = 0; l < 8; ++l) to[l] = a.v[l];
}
template <class T>
SCREE_HD Eight<T> operator+(const Eight<T>& a, const Eight<T>& b) {
    Eight<T> r;
    for (int l = 0; l < 8; ++l) r.v[l] = a.v[l] + b.v[l];
    return r;
}
template <class T>
SCREE_HD Eight<T> operator-(const Eight<T>& a, const Eight<T>& b) {
    Eight<T> r;
    for (int l = 0; l < 8; ++l) r.v[l] = a.v[l] - b.v[l];
    return r;
}
template <class T>
SCREE_HD Eight<T> operator*(const Eight<T>& a, const Eight<T>& b) {
    Eight<T> r;
    for (int l = 0; l < 8; ++l) r.v[l] = a.v[l] * b.v[l];
    return r;
}
template <class T>
SCREE_HD Eight<T> operator/(const Eight<T>& a, const Eight<T>& b) {
    Eight<T> r;
    for (int l = 0; l < 8; ++l) r.v[l] = a.v[l] / b.v[l];
    return r;
}
/// Where a > b.
template <class T>
SCREE_HD std::uint32_t greater(const Eight<T>& a, const Eight<T>& b) {
    std::uint32_t bits = 0;
    for (int l = 0; l < 8; ++l) bits |= static_cast<std::uint32_t>(a.v[l] > b.v[l]) << l;
    return bits;
}
/// a where the bit is set, else b.
template <class T>
SCREE_HD Eight<T> choose(std::uint32_t bits, const Eight<T>& a, const Eight<T>& b) {
    Eight<T> r;
    for (int l = 0; l < 8; ++l) r.v[l] = ((bits >> l) & 1u) != 0 ? a.v[l] : b.v[l];
    return r;
}
/// The lesser and the greater; the second where they do not compare.
template <class T>
SCREE_HD Eight<T> lesser(const Eight<T>& a, const Eight<T>& b) {
    Eight<T> r;
    for (int l = 0; l < 8; ++l) r.v[l] = a.v[l] < b.v[l] ? a.v[l] : b.v[l];
    return r;
}
template <class T>
SCREE_HD Eight<T> larger(const Eight<T>& a, const Eight<T>& b) {
    Eight<T> r;
    for (int l = 0; l < 8; ++l) r.v[l] = a.v[l] > b.v[l] ? a.v[l] : b.v[l];
    return r;
}
/// The first value eight times.
template <class T>
SCREE_HD Eight<T> first_of(const Eight<T>& a) {
    return all_eight(a.v[0]);
}
/// Value l is value order[l] of a, of a and then b where order[l] is past 7.
template <class T>
SCREE_HD Eight<T> reordered(const Eight<T>& a, Order8 order) {
    Eight<T> r;
    for (int l = 0; l < 8; ++l) r.v[l] = a.v[(order >> (8 * l)) & 7u];
    return r;
}
template <class T>
SCREE_HD Eight<T> merged(const Eight<T>& a, const Eight<T>& b, Order8 order) {
    Eight<T> r;
    for (int l = 0; l < 8; ++l) {
        const auto from = static_cast<std::uint32_t>(order >> (8 * l)) & 15u;
        r.v[l] = from < 8 ? a.v[from] : b.v[from - 8];
    }
    return r;
}
template <class T>
SCREE_HD T sum_of(const Eight<T>& a) {
    T v[4];
    for (int l = 0; l < 4; ++l) v[l] = a.v[l] + a.v[l + 4];
    return (v[0] + v[2]) + (v[1] + v[3]);
}
template <class T>
SCREE_HD T greatest_of(const Eight<T>& a) {
    T top = a.v[0];
    for (int l = 1; l < 8; ++l) top = a.v[l] > top ? a.v[l] : top;
    return top;
}

#else

SCREE_HD CommonBits common_bits(std::uint64_t rows, std::uint64_t columns) {
    const long long low = 0, high = 0x0808080808080808;
    const __m512i spread = _mm512_set_epi64(high, low, high, low, high, low, high, low);
    const __m512i row = _mm512_shuffle_epi8(_mm512_cvtepu8_epi64(_mm_cvtsi64_si128(static_cast<long long>(rows))), spread);
    const __m512i column = _mm512_set1_epi64(static_cast<long long>(columns));
    return {_mm512_test_epi8_mask(row, column), _mm512_cmpeq_epi8_mask(_mm512_and_si512(row, column), row)};
}

template <class T>
struct Eight;
template <>
struct Eight<double> {
    __m512d v;
};
template <>
struct Eight<float> {
    __m256 v;
};

namespace detail {
SCREE_HD __m512i wide_order(const Eight<double>&, Order8 order) {
    return _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(static_cast<long long>(order)));
}
SCREE_HD __m256i wide_order(const Eight<float>&, Order8 order) {
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(order)));
}
}  // namespace detail

SCREE_HD Eight<double> all_eight(double x) {
    return {_mm512_set1_pd(x)};
}
SCREE_HD Eight<float> all_eight(float x) {
    return {_mm256_set1_ps(x)};
}
SCREE_HD Eight<double> load_eight(const double* from) {
    return {_mm512_loadu_pd(from)};
}
SCREE_HD Eight<float> load_eight(const float* from) {
    return {_mm256_loadu_ps(from)};
}
SCREE_HD void store_eight(double* to, Eight<double> a) {
    _mm512_storeu_pd(to, a.v);
}
SCREE_HD void store_eight(float* to, Eight<float> a) {
    _mm256_storeu_ps(to, a.v);
}
template <class T>
SCREE_HD Eight<T> operator+(Eight<T> a, Eight<T> b) {
    return {a.v + b.v};
}
template <class T>
SCREE_HD Eight<T> operator-(Eight<T> a, Eight<T> b) {
    return {a.v - b.v};
}
template <class T>
SCREE_HD Eight<T> operator*(Eight<T> a, Eight<T> b) {
    return {a.v * b.v};
}
template <class T>
SCREE_HD Eight<T> operator/(Eight<T> a, Eight<T> b) {
    return {a.v / b.v};
}
SCREE_HD std::uint32_t greater(Eight<double> a, Eight<double> b) {
    return _mm512_cmp_pd_mask(a.v, b.v, _CMP_GT_OQ);
}
SCREE_HD std::uint32_t greater(Eight<float> a, Eight<float> b) {
    return _mm256_cmp_ps_mask(a.v, b.v, _CMP_GT_OQ);
}
SCREE_HD Eight<double> choose(std::uint32_t bits, Eight<double> a, Eight<double> b) {
    return {_mm512_mask_blend_pd(static_cast<__mmask8>(bits), b.v, a.v)};
}
SCREE_HD Eight<float> choose(std::uint32_t bits, Eight<float> a, Eight<float> b) {
    return {_mm256_mask_blend_ps(static_cast<__mmask8>(bits), b.v, a.v)};
}
SCREE_HD Eight<double> lesser(Eight<double> a, Eight<double> b) {
    return {_mm512_min_pd(a.v, b.v)};
}
SCREE_HD Eight<float> lesser(Eight<float> a, Eight<float> b) {
    return {_mm256_min_ps(a.v, b.v)};
}
SCREE_HD Eight<double> larger(Eight<double> a, Eight<double> b) {
    return {_mm512_max_pd(a.v, b.v)};
}
SCREE_HD Eight<float> larger(Eight<float> a, Eight<float> b) {
    return {_mm256_max_ps(a.v, b.v)};
}
SCREE_HD Eight<double> first_of(Eight<double> a) {
    return {_mm512_broadcastsd_pd(_mm512_castpd512_pd128(a.v))};
}
SCREE_HD Eight<float> first_of(Eight<float> a) {
    return {_mm256_broadcastss_ps(_mm256_castps256_ps128(a.v))};
}
SCREE_HD Eight<double> reordered(Eight<double> a, Order8 order) {
    return {_mm512_permutexvar_pd(detail::wide_order(a, order), a.v)};
}
SCREE_HD Eight<float> reordered(Eight<float> a, Order8 order) {
    return {_mm256_permutexvar_ps(detail::wide_order(a, order), a.v)};
}
SCREE_HD Eight<double> merged(Eight<double> a, Eight<double> b, Order8 order) {
    return {_mm512_permutex2var_pd(a.v, detail::wide_order(a, order), b.v)};
}
SCREE_HD Eight<float> merged(Eight<float> a, Eight<float> b, Order8 order) {
    return {_mm256_permutex2var_ps(a.v, detail::wide_order(a, order), b.v)};
}
SCREE_HD double sum_of(Eight<double> a) {
    const __m256d half = _mm512_castpd512_pd256(a.v) + _mm512_extractf64x4_pd(a.v, 1);
    const __m128d pair = _mm256_castpd256_pd128(half) + _mm256_extractf128_pd(half, 1);
    return pair[0] + pair[1];
}
SCREE_HD float sum_of(Eight<float> a) {
    const __m128 half = _mm256_castps256_ps128(a.v) + _mm256_extractf128_ps(a.v, 1);
    return (half[0] + half[2]) + (half[1] + half[3]);
}
SCREE_HD double greatest_of(Eight<double> a) {
    const __m256d half = _mm256_max_pd(_mm512_castpd512_pd256(a.v), _mm512_extractf64x4_pd(a.v, 1));
    const __m128d pair = _mm_max_pd(_mm256_castpd256_pd128(half), _mm256_extractf128_pd(half, 1));
    return pair[0] > pair[1] ? pair[0] : pair[1];
}
SCREE_HD float greatest_of(Eight<float> a) {
    const __m128 half = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    const float even = half[0] > half[2] ? half[0] : half[2], odd = half[1] > half[3] ? half[1] : half[3];
    return even > odd ? even : odd;
}

#endif

}  // namespace scree
