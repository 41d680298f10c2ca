// 64-bit hashes for state comparison and for counter-based random numbers. Not cryptographic.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/macros.hpp"

namespace scree {

/// Finalizer of splitmix64 (Steele, Lea & Flood 2014): a bijection of 64-bit words that spreads every input bit.
SCREE_HD std::uint64_t mix64(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
/// Hash of the pair (seed, word); order matters.
SCREE_HD std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t word) {
    return mix64(seed ^ mix64(word));
}
/// The bits of a double, with -0 taken as +0, which no later arithmetic here can tell apart.
SCREE_HD std::uint64_t bits_of(double value) {
    value += 0.0;
    std::uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

}  // namespace scree
