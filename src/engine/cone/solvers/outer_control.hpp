// What a cone problem may be part of: a fixed point or corrections, which lie in memory of kernels. They give the tolerance, and once they
// have ended nothing is done in the problem, so that the host can send it before it knows whether it is needed.
#pragma once

#include "engine/exec/repeat_until.hpp"

namespace scree::SCREE_FLAVOR {

struct OuterControl : RepeatControl {
    double inner_tolerance{0};  // of the residual of the problem that is next [m/s]
    double lowest{0};           // residual of the best iterate so far [m/s]
};

/// Bits of the gate of any method's kernels: what the problem is part of had ended before it began, and so had what that is part of.
inline constexpr std::uint32_t closed_before = 16, closed_throughout = 32;

/// What such a gate starts with.
SCREE_HD std::uint32_t closed_by(const OuterControl* within) {
    if (within == nullptr || (within->done & OuterControl::stop) == 0) return 0;
    return OuterControl::stop | closed_before | ((within->done & closed_before) != 0 ? closed_throughout : 0u);
}

}  // namespace scree::SCREE_FLAVOR
