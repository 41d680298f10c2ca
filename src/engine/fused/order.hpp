// The order in which fused steps deal with pairs and bodies (exec/fused_rows.hpp).
#pragma once

#include <algorithm>

#include "engine/exec/fused_rows.hpp"

namespace scree::SCREE_FLAVOR {

/// Slots [begin, end) of a range: stage(s, at, n) for each stage s of pairs [at, at + n), then take(slot) for each body that it completes.
template <class Stage, class Take>
void by_stages(const FusedExtent& extent, Index begin, Index end, Stage stage, Take take) {
    Index next = begin, number = first_stage(extent, begin);
    for (Index at = extent.first[begin]; at < extent.first[end]; at += fused_stage) {
        stage(number, at, std::min<Index>(fused_stage, extent.first[end] - at));
        for (const Index done = extent.rows_done[number++]; next < done; ++next) take(next);
    }
    for (; next < end; ++next) take(next);
}

/// The same with put(p) for each pair.
template <class Put, class Take>
void in_fused_order(const FusedExtent& extent, Index begin, Index end, Put put, Take take) {
    const auto stage = [&](Index, Index at, Index n) {
        for (Index p = at; p < at + n; ++p) put(p);
    };
    by_stages(extent, begin, end, stage, take);
}

}  // namespace scree::SCREE_FLAVOR
