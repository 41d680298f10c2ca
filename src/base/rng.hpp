// Counter-based random numbers: the value is a pure function of (seed, stream, counter), so draws depend neither on order nor on threads.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/hash.hpp"

namespace scree {

/// A stream of random numbers; copying it copies the position.
class Rng {
public:
    Rng(std::uint64_t seed, std::uint64_t stream) : key_(hash_combine(seed, stream)) {}

    std::uint64_t bits() { return hash_combine(key_, counter_++); }
    /// Uniform in [0, 1), 53 random bits.
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Standard normal by Box and Muller, one value per call.
    double normal() {
        const double u = 1.0 - uniform();
        const double angle = 6.283185307179586 * uniform();
        return std::sqrt(-2.0 * std::log(u)) * std::cos(angle);
    }
    std::uint64_t counter() const { return counter_; }

private:
    std::uint64_t key_;
    std::uint64_t counter_{0};
};

}  // namespace scree
