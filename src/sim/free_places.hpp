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
            bool free = true;
            grid_.near(at, radius, [&](std::int32_t j) {
                const Ball& other = all_[static_cast<std::size_t>(j)];
                const double touch = radius + other.radius;
                free = norm2(other.at - at) > touch * touch * (1 + 1e-9);
                return free;
            });
            if (!free) continue;
            put({at, radius});
            return at;
        }
        return std::nullopt;
    }

private:
    static double smallest_of(const NearBodies& there, const std::vector<Ball>& placed, double smallest) {
        for (const double r : there.radius) smallest = std::min(smallest, r);
        for (const Ball& one : placed) smallest = std::min(smallest, one.radius);
        return smallest;
    }
    void put(Ball one) {
        grid_.insert(static_cast<std::int32_t>(all_.size()), one.at, one.radius);
        all_.push_back(one);
    }

    SphereGrid grid_;
    std::vector<Ball> all_;
};

}  // namespace scree
