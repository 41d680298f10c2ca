#include "engine/penalty/gather_all.hpp"

#include "engine/bonds/bonds.hpp"
#include "engine/penalty/gather.hpp"
#include "engine/penalty/rolling.hpp"
#include "engine/penalty/wall_reactions.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

void gather_bodies(State& state, Workspace& work, Gate gate) {
    const BodyView body = state.bodies.view();
    const IncidenceView rows = incidence(state);
    for_each(
        work.exec, "penalty/gather", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const Gathered sum = gather(rows, i);
            body.force.set(i, sum.force);
            body.torque.set(i, body.radius[i] * sum.twist + sum.torque);
        },
        gate);
}

struct WallSums {
    WallContacts contacts;
    const Slot* slot;
    Index carried;
    const std::int32_t* number;    // of carried walls, by wall
    const std::uint32_t* carrier;  // id, by number
    CentreWrench *part, *whole;    // blocks × carried
};

/// Adds a reaction to that of its wall, where a body carries it.
struct AddReaction {
    const WallSums& s;
    Vec3 x;
    CentreWrench* sums;
    SCREE_HD void operator()(std::int32_t wall, Vec3 force, Vec3 couple) const {
        const std::int32_t n = s.number[wall];
        if (n < 0) return;
        const Slot c = s.slot[s.carrier[n]];
        if (c < 0) return;
        sums[n].force -= force;
        sums[n].torque -= couple + cross(x - s.contacts.body.position[c], force);
    }
};

struct AddReactions {
    WallSums s;
    SCREE_HD void operator()(Index i, CentreWrench* sums) const {
        each_wall_reaction(s.contacts, i, AddReaction{s, s.contacts.body.position[i], sums});
    }
};

void sum_carried_walls(State& state, Workspace& work) {
    Compounds& c = work.compounds;
    const Index carried = c.carried;
    const Index parts = id_parts(work), blocks = (parts + id_block - 1) / id_block;
    c.wall_part.resize(parts * carried);
    c.wall_block.resize(blocks * carried);
    const WallSums s{wall_contacts(state, work), work.slot_of_id.data(), carried, c.carried_number.data(), c.carried_by.data(),
                     c.wall_part.data(),         c.wall_block.data()};
    sum_by_ids(work, "penalty/wall_reactions", carried, s.part, AddReactions{s});
    for_each(
        work.exec, "penalty/wall_blocks", blocks * carried,
        SCREE_LAMBDA(Index k)->void {
            const Index b = k / s.carried, n = k % s.carried;
            CentreWrench sum{};
            const Index last = (b + 1) * id_block < parts ? (b + 1) * id_block : parts;
            for (Index q = b * id_block; q < last; ++q) {
                sum.force += s.part[q * s.carried + n].force;
                sum.torque += s.part[q * s.carried + n].torque;
            }
            s.whole[k] = sum;
        },
        work.flags.gate());
}

void sum_compounds(State& state, Workspace& work) {
    const BodyView body = state.bodies.view();
    const Slot* slot = work.slot_of_id.data();
    const CompoundView c = work.compounds.view();
    for_each(
        work.exec, "penalty/compounds", work.compounds.count,
        SCREE_LAMBDA(Index k)->void {
            const Slot at = slot[c.id[k]];
            if (at < 0) return;
            const Vec3 centre = body.position[at];
            CentreWrench sum{};
            for (Index m = c.member_start[k]; m < c.member_start[k + 1]; ++m) {
                const Slot i = slot[c.member[m]];
                const Vec3 f = body.force[i];
                sum.force += f;
                sum.torque += body.torque[i] + cross(body.position[i] - centre, f);
            }
            for (Index w = c.wall_start[k]; w < c.wall_start[k + 1]; ++w) {
                for (Index b = 0; b < c.wall_blocks; ++b) {
                    sum.force += c.wall_forces[b * c.carried + c.wall[w]].force;
                    sum.torque += c.wall_forces[b * c.carried + c.wall[w]].torque;
                }
            }
            body.force.set(at, sum.force);
            body.torque.set(at, sum.torque);
        },
        work.flags.gate());
}

}  // namespace

void gather_all(State& state, Workspace& work) {
    gather_bodies(state, work, work.flags.gate());
    add_rolling_couples(state, work, work.flags.gate());
    add_bond_forces(state, work, work.flags.gate());
    if (work.compounds.carried > 0) sum_carried_walls(state, work);
    if (state.has_compounds) sum_compounds(state, work);
}

void settle_forces(State& state, Workspace& work) {
    Bodies& bodies = state.bodies;
    if (state.holds_forces || bodies.force.size() == bodies.count) return;
    SCREE_ASSERT(state.lists[kSpheres].contacts.force.size() == state.lists[kSpheres].size());
    bodies.force.resize(bodies.count);
    bodies.torque.resize(bodies.count);
    gather_bodies(state, work, Gate{});
}

void drop_forces(State& state) {
    if (state.holds_forces) return;
    state.bodies.force = Vec3Array<double>{};
    state.bodies.torque = Vec3Array<double>{};
}

}  // namespace scree::SCREE_FLAVOR
