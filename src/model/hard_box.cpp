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
    if (!closed() || cut) return 0;
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

namespace {

/// Whether a part of the box lies behind the plane: its corner farthest back does.
bool cuts(const Plane& plane, const HardBox& box) {
    double back = -dot(plane.normal, plane.point), extent = 0;
    for (int a = 0; a < box.dimensions; ++a) {
        const double n = along(plane.normal, a);
        back += std::min(n * box.low[a], n * box.high[a]);
        extent = std::max(extent, box.length(a));
    }
    return back < -1e-12 * extent;  // rounding of a plane through a corner
}

}  // namespace

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
    if (!box.closed()) return box;
    for (const Wall& wall : model.walls)
        for (const Plane& plane : wall.planes) box.cut = box.cut || cuts(plane, box);
    return box;
}

}  // namespace scree
