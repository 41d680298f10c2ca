// What a set of pairs comes to, whatever the order they are found in: their number, and a sum of a mixed word of each pair.
#pragma once

#include <algorithm>
#include <cstdint>

#include "layouts/particles.hpp"

namespace scree::layouts {

struct PairSum {
    std::int64_t count{0};
    std::uint64_t sum{0};  // modulo 2^64

    void add(Id a, Id b) {
        std::uint64_t word = (std::uint64_t{std::min(a, b)} << 32 | std::max(a, b)) * 0x9e3779b97f4a7c15u;
        word ^= word >> 32;  // else the sum would not notice partners that are swapped between two pairs
        ++count;
        sum += word;
    }
    bool operator==(const PairSum&) const = default;
};

}  // namespace scree::layouts
