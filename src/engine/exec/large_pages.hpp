// Large memory pages where the system gives them on request: what is read at random then misses the page tables less often, and new memory
// is cheaper to touch first. A hint only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/exec/config.hpp"

#if defined(__linux__) && !defined(SCREE_ON_CUDA)
#include <sys/mman.h>
#endif

namespace scree::SCREE_FLAVOR {

inline void prefer_large_pages(void* memory, std::size_t bytes) {
#if defined(__linux__) && !defined(SCREE_ON_CUDA)
    constexpr std::uintptr_t page = 4096;
    constexpr std::size_t worth = std::size_t{1} << 20;
    if (bytes < worth) return;
    // Whole pages, with what neighbours have of them: arrays side by side then share large pages.
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(memory) / page * page;
    const std::uintptr_t last = (reinterpret_cast<std::uintptr_t>(memory) + bytes + page - 1) / page * page;
    (void)madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

}  // namespace scree::SCREE_FLAVOR
