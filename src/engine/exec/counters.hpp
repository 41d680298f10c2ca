// Integers that several indices of a loop count on. What they end at does not depend on the order; what each add returns does.
#pragma once

#include "engine/exec/config.hpp"

namespace scree::SCREE_FLAVOR {

/// Adds to a counter and returns what it was. Alone: the loop runs on one thread.
template <bool Alone>
SCREE_HD std::int32_t add_to(std::int32_t* counter, std::int32_t by) {
#if defined(__CUDA_ARCH__)
    return atomicAdd(counter, by);
#else
    if (!Alone) return __atomic_fetch_add(counter, by, __ATOMIC_RELAXED);
    const std::int32_t before = *counter;
    *counter = before + by;
    return before;
#endif
}

}  // namespace scree::SCREE_FLAVOR
