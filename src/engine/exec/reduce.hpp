// Reductions. Float sums run over fixed blocks of block_size, then over the blocks in order, so they do not depend on threads.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "engine/exec/array.hpp"
#include "engine/exec/loops.hpp"

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
    __shared__ typename Reduce::TempStorage room;
    double value = identity;
    const Index begin = static_cast<Index>(blockIdx.x) * block_size;
    for (Index k = threadIdx.x; k < block_size && begin + k < n; k += 256) value = Op{}(value, f(begin + k));
    value = Reduce(room).Reduce(value, Op{});
    if (threadIdx.x == 0) partial[blockIdx.x] = value;
}

template <class Op, class F>
std::vector<double> block_results(const Exec&, Index n, double identity, F f) {
    const Index blocks = (n + block_size - 1) / block_size;
    if (blocks == 0) return {};
    Array<double> partial(blocks);
    reduce_blocks<Op><<<static_cast<unsigned>(blocks), 256>>>(n, identity, partial.data(), f);
    check_launch("exec/reduce");
    return partial.host();
}

#else

struct Larger {
    double operator()(double a, double b) const { return b > a || !(a == a) ? b : a; }
};
struct Plus {
    double operator()(double a, double b) const { return a + b; }
};

template <class Op, class F>
std::vector<double> block_results(const Exec& exec, Index n, double identity, F f) {
    std::vector<double> partial(static_cast<std::size_t>((n + block_size - 1) / block_size));
    double* out = partial.data();
    over_blocks(exec, n, [f, out, identity](Index begin, Index end) {
        double value = identity;
        for (Index i = begin; i < end; ++i) value = Op{}(value, f(i));
        out[begin / block_size] = value;
    });
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
#if defined(SCREE_ON_CUDA)
    std::array<double, K> total{};
    for (std::size_t k = 0; k < K; ++k) total[k] = sum_of(exec, label, n, detail::OneOf<K, F>{f, k});
    return total;
#else
    (void)label;
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

}  // namespace scree::SCREE_FLAVOR
