#include "engine/exec/scan.hpp"

#include <cstring>

#include "engine/exec/reduce.hpp"
#include "engine/exec/scratch.hpp"

#if defined(SCREE_ON_CUDA)
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/functional>
#include <thrust/iterator/transform_iterator.h>
#endif

namespace scree::SCREE_FLAVOR {

namespace {

constexpr Index gap_edge = 64;  // keys at either end of a wide gap, and of a block of its middle

/// The first of n ascending keys that is not below `key`.
SCREE_HD Index first_not_below(const std::uint32_t* keys, Index n, Index key) {
    Index low = 0, high = n;
    while (low < high) {
        const Index middle = (low + high) / 2;
        if (static_cast<Index>(keys[middle]) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// Index i opens every key in (keys[i-1], keys[i]]; i = n opens what is left. Of a wide gap it writes the two ends: one thread would be
/// long at the millions of empty cells between a bed and a grain that flies above it.
void write_ends(const Exec& exec, const std::uint32_t* keys, Index n, Index key_count, Index* starts) {
    for_each(
        exec, "exec/find_starts", n + 1, SCREE_LAMBDA(Index i)->void {
            const Index from = i == 0 ? 0 : static_cast<Index>(keys[i - 1]) + 1;
            const Index to = i == n ? key_count : static_cast<Index>(keys[i]);
            const bool wide = to - from > 2 * gap_edge;
            for (Index k = from; k <= (wide ? from + gap_edge : to); ++k) starts[k] = i;
            for (Index k = wide ? to - gap_edge : to + 1; k <= to; ++k) starts[k] = i;
        });
}

/// What is left of wide gaps lies in blocks of keys without an index among them.
void write_middles(const Exec& exec, const std::uint32_t* keys, Index n, Index key_count, Index* starts) {
    for_each(
        exec, "exec/fill_starts", key_count / gap_edge + 1, SCREE_LAMBDA(Index b)->void {
            const Index begin = b * gap_edge, last = begin + gap_edge - 1 < key_count ? begin + gap_edge - 1 : key_count;
            const Index i = first_not_below(keys, n, begin);
            if (i < n && static_cast<Index>(keys[i]) < last) return;
            for (Index k = begin; k <= last; ++k) starts[k] = i;
        });
}

}  // namespace

void find_starts(const Exec& exec, const std::uint32_t* sorted_keys, Index n, Index key_count, Array<Index>& starts) {
    starts.resize(key_count + 1);
    write_ends(exec, sorted_keys, n, key_count, starts.data());
    write_middles(exec, sorted_keys, n, key_count, starts.data());
}

#if defined(SCREE_ON_CUDA)

namespace {

void check_cub(cudaError_t status) {
    if (status != cudaSuccess) throw RunError(std::string("the CUDA device failed in a scan or sort: ") + cudaGetErrorString(status));
}

template <class Offset>
struct As {
    __host__ __device__ Offset operator()(std::int32_t count) const { return static_cast<Offset>(count); }
};

Index sum_counts(const Exec& exec, const std::int32_t* counts, Index n) {
    return static_cast<Index>(sum_of(
        exec, "exec/sum_counts", n, SCREE_LAMBDA(Index i)->double { return counts[i]; }));  // exact: below 2^53
}

void number_indices(const Exec& exec, Index n, std::uint32_t* values) {
    for_each(
        exec, "exec/number_indices", n, SCREE_LAMBDA(Index i)->void { values[i] = static_cast<std::uint32_t>(i); });
}

}  // namespace

template <class Offset>
void scan_starts(const Exec& exec, const std::int32_t* counts, Index n, Array<Offset>& offsets) {
    offsets.resize(n + 1);
    fill_bytes(offsets.data(), 0, sizeof(Offset));
    if (n == 0) return;
    const auto converted = thrust::make_transform_iterator(counts, As<Offset>{});
    std::size_t bytes = 0;
    check_cub(cub::DeviceScan::InclusiveSum(nullptr, bytes, converted, offsets.data() + 1, n, stream()));
    Scratch own;
    Array<std::uint8_t>& scratch = scratch_of(exec, own).bytes;
    scratch.resize(static_cast<Index>(bytes));
    check_cub(cub::DeviceScan::InclusiveSum(scratch.data(), bytes, converted, offsets.data() + 1, n, stream()));
}

template <class Offset>
Index scan_counts(const Exec& exec, const std::int32_t* counts, Index n, Array<Offset>& offsets) {
    scan_starts(exec, counts, n, offsets);
    if (n == 0) return 0;
    if constexpr (sizeof(Offset) < sizeof(Index)) return sum_counts(exec, counts, n);
    return offsets.at(n);
}

void sort_pairs(const Exec&, Array<std::uint32_t>& keys, Array<std::uint32_t>& values, int key_bits, SortBuffers& scratch) {
    const Index n = keys.size();
    if (n == 0) return;
    scratch.keys.resize(n);
    scratch.values.resize(n);
    std::size_t bytes = 0;
    check_cub(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.data(), scratch.keys.data(), values.data(), scratch.values.data(), n, 0,
                                              key_bits, stream()));
    scratch.bytes.resize(static_cast<Index>(bytes));
    check_cub(cub::DeviceRadixSort::SortPairs(scratch.bytes.data(), bytes, keys.data(), scratch.keys.data(), values.data(),
                                              scratch.values.data(), n, 0, key_bits, stream()));
    keys.swap(scratch.keys);
    values.swap(scratch.values);
}

void group_by(const Exec& exec, const std::uint32_t* keys, Index n, Index key_count, Array<Index>& starts, Array<std::uint32_t>& order,
              SortBuffers& scratch) {
    Array<std::uint32_t>& sorted = scratch.sorted;
    sorted.resize(n);
    if (n > 0) copy_within(sorted.data(), keys, static_cast<std::size_t>(n) * sizeof(std::uint32_t));
    order.resize(n);
    number_indices(exec, n, order.data());
    sort_pairs(exec, sorted, order, bits_for(key_count), scratch);
    find_starts(exec, sorted.data(), n, key_count, starts);
}

#else

namespace {

/// A few equal slices per thread: each counts and later writes its own part, so the result does not depend on their number.
Index slice_count(const Exec& exec, Index n) {
    return exec.threads <= 1 || n < 4 * block_size ? 1 : exec.threads;
}

/// One stable pass by the digit (key >> shift) & (buckets - 1).
void radix_pass(const Exec& exec, const std::uint32_t* keys, const std::uint32_t* values, std::uint32_t* keys_out,
                std::uint32_t* values_out, Index n, int shift, int digit_bits, Array<Index>& counts) {
    const KernelScope scope;
    const Index buckets = Index{1} << digit_bits;
    const std::uint32_t mask = static_cast<std::uint32_t>(buckets - 1);
    const Index slices = slice_count(exec, n);
    const Index length = (n + slices - 1) / slices;
    counts.resize_zero(slices * buckets);
    Index* table = counts.data();
#pragma omp parallel for schedule(static) num_threads(exec.threads) if (slices > 1)
    for (Index s = 0; s < slices; ++s) {
        Index* mine = table + s * buckets;
        const Index end = std::min(n, (s + 1) * length);
        for (Index i = s * length; i < end; ++i) ++mine[(keys[i] >> shift) & mask];
    }
    Index total = 0;
    for (Index b = 0; b < buckets; ++b) {
        for (Index s = 0; s < slices; ++s) {
            const Index here = table[s * buckets + b];
            table[s * buckets + b] = total;
            total += here;
        }
    }
#pragma omp parallel for schedule(static) num_threads(exec.threads) if (slices > 1)
    for (Index s = 0; s < slices; ++s) {
        Index* mine = table + s * buckets;
        const Index end = std::min(n, (s + 1) * length);
        for (Index i = s * length; i < end; ++i) {
            const Index to = mine[(keys[i] >> shift) & mask]++;
            keys_out[to] = keys[i];
            values_out[to] = values[i];
        }
    }
}

/// The scan; returns the total.
template <class Offset>
Index scan_into(const Exec& exec, const std::int32_t* counts, Index n, Array<Offset>& offsets) {
    offsets.resize(n + 1);
    Offset* out = offsets.data();
    const Index slices = slice_count(exec, n);
    const Index length = (n + slices - 1) / slices;
    std::vector<Index> sums(static_cast<std::size_t>(slices) + 1, 0);
#pragma omp parallel for schedule(static) num_threads(exec.threads) if (slices > 1)
    for (Index s = 0; s < slices; ++s) {
        Index sum = 0;
        const Index end = std::min(n, (s + 1) * length);
        for (Index i = s * length; i < end; ++i) {
            out[i] = static_cast<Offset>(sum);
            sum += counts[i];
        }
        sums[static_cast<std::size_t>(s) + 1] = sum;
    }
    for (Index s = 0; s < slices; ++s) sums[static_cast<std::size_t>(s) + 1] += sums[static_cast<std::size_t>(s)];
    out[n] = static_cast<Offset>(sums.back());
    if (slices > 1) {
#pragma omp parallel for schedule(static) num_threads(exec.threads)
        for (Index s = 1; s < slices; ++s) {
            const Index end = std::min(n, (s + 1) * length);
            for (Index i = s * length; i < end; ++i) out[i] += static_cast<Offset>(sums[static_cast<std::size_t>(s)]);
        }
    }
    if (n > 0 && exec.scratch == nullptr) count_allocation();  // as a device would
    return sums.back();
}

}  // namespace

template <class Offset>
void scan_starts(const Exec& exec, const std::int32_t* counts, Index n, Array<Offset>& offsets) {
    const KernelScope scope;
    scan_into(exec, counts, n, offsets);
}

template <class Offset>
Index scan_counts(const Exec& exec, const std::int32_t* counts, Index n, Array<Offset>& offsets) {
    const KernelScope scope;
    const Index total = scan_into(exec, counts, n, offsets);
    if (n > 0) count_wait(sizeof(Index));
    return total;
}

void sort_pairs(const Exec& exec, Array<std::uint32_t>& keys, Array<std::uint32_t>& values, int key_bits, SortBuffers& scratch) {
    const KernelScope scope;
    const Index n = keys.size();
    scratch.keys.resize(n);
    scratch.values.resize(n);
    // Digits of at most 11 bits: a table of 2048 counters stays in the first-level cache.
    const int passes = (key_bits + 10) / 11;
    const int digit = (key_bits + passes - 1) / passes;
    for (int pass = 0; pass < passes; ++pass) {
        radix_pass(exec, keys.data(), values.data(), scratch.keys.data(), scratch.values.data(), n, pass * digit, digit, scratch.counts);
        keys.swap(scratch.keys);
        values.swap(scratch.values);
    }
}

void group_by(const Exec& exec, const std::uint32_t* keys, Index n, Index key_count, Array<Index>& starts, Array<std::uint32_t>& order,
              SortBuffers& scratch) {
    const KernelScope scope;
    // A table per slice: no more of them than keep it within twice the list, whatever the number of threads.
    const Index slices = std::min(slice_count(exec, n), std::max<Index>(1, 2 * n / std::max<Index>(1, key_count)));
    const Index length = (n + slices - 1) / slices;
    starts.resize(key_count + 1);
    order.resize(n);
    scratch.counts.resize_zero(slices * key_count);
    Index* table = scratch.counts.data();
    Index* begin = starts.data();
    std::uint32_t* out = order.data();
#pragma omp parallel for schedule(static) num_threads(exec.threads) if (slices > 1)
    for (Index s = 0; s < slices; ++s) {
        Index* mine = table + s * key_count;
        const Index end = std::min(n, (s + 1) * length);
        for (Index i = s * length; i < end; ++i) ++mine[keys[i]];
    }
    Index total = 0;
    for (Index k = 0; k < key_count; ++k) {
        begin[k] = total;
        for (Index s = 0; s < slices; ++s) {
            const Index here = table[s * key_count + k];
            table[s * key_count + k] = total;
            total += here;
        }
    }
    begin[key_count] = total;
#pragma omp parallel for schedule(static) num_threads(exec.threads) if (slices > 1)
    for (Index s = 0; s < slices; ++s) {
        Index* mine = table + s * key_count;
        const Index end = std::min(n, (s + 1) * length);
        for (Index i = s * length; i < end; ++i) out[mine[keys[i]]++] = static_cast<std::uint32_t>(i);
    }
}

#endif

template Index scan_counts(const Exec&, const std::int32_t*, Index, Array<Index>&);
template Index scan_counts(const Exec&, const std::int32_t*, Index, Array<std::uint32_t>&);
template void scan_starts(const Exec&, const std::int32_t*, Index, Array<Index>&);
template void scan_starts(const Exec&, const std::int32_t*, Index, Array<std::uint32_t>&);

}  // namespace scree::SCREE_FLAVOR
