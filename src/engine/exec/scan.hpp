// Integer scans, stable grouping and stable sorting by key: what turns keys into slots. Same result for any number of threads.
#pragma once

#include <vector>

#include "engine/exec/array.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

/// offsets[i] = counts[0] + … + counts[i-1] for i in [0, n]; offsets holds n + 1. Offset is Index or std::uint32_t, which keeps the lowest
/// 32 bits. Returns the total in 64 bits, for which the host waits: whoever asks for narrow offsets checks it before they are used. O(n).
template <class Offset>
Index scan_counts(const Exec& exec, const std::int32_t* counts, Index n, Array<Offset>& offsets);
/// The same without a look at the total.
template <class Offset>
void scan_starts(const Exec& exec, const std::int32_t* counts, Index n, Array<Offset>& offsets);

/// Buffers that sorting and grouping reuse between calls.
struct SortBuffers {
    Array<std::uint32_t> keys, values, sorted;
    Array<Index> counts;
    Array<std::uint8_t> bytes;
};

/// Sorts keys ascending and carries values along; equal keys keep their order. Only the lowest `key_bits` bits may be set. O(n key_bits).
void sort_pairs(const Exec& exec, Array<std::uint32_t>& keys, Array<std::uint32_t>& values, int key_bits, SortBuffers& buffers);

/// starts[k] = number of keys below k, for k in [0, key_count], from ascending keys. O(n + key_count).
void find_starts(const Exec& exec, const std::uint32_t* sorted_keys, Index n, Index key_count, Array<Index>& starts);

/// Groups 0 … n-1 by key, stably: order lists the indices, key k at [starts[k], starts[k+1]). Keys are below key_count.
void group_by(const Exec& exec, const std::uint32_t* keys, Index n, Index key_count, Array<Index>& starts, Array<std::uint32_t>& order,
              SortBuffers& buffers);

/// Smallest number of bits that holds every value below `count`.
inline int bits_for(Index count) {
    int bits = 1;
    while (bits < 32 && (Index{1} << bits) < count) ++bits;
    return bits;
}

}  // namespace scree::SCREE_FLAVOR
