#include <cmath>
#include <type_traits>

#include "engine/bonds/bonds.hpp"
#include "engine/bonds/element.hpp"
#include "engine/exec/loops.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/state/flags.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct BondsOut {
    Vec3View<double> force, torque_a, torque_b, place;
    std::int32_t* how;
    Vec3View<double> push, couple;  // null without accounts
    double *dissipated, *power, *freed, *strain;
    std::int64_t* step;
    const std::int64_t* finished;
    double dt;

    SCREE_HD void set(Index k, const BondForce& f) const {
        force.set(k, f.force);
        torque_a.set(k, f.torque_a);
        torque_b.set(k, f.torque_b);
    }
    /// It acts for half of the step in which it breaks: up to where it is.
    SCREE_HD void breaks(Index k, BondBreak as, double energy, Vec3 at, const BondForce& f) const {
        how[k] = static_cast<std::int32_t>(as);
        step[k] = *finished + 1;
        freed[k] = energy;
        dissipated[k] += energy + 0.5 * dt * power[k];
        power[k] = 0;
        place.set(k, at);
        set(k, {0.5 * f.force, 0.5 * f.torque_a, 0.5 * f.torque_b, 0});
        if (push.x == nullptr) return;
        push.set(k, {});
        couple.set(k, {});
    }
};

/// A bond that weakens or breaks in this step, or has. Returns whether it broke and its bodies touch from now on.
SCREE_HD std::uint32_t strained_bond(const BondsView& v, const BondsOut& out, Index k) {
    if (v.a[k] < 0 || out.how[k] != 0) {
        out.set(k, BondForce{});
        return 0;
    }
    if (!(out.dt > 0) || !(out.strain[k] > 1 || v.damage[k] > 0)) return 0;
    const BondRow row = v.rows[k];
    const BondKindRow kind = v.kinds[v.kind[k]];
    const BondNow s = v.now(k);
    const BondForce whole = elastic(row, kind.compressed > 0, s);
    BondForce f = whole;
    const Strained strain = strained(row, kind, whole, s.n);
    const double most = strain.most();
    const double before = v.damage[k];
    double damage = before;
    if (kind.softens > 0 && most > 1) {
        const double now = damage_at(most, kind.ductility);
        if (now > before) {
            out.dissipated[k] += energy_of(row, true, s, 1 - before) - energy_of(row, true, s, 1 - now);
            damage = now;
            v.damage[k] = now;
        }
    }
    if (kind.softens > 0 ? damage >= 1 : most > 1) {
        out.breaks(k, strain.how(), energy_of(row, kind.compressed > 0, s, 1 - damage), v.body.position[v.a[k]] + 0.5 * s.arm,
                   left_of(whole, before, s.n));
        return kind.keeps_contact > 0 ? 0u : 1u;
    }
    // Up to here it was held by what it was.
    if (damage > 0) f = left_of(whole, 0.5 * (before + damage), s.n);
    if (kind.damping > 0) {
        const Damped own = damped(row, kind, s, 1 - damage);
        add_damped(own, s, f);
        if (out.push.x != nullptr) {
            out.push.set(k, own.push);
            out.couple.set(k, own.couple);
        }
    }
    out.set(k, f);
    return 0;
}

inline constexpr int bond_packs = 6;

SCREE_HD void put_vector(double* pack, Vec3 v, double last) {
    pack[0] = v.x;
    pack[1] = v.y;
    pack[2] = v.z;
    pack[3] = last;
}

SCREE_HD void load_bond(const BondsView& v, Index k, const StageSlot<double>& slot) {
    BondMotion m{{1, 0, 0}, {}, {}, {}, {}, {}, 1, 1};  // of one that is no more
    if (v.a[k] >= 0) m = v.motion_of(k);
    put_vector(slot.pack(0), m.arm, m.mobility);
    put_vector(slot.pack(1), m.velocity, m.turn_mobility);
    put_vector(slot.pack(2), m.spin_a, m.a.w);
    put_vector(slot.pack(3), m.spin_b, m.b.w);
    put_vector(slot.pack(4), {m.a.x, m.a.y, m.a.z}, m.b.x);
    put_vector(slot.pack(5), {m.b.y, m.b.z, 0}, 0);
}

SCREE_HD BondMotion packed_motion(const StageSlot<double>& s) {
    const auto vector = [&](int pack) { return Vec3{s.at(pack, 0), s.at(pack, 1), s.at(pack, 2)}; };
    return {vector(0),
            vector(1),
            vector(2),
            vector(3),
            {s.at(2, 3), s.at(4, 0), s.at(4, 1), s.at(4, 2)},
            {s.at(3, 3), s.at(4, 3), s.at(5, 0), s.at(5, 1)},
            s.at(0, 3),
            s.at(1, 3)};
}

/// All bonds as if they held; most do. With one kind its row is a constant of the loop, which saves gathers.
template <bool OneKind, bool WithDashpots, bool Accounts>
void hold_bonds(const Exec& exec, const BondsView& view, const BondsOut& result, const BondKindRow& one, Index count, Gate gate) {
    const BondsView v = view;
    const BondsOut out = result;
    const BondKindRow only = one;
    for_each_staged<bond_packs, double>(
        exec, "bonds/hold", count, SCREE_LAMBDA(Index k, const StageSlot<double>& slot)->void { load_bond(v, k, slot); },
        SCREE_LAMBDA(Index k, const StageSlot<double>& slot)->void {
            const BondKindRow kind = OneKind ? only : v.kinds[v.kind[k]];
            const BondRow row = v.rows[k];
            const BondNow s = now_of(packed_motion(slot), row);
            BondForce f = elastic(row, kind.compressed > 0, s);
            out.strain[k] = strained(row, kind, f, s.n).most();
            if (WithDashpots) {
                const Damped own = damped(row, kind, s, 1.0);
                add_damped(own, s, f);
                if (Accounts) {
                    out.push.set(k, own.push);
                    out.couple.set(k, own.couple);
                }
            }
            out.set(k, f);
        },
        gate);
}

}  // namespace

void bond_forces(const Model&, State& state, Workspace& work, double dt) {
    if (!work.bonds) return;
    Bonds& bonds = *work.bonds;
    const BondsView v = view_of(state, work, false);
    const BondsOut out{bonds.force.view(),    bonds.torque_a.view(),
                       bonds.torque_b.view(), bonds.place.view(),
                       bonds.how.data(),      bonds.push.view(),
                       bonds.couple.view(),   bonds.dissipated.data(),
                       bonds.power.data(),    bonds.freed.data(),
                       bonds.strain.data(),   bonds.broken_step.data(),
                       work.flags.step(),     dt};
    const Gate gate = work.flags.gate();
    const bool one = bonds.kinds.size() == 1, accounts = bonds.keeps_pushes;
    const auto hold = [&](auto one_kind, auto dashpots, auto accounted) {
        hold_bonds<decltype(one_kind)::value, decltype(dashpots)::value, decltype(accounted)::value>(work.exec, v, out, bonds.only_kind,
                                                                                                     bonds.count, gate);
    };
    const auto with = [&](auto one_kind) {
        if (accounts) return hold(one_kind, std::true_type{}, std::true_type{});
        if (bonds.damped) return hold(one_kind, std::true_type{}, std::false_type{});
        hold(one_kind, std::false_type{}, std::false_type{});
    };
    if (one) {
        with(std::true_type{});
    } else {
        with(std::false_type{});
    }
    flag_each(
        work.exec, "bonds/strained", bonds.count, bonds.broke.data(),
        SCREE_LAMBDA(Index k)->std::uint32_t { return strained_bond(v, out, k); }, gate);
}

void account_bonds(State& state, Workspace& work, double dt, double of_walls) {
    const bool moves = work.images.cell.moves, damped = work.bonds && work.bonds->keeps_pushes;
    const bool walls = work.bonds && work.bonds->to_walls && work.walls.motions.any;
    if (!work.bonds || !(moves || damped || walls)) return;
    Bonds& bonds = *work.bonds;
    const BondsView v = view_of(state, work);
    const std::int32_t* how = bonds.how.data();
    const std::int64_t *broken = bonds.broken_step.data(), *finished = work.flags.step();
    const Vec3View<double> push = bonds.push.view(), couple = bonds.couple.view();
    const Vec3View<double> force = bonds.force.view(), torque_b = bonds.torque_b.view();
    double *dissipated = bonds.dissipated.data(), *power = bonds.power.data(), *of_cell = bonds.work_of_cell.data();
    for_each(
        work.exec, "bonds/account", bonds.count,
        SCREE_LAMBDA(Index k)->void {
            if (v.a[k] < 0) return;
            // What breaks in a step has acted for half of it, by half of its force.
            if (walls && v.to_wall(k) && (how[k] == 0 || broken[k] == *finished))
                of_cell[k] += of_walls * v.power_of_wall(k, force[k], torque_b[k]);
            if (how[k] != 0) return;
            if (moves) of_cell[k] -= dt * dot(force[k], v.drift_of(k));
            if (!damped) return;
            const Sliding s = sliding_of(v.now(k));
            // The kicks at the ends of a step are half of those that its forces give.
            const double now = -(dot(push[k], s.glide) + dot(couple[k], s.turn));
            dissipated[k] += 0.5 * dt * (power[k] + now);
            power[k] = now;
        },
        work.flags.gate());
}

void add_bond_forces(State& state, Workspace& work, Gate gate) {
    if (!work.bonds) return;
    Bonds& bonds = *work.bonds;
    const BodyView body = state.bodies.view();
    const Index* start = bonds.row_start.data();
    const std::uint32_t* entry = bonds.entry.data();
    const Vec3View<double> force = bonds.force.view(), torque_a = bonds.torque_a.view(), torque_b = bonds.torque_b.view();
    const Slot* slot = bonds.a.data();
    for_each(
        work.exec, "bonds/add", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const std::uint32_t id = body.id[i];
            Vec3 push{}, turn{};
            for (Index e = start[id]; e < start[id + 1]; ++e) {
                const Index k = static_cast<Index>(entry[e] >> 1);
                if (slot[k] < 0) continue;
                const bool second = (entry[e] & 1u) != 0;
                push += second ? force[k] : -force[k];
                turn += second ? torque_b[k] : torque_a[k];
            }
            body.force.set(i, body.force[i] + push);
            body.torque.set(i, body.torque[i] + turn);
        },
        gate);
}

BondSums sums_of_bonds(State& state, Workspace& work, double half) {
    BondSums sums;
    if (!work.bonds) return sums;
    Bonds& bonds = *work.bonds;
    for (const std::int32_t how : bonds.how.host()) ++(how == 0 ? sums.holding : sums.broken[how - 1]);
    const BondsView v = view_of(state, work);
    const std::int32_t* how = bonds.how.data();
    const double* dissipated = bonds.dissipated.data();
    sums.elastic = sum_of(
        work.exec, "bonds/elastic", bonds.count, SCREE_LAMBDA(Index k)->double {
            if (v.a[k] < 0 || how[k] != 0) return 0.0;
            return energy_of(v.rows[k], v.kinds[v.kind[k]].compressed > 0, v.now(k), 1 - v.damage[k]);
        });
    sums.dissipated =
        -bonds.given + sum_of(
                           work.exec, "bonds/dissipated", bonds.count, SCREE_LAMBDA(Index k)->double { return dissipated[k]; });
    const double* of_cell = bonds.work_of_cell.data();
    if (work.images.cell.moves)
        sums.work_of_cell = sum_of(
            work.exec, "bonds/work_of_cell", bonds.count, SCREE_LAMBDA(Index k)->double { return of_cell[k]; });
    if (!bonds.to_walls || !work.walls.motions.any) return sums;
    const Vec3View<double> force = bonds.force.view(), torque_b = bonds.torque_b.view();
    sums.work_of_cell = sum_of(
        work.exec, "bonds/work_of_walls", bonds.count, SCREE_LAMBDA(Index k)->double {
            if (v.a[k] < 0 || how[k] != 0 || !v.to_wall(k)) return of_cell[k];
            return of_cell[k] - half * v.power_of_wall(k, force[k], torque_b[k]);
        });
    return sums;
}

namespace {

/// Where bonds to walls are held now; of others nothing.
std::vector<Vec3> feet_of(const Model& model, const Workspace& work) {
    std::vector<Vec3> feet(model.bonds.size());
    if (!work.bonds->to_walls) return feet;
    const std::vector<WallPlace> places = work.walls.motions.any ? work.walls.motions.place.host() : std::vector<WallPlace>{};
    for (std::size_t k = 0; k < feet.size(); ++k) {
        const Bond& bond = model.bonds[k];
        if (bond.to_wall()) feet[k] = places.empty() ? bond.place : placed(places[static_cast<std::size_t>(bond.wall())].pose, bond.place);
    }
    return feet;
}

}  // namespace

std::vector<HeldBond> all_held_bonds(const Model& model, State& state, Workspace& work) {
    std::vector<HeldBond> states;
    if (!work.bonds) return states;
    const Bonds& bonds = *work.bonds;
    const std::vector<std::int32_t> how = bonds.how.host();
    const std::vector<Slot> a = bonds.a.host(), b = bonds.b.host();
    const std::vector<double> x = bonds.force.x.host(), y = bonds.force.y.host(), z = bonds.force.z.host();
    const std::vector<double> strain = bonds.strain.host(), damage = bonds.damage.host();
    const std::vector<Vec3> position = state.bodies.position.host(), feet = feet_of(model, work);
    for (std::size_t k = 0; k < how.size(); ++k) {
        if (how[k] != 0 || a[k] < 0) continue;
        const Bond& bond = model.bonds[k];
        HeldBond s;
        s.a = static_cast<std::uint32_t>(bond.a);
        if (bond.to_wall()) {
            s.wall = bond.wall();
        } else {
            s.b = static_cast<std::uint32_t>(bond.b);
        }
        s.kind = bond.kind;
        const Vec3 to = bond.to_wall() ? feet[k] : position[static_cast<std::size_t>(b[k])];
        s.arm = work.images.cell.nearest(to - position[static_cast<std::size_t>(a[k])]);
        s.force = {-x[k], -y[k], -z[k]};
        s.strain = strain[k];
        s.damage = damage[k];
        states.push_back(s);
    }
    return states;
}

std::vector<ContactRecord> bond_records(const Model& model, State& state, Workspace& work) {
    std::vector<ContactRecord> records;
    const std::vector<HeldBond> states = all_held_bonds(model, state, work);
    const std::vector<Slot> slot = states.empty() ? std::vector<Slot>{} : work.slot_of_id.host();
    const std::vector<Vec3> position = states.empty() ? std::vector<Vec3>{} : state.bodies.position.host();
    for (const HeldBond& s : states) {
        ContactRecord r;
        r.a = s.a;
        r.b = s.b;
        r.wall = s.wall;
        r.point = position[static_cast<std::size_t>(slot[s.a])] + (s.wall >= 0 ? 1.0 : 0.5) * s.arm;
        r.normal = normalized(s.arm);
        r.force = s.force;
        records.push_back(r);
    }
    return records;
}

void add_bond_loads(const Model& model, State& state, Workspace& work, std::vector<Wrench>& loads) {
    if (!work.bonds || !work.bonds->to_walls) return;
    const Bonds& bonds = *work.bonds;
    const std::vector<ContactRecord> records = bond_records(model, state, work);
    const std::vector<std::int32_t> how = bonds.how.host();
    const std::vector<Slot> a = bonds.a.host();
    const std::vector<double> x = bonds.torque_b.x.host(), y = bonds.torque_b.y.host(), z = bonds.torque_b.z.host();
    std::size_t next = 0;
    for (std::size_t k = 0; k < how.size(); ++k) {
        if (how[k] != 0 || a[k] < 0) continue;
        const ContactRecord& r = records[next++];
        if (r.wall < 0) continue;
        Wrench& load = loads[static_cast<std::size_t>(r.wall)];
        load.force -= r.force;
        load.torque += Vec3{x[k], y[k], z[k]} - cross(r.point, r.force);
    }
}

}  // namespace scree::SCREE_FLAVOR
