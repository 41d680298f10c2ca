// Buffers that scans and reductions use again from call to call, so that they allocate nothing once warm.
#pragma once

#include "engine/exec/array.hpp"

namespace scree::SCREE_FLAVOR {

struct Scratch {
    Array<std::uint8_t> bytes;
    Array<double> partial;
};

/// The scratch of `exec`, or `own` where it has none.
inline Scratch& scratch_of(const Exec& exec, Scratch& own) {
    return exec.scratch != nullptr ? *exec.scratch : own;
}

}  // namespace scree::SCREE_FLAVOR
