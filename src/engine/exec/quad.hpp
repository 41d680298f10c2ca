// Four doubles at once: one row of a RowArray in a register. On the host a vector type of the compiler, on a device four values. Each lane
// rounds as a single value does.
#pragma once

#if !defined(SCREE_ON_CUDA) && defined(__AVX__)
#include <immintrin.h>
#endif

#include "engine/exec/array.hpp"

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)

struct Quad {
    double value[4];
    SCREE_HD double operator[](int k) const { return value[k]; }
};
SCREE_HD Quad operator+(Quad a, Quad b) {
    return {{a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}};
}
SCREE_HD Quad operator-(Quad a, Quad b) {
    return {{a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]}};
}
SCREE_HD Quad operator*(double s, Quad a) {
    return {{s * a[0], s * a[1], s * a[2], s * a[3]}};
}
SCREE_HD Quad operator*(Quad a, Quad b) {
    return {{a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]}};
}
/// The first three lanes of a, the last of b.
SCREE_HD Quad with_last(Quad a, Quad b) {
    return {{a[0], a[1], a[2], b[3]}};
}
/// -a where the bit is set, else a.
SCREE_HD Quad negated_if(std::uint32_t bit, Quad a) {
    return (bit != 0 ? -1.0 : 1.0) * a;
}
/// -a where the bit is set, but for the last lane; else a.
SCREE_HD Quad turned_if(std::uint32_t bit, Quad a) {
    return with_last(negated_if(bit, a), a);
}
SCREE_HD Quad load_quad(const double* from) {
    return {{from[0], from[1], from[2], from[3]}};
}
SCREE_HD Quad load_quad(const float* from) {
    return {{static_cast<double>(from[0]), static_cast<double>(from[1]), static_cast<double>(from[2]), static_cast<double>(from[3])}};
}
template <class T>
SCREE_HD void store_quad(T* to, Quad a) {
    for (int k = 0; k < 4; ++k) to[k] = static_cast<T>(a[k]);
}

#else

using Quad = double __attribute__((vector_size(32)));

namespace detail {
using QuadOfFloats = float __attribute__((vector_size(16)));
template <class To, class From>
inline To bits_as(const From& from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
struct FourDoubles {
    double value[4];
};
struct FourFloats {
    float value[4];
};
}  // namespace detail

/// The first three lanes of a, the last of b.
inline Quad with_last(Quad a, Quad b) {
#if defined(__AVX__)
    // g++ 12 makes three instructions of a shuffle with zeros.
    return detail::bits_as<Quad>(_mm256_blend_pd(detail::bits_as<__m256d>(a), detail::bits_as<__m256d>(b), 8));
#else
    return __builtin_shufflevector(a, b, 0, 1, 2, 7);
#endif
}
inline Quad load_quad(const double* from) {
    detail::FourDoubles raw;
    std::memcpy(&raw, from, sizeof raw);
    return detail::bits_as<Quad>(raw);
}
/// -a where the bit is set, else a. Looked up: a choice would become a branch that nobody can foretell.
inline Quad negated_if(std::uint32_t bit, Quad a) {
    static constexpr double sign[2] = {1.0, -1.0};
    return sign[bit] * a;
}
/// -a where the bit is set, but for the last lane; else a.
inline Quad turned_if(std::uint32_t bit, Quad a) {
    alignas(32) static constexpr double sign[2][4] = {{1, 1, 1, 1}, {-1, -1, -1, 1}};
    return load_quad(sign[bit]) * a;
}
inline Quad load_quad(const float* from) {
    detail::FourFloats raw;
    std::memcpy(&raw, from, sizeof raw);
#if defined(__AVX__)
    return detail::bits_as<Quad>(_mm256_cvtps_pd(detail::bits_as<__m128>(raw)));  // g++ 12 converts a vector of the compiler's in halves
#else
    return __builtin_convertvector(detail::bits_as<detail::QuadOfFloats>(raw), Quad);
#endif
}
inline void store_quad(double* to, Quad a) {
    std::memcpy(to, &a, sizeof a);
}
inline void store_quad(float* to, Quad a) {
    const detail::QuadOfFloats narrow = __builtin_convertvector(a, detail::QuadOfFloats);
    std::memcpy(to, &narrow, sizeof narrow);
}

#endif

/// Both are computed before anything that follows: of sums at random places g++ 12 finds all addresses first, more than it has registers.
SCREE_HD void in_order(Quad& a, Quad& b) {
#if !defined(SCREE_ON_CUDA) && defined(__AVX__)
    asm volatile("" : "+x"(a), "+x"(b));
#else
    (void)a;
    (void)b;
#endif
}

/// Asks for the cache line at `address`.
SCREE_HD void fetch(const void* address) {
#if defined(SCREE_ON_CUDA)
    (void)address;
#else
    __builtin_prefetch(address);
#endif
}
/// Asks for the cache line at `address`, for the second-level cache: for what is read a few microseconds later.
SCREE_HD void fetch_second(const void* address) {
#if defined(SCREE_ON_CUDA)
    (void)address;
#else
    __builtin_prefetch(address, 0, 2);
#endif
}
SCREE_HD Quad load_quad(const Row4& row) {
    return load_quad(row.value);
}

#if !defined(SCREE_ON_CUDA)
/// Four components of four vectors -> the first `count` of the vectors as rows of four, to to[k] each; w null: the last lane is zero.
template <class T>
inline void store_as_rows(const T* x, const T* y, const T* z, const T* w, T* const* to, int count) {
    using Four = std::conditional_t<sizeof(T) == sizeof(double), Quad, detail::QuadOfFloats>;
    Four a, b, c, d{};
    std::memcpy(&a, x, sizeof a);
    std::memcpy(&b, y, sizeof b);
    std::memcpy(&c, z, sizeof c);
    if (w != nullptr) std::memcpy(&d, w, sizeof d);
    const Four even = __builtin_shufflevector(a, b, 0, 4, 2, 6), odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Four even_z = __builtin_shufflevector(c, d, 0, 4, 2, 6), odd_z = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    const Four row[4] = {__builtin_shufflevector(even, even_z, 0, 1, 4, 5), __builtin_shufflevector(odd, odd_z, 0, 1, 4, 5),
                         __builtin_shufflevector(even, even_z, 2, 3, 6, 7), __builtin_shufflevector(odd, odd_z, 2, 3, 6, 7)};
    for (int k = 0; k < count; ++k) std::memcpy(to[k], &row[k], sizeof row[k]);
}
#endif
SCREE_HD Quad quad_of(Vec3 v, double last) {
#if defined(SCREE_ON_CUDA)
    return {{v.x, v.y, v.z, last}};
#else
    return Quad{v.x, v.y, v.z, last};
#endif
}
SCREE_HD Quad all_lanes(double value) {
#if defined(SCREE_ON_CUDA)
    return {{value, value, value, value}};
#else
    return Quad{value, value, value, value};
#endif
}
/// Squared length of the first three lanes, summed as norm2 of a Vec3.
SCREE_HD double norm2_of(Quad a) {
    const Quad square = a * a;
    return square[0] + square[1] + square[2];
}

}  // namespace scree::SCREE_FLAVOR
