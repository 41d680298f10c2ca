// Rows of eight values that lie apart in memory, one row for each lane: turned in registers into eight values of all lanes, and back. Loads
// and stores have one width: a row read soon after it was written comes from the store, not after it.
#pragma once

#include <cstring>
#include <utility>

#include "engine/exec/lanes.hpp"

namespace scree::SCREE_FLAVOR {

inline constexpr int row_values = 8;

/// value[k] in each lane: value k of the lane's row; zero where it has none (null).
SCREE_HD void load_rows(const Real* const* row, Lanes* value);
/// The reverse: rows are written whole, none where it is null. Where lanes share a row, that of the last of them is left in it.
SCREE_HD void store_rows(const Lanes* value, Real* const* row);

#if defined(SCREE_ON_CUDA)

SCREE_HD void load_rows(const Real* const* row, Lanes* value) {
    for (int k = 0; k < row_values; ++k) value[k] = row[0] != nullptr ? row[0][k] : Real(0);
}
SCREE_HD void store_rows(const Lanes* value, Real* const* row) {
    if (row[0] == nullptr) return;
    for (int k = 0; k < row_values; ++k) row[0][k] = value[k];
}

#else

namespace detail {

using LaneVector [[gnu::vector_size(lane_count * sizeof(Real))]] = Real;
using RowVector [[gnu::vector_size(row_values * sizeof(Real))]] = Real;

/// a and b in turns, their first halves or their second.
template <int... k>
LaneVector interleaved(LaneVector a, LaneVector b, bool second, std::integer_sequence<int, k...>) {
    if (second) return __builtin_shufflevector(a, b, (lane_count / 2 + k / 2 + k % 2 * lane_count)...);
    return __builtin_shufflevector(a, b, (k / 2 + k % 2 * lane_count)...);
}

/// Eight vectors as one sequence: its first half and its second in turns, so many times. The index of a value turns left by as many bits.
inline void shuffle_perfectly(LaneVector (&x)[row_values], int times) {
    constexpr std::make_integer_sequence<int, lane_count> all{};
    for (int done = 0; done < times; ++done) {
        LaneVector y[row_values];
        for (int k = 0; k < row_values / 2; ++k) {
            y[2 * k] = interleaved(x[k], x[k + row_values / 2], false, all);
            y[2 * k + 1] = interleaved(x[k], x[k + row_values / 2], true, all);
        }
        std::memcpy(&x, &y, sizeof y);
    }
}

template <int... k>
LaneVector joined(RowVector a, RowVector b, std::integer_sequence<int, k...>) {
    return __builtin_shufflevector(a, b, k...);
}

// A vector holds two rows, one, or a part of one.
constexpr int rows_at_once = lane_count > row_values ? 2 : 1, parts_of_row = lane_count < row_values ? row_values / lane_count : 1;
static_assert(2 <= lane_count && lane_count <= 2 * row_values && sizeof(Lanes) == sizeof(LaneVector));

constexpr int bits_of(int n) {
    return n > 1 ? 1 + bits_of(n / 2) : 0;
}

}  // namespace detail

inline void load_rows(const Real* const* row, Lanes* value) {
    using namespace detail;
    alignas(64) static constexpr Real zeros[row_values]{};
    const auto from = [&](int lane) { return row[lane] != nullptr ? row[lane] : zeros; };
    LaneVector x[row_values];
    for (int k = 0; k < row_values; ++k) {
        if (rows_at_once == 2) {
            RowVector two[2];
            for (int half = 0; half < 2; ++half) std::memcpy(&two[half], from(2 * k + half), sizeof two[half]);
            x[k] = joined(two[0], two[1], std::make_integer_sequence<int, lane_count>{});
        } else {
            std::memcpy(&x[k], from(k / parts_of_row) + k % parts_of_row * lane_count, sizeof x[k]);
        }
    }
    shuffle_perfectly(x, bits_of(lane_count));
    std::memcpy(static_cast<void*>(value), &x, sizeof x);
}

inline void store_rows(const Lanes* value, Real* const* row) {
    using namespace detail;
    Real lost[row_values];
    const auto to = [&](int lane) { return row[lane] != nullptr ? row[lane] : lost; };
    LaneVector x[row_values];
    std::memcpy(&x, static_cast<const void*>(value), sizeof x);
    shuffle_perfectly(x, bits_of(row_values));
    for (int k = 0; k < row_values; ++k) {
        if (rows_at_once == 2) {
            RowVector two[2];
            std::memcpy(&two, &x[k], sizeof x[k]);
            for (int half = 0; half < 2; ++half) std::memcpy(to(2 * k + half), &two[half], sizeof two[half]);
        } else {
            std::memcpy(to(k / parts_of_row) + k % parts_of_row * lane_count, &x[k], sizeof x[k]);
        }
    }
}

#endif

}  // namespace scree::SCREE_FLAVOR
