// Parallel loops over indices: for_each, for_each_simd (branch-free bodies), flag_each(_simd, _fetched), whose bodies return bits that are
// or-ed into one word, and staged ones, which load at random first and then compute as vector code. Invariant: bodies for different indices
// do not depend on each other, so any order gives the same bits. A gate lets a raised flag stop the loops that follow it in a batch without
// asking the host; a loop must not raise the word that gates it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "engine/exec/config.hpp"
#include "engine/exec/device.hpp"
#include "engine/exec/launch_log.hpp"
#include "engine/exec/memory.hpp"

namespace scree::SCREE_FLAVOR {

/// Open while none of `mask`'s bits are up in `word`; a default gate is always open.
struct Gate {
    const std::uint32_t* word{nullptr};
    std::uint32_t mask{0};
    SCREE_HD bool open() const { return word == nullptr || (*word & mask) == 0; }
};

/// Room for what a staged loop loads for one index: packs of four values.
template <class T>
struct StageSlot {
    T* first;
    Index stride;  // from pack to pack
    SCREE_HD T* pack(int k) const { return first + k * stride; }
    SCREE_HD T at(int pack, int lane) const { return first[pack * stride + lane]; }
};

#if defined(SCREE_ON_CUDA)

namespace detail {

template <class F>
__global__ void run_each(Index n, Gate gate, F f) {
    if (!gate.open()) return;
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

template <class F>
__global__ void run_flag_each(Index n, Gate gate, std::uint32_t* word, F f) {
    if (!gate.open()) return;
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    std::uint32_t bits = 0;
    if (i < n) bits = static_cast<std::uint32_t>(f(i));
    if (bits != 0) atomicOr(word, bits);
}

inline unsigned grid_of(Index n) {
    return static_cast<unsigned>((n + 127) / 128);
}

}  // namespace detail

/// f(i) for i in [0, n), in any order; `label` names the kernel in profiles and errors.
template <class F>
void for_each(const Exec&, const char* label, Index n, F f, Gate gate = {}) {
    if (n == 0) return;
    detail::run_each<<<detail::grid_of(n), 128, 0, stream()>>>(n, gate, f);
    check_launch(label);
}
template <class F>
void for_each_simd(const Exec& exec, const char* label, Index n, F f, Gate gate = {}) {
    for_each(exec, label, n, f, gate);
}
/// f returns bits, or-ed into *word.
template <class F>
void flag_each(const Exec&, const char* label, Index n, std::uint32_t* word, F f, Gate gate = {}) {
    if (n == 0) return;
    detail::run_flag_each<<<detail::grid_of(n), 128, 0, stream()>>>(n, gate, word, f);
    check_launch(label);
}
template <class F>
void flag_each_simd(const Exec& exec, const char* label, Index n, std::uint32_t* word, F f, Gate gate = {}) {
    flag_each(exec, label, n, word, f, gate);
}
template <class Ask, class F>
void flag_each_fetched(const Exec& exec, const char* label, Index n, std::uint32_t* word, Ask, F f, Gate gate = {}) {
    flag_each(exec, label, n, word, f, gate);
}

namespace detail {

template <int Packs, class T, class Load, class Compute>
__global__ void run_staged(Index n, Gate gate, std::uint32_t* word, Load load, Compute compute) {
    if (!gate.open()) return;
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T packs[Packs * 4];
    load(i, StageSlot<T>{packs, 4});
    const auto bits = static_cast<std::uint32_t>(compute(i, StageSlot<T>{packs, 4}));
    if (bits != 0) atomicOr(word, bits);
}

}  // namespace detail

/// load(i, slot) then compute(i, slot), which returns bits; see the host's version.
template <int Packs, class T, class Load, class Compute>
void flag_each_staged(const Exec&, const char* label, Index n, std::uint32_t* word, Load load, Compute compute, Gate gate = {}) {
    if (n == 0) return;
    detail::run_staged<Packs, T><<<detail::grid_of(n), 128, 0, stream()>>>(n, gate, word, load, compute);
    check_launch(label);
}

namespace detail {

template <int Packs, class T, class Load, class Compute>
__global__ void run_each_staged(Index n, Gate gate, Load load, Compute compute) {
    if (!gate.open()) return;
    const Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T packs[Packs * 4];
    load(i, StageSlot<T>{packs, 4});
    compute(i, StageSlot<T>{packs, 4});
}

}  // namespace detail

/// load(i, slot) then compute(i, slot); see the host's version.
template <int Packs, class T, class Load, class Compute>
void for_each_staged(const Exec&, const char* label, Index n, Load load, Compute compute, Gate gate = {}) {
    if (n == 0) return;
    detail::run_each_staged<Packs, T><<<detail::grid_of(n), 128, 0, stream()>>>(n, gate, load, compute);
    check_launch(label);
}

namespace detail {

template <int Packs, class T, class Part, class Load, class Compute, class Add>
__global__ void run_rows_staged(Index groups, Gate gate, const Index* first, Part* part, Load load, Compute compute, Add add) {
    if (!gate.open()) return;
    const Index g = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    T packs[Packs * 4];
    Part sum{};
    for (Index k = first[g]; k < first[g + 1]; ++k) {
        load(k, StageSlot<T>{packs, 4});
        compute(k, StageSlot<T>{packs, 4});
        add(sum, StageSlot<T>{packs, 4});
    }
    part[g] = sum;
}

}  // namespace detail

/// Rows in groups, load(k, slot), compute(k, slot), then add(part of its group, slot); see the host's version.
template <int Packs, class T, class Part, class Load, class Compute, class Add>
void for_each_row_staged(const Exec&, const char* label, Index groups, const Index* first, Part* part, Load load, Compute compute, Add add,
                         Gate gate = {}) {
    if (groups == 0) return;
    detail::run_rows_staged<Packs, T><<<detail::grid_of(groups), 128, 0, stream()>>>(groups, gate, first, part, load, compute, add);
    check_launch(label);
}

#else

namespace detail {

/// A bijection of [0, n) that scatters neighbours: i -> (i * odd + shift) mod 2^k, walked until it falls inside.
inline Index shuffled(Index i, Index n) {
    Index size = 1;
    while (size < n) size <<= 1;
    Index j = i;
    do {
        j = (j * 0x5851f42d + 0x3039) & (size - 1);
    } while (j >= n);
    return j;
}

/// One block as vector code. The body is a local copy, so that what it captures is known not to change with what it writes.
template <class F>
[[gnu::noinline]] void simd_block(Index begin, Index end, F f) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) f(i);
}
/// Bits are gathered in what f returns: as wide as its numbers, they keep the loop from taking more lanes at once than registers hold.
template <class F>
[[gnu::noinline]] std::uint32_t simd_block_bits(Index begin, Index end, F f) {
    std::invoke_result_t<F, Index> bits = 0;
#pragma omp simd reduction(| : bits)
    for (Index i = begin; i < end; ++i) bits |= f(i);
    return static_cast<std::uint32_t>(bits);
}

/// body(begin, end) for blocks of `length` indices, shared among the threads.
template <class Body>
void over_blocks(const Exec& exec, Index n, Body body, Index length = block_size) {
    const Index blocks = (n + length - 1) / length;
    if (blocks <= 1 || exec.threads == 1) {
        for (Index b = 0; b < blocks; ++b) body(b * length, std::min(n, (b + 1) * length));
        return;
    }
#pragma omp parallel for schedule(static) num_threads(exec.threads)
    for (Index b = 0; b < blocks; ++b) body(b * length, std::min(n, (b + 1) * length));
}

/// Scalar loops are shared in finer blocks: their indices differ in cost, and no vector remainder depends on the split.
constexpr Index scalar_block = 64;

}  // namespace detail

/// f(i) for i in [0, n), in any order; `label` names the kernel in profiles and errors.
template <class F>
void for_each(const Exec& exec, const char* label, Index n, F f, Gate gate = {}) {
    const KernelScope scope;
    note_launch(exec, label, n, gate, f);
    if (!gate.open()) return;
    if (exec.shuffle) {
        for (Index i = 0; i < n; ++i) f(detail::shuffled(i, n));
        return;
    }
    detail::over_blocks(
        exec, n,
        [f](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) f(i);
        },
        detail::scalar_block);
}

/// The same for branch-free bodies, which the compiler turns into vector code.
template <class F>
void for_each_simd(const Exec& exec, const char* label, Index n, F f, Gate gate = {}) {
    const KernelScope scope;
    note_launch(exec, label, n, gate, f);
    if (!gate.open()) return;
    if (exec.shuffle) {
        for (Index i = 0; i < n; ++i) f(detail::shuffled(i, n));
        return;
    }
    detail::over_blocks(exec, n, [f](Index begin, Index end) { detail::simd_block(begin, end, f); });
}

namespace detail {

/// *word |= the bits of block(begin, end) for blocks of indices, or of one(i) for each index in shuffled order.
template <class One, class Block>
void flag_blocks(const Exec& exec, Index n, std::uint32_t* word, One one, Block block, Index length = block_size) {
    std::uint32_t raised = 0;
    if (exec.shuffle) {
        for (Index i = 0; i < n; ++i) raised |= static_cast<std::uint32_t>(one(shuffled(i, n)));
    } else {
        over_blocks(
            exec, n,
            [block, &raised](Index begin, Index end) {
                const std::uint32_t bits = block(begin, end);
                if (bits != 0) __atomic_or_fetch(&raised, bits, __ATOMIC_RELAXED);
            },
            length);
    }
    *word |= raised;
}

}  // namespace detail

/// f returns bits, or-ed into *word.
template <class F>
void flag_each(const Exec& exec, const char* label, Index n, std::uint32_t* word, F f, Gate gate = {}) {
    const KernelScope scope;
    note_launch(exec, label, n, word, gate, f);
    if (!gate.open()) return;
    const auto block = [f](Index begin, Index end) {
        std::uint32_t bits = 0;
        for (Index i = begin; i < end; ++i) bits |= f(i);
        return bits;
    };
    detail::flag_blocks(exec, n, word, f, block, detail::scalar_block);
}

namespace detail {

constexpr Index stage_length = 128;  // packs of a stage stay in the first-level cache

template <class T, class Compute>
[[gnu::noinline]] std::uint32_t compute_stage(Index begin, Index count, T* packs, Compute compute) {
    std::invoke_result_t<Compute, Index, StageSlot<T>> bits = 0;
#pragma omp simd reduction(| : bits)
    for (Index k = 0; k < count; ++k) bits |= compute(begin + k, StageSlot<T>{packs + 4 * k, 4 * stage_length});
    return static_cast<std::uint32_t>(bits);
}

template <class T, class Load>
[[gnu::noinline]] void load_stage(Index begin, Index count, T* packs, Load load) {
    for (Index k = 0; k < count; ++k) {
        load(begin + k, StageSlot<T>{packs + 4 * k, 4 * stage_length});
        // Empty, but it keeps the compiler from interleaving iterations: rows of four are the vectors here.
        asm volatile("");
    }
}

}  // namespace detail

/// Two loops in one for kernels that read at random: load(i, slot) fetches and packs, one index after the other; compute(i, slot) is
/// branch-free, returns bits and runs as vector code over a short stage of packs. On current AMD processors vector gathers are slow, and
/// loading in order takes a third of their time.
template <int Packs, class T, class Load, class Compute>
void flag_each_staged(const Exec& exec, const char* label, Index n, std::uint32_t* word, Load load, Compute compute, Gate gate = {}) {
    const KernelScope scope;
    note_launch(exec, label, n, word, gate, load, compute);
    if (!gate.open()) return;
    const auto one = [load, compute](Index i) {
        alignas(64) T packs[Packs * 4];
        load(i, StageSlot<T>{packs, 4});
        return compute(i, StageSlot<T>{packs, 4});
    };
    const auto block = [load, compute](Index begin, Index end) {
        alignas(64) T packs[Packs * 4 * detail::stage_length];
        std::uint32_t bits = 0;
        for (Index at = begin; at < end; at += detail::stage_length) {
            const Index count = std::min(detail::stage_length, end - at);
            detail::load_stage<T>(at, count, packs, load);
            bits |= detail::compute_stage<T>(at, count, packs, compute);
        }
        return bits;
    };
    detail::flag_blocks(exec, n, word, one, block);
}

namespace detail {

template <class T, class Compute>
[[gnu::noinline]] void compute_rows(Index begin, Index count, T* packs, Compute compute) {
#pragma omp simd
    for (Index k = 0; k < count; ++k) compute(begin + k, StageSlot<T>{packs + 4 * k, 4 * stage_length});
}

}  // namespace detail

/// As flag_each_staged, without bits.
template <int Packs, class T, class Load, class Compute>
void for_each_staged(const Exec& exec, const char* label, Index n, Load load, Compute compute, Gate gate = {}) {
    const KernelScope scope;
    note_launch(exec, label, n, gate, load, compute);
    if (!gate.open()) return;
    if (exec.shuffle) {
        for (Index k = 0; k < n; ++k) {
            alignas(64) T packs[Packs * 4];
            const Index i = detail::shuffled(k, n);
            load(i, StageSlot<T>{packs, 4});
            compute(i, StageSlot<T>{packs, 4});
        }
        return;
    }
    detail::over_blocks(exec, n, [load, compute](Index begin, Index end) {
        alignas(64) T packs[Packs * 4 * detail::stage_length];
        for (Index at = begin; at < end; at += detail::stage_length) {
            const Index count = std::min(detail::stage_length, end - at);
            detail::load_stage<T>(at, count, packs, load);
            detail::compute_rows<T>(at, count, packs, compute);
        }
    });
}

/// Rows that lie group after group: group g has rows first[g] up to first[g + 1]. load(k, slot) and compute(k, slot) as above, compute
/// leaving what it found in the slot; then add(sum, slot) in the order of rows makes part[g], whatever the blocks.
template <int Packs, class T, class Part, class Load, class Compute, class Add>
void for_each_row_staged(const Exec& exec, const char* label, Index groups, const Index* first, Part* part, Load load, Compute compute,
                         Add add, Gate gate = {}) {
    const KernelScope scope;
    note_launch(exec, label, groups, first, part, gate, load, compute, add);
    if (!gate.open()) return;
    if (exec.shuffle) {
        for (Index i = 0; i < groups; ++i) {
            alignas(64) T packs[Packs * 4];
            const Index g = detail::shuffled(i, groups);
            Part sum{};
            for (Index k = first[g]; k < first[g + 1]; ++k) {
                load(k, StageSlot<T>{packs, 4});
                compute(k, StageSlot<T>{packs, 4});
                add(sum, StageSlot<T>{packs, 4});
            }
            part[g] = sum;
        }
        return;
    }
    detail::over_blocks(
        exec, groups,
        [first, part, load, compute, add](Index begin, Index end) {
            alignas(64) T packs[Packs * 4 * detail::stage_length];
            Index g = begin;
            Part sum{};
            for (Index at = first[begin]; at < first[end]; at += detail::stage_length) {
                const Index count = std::min(detail::stage_length, first[end] - at);
                detail::load_stage<T>(at, count, packs, load);
                detail::compute_rows<T>(at, count, packs, compute);
                for (Index k = 0; k < count; ++k) {
                    for (; at + k == first[g + 1]; sum = {}) part[g++] = sum;
                    add(sum, StageSlot<T>{packs + 4 * k, 4 * detail::stage_length});
                }
            }
            for (; g < end; sum = {}) part[g++] = sum;
        },
        detail::scalar_block);
}

template <class F>
void flag_each_simd(const Exec& exec, const char* label, Index n, std::uint32_t* word, F f, Gate gate = {}) {
    const KernelScope scope;
    note_launch(exec, label, n, word, gate, f);
    if (!gate.open()) return;
    detail::flag_blocks(exec, n, word, f, [f](Index begin, Index end) { return detail::simd_block_bits(begin, end, f); });
}

/// The same where f reads at random: ask(i) fetches what f(i) will read, which is asked for some indices ahead.
template <class Ask, class F>
void flag_each_fetched(const Exec& exec, const char* label, Index n, std::uint32_t* word, Ask ask, F f, Gate gate = {}) {
    const KernelScope scope;
    note_launch(exec, label, n, word, gate, f);
    if (!gate.open()) return;
    constexpr Index ahead = 64;
    const auto ask_all = [ask](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) ask(i);
    };
    const auto block = [ask_all, f](Index begin, Index end) {
        std::uint32_t bits = 0;
        ask_all(begin, std::min(begin + ahead, end));
        for (Index at = begin; at < end; at += ahead) {
            const Index until = std::min(at + ahead, end);
            ask_all(until, std::min(until + ahead, end));
            bits |= detail::simd_block_bits(at, until, f);
        }
        return bits;
    };
    detail::flag_blocks(exec, n, word, f, block);
}

#endif

}  // namespace scree::SCREE_FLAVOR
