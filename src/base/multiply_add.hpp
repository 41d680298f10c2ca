// Sums of products with one rounding for each product and its sum, on CUDA and where x86 has the instruction: fewer instructions than by
// the operators of vec3.hpp, whose sums the compiler is told not to fuse. Written out here they round alike wherever they are inlined. A
// cross product so formed is not exactly zero for parallel vectors: geometry that decides on that uses vec3.hpp.
#pragma once

#include <cmath>

#include "base/vec3.hpp"

namespace scree {

/// a b + c.
template <class T>
SCREE_HD T multiply_add(T a, T b, T c) {
#if defined(__CUDA_ARCH__) || defined(__FMA__)
    return std::fma(a, b, c);
#else
    return a * b + c;
#endif
}
/// s a + b.
template <class T>
SCREE_HD Vec3T<T> multiply_add(T s, Vec3T<T> a, Vec3T<T> b) {
    return {multiply_add(s, a.x, b.x), multiply_add(s, a.y, b.y), multiply_add(s, a.z, b.z)};
}
template <class T>
SCREE_HD T fused_dot(Vec3T<T> a, Vec3T<T> b) {
    return multiply_add(a.x, b.x, multiply_add(a.y, b.y, a.z * b.z));
}
template <class T>
SCREE_HD T fused_norm2(Vec3T<T> a) {
    return fused_dot(a, a);
}
template <class T>
SCREE_HD Vec3T<T> fused_cross(Vec3T<T> a, Vec3T<T> b) {
    return {multiply_add(a.y, b.z, -(a.z * b.y)), multiply_add(a.z, b.x, -(a.x * b.z)), multiply_add(a.x, b.y, -(a.y * b.x))};
}

}  // namespace scree
