// Overlaps at the start: every pair is found once, from its smaller sphere.
#include "setup/overlaps.hpp"

#include <algorithm>
#include <cmath>

#include "setup/sphere_grid.hpp"

namespace scree {

Overlaps find_overlaps(const BodyTable& bodies, double warning, double limit) {
    Overlaps found;
    const std::size_t n = bodies.size();
    if (n == 0) return found;
    SphereGrid grid(*std::min_element(bodies.radius.begin(), bodies.radius.end()), n);
    for (std::size_t i = 0; i < n; ++i) grid.insert(static_cast<std::int32_t>(i), bodies.position[i], bodies.radius[i]);
    for (std::size_t i = 0; i < n; ++i) {
        const double r = bodies.radius[i];
        const auto look_at = [&](std::int32_t index) {
            const std::size_t j = static_cast<std::size_t>(index);
            const bool later = bodies.radius[j] > r || (bodies.radius[j] == r && j > i);
            if (!later) return true;
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
