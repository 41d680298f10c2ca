// Least and greatest of numbers in host memory; the same for any number of threads, as no rounding is involved. Finite numbers only.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/exec/config.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

struct Extent {
    double low{std::numeric_limits<double>::infinity()};
    double high{-std::numeric_limits<double>::infinity()};
    double size() const { return high > low ? high - low : 0.0; }
};

namespace detail {

[[gnu::noinline]] inline Extent extent_of_part(const double* values, Index from, Index to) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
#if !defined(SCREE_ON_CUDA)
#pragma omp simd reduction(min : low) reduction(max : high)
#endif
    for (Index i = from; i < to; ++i) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    return {low, high};
}

}  // namespace detail

inline Extent extent_of(const Exec& exec, const double* values, Index n) {
    const Index parts = n < 16 * block_size ? 1 : std::max(1, exec.threads);
    std::vector<Extent> found(static_cast<std::size_t>(parts));
    const Index length = (n + parts - 1) / parts;
#if !defined(SCREE_ON_CUDA)
#pragma omp parallel for schedule(static, 1) num_threads(exec.threads) if (parts > 1)
#endif
    for (Index p = 0; p < parts; ++p) {
        found[static_cast<std::size_t>(p)] = detail::extent_of_part(values, p * length, std::min(n, (p + 1) * length));
    }
    Extent all;
    for (const Extent& one : found) all = {std::min(all.low, one.low), std::max(all.high, one.high)};
    return all;
}

}  // namespace scree::SCREE_FLAVOR
