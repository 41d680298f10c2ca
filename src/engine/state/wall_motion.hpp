// Walls that move, where kernels read them. Surfaces stay in their first place for good; a wall's pose says where that place is now.
// Invariant: places hold for the time of the positions at hand. Where no wall moves all arrays are empty and views are null.
#pragma once

#include "engine/contacts/contact_scale.hpp"
#include "engine/contacts/function_tables.hpp"
#include "engine/exec/array.hpp"
#include "model/model.hpp"
#include "model/motion.hpp"

namespace scree::SCREE_FLAVOR {

/// One wall at the end of a step.
struct WallPlace {
    Pose pose;               // first place -> now
    RigidVelocity mid;       // at the middle of the step, as the velocities of bodies that contacts see
    RigidVelocity now;       // at its end
    double inverse_mass{0};  // of the body that carries it [1/kg]; 0: its motion is prescribed, and what it gives to bodies is work
};

/// A wall's hold on the body that carries it.
struct WallCarrier {
    std::int32_t body{-1};  // id of a compound; -1: the wall's motion is prescribed
    double inverse_mass{0};
    Vec3 position;  // of the body at the start, when the wall is in its first place [m]
    Quat orientation;
};

/// Parts of a place by components, so that loops which read them may become vector code.
SCREE_HD Pose pose_in(const WallPlace* w) {
    return {{w->pose.turn.w, w->pose.turn.x, w->pose.turn.y, w->pose.turn.z}, {w->pose.shift.x, w->pose.shift.y, w->pose.shift.z}};
}
SCREE_HD RigidVelocity velocity_in(const RigidVelocity* v) {
    return {{v->at.x, v->at.y, v->at.z}, {v->velocity.x, v->velocity.y, v->velocity.z}, {v->angular.x, v->angular.y, v->angular.z}};
}

/// What the displacement of a wall's surface depends on. Planes that turn about their normal, cylinders that turn about their axis and
/// surfaces that slide along themselves stay where they are.
struct WallReach {
    bool rigid{false};      // it has surfaces every displacement moves
    bool unbounded{false};  // and among them are some without end
    double radius{0};       // largest distance of a point of the bounded ones from the axis, of a carried wall from the centre [m]
    Index first_plane{0}, last_plane{0}, first_cylinder{0}, last_cylinder{0};  // of the wall, where it is not rigid
};

/// What a servo wall remembers.
struct ServoState {
    double way{0};       // along its direction [m], or about its axis [rad]
    double speed{0};     // in the step at hand [m/s] or [rad/s]
    double integral{0};  // of what is missing, over the integral time [N] or [N m]
    double load{0};      // what bodies bore in the last step [N] or [N m]
    static constexpr int values = 4;
};

/// A servo as kernels read it.
struct ServoView {
    bool on{false}, turns{false};
    Vec3 direction;
    FunctionView target;  // over the time since the motion began
    double gain{0}, integral_time{0}, max_speed{0};
};

struct WallMotions {
    bool any{false};            // some wall moves
    bool any_carried{false};    // some wall is carried by a body
    bool any_servo{false};      // some wall moves as bodies press on it
    Array<MotionView> motion;   // walls; tables in the four arrays below; constant
    Array<double> table_time;   // [s]
    Array<Vec3> table_shift;    // [m]
    Array<double> table_angle;  // [rad]
    Array<Harmonic> harmonic;
    Array<WallPlace> place;      // walls, written by motion
    Array<WallReach> reach;      // walls, constant
    Array<Displacement> listed;  // walls: how far each had gone when the pair list was made, written by motion
    Array<double> extent;  // walls: largest distance of a point of a body, where the list looks for it, from the axis (carried: the centre)
                           // then [m], where unbounded; written by motion
    Array<WallCarrier> carrier;  // walls, constant
    Array<Pose> carrier_listed;  // walls: orientation and position of the carrier when the pair list was made, written by motion

    Array<ServoView> servo;                     // walls, constant; with servos, else empty
    FunctionTables servo_target;                // walls
    Array<ServoState> servo_state, servo_kept;  // walls, written by motion; kept by fused steps
    ContactScale servo_contact;

    const WallPlace* places() const { return any ? place.data() : nullptr; }
    std::size_t bytes() const {
        return motion.bytes() + table_time.bytes() + table_shift.bytes() + table_angle.bytes() + harmonic.bytes() + place.bytes() +
               reach.bytes() + listed.bytes() + extent.bytes() + carrier.bytes() + carrier_listed.bytes() + servo.bytes() +
               servo_target.bytes() + servo_state.bytes() + servo_kept.bytes();
    }
};

/// Takes over when the model's motions start and end.
void retime_motions(const Model& model, WallMotions& motions);
/// Fills motions from the model's walls.
void load_motions(const Model& model, WallMotions& motions);

}  // namespace scree::SCREE_FLAVOR
