// What bodies of a cone problem are to kernels: masses and twists, by slot.
#pragma once

#include "engine/cone/operator.hpp"

namespace scree::SCREE_FLAVOR {

/// Inverse mass and inverse inertia about the centre in the world frame: xx, yy, zz, xy, xz, yz.
struct BodyMass {
    Real inverse_mass;
    Real inverse_inertia[6];
    Real padding;
};

/// Velocity and angular velocity side by side: one or two cache lines.
struct BodyTwist {
    Vec3R v;
    Real padding_v;
    Vec3R w;
    Real padding_w;
};

}  // namespace scree::SCREE_FLAVOR
