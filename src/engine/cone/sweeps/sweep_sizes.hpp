// How much a layout of Gauss-Seidel sweeps holds. Kernels find it out; the host, which has to give arrays and loops a length, expects what
// the problem before had and some more, and learns with the first look at the residual whether that was enough.
#pragma once

#include "engine/exec/config.hpp"

namespace scree::SCREE_FLAVOR {

/// At most this many colours; what finds none of them free is swept in series, in the order of keys.
inline constexpr int most_colours = 32;

struct SweepSizes {
    Index colour[most_colours]{};  // blocks of each; where contacts roll: manifolds
    Index blocks{0}, values{0};    // of all colours; where contacts roll: manifolds, and no values
    Index series{0};               // manifolds without colour
    Index open{0};                 // manifolds that rounds of colouring have not come to
};

/// What kernels say of a layout.
struct SweepFit {
    SweepSizes sizes;
    std::uint32_t misfit{1};  // 1: it needs more than was expected, or more rounds; nothing is laid out
};

}  // namespace scree::SCREE_FLAVOR
