// A cube root that loops take as vector code.
#pragma once

#include <cstdint>

#include "base/macros.hpp"

namespace scree {

/// Of x, not negative, not below the smallest float; relative error below 1e-13. From a third of the exponent, Halley's method twice: each
/// time the error's cube.
template <class T>
SCREE_HD T cube_root(T x) {
    const float f = static_cast<float>(x);
    std::int32_t bits;
    __builtin_memcpy(&bits, &f, sizeof(bits));
    bits = bits / 3 + 709958130;
    float first;
    __builtin_memcpy(&first, &bits, sizeof(first));
    T y = static_cast<T>(first);
    for (int k = 0; k < 2; ++k) {
        const T cube = y * y * y;
        y = y * ((cube + x + x) / (cube + cube + x));
    }
    return x > T(0) ? y : T(0);
}

}  // namespace scree
