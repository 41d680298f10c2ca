#include "model/hard_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {

bool HardBox::closed() const {
    for (int a = 0; a < dimensions; ++a)
        if (!closed(a)) return false;
    return true;
}

double HardBox::volume() const {
    if (!closed()) return 0;
    double product = 1;
    for (int a = 0; a < dimensions; ++a) product *= length(a);
    return product;
}

double HardBox::wall_area() const {
    double sum = 0;
    for (int a = 0; a < dimensions; ++a)
        if (walled[a]) sum += 2 * volume() / length(a);
    return sum;
}

HardBox hard_box(const Model& model) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    HardBox box;
    box.dimensions = model.dimensions;
    for (int a = 0; a < 3; ++a) {
        box.periodic[a] = a < model.dimensions && model.domain.periodic[a];
        box.low[a] = box.periodic[a] ? along(model.domain.box.min, a) : -infinity;
        box.high[a] = box.periodic[a] ? along(model.domain.box.max, a) : infinity;
    }
    for (const Wall& wall : model.walls)
        for (const Plane& plane : wall.planes) {
            for (int a = 0; a < model.dimensions; ++a) {
                if (box.periodic[a]) continue;
                const double n = along(plane.normal, a), at = along(plane.point, a);
                // 1e-12: rounding of a direction made a unit vector.
                if (n > 1 - 1e-12) box.low[a] = std::max(box.low[a], at);
                if (n < -1 + 1e-12) box.high[a] = std::min(box.high[a], at);
            }
        }
    for (int a = 0; a < model.dimensions; ++a) box.walled[a] = !box.periodic[a] && std::isfinite(box.low[a]) && std::isfinite(box.high[a]);
    return box;
}

}  // namespace scree
