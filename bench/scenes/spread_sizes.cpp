#include "scenes/spread_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.hpp"
#include "base/rng.hpp"

namespace scree::bench {

namespace {

/// Spheres of one octave by cell; a cell is as wide as their largest diameter.
struct OctaveGrid {
    double largest{0};  // radius [m]
    std::unordered_map<std::int64_t, std::vector<std::size_t>> cells;

    std::int64_t along(double x) const { return static_cast<std::int64_t>(std::floor(x / (2 * largest))); }
    static std::int64_t key(std::int64_t x, std::int64_t y, std::int64_t z) { return (x << 42) ^ (y << 21) ^ z; }
    void add(Vec3 at, std::size_t index) { cells[key(along(at.x), along(at.y), along(at.z))].push_back(index); }
};

bool is_clear(const SpreadPacking& p, const std::vector<OctaveGrid>& grids, Vec3 at, double r) {
    for (const OctaveGrid& g : grids) {
        const double reach = r + g.largest;
        for (std::int64_t z = g.along(at.z - reach); z <= g.along(at.z + reach); ++z) {
            for (std::int64_t y = g.along(at.y - reach); y <= g.along(at.y + reach); ++y) {
                for (std::int64_t x = g.along(at.x - reach); x <= g.along(at.x + reach); ++x) {
                    const auto found = g.cells.find(OctaveGrid::key(x, y, z));
                    if (found == g.cells.end()) continue;
                    for (const std::size_t j : found->second) {
                        const double s = r + p.radius[j];
                        if (norm2(at - p.position[j]) < s * s) return false;
                    }
                }
            }
        }
    }
    return true;
}

}  // namespace

SpreadPacking spread_packing(std::int64_t n, double smallest, double ratio) {
    SpreadPacking p;
    double volume = 0;
    // Quantiles of the distribution, so that the few large ones are there whatever the seed.
    for (std::int64_t k = 0; k < n; ++k) {
        const double u = (static_cast<double>(k) + 0.5) / static_cast<double>(n);
        const double far = 1 / (ratio * ratio * ratio);
        p.radius.push_back(smallest / std::cbrt(far + u * (1 - far)));
        volume += 4.18879020478639098 * std::pow(p.radius.back(), 3);
    }
    const double buffers = volume / 0.4;
    p.width = std::max(2.2 * p.radius.front(), std::cbrt(0.6 * buffers));
    const double height = std::max(buffers / (p.width * p.width), 2.2 * p.radius.front());
    std::vector<OctaveGrid> grids;
    Rng rng(2, 0);
    for (std::size_t i = 0; i < p.radius.size(); ++i) {
        const double r = p.radius[i];
        if (grids.empty() || r < 0.5 * grids.back().largest) {
            grids.emplace_back();
            grids.back().largest = r;
        }
        int tries = 0;
        Vec3 at;
        do {
            if (++tries > 200000) throw RunError("no room for the spread packing");
            const double x = rng.uniform(r, p.width - r), y = rng.uniform(r, p.width - r), z = rng.uniform(r, height - r);
            at = {x, y, z};
        } while (!is_clear(p, grids, at, r));
        p.position.push_back(at);
        grids.back().add(at, i);
    }
    return p;
}

}  // namespace scree::bench
