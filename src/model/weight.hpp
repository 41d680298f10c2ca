// How strongly bodies are pulled at the most.
#pragma once

#include <cmath>

#include "model/model.hpp"

namespace scree {

/// A bound, by component, of what gravity and the model's acceleration give bodies at any time [m/s2]; media are not in it. Gravity itself
/// where nothing changes.
inline Vec3 strongest_gravity(const Model& model) {
    Vec3 g = model.gravity;
    if (!model.fields.accelerates) return g;
    const auto grow = [&](double& component, int a) {
        const double more = largest_of(model.fields.acceleration[a]);
        component += component < 0 ? -more : more;
    };
    grow(g.x, 0);
    grow(g.y, 1);
    grow(g.z, 2);
    return g;
}

}  // namespace scree
