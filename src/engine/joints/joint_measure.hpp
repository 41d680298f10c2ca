// What joints miss with their bodies at given places: one code for the host and for kernels.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "engine/joints/joints.hpp"
#include "model/rotation.hpp"

namespace scree {

/// What a row of JointSystem stands for. Position level: sign (coordinate - target) for drives and stops.
enum class RowRole : std::uint8_t { Held, Coupled, Motor, Stop };
struct RowInfo {
    RowRole role;
    bool along;          // Motor, Stop: of the travel, else the angle
    double sign;         // Stop: 1 at the low end, -1 at the high one
    double target;       // Motor, Stop: where the coordinate is to be after the drift [rad] or [m]
    std::int32_t joint;  // whose row it is
    std::int32_t held;   // Held: which of all joints' own rows
};

/// A joint where places of bodies are all that changes.
struct JointPart {
    JointKind kind{JointKind::Free};
    std::int32_t a{-1}, b{-1};  // index into JointSystem::bodies, -1: ground
    JointFrames frames;
    bool travels{false};         // has an axis of travel
    std::int32_t first_held{0};  // of all joints' own rows
    // Couplings: the two joints, and their weighed sum at the start.
    bool couples{false}, second_travels{false};
    std::int32_t first{-1}, second{-1};
    double weight{0}, coupled_at{0};
};

/// Coordinates of a joint: its angle over full turns [rad] and its travel [m].
struct MovedJoint {
    double angle, travel;
    SCREE_HD double of(bool along) const { return along ? travel : angle; }
};

/// The value of the same angle modulo 2 pi, at most pi from `near`.
SCREE_HD double unwrapped(double angle, double near) {
    const double full = 2 * std::numbers::pi;
    return angle + full * std::round((near - angle) / full);
}

/// Coordinates of a holding joint with its bodies at these places, the angle nearest to `near`; what its own rows miss goes to held[0 …].
SCREE_HD MovedJoint measure_joint(const JointPart& joint, const Pose& a, const Pose& b, double near, double* held) {
    const JointPlace at = place_joint(joint.frames, a, b);
    Row rows[most_rows];
    HoldingKinds::place(joint.kind, at, rows);
    const int count = HoldingKinds::rows(joint.kind);
    for (int k = 0; k < count; ++k) held[k] = rows[k].value;
    return {unwrapped(turn_about_axis(at).value, near), travel_of(at, joint.travels).value};
}

/// The weighed sum that a coupling holds.
SCREE_HD double coupled_sum(const JointPart& coupling, const MovedJoint* moved) {
    return coupling.weight * moved[coupling.first].angle + moved[coupling.second].of(coupling.second_travels);
}

/// What a row misses, by what measure_joint() found of all joints.
SCREE_HD double missed_by(const RowInfo& row, const JointPart* joints, const MovedJoint* moved, const double* held) {
    switch (row.role) {
        case RowRole::Held:
            return held[row.held];
        case RowRole::Coupled:
            return coupled_sum(joints[row.joint], moved) - joints[row.joint].coupled_at;
        default:
            return row.sign * (moved[row.joint].of(row.along) - row.target);
    }
}

}  // namespace scree
