#include "engine/motion/verlet.hpp"

#include "engine/penalty/gather.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct MotionSettings {
    Vec3 gravity;
    double dt;
    double far2;  // square of half the skin [m2]
};

struct Kick {
    Vec3 velocity, angular_velocity;
};

SCREE_HD Kick half_kick(const Kick& at, Vec3 force, Vec3 torque, double inverse_mass, double inverse_inertia, const MotionSettings& s) {
    const double h = 0.5 * s.dt;
    return {at.velocity + h * (inverse_mass * force + s.gravity), at.angular_velocity + (h * inverse_inertia) * torque};
}

/// Moves body i and tells whether it has used up the skin or lost its numbers.
SCREE_HD std::uint32_t drift(const BodyView& body, Index i, Vec3 velocity, const MotionSettings& s) {
    const Vec3 x = body.position[i] + s.dt * velocity;
    body.position.set(i, x);
    const double moved2 = norm2(x - body.reference[i]);
    const std::uint32_t lost = moved2 < 1e60 ? 0u : kNotFinite;
    return moved2 > s.far2 ? kSkinExhausted | lost : lost;
}

MotionSettings settings(const Model& model, const State& state) {
    return {model.gravity, model.dt, 0.25 * state.skin * state.skin};
}

void turn_bodies(const Model& model, State& state, Workspace& work) {
    if (!model.track_orientation) return;
    const BodyView body = state.bodies.view();
    const double dt = model.dt;
    for_each(
        work.exec, "motion/turn", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            body.orientation.set(i, normalized(rotation_by(dt * body.angular_velocity[i]) * body.orientation[i]));
        },
        work.flags.gate());
}

}  // namespace

void start_step(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const MotionSettings s = settings(model, state);
    flag_each_simd(
        work.exec, "motion/start", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            const Kick now = half_kick({body.velocity[i], body.angular_velocity[i]}, body.force[i], body.torque[i], body.inverse_mass[i],
                                       body.inverse_inertia[i], s);
            body.velocity.set(i, now.velocity);
            body.angular_velocity.set(i, now.angular_velocity);
            return drift(body, i, now.velocity, s);
        },
        work.flags.gate());
    turn_bodies(model, state, work);
}

void finish_step(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const MotionSettings s = settings(model, state);
    const IncidenceView rows = incidence(state);
    for_each(
        work.exec, "motion/finish", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const Gathered sum = gather(rows, i);
            const Vec3 torque = body.radius[i] * sum.twist;
            body.force.set(i, sum.force);
            body.torque.set(i, torque);
            const Kick now = half_kick({body.velocity[i], body.angular_velocity[i]}, sum.force, torque, body.inverse_mass[i],
                                       body.inverse_inertia[i], s);
            body.velocity.set(i, now.velocity);
            body.angular_velocity.set(i, now.angular_velocity);
        },
        work.flags.gate());
}

void finish_and_start(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const MotionSettings s = settings(model, state);
    const IncidenceView rows = incidence(state);
    flag_each(
        work.exec, "motion/finish_and_start", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            const Gathered sum = gather(rows, i);
            const Vec3 torque = body.radius[i] * sum.twist;
            Kick now{body.velocity[i], body.angular_velocity[i]};
            now = half_kick(now, sum.force, torque, body.inverse_mass[i], body.inverse_inertia[i], s);
            now = half_kick(now, sum.force, torque, body.inverse_mass[i], body.inverse_inertia[i], s);
            body.velocity.set(i, now.velocity);
            body.angular_velocity.set(i, now.angular_velocity);
            return drift(body, i, now.velocity, s);
        },
        work.flags.gate());
    turn_bodies(model, state, work);
}

}  // namespace scree::SCREE_FLAVOR
