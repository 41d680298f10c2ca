#include "engine/motion/verlet.hpp"

#include "engine/motion/moves.hpp"
#include "engine/motion/planar.hpp"
#include "engine/motion/stored.hpp"
#include "engine/penalty/gather.hpp"
#include "engine/penalty/gather_all.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

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

/// From the forces of the contacts last evaluated, or where the list is newer than they are from what was kept of them, which goes.
void start_spheres(State& state, Workspace& work, const MotionSettings& s) {
    const BodyView body = state.bodies.view();
    const IncidenceView rows = incidence(state);
    const bool kept = state.bodies.force.size() == state.bodies.count;
    flag_each(
        work.exec, "motion/start_spheres", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            Vec3 force, torque;
            if (kept) {
                force = body.force[i];
                torque = body.torque[i];
            } else {
                const Gathered sum = gather(rows, i);
                force = sum.force;
                torque = body.radius[i] * sum.twist + sum.torque;
            }
            const Kick now =
                half_kick({body.velocity[i], body.angular_velocity[i]}, force, torque, body.inverse_mass[i], body.inverse_inertia[i], s);
            body.velocity.set(i, now.velocity);
            body.angular_velocity.set(i, now.angular_velocity);
            return drift(body, i, now.velocity, s);
        },
        work.flags.gate());
    drop_forces(state);
}

}  // namespace

void turn_bodies(const Model& model, State& state, Workspace& work) {
    if (!state.has_orientation) return;
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const double dt = model.dt;
    for_each(
        work.exec, "motion/turn", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            if (body.is_sphere(i)) {
                turn_sphere(body, i, dt);
            } else {
                turn_polyhedron(body, shapes, i, dt);
            }
        },
        work.flags.gate());
}

void start_step(const Model& model, State& state, Workspace& work) {
    if (state.stores_forces) {
        start_stored(model, state, work);
        return;
    }
    const BodyView body = state.bodies.view();
    const MotionSettings s = motion_settings(model, state);
    if (!state.holds_forces) {
        start_spheres(state, work, s);
        turn_bodies(model, state, work);
        return;
    }
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
    if (state.stores_forces) {
        finish_stored(model, state, work);
        return;
    }
    if (state.planar) {
        finish_planar(model, state, work);
        return;
    }
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const MotionSettings s = motion_settings(model, state);
    const IncidenceView rows = incidence(state);
    for_each(
        work.exec, "motion/finish", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const Gathered sum = gather(rows, i);
            const Vec3 torque = body.radius[i] * sum.twist + sum.torque;
            if (body.force.x != nullptr) {
                body.force.set(i, sum.force);
                body.torque.set(i, torque);
            }
            const Kick now = half_kick({body.velocity[i], body.angular_velocity[i]}, sum.force, torque, body.inverse_mass[i],
                                       body.inverse_inertia[i], s);
            body.velocity.set(i, now.velocity);
            body.angular_velocity.set(i, now.angular_velocity);
            if (!body.is_sphere(i)) kick_polyhedron(body, shapes, i, torque, 0.5 * s.dt);
        },
        work.flags.gate());
}

void finish_and_start(const Model& model, State& state, Workspace& work) {
    if (state.stores_forces) {
        finish_and_start_stored(model, state, work);
        return;
    }
    if (state.planar) {
        finish_and_start_planar(model, state, work);
        turn_bodies(model, state, work);
        return;
    }
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const MotionSettings s = motion_settings(model, state);
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
