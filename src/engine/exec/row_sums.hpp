// Sums over a row of indices: what is read at random is loaded into a short buffer, then computed as vector code in a fixed number of lanes
// whose sums are added in order, so that the bits depend neither on threads nor on the width of vectors. On a device one index after the
// other.
#pragma once

#include <cstdint>

#include "engine/exec/config.hpp"
#include "engine/exec/device.hpp"

namespace scree::SCREE_FLAVOR {

inline constexpr Index row_lanes = on_device ? 1 : 16;
inline constexpr Index row_buffer = on_device ? 1 : 64;  // indices loaded at a time

/// Values of the buffer, and sums, for one lane.
template <Index Stride>
struct LaneView {
    Real* first;
    SCREE_HD Real& operator[](int k) const { return first[k * Stride]; }
};
using LoadedLane = LaneView<row_buffer>;
using SummedLane = LaneView<row_lanes>;

/// row.load(j, LoadedLane) reads what index j has; row.fill(LoadedLane) puts values there that add nothing; row.add(LoadedLane, SummedLane)
/// adds the terms, without branches. The sums, Row::summed of them, go to `sum`.
template <class Row>
SCREE_HD void sum_row(const Row& row, const std::uint32_t* index, Index count, Real* sum) {
    alignas(64) Real loaded[Row::loaded * row_buffer];
    alignas(64) Real summed[Row::summed * row_lanes];
    for (Index k = 0; k < Row::summed * row_lanes; ++k) summed[k] = 0;
    for (Index at = 0; at < count; at += row_buffer) {
        const Index here = count - at < row_buffer ? count - at : row_buffer;
        Index filled = 0;
        for (; filled < here; ++filled) row.load(index[at + filled], LoadedLane{loaded + filled});
        for (; filled % row_lanes != 0; ++filled) row.fill(LoadedLane{loaded + filled});
        for (Index block = 0; block < filled; block += row_lanes) {
#if !defined(SCREE_ON_CUDA)
#pragma omp simd
#endif
            for (Index l = 0; l < row_lanes; ++l) row.add(LoadedLane{loaded + block + l}, SummedLane{summed + l});
        }
    }
    for (int s = 0; s < Row::summed; ++s) {
        Real* part = summed + s * row_lanes;
        for (Index half = row_lanes / 2; half > 0; half /= 2) {
            for (Index l = 0; l < half; ++l) part[l] += part[l + half];
        }
        sum[s] = part[0];
    }
}

}  // namespace scree::SCREE_FLAVOR
