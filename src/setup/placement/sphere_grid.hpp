// Spheres by place: finds those near a point in constant time, for any mix of sizes.
// Each sphere lies in one cell of the level whose cells are just wider than its diameter; levels double in width. Cells hash into buckets.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/hash.hpp"
#include "base/vec3.hpp"

namespace scree {

class SphereGrid {
public:
    /// `smallest` [m]: the smallest radius to come; `count`: about how many spheres.
    SphereGrid(double smallest, std::size_t count) : unit_(smallest) {
        std::size_t buckets = 64;
        while (buckets < 2 * count) buckets *= 2;
        head_.assign(buckets, -1);
    }

    void insert(std::int32_t index, Vec3 p, double r) {
        int level = 0;
        while (r > reach(level)) ++level;
        if (level >= 64) return;  // a radius 2^64 times the smallest: cannot happen with radii in doubles that setup accepts
        used_ |= std::uint64_t{1} << level;
        const double inverse = 0.5 / reach(level);
        const std::uint64_t key = key_of(level, cell(p.x, inverse), cell(p.y, inverse), cell(p.z, inverse));
        std::int32_t& head = head_[key & (head_.size() - 1)];
        entries_.push_back({key, index, head});
        head = static_cast<std::int32_t>(entries_.size() - 1);
    }

    /// Calls found(index) for every sphere that may come within `distance` of p, until found returns false; each at most once.
    /// Levels of spheres below `least_radius` [m] may be left out. Where the cells in reach are more than the spheres, all spheres are
    /// called.
    template <class F>
    void near(Vec3 p, double distance, F&& found, double least_radius = 0.0) const {
        if (cells_near(distance, least_radius) > std::max(kFewCells, static_cast<double>(entries_.size()))) {
            for (const Entry& entry : entries_)
                if (!found(entry.index)) return;
            return;
        }
        for (int level = 0; level < 64 && (used_ >> level) != 0; ++level) {
            if (((used_ >> level) & 1) == 0 || reach(level) < least_radius) continue;
            const double inverse = 0.5 / reach(level), far = distance + reach(level);
            const std::int64_t high[3] = {cell(p.x + far, inverse), cell(p.y + far, inverse), cell(p.z + far, inverse)};
            for (std::int64_t z = cell(p.z - far, inverse); z <= high[2]; ++z)
                for (std::int64_t y = cell(p.y - far, inverse); y <= high[1]; ++y)
                    for (std::int64_t x = cell(p.x - far, inverse); x <= high[0]; ++x) {
                        const std::uint64_t key = key_of(level, x, y, z);
                        for (std::int32_t e = head_[key & (head_.size() - 1)]; e >= 0; e = entries_[static_cast<std::size_t>(e)].next) {
                            const Entry& entry = entries_[static_cast<std::size_t>(e)];
                            if (entry.key == key && !found(entry.index)) return;
                        }
                    }
        }
    }

private:
    struct Entry {
        std::uint64_t key;
        std::int32_t index;
        std::int32_t next;  // in the bucket, -1 ends it
    };

    /// Walked in any case, since that costs little: spheres are then found in one order however few they are.
    static constexpr double kFewCells = 4096;

    /// The most cells that a walk comes by.
    double cells_near(double distance, double least_radius) const {
        double cells = 0;
        for (int level = 0; level < 64 && (used_ >> level) != 0; ++level) {
            if (((used_ >> level) & 1) == 0 || reach(level) < least_radius) continue;
            const double across = distance / reach(level) + 2;
            cells += across * across * across;
        }
        return cells;
    }
    double reach(int level) const { return std::ldexp(unit_, level); }
    /// Places farther out than integers count share the outermost cells.
    static std::int64_t cell(double x, double inverse) {
        return static_cast<std::int64_t>(std::clamp(std::floor(x * inverse), -0x1p62, 0x1p62));
    }
    static std::uint64_t key_of(int level, std::int64_t x, std::int64_t y, std::int64_t z) {
        // Large odd factors keep neighbouring cells apart before the final mixing.
        return mix64(static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15ull + static_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4full +
                     static_cast<std::uint64_t>(z) * 0x165667b19e3779f9ull + static_cast<std::uint64_t>(level) * 0xd6e8feb86659fd93ull);
    }

    double unit_;
    std::uint64_t used_{0};  // bit l: level l holds spheres
    std::vector<std::int32_t> head_;
    std::vector<Entry> entries_;
};

}  // namespace scree
