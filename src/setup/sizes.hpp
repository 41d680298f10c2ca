// Radii of bodies from a size distribution, and the numbering of random streams that all of setup/ shares.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "scene/scene.hpp"

namespace scree {

/// What a stream of random numbers is for; one stream per purpose and body, so that draws for one never shift draws for another.
enum class Draw : std::uint64_t { Radius = 1, Jitter = 2, Position = 3, Orientation = 4, Velocity = 5, Part = 6 };

/// The stream of body `k` of a group with this seed.
inline Rng draw_stream(std::uint64_t seed, Draw purpose, std::uint64_t k) {
    return Rng(seed, hash_combine(static_cast<std::uint64_t>(purpose), k));
}

/// Reads the table of sieves in a file. Throws scree::Error at its line.
void read_sieves(const std::string& path, SizeDistribution& sizes);

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
    /// Has draws that go by steps of `node_`, between two of which the share of what is counted rises evenly with r.
    void set_steps(const std::vector<double>& node, const std::vector<double>& below);
    /// The same for a share by mass that `below(r)` gives, from low to high.
    template <class Below>
    void set_curve(Below below, double low, double high);
    [[noreturn]] void fail_empty() const;

    SizeDistribution distribution_;
    std::uint64_t seed_;
    SourcePlace place_;
    int dimensions_;
    std::vector<double> cumulative_;     // of the classes, or up to the end of each step, by number, last = 1
    std::vector<double> node_;           // ends of the steps, one more than these [m]; none: draws go by the distribution's own formula
    double log_mean_{0}, log_sigma_{0};  // of ln r, for the log-normal distribution
};

}  // namespace scree
