// Four doubles at once in an AVX register, for pairs that are searched side by side. Where there is none, SCREE_FOUR_AT_ONCE is not
// defined. Invariant: each rounds as a single one does, so that functions of both give the same bits. The words for both: all_as, root_of,
// choose, any_of, not_where.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/macros.hpp"

#if defined(__AVX__) && !defined(__CUDACC__) && !defined(SCREE_ON_CUDA)
#define SCREE_FOUR_AT_ONCE 1
#endif

namespace scree {

/// A number as a T: of four, all.
template <class T>
SCREE_HD T all_as(double x) {
    return T{} + x;
}

SCREE_HD double root_of(double x) {
    return std::sqrt(x);
}
/// a where the comparison holds, else b.
SCREE_HD double choose(bool where, double a, double b) {
    return where ? a : b;
}
SCREE_HD bool any_of(bool where) {
    return where;
}
SCREE_HD bool not_where(bool where) {
    return !where;
}

#if defined(SCREE_FOUR_AT_ONCE)

using Four [[gnu::vector_size(32)]] = double;
/// Answers of comparisons: all bits of a word set, or none.
using FourAnswers [[gnu::vector_size(32)]] = std::int64_t;

SCREE_HD Four root_of(Four x) {
    Four r;
    for (int l = 0; l < 4; ++l) r[l] = std::sqrt(x[l]);
    return r;
}
SCREE_HD Four choose(FourAnswers where, Four a, Four b) {
    return where ? a : b;
}
SCREE_HD FourAnswers choose(FourAnswers where, FourAnswers a, FourAnswers b) {
    return where ? a : b;
}
SCREE_HD FourAnswers not_where(FourAnswers where) {
    return ~where;
}
SCREE_HD bool any_of(FourAnswers where) {
    return (where[0] | where[1] | where[2] | where[3]) != 0;
}

#endif

}  // namespace scree
