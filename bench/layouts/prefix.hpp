// Running sums in place, counts[k] -> counts[0] + … + counts[k]: by one thread, or by all in two passes over a slice each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <omp.h>

namespace scree::layouts {

struct SerialPrefix {
    static void sum(std::vector<std::uint32_t>& counts) { std::partial_sum(counts.begin(), counts.end(), counts.begin()); }
    static constexpr double bytes_each = 8;  // read and written once
};

/// First each thread sums its slice, then it adds up its slice onto the sum of those before. O(n) work, O(n / threads + threads) time.
struct ParallelPrefix {
    static void sum(std::vector<std::uint32_t>& counts) {
        std::vector<std::uint32_t> before(static_cast<std::size_t>(omp_get_max_threads()) + 1, 0);
#pragma omp parallel
        {
            const auto threads = static_cast<std::size_t>(omp_get_num_threads()), me = static_cast<std::size_t>(omp_get_thread_num());
            const auto from = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() * me / threads);
            const auto to = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() * (me + 1) / threads);
            before[me + 1] = std::accumulate(from, to, std::uint32_t{0});
#pragma omp barrier
            std::uint32_t sum = std::accumulate(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(me) + 1, std::uint32_t{0});
            for (auto k = from; k != to; ++k) *k = sum += *k;
        }
    }
    static constexpr double bytes_each = 12;  // read twice, written once
};

}  // namespace scree::layouts
