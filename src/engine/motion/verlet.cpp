#include "engine/motion/verlet.hpp"

#include "engine/motion/rotation.hpp"
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

/// Principal moments of polyhedron i [kg m2].
SCREE_HD Vec3 moments_of(const BodyView& body, const ShapeView& shapes, Index i) {
    const double r = body.radius[i];
    return (r * r / body.inverse_mass[i]) * shapes.entry[body.shape[i]].inertia;
}

/// Changes the angular momentum of polyhedron i by a torque over the time h, and its angular velocity with it. One copy for all kernels: a
/// step in two kernels must round as a step in one.
SCREE_HD_SHARED void kick_polyhedron(const BodyView& body, const ShapeView& shapes, Index i, Vec3 torque, double h) {
    const Vec3 L = body.angular_momentum[i] + h * torque;
    body.angular_momentum.set(i, L);
    body.angular_velocity.set(i, angular_velocity_of(body.orientation[i], L, moments_of(body, shapes, i)));
}

/// A spin that is no number would turn a body into one that nothing touches.
SCREE_HD std::uint32_t lost_spin(const BodyView& body, Index i) {
    return norm2(body.angular_momentum[i]) < 1e60 ? 0u : kNotFinite;
}

/// Turns polyhedron i freely for a step.
SCREE_HD void turn_polyhedron(const BodyView& body, const ShapeView& shapes, Index i, double dt) {
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

void turn_bodies(const Model& model, State& state, Workspace& work) {
    if (!model.track_orientation && !state.has_polyhedra) return;
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const double dt = model.dt;
    for_each(
        work.exec, "motion/turn", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            if (body.is_sphere(i)) {
                body.orientation.set(i, normalized(rotation_by(dt * body.angular_velocity[i]) * body.orientation[i]));
            } else {
                turn_polyhedron(body, shapes, i, dt);
            }
        },
        work.flags.gate());
}

/// The companion of a polyhedron's angular velocity is 0, so half a kick leaves that as it is; its angular momentum takes the torque.
void start_polyhedra(State& state, Workspace& work, const MotionSettings& s) {
    if (!state.has_polyhedra) return;
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    flag_each(
        work.exec, "motion/start_polyhedra", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            if (body.is_sphere(i)) return 0;
            kick_polyhedron(body, shapes, i, body.torque[i], 0.5 * s.dt);
            return lost_spin(body, i);
        },
        work.flags.gate());
}

}  // namespace

void start_step(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const MotionSettings s = settings(model, state);
    start_polyhedra(state, work, s);
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
    const ShapeView shapes = work.shapes.view();
    const MotionSettings s = settings(model, state);
    const IncidenceView rows = incidence(state);
    for_each(
        work.exec, "motion/finish", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const Gathered sum = gather(rows, i);
            const Vec3 torque = body.radius[i] * sum.twist + sum.torque;
            body.force.set(i, sum.force);
            body.torque.set(i, torque);
            const Kick now = half_kick({body.velocity[i], body.angular_velocity[i]}, sum.force, torque, body.inverse_mass[i],
                                       body.inverse_inertia[i], s);
            body.velocity.set(i, now.velocity);
            body.angular_velocity.set(i, now.angular_velocity);
            if (!body.is_sphere(i)) kick_polyhedron(body, shapes, i, torque, 0.5 * s.dt);
        },
        work.flags.gate());
}

void finish_and_start(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const MotionSettings s = settings(model, state);
    const IncidenceView rows = incidence(state);
    flag_each(
        work.exec, "motion/finish_and_start", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            const Gathered sum = gather(rows, i);
            const Vec3 torque = body.radius[i] * sum.twist + sum.torque;
            Kick now{body.velocity[i], body.angular_velocity[i]};
            now = half_kick(now, sum.force, torque, body.inverse_mass[i], body.inverse_inertia[i], s);
            now = half_kick(now, sum.force, torque, body.inverse_mass[i], body.inverse_inertia[i], s);
            body.velocity.set(i, now.velocity);
            body.angular_velocity.set(i, now.angular_velocity);
            std::uint32_t lost = 0;
            if (!body.is_sphere(i)) {
                // Twice, as the two half kicks of a step that is stopped between them.
                kick_polyhedron(body, shapes, i, torque, 0.5 * s.dt);
                kick_polyhedron(body, shapes, i, torque, 0.5 * s.dt);
                lost = lost_spin(body, i);
            }
            return drift(body, i, now.velocity, s) | lost;
        },
        work.flags.gate());
    turn_bodies(model, state, work);
}

}  // namespace scree::SCREE_FLAVOR
