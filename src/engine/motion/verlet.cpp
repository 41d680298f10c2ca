#include "engine/motion/verlet.hpp"

#include "engine/motion/members.hpp"
#include "engine/motion/walls.hpp"
#include "engine/penalty/gather.hpp"
#include "engine/penalty/gather_all.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// What is stored with the bodies: complete before they move, or kept of contacts that are gone.
struct StoredForces {
    static constexpr bool planar = false, stored = true, round = false;
    template <class Use>
    SCREE_HD void act(const BodyView& body, Index i, Use use) const {
        use(body.force[i], body.torque[i]);
    }
};

/// The sum over a body's contacts, of a plane model x and y of forces and z of torques. Round: all bodies are, and the loop is without
/// calls for others.
template <bool Planar, bool Round>
struct GatheredForces {
    static constexpr bool planar = Planar, stored = false, round = Round;
    IncidenceView rows;

    template <class Use>
    SCREE_HD void act(const BodyView& body, Index i, Use use) const {
        const Gathered sum = gather<Planar, Round>(rows, i);
        if (Planar) {
            use(Vec3{sum.force.x, sum.force.y, 0}, Vec3{0, 0, body.radius[i] * sum.twist.z + sum.torque.z});
        } else {
            use(sum.force, body.radius[i] * sum.twist + sum.torque);
        }
    }
};

/// Velocities of one body while it is kicked, and its drift. In a plane z of velocities and x, y of spins are 0 and stay so: they are not
/// touched, which is a fifth of a step's motion.
template <bool Planar>
struct Moving {
    Kick at;
    SCREE_HD Moving(const BodyView& body, Index i) : at{body.velocity[i], body.angular_velocity[i]} {}
    SCREE_HD void kick(const BodyView& body, Index i, Vec3 force, Vec3 torque, const MotionSettings& s) {
        at = half_kick(at, force, torque, body.inverse_mass[i], body.inverse_inertia[i], s);
    }
    SCREE_HD void put(const BodyView& body, Index i) const {
        body.velocity.set(i, at.velocity);
        body.angular_velocity.set(i, at.angular_velocity);
    }
    SCREE_HD std::uint32_t drift(const BodyView& body, Index i, const MotionSettings& s) const {
        const Vec3 x = body.position[i] + s.dt * at.velocity;
        body.position.set(i, x);
        return drift_flags(body, i, norm2(x - body.reference[i]), s);
    }
};
template <>
struct Moving<true> {
    double x, y, spin;
    SCREE_HD Moving(const BodyView& body, Index i)
        : x(body.velocity.row[i].value[0]), y(body.velocity.row[i].value[1]), spin(body.angular_velocity.row[i].value[2]) {}
    SCREE_HD void kick(const BodyView& body, Index i, Vec3 force, Vec3 torque, const MotionSettings& s) {
        const double h = 0.5 * s.dt, inverse_mass = body.inverse_mass[i];
        x += h * (inverse_mass * force.x + s.gravity.x);
        y += h * (inverse_mass * force.y + s.gravity.y);
        spin += (h * body.inverse_inertia[i]) * torque.z;
    }
    SCREE_HD void put(const BodyView& body, Index i) const {
        body.velocity.row[i].value[0] = x;
        body.velocity.row[i].value[1] = y;
        body.angular_velocity.row[i].value[2] = spin;
    }
    SCREE_HD std::uint32_t drift(const BodyView& body, Index i, const MotionSettings& s) const {
        double* at = body.position.row[i].value;
        at[0] += s.dt * x;
        at[1] += s.dt * y;
        const double dx = at[0] - body.reference.x[i], dy = at[1] - body.reference.y[i];
        return drift_flags(body, i, dx * dx + dy * dy, s);
    }
};

/// What a pass over the bodies does to each: half kicks, of which two are what a step that is stopped between them does, to the bit; and
/// whether it then drifts and turns.
template <int HalfKicks, bool Drifts>
struct Pass {};
using Start = Pass<1, true>;
using Finish = Pass<1, false>;
using FinishAndStart = Pass<2, true>;

/// One body's part of a pass, once its force and torque are known. Spheres turn by their angular velocity, all others by their angular
/// momentum; the companion of a polyhedron's angular velocity is 0, so a kick leaves that as it is. Members move with their compounds.
template <class Forces, int HalfKicks, bool Drifts>
struct MoveBody {
    const BodyView& body;
    const ShapeView& shapes;
    Index i;
    const MotionSettings& s;
    std::uint32_t& flags;

    SCREE_HD void operator()(Vec3 force, Vec3 torque) const {
        // Where forces are held. Nobody sees those of a step that goes on at once.
        if (!Forces::stored && !Drifts && body.force.x != nullptr) {
            body.force.set(i, force);
            body.torque.set(i, torque);
        }
        Moving<Forces::planar> now(body, i);
        for (int k = 0; k < HalfKicks; ++k) now.kick(body, i, force, torque, s);
        now.put(body, i);
        const bool sphere = Forces::round || body.is_sphere(i);
        for (int k = 0; k < HalfKicks && !sphere; ++k) kick_polyhedron(body, shapes, i, torque, 0.5 * s.dt);
        if (!Drifts) return;
        flags = now.drift(body, i, s);
        if (sphere) return;
        flags |= lost_spin(body, i);
        turn_polyhedron(body, shapes, i, s.dt);
    }
};

/// Where their orientations are kept: after fused steps too.
void turn_spheres(double dt, State& state, Workspace& work) {
    if (!state.has_orientation || !state.has_spheres) return;
    const BodyView body = state.bodies.view();
    for_each(
        work.exec, "motion/turn", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            if (body.is_sphere(i) && !body.is_member(i)) turn_sphere(body, i, dt);
        },
        work.flags.gate());
}

template <class Forces, int HalfKicks, bool Drifts>
void move_bodies(State& state, Workspace& work, const char* label, MotionSettings s, Forces forces, Pass<HalfKicks, Drifts>) {
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    flag_each(
        work.exec, label, state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            if (Forces::stored && body.is_member(i)) return 0;
            std::uint32_t flags = 0;
            forces.act(body, i, MoveBody<Forces, HalfKicks, Drifts>{body, shapes, i, s, flags});
            return flags;
        },
        work.flags.gate());
    if (Drifts) {
        turn_spheres(s.dt, state, work);
        drift_members(state, work, s);
    } else {
        kick_members(state, work);
        kick_carried_walls(state, work);
    }
}

template <bool Round, int HalfKicks, bool Drifts>
void move_gathered(State& state, Workspace& work, const char* label, const MotionSettings& s, Pass<HalfKicks, Drifts> pass) {
    if (state.planar) {
        move_bodies(state, work, label, s, GatheredForces<true, Round>{incidence(state)}, pass);
    } else {
        move_bodies(state, work, label, s, GatheredForces<false, Round>{incidence(state)}, pass);
    }
}

/// From the forces of the contacts that were last evaluated, wherever they are.
template <int HalfKicks, bool Drifts>
void move(const Model& model, State& state, Workspace& work, const char* label, bool stored, Pass<HalfKicks, Drifts> pass) {
    const MotionSettings s = motion_settings(model, state);
    if (stored) {
        move_bodies(state, work, label, s, StoredForces{}, pass);
    } else if (state.has_polyhedra) {
        move_gathered<false>(state, work, label, s, pass);
    } else {
        move_gathered<true>(state, work, label, s, pass);
    }
}

}  // namespace

void turn_bodies(const Model& model, State& state, Workspace& work) {
    turn_spheres(model.dt, state, work);
}

void start_step(const Model& model, State& state, Workspace& work) {
    move(model, state, work, "motion/start", state.bodies.force.size() == state.bodies.count, Start{});
    drop_forces(state);
}

void finish_step(const Model& model, State& state, Workspace& work) {
    move(model, state, work, "motion/finish", state.stores_forces, Finish{});
}

void finish_and_start(const Model& model, State& state, Workspace& work) {
    move(model, state, work, "motion/finish_and_start", state.stores_forces, FinishAndStart{});
}

}  // namespace scree::SCREE_FLAVOR
