// What kernels can raise. Gating flags stop the rest of a batch; the host then acts and resumes.
#pragma once

#include <cstdint>

#include "engine/exec/array.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

enum Flag : std::uint32_t {
    kSkinExhausted = 1,   // a body moved more than half the skin since the pair list was made
    kNotFinite = 2,       // a force or position is not a finite number
    kOverlapLimit = 4,    // an overlap passed the limit
    kOverlapWarning = 8,  // an overlap passed the warning: does not gate
    kLeftDomain = 16,     // a body's centre is outside the domain: does not gate, read at the check
    kTooFast = 32,        // a fluid's particle moves too far in a step: read by its steps
};
inline constexpr std::uint32_t gating_flags = kSkinExhausted | kNotFinite | kOverlapLimit;

/// Two words and a counter in kernel memory: kernels raise `pending`; `commit_flags` moves it to `up`, which gates the kernels that follow.
struct Flags {
    Array<std::uint32_t> word;    // [0] pending, [1] up
    Array<std::int64_t> counted;  // [0] steps finished in this batch

    Flags() {
        word.resize_zero(2);
        counted.resize_zero(1);
    }
    std::uint32_t* pending() { return word.data(); }
    Gate gate() { return {word.data() + 1, gating_flags}; }
};

}  // namespace scree::SCREE_FLAVOR
