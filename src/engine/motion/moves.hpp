// How one body moves: kicks of velocity and angular momentum, drift, free turn. Shared by the kernels of motion/, which must round alike.
#pragma once

#include "engine/state/inertia.hpp"
#include "engine/state/reach.hpp"
#include "model/rotation.hpp"

namespace scree::SCREE_FLAVOR {

struct MotionSettings {
    Vec3 gravity;
    double dt;
    double far2;  // square of half the skin [m2]
    // Of the cone method: half the list's margin, and what reach_share asks for; 0 under the penalty method.
    double half_margin, envelope, most_way;
};

struct Kick {
    Vec3 velocity, angular_velocity;
};

SCREE_HD Kick half_kick(const Kick& at, Vec3 force, Vec3 torque, double inverse_mass, double inverse_inertia, const MotionSettings& s) {
    const double h = 0.5 * s.dt;
    return {at.velocity + h * (inverse_mass * force + s.gravity), at.angular_velocity + (h * inverse_inertia) * torque};
}

inline MotionSettings motion_settings(const Model& model, const State& state) {
    return {model.gravity, model.dt, 0.25 * state.skin * state.skin, 0.5 * list_margin(state), state.envelope, state.most_way};
}

/// Has collider i moved so far, or become so fast, that the list may miss contacts of the next step?
SCREE_HD bool list_exhausted(const BodyView& body, Index i, double moved2, const MotionSettings& s) {
    if (!(s.envelope > 0)) return moved2 > s.far2;
    const double left = s.half_margin - reach_share(body, i, s.envelope, s.dt, s.most_way);
    return left < 0 || moved2 > left * left;
}

/// Has body i, which has moved so far, used up the skin or lost its numbers? A compound has no surface that could use it up.
SCREE_HD std::uint32_t drift_flags(const BodyView& body, Index i, double moved2, const MotionSettings& s) {
    const std::uint32_t lost = moved2 < 1e60 ? 0u : kNotFinite;
    return !body.is_compound(i) && list_exhausted(body, i, moved2, s) ? kSkinExhausted | lost : lost;
}

/// Changes the angular momentum of polyhedron or compound i by a torque over the time h, and its angular velocity with it. One copy for all
/// kernels of the host: a step in two kernels must round as a step in one.
SCREE_HD_ONCE void kick_polyhedron(const BodyView& body, const ShapeView& shapes, Index i, Vec3 torque, double h) {
    const Vec3 L = body.angular_momentum[i] + h * torque;
    body.angular_momentum.set(i, L);
    body.angular_velocity.set(i, angular_velocity_of(body.orientation[i], L, moments_of(body, shapes, i)));
}

/// A spin that is no number would turn a body into one that nothing touches.
SCREE_HD std::uint32_t lost_spin(const BodyView& body, Index i) {
    return norm2(body.angular_momentum[i]) < 1e60 ? 0u : kNotFinite;
}

/// Turns sphere i by its angular velocity for a step.
SCREE_HD_ONCE void turn_sphere(const BodyView& body, Index i, double dt) {
    body.orientation.set(i, normalized(rotation_by(dt * body.angular_velocity[i]) * body.orientation[i]));
}

/// Turns polyhedron or compound i freely for a step.
SCREE_HD_ONCE void turn_polyhedron(const BodyView& body, const ShapeView& shapes, Index i, double dt) {
    const Vec3 L = body.angular_momentum[i], moments = moments_of(body, shapes, i);
    const Quat q = body.orientation[i];
    if (shapes.entry[body.shape[i]].isotropic != 0) {
        body.orientation.set(i, rotated_round(q, L, moments.x, dt));
        return;  // the angular velocity does not change with the orientation
    }
    const Quat turned = rotated_freely(q, L, moments, dt);
    body.orientation.set(i, turned);
    body.angular_velocity.set(i, angular_velocity_of(turned, L, moments));
}

}  // namespace scree::SCREE_FLAVOR
