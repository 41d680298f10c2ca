#include "engine/motion/planar.hpp"

#include "engine/motion/moves.hpp"
#include "engine/penalty/gather.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Without the rows of empty lists: disks need so little else that they would show.
IncidenceView planar_incidence(State& state) {
    IncidenceView in = incidence(state);
    return in;
}

struct PlanarForce {
    double x, y, torque;
};

SCREE_HD PlanarForce gather_planar(const BodyView& body, const IncidenceView& rows, Index i) {
    const Gathered sum = gather<true>(rows, i);
    return {sum.force.x, sum.force.y, body.radius[i] * sum.twist.z + sum.torque.z};
}

/// Vx, vy and the spin about z. Rounds as half_kick does.
struct PlanarKick {
    double x, y, spin;
};
SCREE_HD PlanarKick planar_kick(const PlanarKick& at, const PlanarForce& f, double inverse_mass, double inverse_inertia,
                                const MotionSettings& s) {
    const double h = 0.5 * s.dt;
    return {at.x + h * (inverse_mass * f.x + s.gravity.x), at.y + h * (inverse_mass * f.y + s.gravity.y),
            at.spin + (h * inverse_inertia) * f.torque};
}

SCREE_HD PlanarKick kick_of(const BodyView& body, Index i) {
    const double *v = body.velocity.row[i].value, *w = body.angular_velocity.row[i].value;
    return {v[0], v[1], w[2]};
}
SCREE_HD void set_kick(const BodyView& body, Index i, const PlanarKick& to) {
    double *v = body.velocity.row[i].value, *w = body.angular_velocity.row[i].value;
    v[0] = to.x;
    v[1] = to.y;
    w[2] = to.spin;
}

/// As drift() of motion/moves.hpp.
SCREE_HD std::uint32_t drift_planar(const BodyView& body, Index i, const PlanarKick& v, const MotionSettings& s) {
    double* at = body.position.row[i].value;
    const double x = at[0] + s.dt * v.x, y = at[1] + s.dt * v.y;
    at[0] = x;
    at[1] = y;
    const double dx = x - body.reference.x[i], dy = y - body.reference.y[i], moved2 = dx * dx + dy * dy;
    const std::uint32_t lost = moved2 < 1e60 ? 0u : kNotFinite;
    return moved2 > s.far2 ? kSkinExhausted | lost : lost;
}

}  // namespace

void finish_planar(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const MotionSettings s = motion_settings(model, state);
    const IncidenceView rows = planar_incidence(state);
    for_each(
        work.exec, "motion/finish_planar", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const PlanarForce f = gather_planar(body, rows, i);
            body.force.x[i] = f.x;
            body.force.y[i] = f.y;
            body.torque.z[i] = f.torque;
            set_kick(body, i, planar_kick(kick_of(body, i), f, body.inverse_mass[i], body.inverse_inertia[i], s));
            if (!body.is_sphere(i)) kick_polyhedron(body, shapes, i, {0, 0, f.torque}, 0.5 * s.dt);
        },
        work.flags.gate());
}

void finish_and_start_planar(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const MotionSettings s = motion_settings(model, state);
    const IncidenceView rows = planar_incidence(state);
    // Forces are not stored: nobody sees them before the next contacts.
    flag_each(
        work.exec, "motion/finish_and_start_planar", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            const PlanarForce f = gather_planar(body, rows, i);
            const double inverse_mass = body.inverse_mass[i], inverse_inertia = body.inverse_inertia[i];
            PlanarKick now = planar_kick(kick_of(body, i), f, inverse_mass, inverse_inertia, s);
            now = planar_kick(now, f, inverse_mass, inverse_inertia, s);
            set_kick(body, i, now);
            std::uint32_t lost = 0;
            if (!body.is_sphere(i)) {
                // Twice, as the two half kicks of a step that is stopped between them.
                kick_polyhedron(body, shapes, i, {0, 0, f.torque}, 0.5 * s.dt);
                kick_polyhedron(body, shapes, i, {0, 0, f.torque}, 0.5 * s.dt);
                lost = lost_spin(body, i);
            }
            return drift_planar(body, i, now, s) | lost;
        },
        work.flags.gate());
}

}  // namespace scree::SCREE_FLAVOR
