// Overlaps at the start: every pair is found once, from its smaller sphere.
#include "setup/overlaps.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "setup/sphere_grid.hpp"

namespace scree {

Overlaps find_overlaps(const BodyTable& bodies, double warning, double limit,
                       const std::set<std::pair<std::int32_t, std::int32_t>>& apart) {
    const auto carrier_of = [&](std::size_t i) { return bodies.owner_of(i) >= 0 ? bodies.owner_of(i) : static_cast<std::int32_t>(i); };
    Overlaps found;
    std::vector<std::size_t> spheres;
    double smallest = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.shape[i] != BodyTable::sphere_shape) continue;
        smallest = spheres.empty() ? bodies.radius[i] : std::min(smallest, bodies.radius[i]);
        spheres.push_back(i);
    }
    if (spheres.empty()) return found;
    SphereGrid grid(smallest, spheres.size());
    for (const std::size_t i : spheres) grid.insert(static_cast<std::int32_t>(i), bodies.position[i], bodies.radius[i]);
    for (const std::size_t i : spheres) {
        const double r = bodies.radius[i];
        const auto look_at = [&](std::int32_t index) {
            const std::size_t j = static_cast<std::size_t>(index);
            const bool later = bodies.radius[j] > r || (bodies.radius[j] == r && j > i);
            if (!later) return true;
            const std::int32_t a = carrier_of(i), b = carrier_of(j);
            if (a == b || (!apart.empty() && apart.contains(std::minmax(a, b)))) return true;
            const double share = (r + bodies.radius[j] - norm(bodies.position[j] - bodies.position[i])) / r;
            if (share > warning) ++found.past_warning;
            if (share > limit) ++found.past_limit;
            if (share > found.worst) {
                found.worst = share;
                found.first = static_cast<std::int32_t>(std::min(i, j));
                found.second = static_cast<std::int32_t>(std::max(i, j));
            }
            return true;
        };
        grid.near(bodies.position[i], r, look_at, r);
    }
    return found;
}

}  // namespace scree
