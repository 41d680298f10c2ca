// Items and rows in one pass. Items are what rows need (the forces of pairs), rows take their own up (bodies): item by item, and each row
// as soon as the last item that reads it is done, so that what items leave for rows is read while it lies in the cache. Where kernels run
// on a device all items come first, then all rows. Order that the caller relies on: items [first[i], first[i + 1]) belong to row i, and no
// item of a later row reads row i. Rows are shared out in ranges of equal length, one a thread; items that reach from one range into
// another come last in the list (from `inner` on) and are done before all. Items of a range are dealt with in stages of `fused_stage`;
// rows_done[k] is the first row that stage k does not complete; the stages of a range are numbered from first_stage on. A stage may have
// items at its end that give rows nothing: they need not be computed.
#pragma once

#include "engine/exec/loops.hpp"
#include "engine/exec/quad.hpp"

namespace scree::SCREE_FLAVOR {

struct FusedExtent {
    Index rows{0};                        // all rows
    Index length{0};                      // rows of a range
    Index inner{0}, total{0};             // items that stay in their range, and all
    const std::uint32_t* first{nullptr};  // rows + 1
    const std::uint32_t* rows_done{nullptr};
    const std::uint8_t* near{nullptr};  // of each stage, then of each stage of the items from `inner` on: how many to compute; null: all
    bool zeros{true};                   // rows read what items gave that are not computed: zeros then
};

/// Items dealt with at a time: some 140 of them are computed in a bed at rest, whose room is what a first-level cache holds.
inline constexpr Index fused_stage = 192;

/// Number of the first stage of the range that begins with row `begin`: ranges share none.
inline Index first_stage(const FusedExtent& extent, Index begin) {
    return extent.first[begin] / fused_stage + begin / extent.length;
}
/// No stage has this number or a higher one.
inline Index end_of_stages(const FusedExtent& extent) {
    return extent.inner / fused_stage + (extent.rows + extent.length - 1) / extent.length;
}

/// Where what later stages read begins: arrays that they walk along. Asked for ahead, since a processor looks ahead within a page of memory
/// and not along a dozen of them.
struct StreamsAhead {
    static constexpr int streams = 7;
    const char* from[streams];
};

/// Values of one item, by component: what one part of its computation leaves for the next, and at last those that rows take up: for each
/// block of eight six values, the fourth and eighth of which are zero in the first block; of a second one they are values 12 and 13.
template <class T>
struct Found {
    T* first;
    Index stride;
    SCREE_HD T get(int k) const { return first[k * stride]; }
    SCREE_HD Vec3T<T> vector(int k) const { return {get(k), get(k + 1), get(k + 2)}; }
    SCREE_HD void set(int k, T value) const { first[k * stride] = value; }
    SCREE_HD void set(int k, Vec3T<T> v) const {
        set(k, v.x);
        set(k + 1, v.y);
        set(k + 2, v.z);
    }
};

/// A part of an item's computation that goes through a stage by itself, run(context, begin, count, packs, found): what it is, is then asked
/// once for each stage. Nothing where `run` is null. Host only.
template <class T, class Context>
struct StagePart {
    void (*run)(const Context&, Index begin, Index count, T* packs, T* found);
    Context context;
    SCREE_HD std::uint32_t operator()(Index, const StageSlot<T>&, const Found<T>&) const { return 0; }
};

#if defined(SCREE_ON_CUDA)

namespace detail {

template <int Packs, int Blocks, int Values, class T, class Load, class Place, class... Compute>
__global__ void run_found(Index n, Gate gate, std::uint32_t* word, Load load, Place place, Compute... compute) {
    if (!gate.open()) return;
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T buffers[Packs * 4], found[Values];
    load(i, i, StageSlot<T>{buffers, 4});
    std::uint32_t bits = 0;
    ((bits |= static_cast<std::uint32_t>(compute(i, StageSlot<T>{buffers, 4}, Found<T>{found, 1}))), ...);
    for (int b = 0; b < Blocks; ++b) {
        T* to = place(i, b);
        for (int k = 0; k < 3; ++k) {
            to[k] = found[6 * b + k];
            to[4 + k] = found[6 * b + 3 + k];
        }
        to[3] = b == 0 ? T(0) : found[12];
        to[7] = b == 0 ? T(0) : found[13];
    }
    if (bits != 0) atomicOr(word, bits);
}

template <class Gather, class Row>
struct Taken {
    Gather gather;
    Row row;
    __device__ std::uint32_t operator()(Index i) const { return row(i, gather(i)); }
};

}  // namespace detail

template <int Packs, int Blocks, int Values, class T, class Load, class Streams, class Place, class Gather, class Row, class... Compute>
void fused_rows(const Exec& exec, const char* label, const FusedExtent& extent, std::uint32_t* word, Gate gate, Load load, Streams,
                Place place, Gather gather, Row row, Compute... compute) {
    if (extent.total > 0) {
        detail::run_found<Packs, Blocks, Values, T>
            <<<detail::grid_of(extent.total), 128, 0, stream()>>>(extent.total, gate, word, load, place, compute...);
        check_launch(label);
    }
    flag_each(exec, label, extent.rows, word, detail::Taken<Gather, Row>{gather, row}, gate);
}

#else

namespace detail {

/// Buffers of one stage.
template <int Packs, int Values, class T>
struct StageBuffers {
    alignas(64) T packs[Packs * 4 * fused_stage];
    alignas(64) T found[Values * fused_stage];
};

template <class T, class Compute>
[[gnu::noinline]] std::uint32_t compute_each(Index begin, Index count, T* packs, T* found, Compute compute) {
    std::invoke_result_t<Compute, Index, StageSlot<T>, Found<T>> bits = 0;  // as wide as what is computed
#pragma omp simd reduction(| : bits)
    for (Index k = 0; k < count; ++k)
        bits |= compute(begin + k, StageSlot<T>{packs + 4 * k, 4 * fused_stage}, Found<T>{found + k, fused_stage});
    return static_cast<std::uint32_t>(bits);
}

template <class T, class Compute>
std::uint32_t compute_found(Index begin, Index count, T* packs, T* found, Compute compute) {
    return compute_each<T>(begin, count, packs, found, compute);
}
template <class T, class Context>
std::uint32_t compute_found(Index begin, Index count, T* packs, T* found, StagePart<T, Context> part) {
    if (part.run != nullptr) part.run(part.context, begin, count, packs, found);
    return 0;
}

template <int Blocks, class T, class Place>
[[gnu::noinline]] void put_found(Index begin, Index count, const T* found, Place place) {
    for (Index k = 0; k < count; k += 4) {
        const int here = static_cast<int>(std::min<Index>(4, count - k));
        for (int b = 0; b < Blocks; ++b) {
            T *first[4], *second[4];
            for (int j = 0; j < here; ++j) {
                first[j] = place(begin + k + j, b);
                second[j] = first[j] + 4;
            }
            const T *from = found + k + 6 * b * fused_stage, *last = b == 0 ? nullptr : found + k + 12 * fused_stage;
            const T* next = from + 3 * fused_stage;
            store_as_rows(from, from + fused_stage, from + 2 * fused_stage, last, first, here);
            store_as_rows(next, next + fused_stage, next + 2 * fused_stage, last == nullptr ? last : last + fused_stage, second, here);
        }
    }
}

/// Items to compute of stage k, of n: whole vectors.
template <class T>
Index computed(const FusedExtent& extent, Index k, Index n) {
    constexpr Index lanes = 64 / sizeof(T);
    return extent.near == nullptr ? n : std::min(n, (extent.near[k] + lanes - 1) / lanes * lanes);
}

/// As load_stage; spread over it, what the next stage will read is asked for: one line of a stream after each item, since more would be
/// under way than the processor can wait for. `later` of load() is the item `ahead` places on: of this stage, or of the next, whose items
/// begin at `next`.
template <class T, class Load>
[[gnu::noinline]] void load_ahead(Index begin, Index count, Index next, T* buffers, const StreamsAhead& streams, Load load) {
    constexpr Index ahead = 64, line = 64, parts = StreamsAhead::streams;
    Index k = 0;
    for (int s = 0; s < parts; ++s) {
        const char* from = streams.from[s];
        for (const Index end = count * (s + 1) / parts; k < end; ++k, from += line) {
            load(begin + k, k + ahead < count ? begin + k + ahead : next + (k + ahead - count),
                 StageSlot<T>{buffers + 4 * k, 4 * fused_stage});
            fetch_second(from);
            asm volatile("");  // as in load_stage
        }
    }
}

/// Zeros for items that are not computed: their places held what others gave.
template <int Blocks, class T, class Place>
[[gnu::noinline]] void put_nothing(Index begin, Index end, Place place) {
    for (Index i = begin; i < end; ++i) {
        for (int b = 0; b < Blocks; ++b) {
            T* to = place(i, b);
            for (int k = 0; k < 8; ++k) to[k] = T(0);
        }
    }
}

/// Items [at, next), of which `count` are computed. `zeros`: FusedExtent.
template <int Packs, int Blocks, int Values, class T, class Load, class Place, class... Compute>
std::uint32_t one_stage(Index at, Index count, Index next, bool zeros, const StreamsAhead& streams, StageBuffers<Packs, Values, T>& buffers,
                        Load load, Place place, Compute... compute) {
    load_ahead<T>(at, count, next, buffers.packs, streams, load);
    std::uint32_t bits = 0;
    ((bits |= compute_found<T>(at, count, buffers.packs, buffers.found, compute)), ...);
    put_found<Blocks, T>(at, count, buffers.found, place);
    if (zeros) put_nothing<Blocks, T>(at + count, next, place);
    return bits;
}

/// Some rows gather, then these move: gathering, at random, then has all registers to itself.
template <class Gather, class Row>
[[gnu::noinline]] std::uint32_t take_rows(Index begin, Index end, Gather gather, Row row) {
    constexpr Index block = 32;
    std::invoke_result_t<Gather, Index> sums[block];
    std::uint32_t bits = 0;
    for (Index at = begin; at < end; at += block) {
        const Index n = std::min(block, end - at);
        for (Index k = 0; k < n; ++k) sums[k] = gather(at + k);
        for (Index k = 0; k < n; ++k) bits |= row(at + k, sums[k]);
    }
    return bits;
}

/// One range. A row is done with the stage that holds its last item.
template <int Packs, int Blocks, int Values, class T, class Load, class Streams, class Place, class Gather, class Row, class... Compute>
std::uint32_t fused_range(const FusedExtent& extent, Index begin, Index end, StageBuffers<Packs, Values, T>& buffers, Load load,
                          Streams streams, Place place, Gather gather, Row row, Compute... compute) {
    std::uint32_t bits = 0;
    Index next = begin, stage = first_stage(extent, begin);
    for (Index at = extent.first[begin]; at < extent.first[end]; at += fused_stage) {
        const Index n = std::min(fused_stage, Index{extent.first[end]} - at), done = extent.rows_done[stage];
        bits |= one_stage<Packs, Blocks>(at, computed<T>(extent, stage, n), at + n, extent.zeros, streams(at + n, done), buffers, load,
                                         place, compute...);
        ++stage;
        bits |= take_rows(next, done, gather, row);
        next = done;
    }
    return bits | take_rows(next, end, gather, row);
}

}  // namespace detail

/// load(item, later, slot) as in flag_each_staged, and asks for what the item `later` will load; streams(item, row): see StreamsAhead, for
/// a stage that begins with this item and after which rows from this one on are taken. Then each compute(item, slot, found) in turn as a
/// loop of its own, which is branch-free and runs as vector code: short ones leave the processor room to work on several items at once; or
/// a StagePart. The values that they leave in `found` go to place(item, block), eight for each of `Blocks` blocks (Found). Then row(i,
/// gather(i)). compute and row return bits, or-ed into *word.
template <int Packs, int Blocks, int Values, class T, class Load, class Streams, class Place, class Gather, class Row, class... Compute>
void fused_rows(const Exec& exec, const char* label, const FusedExtent& extent, std::uint32_t* word, Gate gate, Load load, Streams streams,
                Place place, Gather gather, Row row, Compute... compute) {
    (void)label;
    const KernelScope scope;
    if (!gate.open()) return;
    if (extent.length >= extent.rows && extent.inner == extent.total) {
        detail::StageBuffers<Packs, Values, T> buffers;
        *word |= detail::fused_range<Packs, Blocks>(extent, 0, extent.rows, buffers, load, streams, place, gather, row, compute...);
        return;
    }
    const Index ranges = (extent.rows + extent.length - 1) / extent.length;
    const Index crossing = extent.total - extent.inner, blocks = (crossing + fused_stage - 1) / fused_stage;
    std::uint32_t raised = 0;
#pragma omp parallel num_threads(exec.threads) reduction(| : raised)
    {
        detail::StageBuffers<Packs, Values, T> buffers;
#pragma omp for schedule(static)
        for (Index b = 0; b < blocks; ++b) {
            const Index at = extent.inner + b * fused_stage;
            const Index n = std::min(fused_stage, extent.total - at), count = detail::computed<T>(extent, end_of_stages(extent) + b, n);
            raised |=
                detail::one_stage<Packs, Blocks>(at, count, at + n, extent.zeros, streams(at + n, 0), buffers, load, place, compute...);
        }
#pragma omp for schedule(static, 1)
        for (Index r = 0; r < ranges; ++r) {
            const Index begin = r * extent.length, end = std::min(extent.rows, begin + extent.length);
            raised |= detail::fused_range<Packs, Blocks>(extent, begin, end, buffers, load, streams, place, gather, row, compute...);
        }
    }
    *word |= raised;
}

#endif

/// body(range, begin, end) on the host for each range of rows, a thread each.
template <class Body>
void each_range(const Exec& exec, Index rows, Index length, Body body) {
    const Index ranges = rows == 0 ? 0 : (rows + length - 1) / length;
    (void)exec;
#if !defined(SCREE_ON_CUDA)
#pragma omp parallel for schedule(static, 1) num_threads(exec.threads) if (ranges > 1)
#endif
    for (Index r = 0; r < ranges; ++r) body(r, r * length, std::min(rows, (r + 1) * length));
}

}  // namespace scree::SCREE_FLAVOR
