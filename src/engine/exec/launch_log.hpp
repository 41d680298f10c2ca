// What loops are started with: a running hash over labels, lengths and captures. Two stretches of a run with the same hash start the same
// kernels with the same arguments, so that a recording of one may stand for the other; tests compare them on the host.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "engine/exec/config.hpp"

namespace scree::SCREE_FLAVOR {

struct LaunchLog {
    std::uint64_t hash{0};
    std::int64_t launches{0};
    std::int64_t replays{0};  // stretches that a device would have replayed
    std::int64_t changed{0};  // of these, such that did not start what was recorded

    void add(const void* bytes, std::size_t count) {
        const unsigned char* at = static_cast<const unsigned char*>(bytes);
        for (std::size_t k = 0; k < count; ++k) hash = (hash ^ at[k]) * 0x100000001b3u;  // FNV-1a
    }
    /// The captures of a kernel, without what lies between them; nothing where the compiler (clang 15) cannot tell what does.
    template <class F>
    void add_captures([[maybe_unused]] const F& f) {
        static_assert(std::is_trivially_copyable_v<F>);
#if defined(SCREE_ON_CUDA)
        add(&f, sizeof(F));
#elif defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
        F copy = f;
        __builtin_clear_padding(&copy);
        add(&copy, sizeof(F));
#endif
#endif
    }
};

/// Notes one loop; Gate and kernels as it was called with.
template <class... Kernel>
void note_launch(const Exec& exec, const char* label, Index n, const Kernel&... kernel) {
    if (exec.log == nullptr) return;
    ++exec.log->launches;
    exec.log->add(label, std::strlen(label));
    exec.log->add(&n, sizeof(n));
    (exec.log->add_captures(kernel), ...);
}

}  // namespace scree::SCREE_FLAVOR
