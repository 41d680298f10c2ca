#include "engine/motion/stored.hpp"

#include "engine/motion/moves.hpp"
#include "engine/motion/walls.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Half a kick of body i by what is stored. Spheres turn by their inertia, all others by their angular momentum.
SCREE_HD void kick_by_stored(const BodyView& body, const ShapeView& shapes, Index i, const MotionSettings& s) {
    const Vec3 torque = body.torque[i];
    const Kick now =
        half_kick({body.velocity[i], body.angular_velocity[i]}, body.force[i], torque, body.inverse_mass[i], body.inverse_inertia[i], s);
    body.velocity.set(i, now.velocity);
    body.angular_velocity.set(i, now.angular_velocity);
    if (!body.is_sphere(i)) kick_polyhedron(body, shapes, i, torque, 0.5 * s.dt);
}

/// Drifts and turns body i; a compound has no surface that could use up the skin.
SCREE_HD std::uint32_t drift_and_turn(const BodyView& body, const ShapeView& shapes, Index i, bool turns, const MotionSettings& s) {
    std::uint32_t flags = drift(body, i, body.velocity[i], s) & ~static_cast<std::uint32_t>(kSkinExhausted);
    if (!body.is_compound(i) && list_exhausted(body, i, norm2(body.position[i] - body.reference[i]), s)) flags |= kSkinExhausted;
    if (!body.is_sphere(i)) {
        flags |= lost_spin(body, i);
        turn_polyhedron(body, shapes, i, s.dt);
    } else if (turns) {
        turn_sphere(body, i, s.dt);
    }
    return flags;
}

/// A member's arm from its compound's centre, and what the compound does.
struct Carried {
    Index compound, member;
    Vec3 arm;
};

SCREE_HD Carried carried(const BodyView& body, const MemberView& members, const Slot* slot, Index k) {
    const Slot c = slot[members.owner[k]], m = slot[members.id[k]];
    if (c < 0 || m < 0) return {-1, -1, {}};
    return {c, m, rotate(body.orientation[c], members.offset[k])};
}

SCREE_HD void move_along(const BodyView& body, const Carried& at) {
    const Vec3 w = body.angular_velocity[at.compound];
    body.velocity.set(at.member, body.velocity[at.compound] + cross(w, at.arm));
    body.angular_velocity.set(at.member, w);
}

SCREE_HD Vec3 put_in_place(const BodyView& body, const MemberView& members, const Carried& at, Index k) {
    const Vec3 x = body.position[at.compound] + at.arm;
    body.position.set(at.member, x);
    body.orientation.set(at.member, normalized(body.orientation[at.compound] * members.turn[k]));
    move_along(body, at);
    return x;
}

/// After a drift: raises the flag where a member has used up the skin.
void drift_members(State& state, Workspace& work, const MotionSettings& s) {
    const BodyView body = state.bodies.view();
    const MemberView members = work.compounds.member_view();
    const Slot* slot = work.slot_of_id.data();
    flag_each(
        work.exec, "motion/drift_members", work.compounds.members, work.flags.pending(),
        SCREE_LAMBDA(Index k)->std::uint32_t {
            const Carried at = carried(body, members, slot, k);
            if (at.member < 0) return 0;
            const double moved2 = norm2(put_in_place(body, members, at, k) - body.reference[at.member]);
            const std::uint32_t lost = moved2 < 1e60 ? 0u : kNotFinite;
            return list_exhausted(body, at.member, moved2, s) ? kSkinExhausted | lost : lost;
        },
        work.flags.gate());
}

/// After a kick: velocities alone have changed.
void kick_members(State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const MemberView members = work.compounds.member_view();
    const Slot* slot = work.slot_of_id.data();
    for_each(
        work.exec, "motion/kick_members", work.compounds.members,
        SCREE_LAMBDA(Index k)->void {
            const Carried at = carried(body, members, slot, k);
            if (at.member >= 0) move_along(body, at);
        },
        work.flags.gate());
}

}  // namespace

void place_members(State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const MemberView members = work.compounds.member_view();
    const Slot* slot = work.slot_of_id.data();
    for_each(
        work.exec, "motion/place_members", work.compounds.members, SCREE_LAMBDA(Index k)->void {
            const Carried at = carried(body, members, slot, k);
            if (at.member >= 0) put_in_place(body, members, at, k);
        });
}

void start_stored(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const MotionSettings s = motion_settings(model, state);
    const bool turns = state.has_orientation;
    flag_each(
        work.exec, "motion/start_stored", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            if (body.is_member(i)) return 0;
            kick_by_stored(body, shapes, i, s);
            return drift_and_turn(body, shapes, i, turns, s);
        },
        work.flags.gate());
    drift_members(state, work, s);
}

void finish_stored(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const MotionSettings s = motion_settings(model, state);
    for_each(
        work.exec, "motion/finish_stored", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            if (!body.is_member(i)) kick_by_stored(body, shapes, i, s);
        },
        work.flags.gate());
    kick_members(state, work);
    kick_carried_walls(state, work);
}

void finish_and_start_stored(const Model& model, State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const MotionSettings s = motion_settings(model, state);
    const bool turns = state.has_orientation;
    flag_each(
        work.exec, "motion/finish_and_start_stored", state.bodies.count, work.flags.pending(),
        SCREE_LAMBDA(Index i)->std::uint32_t {
            if (body.is_member(i)) return 0;
            // Twice, as the two half kicks of a step that is stopped between them.
            kick_by_stored(body, shapes, i, s);
            kick_by_stored(body, shapes, i, s);
            return drift_and_turn(body, shapes, i, turns, s);
        },
        work.flags.gate());
    drift_members(state, work, s);
}

}  // namespace scree::SCREE_FLAVOR
