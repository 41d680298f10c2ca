// A loop over short ranges of indices, for bodies that work on several at once: f(begin, end) returns bits, or-ed into one word. On a
// device each range is one index. Invariant: what f does for an index does not depend on the range it comes in, so any cut gives the same
// bits.
#pragma once

#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

/// No range is longer.
inline constexpr Index longest_batch = on_device ? 1 : 64;

#if defined(SCREE_ON_CUDA)

namespace detail {

template <class F>
struct OneAtATime {
    F f;
    __device__ std::uint32_t operator()(Index i) const { return f(i, i + 1); }
};

}  // namespace detail

template <class F>
void flag_each_batch(const Exec& exec, const char* label, Index n, std::uint32_t* word, F f, Gate gate = {}) {
    flag_each(exec, label, n, word, detail::OneAtATime<F>{f}, gate);
}

#else

template <class F>
void flag_each_batch(const Exec& exec, const char* label, Index n, std::uint32_t* word, F f, Gate gate = {}) {
    const KernelScope scope;
    note_launch(exec, label, n, word, gate, f);
    if (!gate.open()) return;
    detail::flag_blocks(
        exec, n, word, [f](Index i) { return f(i, i + 1); }, f, longest_batch);
}

#endif

}  // namespace scree::SCREE_FLAVOR
