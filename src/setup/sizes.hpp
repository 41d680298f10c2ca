// Radii of bodies from a size distribution, and the numbering of random streams that all of setup/ shares.
#pragma once

#include <cstdint>

#include "base/rng.hpp"
#include "scene/scene.hpp"

namespace scree {

/// What a stream of random numbers is for; one stream per purpose and body, so that draws for one never shift draws for another.
enum class Draw : std::uint64_t { Radius = 1, Jitter = 2, Position = 3, Orientation = 4, Velocity = 5 };

/// The stream of body `k` of a group with this seed.
inline Rng draw_stream(std::uint64_t seed, Draw purpose, std::uint64_t k) {
    return Rng(seed, hash_combine(static_cast<std::uint64_t>(purpose), k));
}

/// Radii [m] of one group of bodies. Shares of classes, and all moments, hold on average over many bodies.
class Sizes {
public:
    /// A share by mass is one of balls, in two dimensions of disks. Throws scree::Error at `place` for radii that are not positive, shares
    /// that do not add up to something, or empty bounds.
    Sizes(const SizeDistribution& distribution, std::uint64_t seed, const SourcePlace& place, int dimensions = 3);

    /// Radius of body k; depends on (seed, k) only. Throws scree::Error where the bounds reject 10000 draws in a row.
    double radius(std::uint64_t k) const;

private:
    double draw(Rng& rng) const;

    SizeDistribution distribution_;
    std::uint64_t seed_;
    SourcePlace place_;
    std::vector<double> cumulative_;     // of the classes by number, last = 1
    double log_mean_{0}, log_sigma_{0};  // of ln r, for the log-normal distribution
};

}  // namespace scree
