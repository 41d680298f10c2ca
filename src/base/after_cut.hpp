// What a cut leaves of a polygon of up to eight corners: which of its corners, in which order, and where the two new ones go. A table on
// the host, so that nothing branches on which corners are outside; computed on a device.
#pragma once

#include "base/eight.hpp"

namespace scree {

/// Where the corners come from that a cut leaves of a polygon: corner k, or 8 + k for where the edge that ends there meets the plane.
struct AfterCut {
    Order8 order;
    std::uint32_t size;  // 2^corners; 2 where nothing is left, 512 where there would be more than 8
};

/// Of a polygon of n corners, those in `out` (bits) outside. A convex polygon enters and leaves once; so does what rounding made of it.
SCREE_HD constexpr AfterCut after_cut(int n, std::uint32_t out) {
    if (out == 0) {
        Order8 same = 0;
        for (int k = 0; k < 8; ++k) same |= static_cast<Order8>(k < n ? k : n - 1) << (8 * k);
        return {same, 1u << n};
    }
    if (out == (1u << n) - 1u) return {0, 2};
    int enter = 0, leave = 0;
    for (int k = 0; k < n; ++k) {
        const bool before = ((out >> (k > 0 ? k - 1 : n - 1)) & 1u) != 0, now = ((out >> k) & 1u) != 0;
        if (before && !now) enter = k;
    }
    int corners = 1;
    Order8 order = Order8{8} + static_cast<Order8>(enter);
    for (leave = enter; ((out >> leave) & 1u) == 0; leave = leave + 1 < n ? leave + 1 : 0) {
        if (corners == 7) return {0, 512};
        order |= static_cast<Order8>(leave) << (8 * corners);
        ++corners;
    }
    for (int k = corners; k < 8; ++k) order |= static_cast<Order8>(8 + leave) << (8 * k);
    return {order, 1u << (corners + 1)};
}

/// after_cut at [2^n + out].
struct CutTable {
    Order8 order[512];
    std::uint16_t size[512];
    constexpr CutTable() : order{}, size{} {
        for (int n = 1; n <= 8; ++n) {
            for (std::uint32_t out = 0; out < (1u << n); ++out) {
                const AfterCut after = after_cut(n, out);
                order[(1u << n) + out] = after.order;
                size[(1u << n) + out] = static_cast<std::uint16_t>(after.size);
            }
        }
    }
};
#if !defined(SCREE_ON_CUDA)
inline constexpr CutTable cut_table{};
#endif

SCREE_HD AfterCut after_cut_of(std::uint32_t size, std::uint32_t out) {
#if defined(SCREE_ON_CUDA)
    return after_cut(highest_bit(size), out);
#else
    return {cut_table.order[size + out], cut_table.size[size + out]};
#endif
}

}  // namespace scree
