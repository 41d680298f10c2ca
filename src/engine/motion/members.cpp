#include "engine/motion/members.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

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

void drift_members(State& state, Workspace& work, const MotionSettings& s) {
    const BodyView body = state.bodies.view();
    const MemberView members = work.compounds.member_view();
    const Slot* slot = work.slot_of_id.data();
    flag_each(
        work.exec, "motion/drift_members", work.compounds.members, work.flags.pending(),
        SCREE_LAMBDA(Index k)->std::uint32_t {
            const Carried at = carried(body, members, slot, k);
            if (at.member < 0) return 0;
            return drift_flags(body, at.member, norm2(put_in_place(body, members, at, k) - body.reference[at.member]), s);
        },
        work.flags.gate());
}

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

}  // namespace scree::SCREE_FLAVOR
