// Rows made from indices, put in the order of their cells, equal cells in the order of indices: what a search over cells starts from.
// On the host in two stages, first by ranges of cells, then cell by cell within a range that fits the cache: memory is read and written in
// streams, so the cost per row does not grow with their number.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/exec/array.hpp"
#include "engine/exec/loops.hpp"
#include "engine/exec/scan.hpp"

namespace scree::SCREE_FLAVOR {

/// Buffers that group_rows uses again.
template <class Row>
struct RowBuffers {
    Array<Row> rows;
    Array<std::uint32_t> counts;
    Array<std::uint32_t> keys, order;  // on a device
    SortBuffers sort;
    Array<Index> starts;
    std::size_t bytes() const {
        return rows.bytes() + counts.bytes() + keys.bytes() + order.bytes() + starts.bytes() + sort.keys.bytes() + sort.values.bytes() +
               sort.counts.bytes() + sort.bytes.bytes();
    }
};

#if defined(SCREE_ON_CUDA)
namespace detail {

template <class Make, class Cell>
struct NumberRows {
    Make make;
    Cell cell;
    std::uint32_t* keys;
    std::uint32_t* order;
    SCREE_HD void operator()(Index i) const {
        keys[i] = cell(make(i));
        order[i] = static_cast<std::uint32_t>(i);
    }
};
struct NarrowStarts {
    const Index* wide;
    std::uint32_t* narrow;
    SCREE_HD void operator()(Index c) const { narrow[c] = static_cast<std::uint32_t>(wide[c]); }
};
template <class Make, class Put>
struct PutRows {
    Make make;
    Put put;
    const std::uint32_t* order;
    SCREE_HD void operator()(Index slot) const { put(slot, make(order[slot])); }
};

}  // namespace detail
#endif

/// make(i) returns the row of index i, cell(row) its cell, below `cells`; put(slot, row) stores it. starts[c] becomes the first slot of
/// cell c, starts[cells] = n. At most 2^32 - 1 rows. O(n + cells).
#if defined(SCREE_ON_CUDA)

template <class Row, class Make, class Cell, class Put>
void group_rows(const Exec& exec, const char* label, Index n, Index cells, Make make, Cell cell, Put put, Array<std::uint32_t>& starts,
                RowBuffers<Row>& buffers) {
    buffers.keys.resize(n);
    buffers.order.resize(n);
    detail::run_each<<<detail::grid_of(std::max<Index>(n, 1)), 128, 0, stream()>>>(
        n, Gate{}, detail::NumberRows<Make, Cell>{make, cell, buffers.keys.data(), buffers.order.data()});
    check_launch(label);
    sort_pairs(exec, buffers.keys, buffers.order, bits_for(cells), buffers.sort);
    find_starts(exec, buffers.keys.data(), n, cells, buffers.starts);
    starts.resize(cells + 1);
    detail::run_each<<<detail::grid_of(cells + 1), 128, 0, stream()>>>(cells + 1, Gate{},
                                                                       detail::NarrowStarts{buffers.starts.data(), starts.data()});
    detail::run_each<<<detail::grid_of(std::max<Index>(n, 1)), 128, 0, stream()>>>(
        n, Gate{}, detail::PutRows<Make, Put>{make, put, buffers.order.data()});
    check_launch(label);
}

#else

template <class Row, class Make, class Cell, class Put>
void group_rows(const Exec& exec, const char* label, Index n, Index cells, Make make, Cell cell, Put put, Array<std::uint32_t>& starts,
                RowBuffers<Row>& buffers) {
    const KernelScope scope;
    (void)label;
    constexpr Index rows_of_range = 2048;  // some 40 KB: first-level cache
    constexpr Index most_ranges = 4096;    // as many streams are written at once
    int shift = 0;
    while ((cells >> shift) > std::clamp<Index>(n / rows_of_range, 1, most_ranges)) ++shift;
    const Index ranges = (cells >> shift) + 1;
    const Index slices = exec.threads <= 1 || n < 16 * block_size ? 1 : exec.threads;
    const Index length = (n + slices - 1) / slices;
    buffers.rows.resize(n);
    starts.resize(cells + 1);
    buffers.counts.resize_zero((slices + 1) * ranges + 1);
    std::uint32_t* table = buffers.counts.data();
    Row* rows = buffers.rows.data();
#pragma omp parallel for schedule(static, 1) num_threads(exec.threads) if (slices > 1)
    for (Index s = 0; s < slices; ++s) {
        std::uint32_t* mine = table + s * ranges;
        const Index end = std::min(n, (s + 1) * length);
        for (Index i = s * length; i < end; ++i) ++mine[cell(make(i)) >> shift];
    }
    std::uint32_t* first = table + slices * ranges;  // of each range
    std::uint32_t total = 0;
    for (Index b = 0; b < ranges; ++b) {
        first[b] = total;
        for (Index s = 0; s < slices; ++s) {
            const std::uint32_t here = table[s * ranges + b];
            table[s * ranges + b] = total;
            total += here;
        }
    }
    first[ranges] = total;
#pragma omp parallel for schedule(static, 1) num_threads(exec.threads) if (slices > 1)
    for (Index s = 0; s < slices; ++s) {
        std::uint32_t* mine = table + s * ranges;
        const Index end = std::min(n, (s + 1) * length);
        for (Index i = s * length; i < end; ++i) {
            const Row row = make(i);
            rows[mine[cell(row) >> shift]++] = row;
        }
    }
    std::uint32_t* start = starts.data();
    const Index width = Index{1} << shift;
#pragma omp parallel for schedule(dynamic, 8) num_threads(exec.threads) if (slices > 1)
    for (Index b = 0; b < ranges; ++b) {
        const Index low = b * width, high = std::min(cells, low + width);
        if (low >= high) continue;
        // Counts one cell ahead become, summed up, cursors that end as starts.
        for (Index c = low; c < high; ++c) start[c] = 0;
        for (Index k = first[b]; k < static_cast<Index>(first[b + 1]); ++k) ++start[cell(rows[k])];
        std::uint32_t at = first[b];
        for (Index c = low; c < high; ++c) {
            const std::uint32_t here = start[c];
            start[c] = at;
            at += here;
        }
        for (Index k = first[b]; k < static_cast<Index>(first[b + 1]); ++k) put(static_cast<Index>(start[cell(rows[k])]++), rows[k]);
        // Each cursor stands where the next cell starts: back by one cell.
        for (Index c = high - 1; c > low; --c) start[c] = start[c - 1];
        start[low] = first[b];
    }
    start[cells] = static_cast<std::uint32_t>(n);
}

#endif

}  // namespace scree::SCREE_FLAVOR
