#include "engine/motion/walls.hpp"

#include "engine/exec/reduce.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct WallWatch {
    const MotionView* motion;
    const WallReach* reach;
    WallPlace* place;
    Displacement* listed;
    const double* extent;
    const std::uint8_t* active;
    PlaneView planes;
    CylinderView cylinders;
    const WallCarrier* carrier;
    Pose* carrier_listed;
    const ServoView* servo;  // null without servos
    const ServoState* servo_state;
    const Slot* slot;
    BodyView body;
    double skin;
};

WallWatch watch_of(State& state, Workspace& work) {
    Walls& w = work.walls;
    return {w.motions.motion.data(),
            w.motions.reach.data(),
            w.motions.place.data(),
            w.motions.listed.data(),
            w.motions.extent.data(),
            w.active.data(),
            w.plane_view(),
            w.cylinder_view(),
            w.motions.carrier.data(),
            w.motions.carrier_listed.data(),
            w.motions.any_servo ? w.motions.servo.data() : nullptr,
            w.motions.servo_state.data(),
            work.slot_of_id.data(),
            state.bodies.view(),
            state.skin};
}

/// How far wall w has gone at a time: as prescribed, or where its servo has brought it.
SCREE_HD Displacement displacement_of(const WallWatch& s, Index w, double time) {
    if (s.servo == nullptr || !s.servo[w].on) return displacement_at(s.motion[w], time);
    const double way = s.servo_state[w].way;
    return s.servo[w].turns ? Displacement{way, {}} : Displacement{0.0, way * s.servo[w].direction};
}

SCREE_HD WallPlace place_at(const WallWatch& s, Index w, const Displacement& d, double time, double half) {
    const MotionView& m = s.motion[w];
    if (s.servo == nullptr || !s.servo[w].on) return {pose_of(m, d), velocity_of(m, time - half), velocity_of(m, time), 0.0};
    RigidVelocity v{m.point + d.shift, {}, {}};
    if (s.servo[w].turns) {
        v.angular = s.servo_state[w].speed * m.axis;
    } else {
        v.velocity = s.servo_state[w].speed * s.servo[w].direction;
    }
    return {pose_of(m, d), v, v, 0.0};
}

/// Slot of the body that carries wall w; -1: none, or it is gone and the wall with it.
SCREE_HD Index carrier_slot(const WallWatch& s, Index w) {
    return s.carrier[w].body < 0 ? -1 : s.slot[s.carrier[w].body];
}

/// A carried wall where body i has it now. That moves as it did half a step before until the kick that ends the step.
SCREE_HD WallPlace carried_place(const WallWatch& s, Index w, Index i) {
    const WallCarrier& c = s.carrier[w];
    const Vec3 x = s.body.position[i];
    const Quat turn = normalized(s.body.orientation[i] * conjugate(c.orientation));
    const RigidVelocity v{x, s.body.velocity[i], s.body.angular_velocity[i]};
    return {{turn, x - rotate(turn, c.position)}, v, v, c.inverse_mass};
}

/// Bound of how far any point of carried wall w that a body may touch has moved since the list was made [m].
SCREE_HD double carried_since_list(const WallWatch& s, Index w, Index i) {
    const Pose& was = s.carrier_listed[w];
    const double shift = norm(s.body.position[i] - was.shift);
    const Quat turned = s.body.orientation[i] * conjugate(was.turn);
    const double chord = 2 * norm(Vec3{turned.x, turned.y, turned.z});
    const double far = s.reach[w].unbounded ? s.extent[w] + 0.5 * s.skin + shift : 0.0;
    return shift + chord * (far > s.reach[w].radius ? far : s.reach[w].radius);
}

/// Bound of how far any point of wall w that a body may touch has moved off its surface since the list was made [m].
SCREE_HD double moved_since_list(const WallWatch& s, Index w, const Displacement& d) {
    const WallReach& reach = s.reach[w];
    const Vec3 shift = d.shift - s.listed[w].shift;
    if (reach.rigid) {
        const double turned = std::fabs(d.angle - s.listed[w].angle);
        const double chord = turned < 3.141592653589793 ? 2 * std::sin(0.5 * turned) : 2.0;
        // Bodies may have come farther out by half the skin, and the axis by the shift.
        const double far = reach.unbounded ? s.extent[w] + 0.5 * s.skin + norm(shift) : 0.0;
        return norm(shift) + chord * (far > reach.radius ? far : reach.radius);
    }
    double most = 0;
    for (Index k = reach.first_plane; k < reach.last_plane; ++k) {
        const double along = std::fabs(dot(shift, s.planes.normal[k]));
        if (along > most) most = along;
    }
    for (Index k = reach.first_cylinder; k < reach.last_cylinder; ++k) {
        const double across = norm(cross(shift, s.cylinders.axis[k]));
        if (across > most) most = across;
    }
    return most;
}

/// Places carried wall w and tells whether it has used up its share of the skin.
SCREE_HD std::uint32_t move_carried(const WallWatch& s, Index w) {
    const Index i = carrier_slot(s, w);
    if (i < 0) return 0;
    s.place[w] = carried_place(s, w, i);
    return s.active[w] != 0 && carried_since_list(s, w, i) > 0.5 * s.skin ? kSkinExhausted : 0u;
}

/// Places carried wall w for a list that is about to be made.
SCREE_HD void list_carried(const WallWatch& s, Index w) {
    const Index i = carrier_slot(s, w);
    if (i < 0) return;
    s.carrier_listed[w] = {s.body.orientation[i], s.body.position[i]};
    s.place[w] = carried_place(s, w, i);
}

/// Largest distance of a body's surface from the centre of the body with this id [m].
double extent_of_carried(std::int32_t id, State& state, Workspace& work) {
    const Slot centre = work.slot_of_id.at(id);
    if (centre < 0) return 0;
    const BodyView body = state.bodies.view();
    return max_of(
        work.exec, "motion/extent_carried", state.bodies.count, 0.0,
        SCREE_LAMBDA(Index i)->double { return norm(body.position[i] - body.position[centre]) + body.radius[i]; });
}

/// Largest distance of a body's surface from the axis of wall w [m].
double extent_of(const Motion& m, double time, Bodies& bodies, const Exec& exec) {
    const Vec3 point = m.point + displacement_at(view_of(m), time).shift, axis = m.axis;
    const BodyView body = bodies.view();
    return max_of(
        exec, "motion/extent", bodies.count, 0.0,
        SCREE_LAMBDA(Index i)->double { return norm(cross(axis, body.position[i] - point)) + body.radius[i]; });
}

}  // namespace

void move_walls(State& state, Workspace& work, double dt) {
    if (!work.walls.motions.any) return;
    const WallWatch s = watch_of(state, work);
    const std::int64_t* finished = work.flags.step();
    flag_each(
        work.exec, "motion/walls", work.walls.motions.place.size(), work.flags.pending(),
        SCREE_LAMBDA(Index w)->std::uint32_t {
            if (s.carrier[w].body >= 0) return move_carried(s, w);
            const double time = static_cast<double>(*finished + 1) * dt;
            const Displacement d = displacement_of(s, w, time);
            s.place[w] = place_at(s, w, d, time, 0.5 * dt);
            return s.active[w] != 0 && moved_since_list(s, w, d) > 0.5 * s.skin ? kSkinExhausted : 0u;
        },
        work.flags.gate());
}

void kick_carried_walls(State& state, Workspace& work) {
    if (!work.walls.motions.any_carried) return;
    const WallWatch s = watch_of(state, work);
    for_each(
        work.exec, "motion/kick_walls", work.walls.motions.place.size(),
        SCREE_LAMBDA(Index w)->void {
            const Index i = carrier_slot(s, w);
            if (i >= 0) s.place[w] = carried_place(s, w, i);
        },
        work.flags.gate());
}

void place_walls(const Model& model, State& state, Workspace& work) {
    if (!work.walls.motions.any) return;
    const double time = static_cast<double>(state.step + (state.drifted ? 1 : 0)) * model.dt;
    const double half = state.drifted ? 0.5 * model.dt : 0.0;
    std::vector<double> extent;
    const std::vector<WallReach> reach = work.walls.motions.reach.host();
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        double far = 0;
        if (reach[w].unbounded && model.walls[w].body < 0) far = extent_of(model.walls[w].motion, time, state.bodies, work.exec);
        if (reach[w].unbounded && model.walls[w].body >= 0) far = extent_of_carried(model.walls[w].body, state, work);
        extent.push_back(far);
    }
    work.walls.motions.extent.assign(extent);
    const WallWatch s = watch_of(state, work);
    for_each(
        work.exec, "motion/place_walls", work.walls.motions.place.size(), SCREE_LAMBDA(Index w)->void {
            if (s.carrier[w].body >= 0) {
                list_carried(s, w);
                return;
            }
            s.listed[w] = displacement_of(s, w, time);
            s.place[w] = place_at(s, w, s.listed[w], time, half);
        });
}

}  // namespace scree::SCREE_FLAVOR
