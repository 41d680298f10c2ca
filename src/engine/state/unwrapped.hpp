// Where bodies would be had they never come back across the borders of a periodic cell.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Where a body would be had it never been brought back, but for what a shear moves it by.
struct Unwrapped {
    Cell cell;
    const std::int32_t *x, *y, *z;  // null without periods

    SCREE_HD Vec3 operator()(const BodyView& body, Index i) const {
        const Vec3 at = body.position[i];
        return x == nullptr ? at : at + Vec3{x[i] * cell.length[0], y[i] * cell.length[1], z[i] * cell.length[2]};
    }
};
inline Unwrapped unwrapped(State& state, const Workspace& work) {
    Bodies& b = state.bodies;
    if (!work.images.cell.any()) return {{}, nullptr, nullptr, nullptr};
    return {work.images.cell, b.periods_x.data(), b.periods_y.data(), b.periods_z.data()};
}

}  // namespace scree::SCREE_FLAVOR
