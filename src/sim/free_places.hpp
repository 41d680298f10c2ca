// Room for bodies that come: places where a sphere touches none of those that are there or have just been given places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/engine.hpp"
#include "setup/placement/region.hpp"
#include "setup/placement/sphere_grid.hpp"

namespace scree {

struct Ball {
    Vec3 at;           // [m]
    double radius{0};  // [m]
};

class FreePlaces {
public:
    /// `there`: what the engine has; `placed`: what comes besides; `smallest`: radius of about `more` that look for places [m].
    FreePlaces(const NearBodies& there, const std::vector<Ball>& placed, double smallest, std::size_t more)
        : grid_(smallest_of(there, placed, smallest), there.radius.size() + placed.size() + more) {
        for (std::size_t k = 0; k < there.radius.size(); ++k) put({there.position[k], there.radius[k]});
        for (const Ball& one : placed) put(one);
    }

    /// A random place in the region, which is then taken; none where all of `tries` are not free.
    std::optional<Vec3> take(const PlaceRegion& region, double radius, std::int64_t tries, Rng& rng) {
        for (std::int64_t i = 0; i < tries; ++i) {
            const Vec3 at = region.random_centre(rng, radius);
            if (touched(at, radius)) continue;
            put({at, radius});
            return at;
        }
        return std::nullopt;
    }

    /// The number of one that a sphere there would touch, among those that were there and then those put; none where it is free.
    std::optional<std::size_t> touched(Vec3 at, double radius) const {
        std::optional<std::size_t> found;
        grid_.near(at, radius, [&](std::int32_t j) {
            const Ball& other = all_[static_cast<std::size_t>(j)];
            const double touch = radius + other.radius;
            if (norm2(other.at - at) > touch * touch * (1 + 1e-9)) return true;
            found = static_cast<std::size_t>(j);
            return false;
        });
        return found;
    }
    void put(Ball one) {
        grid_.insert(static_cast<std::int32_t>(all_.size()), one.at, one.radius);
        all_.push_back(one);
    }

private:
    static double smallest_of(const NearBodies& there, const std::vector<Ball>& placed, double smallest) {
        for (const double r : there.radius) smallest = std::min(smallest, r);
        for (const Ball& one : placed) smallest = std::min(smallest, one.radius);
        return smallest;
    }

    SphereGrid grid_;
    std::vector<Ball> all_;
};

}  // namespace scree
