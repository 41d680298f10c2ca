// Reductions. Float sums run over fixed blocks of block_size, then over the blocks in order, so they do not depend on threads.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "engine/exec/array.hpp"
#include "engine/exec/loops.hpp"
#include "engine/exec/scratch.hpp"

#if defined(SCREE_ON_CUDA)
#include <cub/block/block_reduce.cuh>
#endif

namespace scree::SCREE_FLAVOR {

namespace detail {

#if defined(SCREE_ON_CUDA)

/// One of the K values of f.
template <std::size_t K, class F>
struct OneOf {
    F f;
    std::size_t k;
    __device__ double operator()(Index i) const { return f(i).value[k]; }
};
struct Larger {
    __device__ double operator()(double a, double b) const { return b > a || !(a == a) ? b : a; }
};
struct Plus {
    __device__ double operator()(double a, double b) const { return a + b; }
};

/// One partial result per fixed block of block_size indices.
template <class Op, class F>
__global__ void reduce_blocks(Index n, double identity, double* partial, F f) {
    using Reduce = cub::BlockReduce<double, 256>;
    __shared__ typename Reduce::TempStorage scratch;
    double value = identity;
    const Index begin = static_cast<Index>(blockIdx.x) * block_size;
    for (Index k = threadIdx.x; k < block_size && begin + k < n; k += 256) value = Op{}(value, f(begin + k));
    value = Reduce(scratch).Reduce(value, Op{});
    if (threadIdx.x == 0) partial[blockIdx.x] = value;
}

/// Results of the blocks of K functions, one function after the other; read with one wait.
template <class Op, class... F>
std::vector<double> block_results(const Exec& exec, Index n, double identity, F... f) {
    const Index blocks = (n + block_size - 1) / block_size;
    if (blocks == 0) return {};
    Scratch own;
    Array<double>& partial = scratch_of(exec, own).partial;
    partial.resize(blocks * static_cast<Index>(sizeof...(F)));
    double* out = partial.data();
    ((reduce_blocks<Op><<<static_cast<unsigned>(blocks), 256, 0, stream()>>>(n, identity, out, f), out += blocks), ...);
    check_launch("exec/reduce");
    return partial.host();
}

template <std::size_t K, class F, std::size_t... k>
std::vector<double> sum_blocks(const Exec& exec, Index n, F f, std::index_sequence<k...>) {
    return block_results<Plus>(exec, n, 0.0, OneOf<K, F>{f, k}...);
}

/// add(sum, part) as an operation with a result.
template <class Part, class Add>
struct Folded {
    Add add;
    __device__ Part operator()(Part a, const Part& b) const {
        add(a, b);
        return a;
    }
};
template <class Part>
struct PartAt {
    const Part* part;
    __device__ Part operator()(Index k) const { return part[k]; }
};

/// One part per range of `length` indices.
template <class Part, class F, class Add>
__global__ void fold_ranges(Index n, Index length, Gate gate, Part* out, F f, Add add) {
    if (!gate.open()) return;
    using Reduce = cub::BlockReduce<Part, 256>;
    __shared__ typename Reduce::TempStorage scratch;
    Part sum{};
    const Index begin = static_cast<Index>(blockIdx.x) * length, end = begin + length < n ? begin + length : n;
    for (Index k = begin + threadIdx.x; k < end; k += 256) add(sum, f(k));
    sum = Reduce(scratch).Reduce(sum, Folded<Part, Add>{add});
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

#else

/// What a device would do to hand partial results over.
inline void count_partial(const Exec& exec, std::size_t bytes) {
    if (exec.scratch == nullptr) count_allocation();
    count_wait(bytes);
}

struct Larger {
    double operator()(double a, double b) const { return b > a || !(a == a) ? b : a; }
};
struct Plus {
    double operator()(double a, double b) const { return a + b; }
};

template <class Op, class... F>
std::vector<double> block_results(const Exec& exec, Index n, double identity, F... f) {
    const Index blocks = (n + block_size - 1) / block_size;
    if (blocks == 0) return {};
    const KernelScope scope;
    std::vector<double> partial(static_cast<std::size_t>(blocks) * sizeof...(F));
    double* out = partial.data();
    const auto of_one = [&](auto g) {
        over_blocks(exec, n, [g, out, identity](Index begin, Index end) {
            double value = identity;
            for (Index i = begin; i < end; ++i) value = Op{}(value, g(i));
            out[begin / block_size] = value;
        });
        out += blocks;
    };
    (of_one(f), ...);
    count_partial(exec, partial.size() * sizeof(double));
    return partial;
}

#endif

}  // namespace detail

/// Sum of f(i) over [0, n) in a fixed order. Waits for the device.
template <class F>
double sum_of(const Exec& exec, const char* label, Index n, F f) {
    (void)label;
    double total = 0;
    for (const double part : detail::block_results<detail::Plus>(exec, n, 0.0, f)) total += part;
    return total;
}

/// K sums at once, of the K doubles `value` of the struct that f(i) returns.
template <std::size_t K, class F>
std::array<double, K> sums_of(const Exec& exec, const char* label, Index n, F f) {
    (void)label;
#if defined(SCREE_ON_CUDA)
    const std::vector<double> parts = detail::sum_blocks<K>(exec, n, f, std::make_index_sequence<K>{});
    std::array<double, K> total{};
    for (std::size_t b = 0; b < parts.size(); ++b) total[b / (parts.size() / K)] += parts[b];
    return total;
#else
    const KernelScope scope;
    std::vector<std::array<double, K>> partial(static_cast<std::size_t>((n + block_size - 1) / block_size));
    std::array<double, K>* out = partial.data();
    detail::over_blocks(exec, n, [f, out](Index begin, Index end) {
        std::array<double, K> sum{};
        for (Index i = begin; i < end; ++i) {
            const auto value = f(i);
            for (std::size_t k = 0; k < K; ++k) sum[k] += value.value[k];
        }
        out[begin / block_size] = sum;
    });
    if (n > 0) detail::count_partial(exec, partial.size() * sizeof(partial[0]));
    std::array<double, K> total{};
    for (const std::array<double, K>& part : partial) {
        for (std::size_t k = 0; k < K; ++k) total[k] += part[k];
    }
    return total;
#endif
}

/// Largest f(i) over [0, n); `lowest` where n is 0. NaN counts as smaller than everything.
template <class F>
double max_of(const Exec& exec, const char* label, Index n, double lowest, F f) {
    (void)label;
    double largest = lowest;
    for (const double part : detail::block_results<detail::Larger>(exec, n, lowest, f)) largest = part > largest ? part : largest;
    return largest;
}

/// Folds parts f(i), i in [0, n), into *out, which kernels can read; nobody waits. Part{} adds nothing; add(sum, part) is a plain struct's.
/// In blocks of block_size, then over the blocks in a fixed order: on the host that of their numbers.
template <class Part, class F, class Add>
void fold_into(const Exec& exec, const char* label, Index n, Part* out, F f, Add add, Gate gate = {}) {
    const Index blocks = (n + block_size - 1) / block_size;
    Scratch own;
    Array<std::uint8_t>& scratch = scratch_of(exec, own).bytes;
#if defined(SCREE_ON_CUDA)
    if (blocks > 1) scratch.resize(std::max(scratch.size(), blocks * static_cast<Index>(sizeof(Part))));
    Part* partial = blocks > 1 ? reinterpret_cast<Part*>(scratch.data()) : out;
    const unsigned grid = blocks > 1 ? static_cast<unsigned>(blocks) : 1u;
    detail::fold_ranges<<<grid, 256, 0, stream()>>>(n, block_size, gate, partial, f, add);
    if (blocks > 1) detail::fold_ranges<<<1, 256, 0, stream()>>>(blocks, blocks, gate, out, detail::PartAt<Part>{partial}, add);
    check_launch(label);
#else
    const KernelScope scope;
    note_launch(exec, label, n, out, gate, f);
    if (!gate.open()) return;
    scratch.resize(std::max(scratch.size(), blocks * static_cast<Index>(sizeof(Part))));
    Part* partial = reinterpret_cast<Part*>(scratch.data());
    detail::over_blocks(exec, n, [f, add, partial](Index begin, Index end) {
        Part sum{};
        for (Index i = begin; i < end; ++i) add(sum, f(i));
        partial[begin / block_size] = sum;
    });
    Part total{};
    for (Index b = 0; b < blocks; ++b) add(total, partial[b]);
    *out = total;
#endif
}

/// The same to the host, which waits.
template <class Part, class F, class Add>
Part fold_of(const Exec& exec, const char* label, Index n, F f, Add add) {
    Scratch own;
    Array<double>& scratch = scratch_of(exec, own).partial;
    scratch.resize(std::max(scratch.size(), static_cast<Index>((sizeof(Part) + sizeof(double) - 1) / sizeof(double))));
    Part* out = reinterpret_cast<Part*>(scratch.data());
    fold_into(exec, label, n, out, f, add);
    Part result;
    copy_to_host(&result, out, sizeof(Part));
    return result;
}

/// The largest of each of several functions, with one wait.
template <class... F>
std::array<double, sizeof...(F)> maxima_of(const Exec& exec, const char* label, Index n, double lowest, F... f) {
    (void)label;
    std::array<double, sizeof...(F)> largest;
    largest.fill(lowest);
    const std::vector<double> parts = detail::block_results<detail::Larger>(exec, n, lowest, f...);
    for (std::size_t b = 0; b < parts.size(); ++b) {
        double& of_one = largest[b / (parts.size() / sizeof...(F))];
        of_one = parts[b] > of_one ? parts[b] : of_one;
    }
    return largest;
}

}  // namespace scree::SCREE_FLAVOR
