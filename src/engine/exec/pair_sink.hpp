// Kernels that find pairs: search(i, sink) puts any number of pairs for index i. On the host each is called once and writes into growing
// buffers, a chunk of indices after the other; on a device twice, to count, and after a scan to write. Pairs come in the order of indices,
// whatever the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/exec/array.hpp"
#include "engine/exec/loops.hpp"
#include "engine/exec/near_lanes.hpp"
#include "engine/exec/scan.hpp"

namespace scree::SCREE_FLAVOR {

/// More pairs than PairBuffers::most.
struct PairsFull {};

#if defined(SCREE_ON_CUDA)

/// Counts where `a` is null, else writes.
struct PairSink {
    std::uint32_t* a{nullptr};
    std::uint32_t* b{nullptr};
    Index size{0};
    Index tested{0};    // distances looked at
    Index touching{0};  // pairs at distance zero exactly

    SCREE_HD void put(std::uint32_t i, std::uint32_t j) {
        if (a != nullptr) {
            a[size] = i < j ? i : j;
            b[size] = i < j ? j : i;
        }
        ++size;
    }
    SCREE_HD void put_lanes(std::uint32_t i, const std::uint32_t* ids, std::uint32_t mask) {
        if (mask != 0) put(i, ids[0]);
    }
};

#else

/// Owner of the pairs one thread finds.
struct PairBuffer {
    Array<std::uint32_t> a, b;
    Index most{0};  // pairs it may hold; 0: any number

    /// Room for `count` pairs and a vector more. Throws PairsFull.
    void grow(Index count) {
        Index wanted = std::max<Index>(count + lanes, 2 * a.size());
        if (most > 0 && wanted > most) {
            if (a.size() + 2 * lanes > most) throw PairsFull{};
            wanted = most;
        }
        a.resize(wanted);
        b.resize(wanted);
    }
};

struct PairSink {
    PairBuffer* buffer{nullptr};
    std::uint32_t* a{nullptr};
    std::uint32_t* b{nullptr};
    Index found{0};
    Index size{0};
    Index tested{0};    // distances looked at
    Index touching{0};  // pairs at distance zero exactly

    explicit PairSink(PairBuffer& owner) : buffer(&owner) { renew(); }
    void renew() {
        a = buffer->a.data();
        b = buffer->b.data();
        found = buffer->a.size() - lanes;
    }
    [[gnu::noinline]] void grow() {
        buffer->grow(std::max<Index>(2 * size, 1 << 14));
        renew();
    }
    SCREE_HD void put(std::uint32_t i, std::uint32_t j) {
        if (size >= found) grow();
        a[size] = std::min(i, j);
        b[size] = std::max(i, j);
        ++size;
    }
    /// (i, ids[k]) for each bit k of the mask; reads `lanes` ids.
    SCREE_HD void put_lanes(std::uint32_t i, const std::uint32_t* ids, std::uint32_t mask) {
        if (size + lanes > found) grow();
#if defined(SCREE_AVX512_LANES)
        const __m512i me = _mm512_set1_epi32(static_cast<int>(i));
        const __m512i them = _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), _mm512_loadu_si512(ids));
        _mm512_storeu_si512(a + size, _mm512_min_epu32(me, them));
        _mm512_storeu_si512(b + size, _mm512_max_epu32(me, them));
        size += __builtin_popcount(mask);
#else
        each_bit(mask, [&](int k) {
            a[size] = std::min(i, ids[k]);
            b[size] = std::max(i, ids[k]);
            ++size;
        });
#endif
    }
};

#endif

/// Pairs that lie together in one buffer.
struct PairSegment {
    int buffer{0};
    Index first{0}, count{0};
};

/// What find_each leaves, and buffers that the next call uses again.
struct PairBuffers {
    std::vector<PairSegment> segments;  // in the order of indices
    Index pairs{0}, tested{0}, touching{0};
    Index most{0};  // pairs that may be found; 0: any number
#if defined(SCREE_ON_CUDA)
    Array<std::uint32_t> a, b;
    Array<std::int32_t> counts;
    Array<Index> offsets, sums;
    std::size_t bytes() const {
        return a.bytes() + b.bytes() + counts.bytes() + offsets.bytes() + sums.bytes();
    }
#else
    std::vector<PairBuffer> buffers;  // one per thread
    std::size_t bytes() const {
        std::size_t sum = 0;
        for (const PairBuffer& one : buffers) sum += one.a.bytes() + one.b.bytes();
        return sum;
    }
#endif
};

#if defined(SCREE_ON_CUDA)

namespace detail {

template <class Search>
__global__ void count_found(Index n, Search search, std::int32_t* counts, unsigned long long* sums) {
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    PairSink sink;
    search(i, sink);
    counts[i] = static_cast<std::int32_t>(sink.size);
    // Sums of integers: their order does not matter.
    if (sink.tested != 0) atomicAdd(sums, static_cast<unsigned long long>(sink.tested));
    if (sink.touching != 0) atomicAdd(sums + 1, static_cast<unsigned long long>(sink.touching));
}
template <class Search>
__global__ void write_found(Index n, Search search, const Index* offsets, std::uint32_t* a, std::uint32_t* b) {
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    PairSink sink;
    sink.a = a + offsets[i];
    sink.b = b + offsets[i];
    search(i, sink);
}

}  // namespace detail

/// search(i, sink) for i in [0, n); the pairs are in `found` afterwards. Throws PairsFull past found.most pairs.
template <class Search>
void find_each(const Exec& exec, const char* label, Index n, Search search, PairBuffers& found) {
    found.segments.clear();
    found.pairs = found.tested = found.touching = 0;
    if (n == 0) return;
    found.counts.resize(n);
    found.sums.resize_zero(2);
    detail::count_found<<<detail::grid_of(n), 128, 0, stream()>>>(n, search, found.counts.data(),
                                                                  reinterpret_cast<unsigned long long*>(found.sums.data()));
    check_launch(label);
    found.pairs = scan_counts(exec, found.counts.data(), n, found.offsets);
    if (found.most > 0 && found.pairs > found.most) throw PairsFull{};
    found.tested = found.sums.at(0);
    found.touching = found.sums.at(1);
    found.a.resize(found.pairs);
    found.b.resize(found.pairs);
    detail::write_found<<<detail::grid_of(n), 128, 0, stream()>>>(n, search, found.offsets.data(), found.a.data(), found.b.data());
    check_launch(label);
    found.segments.push_back({0, 0, found.pairs});
}

/// take(a, b, count) for every segment in order, in host memory.
template <class Take>
void take_pairs(const PairBuffers& found, Take take) {
    const std::vector<std::uint32_t> a = found.a.host(), b = found.b.host();
    for (const PairSegment& s : found.segments) take(a.data() + s.first, b.data() + s.first, s.count);
}

#else

template <class Search>
void find_each(const Exec& exec, const char* label, Index n, Search search, PairBuffers& found) {
    const KernelScope scope;
    (void)label;
    constexpr Index chunk = 4096;  // indices whose pairs lie together
    const Index chunks = (n + chunk - 1) / chunk;
    const int threads = std::max(1, std::min(exec.threads, static_cast<int>(std::min<Index>(chunks, 1 << 16))));
    found.segments.assign(static_cast<std::size_t>(chunks), {});
    if (found.buffers.size() < static_cast<std::size_t>(threads)) found.buffers.resize(static_cast<std::size_t>(threads));
    Index pairs = 0, tested = 0, touching = 0;
    bool failed = false, full = false;
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(+ : pairs, tested, touching)
    for (int t = 0; t < threads; ++t) {
        PairBuffer& mine = found.buffers[static_cast<std::size_t>(t)];
        mine.most = found.most > 0 ? std::max<Index>(found.most / threads, 2 * chunk) : 0;
        try {
            if (mine.a.size() < chunk) mine.grow(chunk);
            PairSink sink(mine);
            // Chunks are dealt out in turn, so that a thread does not get all of the dense part.
            for (Index c = t; c < chunks; c += threads) {
                const Index at = exec.shuffle ? detail::shuffled(c, chunks) : c;
                const Index before = sink.size;
                const Index end = std::min(n, (at + 1) * chunk);
                for (Index i = at * chunk; i < end; ++i) search(i, sink);
                found.segments[static_cast<std::size_t>(at)] = {t, before, sink.size - before};
            }
            pairs += sink.size;
            tested += sink.tested;
            touching += sink.touching;
        } catch (const PairsFull&) {
#pragma omp atomic write
            full = true;
        } catch (...) {
#pragma omp atomic write
            failed = true;
        }
    }
    if (full) throw PairsFull{};
    if (failed) throw RunError("out of memory while listing contacts; use fewer bodies, --memory, or a machine with more");
    found.pairs = pairs;
    found.tested = tested;
    found.touching = touching;
}

template <class Take>
void take_pairs(const PairBuffers& found, Take take) {
    const KernelScope scope;
    for (const PairSegment& s : found.segments) {
        const PairBuffer& buffer = found.buffers[static_cast<std::size_t>(s.buffer)];
        if (s.count > 0) take(buffer.a.data() + s.first, buffer.b.data() + s.first, s.count);
    }
}

#endif

}  // namespace scree::SCREE_FLAVOR
