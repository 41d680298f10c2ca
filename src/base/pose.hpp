// Rigid placement and motion of a solid: where its points are, and how fast they move.
#pragma once

#include "base/quat.hpp"
#include "base/vec3.hpp"

namespace scree {

/// x -> rotate(turn, x) + shift.
struct Pose {
    Quat turn;
    Vec3 shift;  // [m]
};

/// The place a point of the solid has now.
SCREE_HD Vec3 placed(const Pose& pose, Vec3 point) {
    return rotate(pose.turn, point) + pose.shift;
}
/// A point of the world in the solid's frame: the inverse of placed().
SCREE_HD Vec3 in_frame(const Pose& pose, Vec3 point) {
    return rotate(conjugate(pose.turn), point - pose.shift);
}

/// Velocity of the solid's point that is at `at` now, and its angular velocity.
struct RigidVelocity {
    Vec3 at;        // [m]
    Vec3 velocity;  // [m/s]
    Vec3 angular;   // world frame [rad/s]
};

/// Velocity of the solid's point that is at x now [m/s].
SCREE_HD Vec3 velocity_at(const RigidVelocity& v, Vec3 x) {
    return v.velocity + cross(v.angular, x - v.at);
}

}  // namespace scree
