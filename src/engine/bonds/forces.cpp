#include <cmath>
#include <type_traits>

#include "engine/bonds/bonds.hpp"
#include "engine/exec/loops.hpp"
#include "engine/exec/reduce.hpp"
#include "engine/state/flags.hpp"
#include "model/rotation.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// A bond as it is: its bodies' relative motion, and its axes in either.
struct BondNow {
    Vec3 n;
    double length;
    Vec3 a[3], b[3];
    Vec3 velocity, spin_a, spin_b;  // of b against a
    Vec3 arm;                       // from a to b [m]
    double mobility, turn_mobility;
};

/// What an elastic element does.
struct BondForce {
    Vec3 force;               // on b [N]
    Vec3 torque_a, torque_b;  // [N m]
    double axial;             // stretching force, above 0 where it pulls [N]
};

/// What a bond reads of its bodies.
struct BondMotion {
    Vec3 arm, velocity;  // of b against a [m], [m/s]
    Vec3 spin_a, spin_b;
    Quat a, b;
    double mobility, turn_mobility;  // 1 / mass and 1 / moment of inertia of both in series; of a ball where a body has three of its own
};

SCREE_HD BondNow now_of(const BondMotion& m, const BondRow& row) {
    BondNow s;
    s.arm = m.arm;
    s.velocity = m.velocity;
    s.length = norm(s.arm);
    s.n = (1 / s.length) * s.arm;
    const Quat qa = m.a * row.frame_a, qb = m.b * row.frame_b;
    for (int c = 0; c < 3; ++c) {
        s.a[c] = principal_axis(qa, c);
        s.b[c] = principal_axis(qb, c);
    }
    s.spin_a = m.spin_a;
    s.spin_b = m.spin_b;
    s.mobility = m.mobility;
    s.turn_mobility = m.turn_mobility;
    return s;
}

struct BondsView {
    BodyView body;
    const Slot *a, *b;
    BondRowsView rows;
    const BondKindRow* kinds;
    const std::int32_t* kind;
    Cell cell;
    const CellMotion* motion;  // null where the cell rests
    double* damage;

    SCREE_HD BondMotion motion_of(Index k) const {
        const Index i = a[k], j = b[k];
        const Cell& at = motion == nullptr ? cell : motion->cell;
        BondMotion s;
        s.arm = body.position[j] - body.position[i];
        s.velocity = body.velocity[j] - body.velocity[i];
        if (at.any()) {
            const ImageStep step = at.nearest_step(s.arm);
            s.arm += at.shift(step);
            s.velocity += at.drift(step);
        }
        s.spin_a = body.angular_velocity[i];
        s.spin_b = body.angular_velocity[j];
        s.a = body.orientation[i];
        s.b = body.orientation[j];
        s.mobility = body.inverse_mass[i] + body.inverse_mass[j];
        s.turn_mobility = turn_mobility(i) + turn_mobility(j);
        return s;
    }
    /// Of the image of b that is next to a [m/s].
    SCREE_HD Vec3 drift_of(Index k) const {
        const Cell& at = motion == nullptr ? cell : motion->cell;
        return at.drift(at.nearest_step(body.position[b[k]] - body.position[a[k]]));
    }
    SCREE_HD BondNow now(Index k) const { return now_of(motion_of(k), rows[k]); }
    SCREE_HD double turn_mobility(Index i) const {
        const double own = body.inverse_inertia[i], r = body.radius[i];
        return own > 0 ? own : body.inverse_mass[i] / (0.4 * r * r);
    }
};

SCREE_HD Vec3 across(Vec3 v, Vec3 n) {
    return v - dot(v, n) * n;
}

/// B2 and B3 of the potential.
struct Slopes {
    double tilt, bend;
};
SCREE_HD Slopes slopes_of(const BondRow& row) {
    const double across2 = row.k[1] * row.length * row.length;
    return {0.5 * across2, row.k[3] - 0.25 * across2 - 0.5 * row.k[2]};
}

SCREE_HD BondForce elastic(const BondRow& row, bool compressed, const BondNow& s) {
    const Slopes B = slopes_of(row);
    BondForce f;
    f.axial = row.k[0] * (s.length - row.length);
    if (!compressed && f.axial < 0) f.axial = 0;
    f.force = -f.axial * s.n + (B.tilt / s.length) * across(s.a[0] + s.b[0], s.n);
    const Vec3 between = B.bend * cross(s.a[0], s.b[0]) + (0.5 * row.k[2]) * (cross(s.a[1], s.b[1]) + cross(s.a[2], s.b[2]));
    f.torque_a = B.tilt * cross(s.a[0], s.n) + between;
    f.torque_b = B.tilt * cross(s.b[0], s.n) - between;
    return f;
}

/// 1 - u . v of unit vectors, for small angles too.
SCREE_HD double turned(Vec3 u, Vec3 v) {
    return 0.5 * norm2(u - v);
}

/// [J]; held: share of what damage has left, of all but compression.
SCREE_HD double energy_of(const BondRow& row, bool compressed, const BondNow& s, double held) {
    const Slopes B = slopes_of(row);
    const double stretch = s.length - row.length;
    const double axial = stretch < 0 ? (compressed ? 1.0 : 0.0) : held;
    return 0.5 * axial * row.k[0] * stretch * stretch +
           held * (B.tilt * (turned(s.a[0], s.n) + turned(s.b[0], s.n)) + B.bend * turned(s.a[0], s.b[0]) +
                   0.5 * row.k[2] * (turned(s.a[1], s.b[1]) + turned(s.a[2], s.b[2])));
}

/// Stresses over strengths.
struct Strained {
    double tension, shear, bending;
    SCREE_HD double most() const {
        const double two = tension > shear ? tension : shear;
        return two > bending ? two : bending;
    }
    SCREE_HD BondBreak how() const {
        return bending >= tension && bending >= shear ? BondBreak::Bending : (tension >= shear ? BondBreak::Tension : BondBreak::Shear);
    }
};

SCREE_HD Strained strained(const BondRow& row, const BondKindRow& kind, const BondForce& f, Vec3 n) {
    const Vec3 middle = 0.5 * (f.torque_b - f.torque_a);
    const double about = dot(middle, n), bent2 = norm2(middle) - about * about;
    const double on_a = dot(f.torque_a, n), on_b = dot(f.torque_b, n);
    const double a2 = norm2(f.torque_a) - on_a * on_a, b2 = norm2(f.torque_b) - on_b * on_b;
    const double ends2 = a2 > b2 ? a2 : b2, moment2 = kind.at_ends > 0 ? ends2 : bent2;
    const double moment = std::sqrt(moment2 > 0 ? moment2 : 0.0), along = dot(f.force, n);
    const double aside2 = norm2(f.force) - along * along;
    const double normal = f.axial * row.inverse_area, bending = moment * row.inverse_bend;
    const double shear = std::sqrt(aside2 > 0 ? aside2 : 0.0) * row.inverse_area + kind.moment_share * std::fabs(about) * row.inverse_twist;
    const double pressed = normal < 0 ? -normal : 0.0;
    return {(normal + kind.moment_share * bending) * (kind.inverse_tensile * row.inverse_strength),
            shear / (kind.shear / row.inverse_strength + kind.friction * pressed), bending * (kind.inverse_bending * row.inverse_strength)};
}

/// What of a stretch past the strength damage takes: what is borne falls in a straight line to nothing at the ductility.
SCREE_HD double damage_at(double stretch, double ductility) {
    if (stretch <= 1) return 0;
    if (stretch >= ductility) return 1;
    return 1 - (ductility - stretch) / (stretch * (ductility - 1));
}

/// How b moves against a at the middle of the bond, and turns.
struct Sliding {
    Vec3 glide, turn;
};
SCREE_HD Sliding sliding_of(const BondNow& s) {
    return {s.velocity - 0.5 * cross(s.spin_a + s.spin_b, s.arm), s.spin_b - s.spin_a};
}

/// What dashpots do.
struct Damped {
    Vec3 push, couple;
};
/// held: share of what damage has left. What bears pull alone has none along it while it is slack.
SCREE_HD Damped damped(const BondRow& row, const BondKindRow& kind, const BondNow& s, double held) {
    const double ratio = held * kind.damping, taut = kind.compressed > 0 || s.length > row.length ? 1.0 : 0.0;
    const double m = 1 / s.mobility, I = 1 / s.turn_mobility;
    const double inertia[4] = {m, m, I, I};
    double c[4];
    for (int q = 0; q < 4; ++q) c[q] = 2 * ratio * std::sqrt(inertia[q] * row.k[q]);
    const auto [glide, turn] = sliding_of(s);
    const double along = dot(glide, s.n), about = dot(turn, s.n);
    const Vec3 aside = glide - along * s.n, bend = turn - about * s.n;
    return {-(taut * c[0] * along) * s.n - c[1] * aside, -(c[2] * about) * s.n - c[3] * bend};
}

SCREE_HD void add_damped(const Damped& own, const BondNow& s, BondForce& f) {
    const Vec3 lever = -0.5 * cross(s.arm, own.push);
    f.force += own.push;
    f.torque_a += lever - own.couple;
    f.torque_b += lever + own.couple;
}

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

/// What damage leaves of a force; of compression all.
SCREE_HD BondForce left_of(const BondForce& f, double damage, Vec3 n) {
    const double held = 1 - damage, lost = f.axial > 0 ? f.axial * damage : 0.0;
    return {-(f.axial - lost) * n + held * across(f.force, n), held * f.torque_a, held * f.torque_b, f.axial};
}

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

BondsView view_of(State& state, Workspace& work) {
    Bonds& bonds = *work.bonds;
    const Images& im = work.images;
    return {state.bodies.view(), bonds.a.data(),    bonds.b.data(), bonds.rows_view(),
            bonds.kinds.data(),  bonds.kind.data(), im.cell,        im.cell.moves ? im.motion.data() : nullptr,
            bonds.damage.data()};
}

}  // namespace

void bond_forces(const Model&, State& state, Workspace& work, double dt) {
    if (!work.bonds) return;
    Bonds& bonds = *work.bonds;
    const BondsView v = view_of(state, work);
    const BondsOut out{bonds.force.view(),    bonds.torque_a.view(),
                       bonds.torque_b.view(), bonds.place.view(),
                       bonds.how.data(),      bonds.push.view(),
                       bonds.couple.view(),   bonds.dissipated.data(),
                       bonds.power.data(),    bonds.freed.data(),
                       bonds.strain.data(),   bonds.broken_step.data(),
                       work.flags.step(),     dt};
    const Gate gate = work.flags.gate();
    const bool one = bonds.kinds.size() == 1, accounts = bonds.push.size() > 0;
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

void account_bonds(State& state, Workspace& work, double dt) {
    const bool moves = work.images.cell.moves, damped = work.bonds && work.bonds->push.size() > 0;
    if (!work.bonds || !(moves || damped)) return;
    Bonds& bonds = *work.bonds;
    const BondsView v = view_of(state, work);
    const std::int32_t* how = bonds.how.data();
    const Vec3View<double> push = bonds.push.view(), couple = bonds.couple.view();
    const Vec3View<double> force = bonds.force.view();
    double *dissipated = bonds.dissipated.data(), *power = bonds.power.data(), *of_cell = bonds.work_of_cell.data();
    for_each(
        work.exec, "bonds/account", bonds.count,
        SCREE_LAMBDA(Index k)->void {
            if (v.a[k] < 0 || how[k] != 0) return;
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

BondSums sums_of_bonds(State& state, Workspace& work) {
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
    return sums;
}

std::vector<ContactRecord> bond_records(const Model& model, State& state, Workspace& work) {
    std::vector<ContactRecord> records;
    if (!work.bonds) return records;
    Bonds& bonds = *work.bonds;
    const std::vector<std::int32_t> how = bonds.how.host();
    const std::vector<Slot> a = bonds.a.host(), b = bonds.b.host();
    const std::vector<double> x = bonds.force.x.host(), y = bonds.force.y.host(), z = bonds.force.z.host();
    const std::vector<Vec3> position = state.bodies.position.host();
    const Cell& cell = work.images.cell;
    for (std::size_t k = 0; k < how.size(); ++k) {
        if (how[k] != 0 || a[k] < 0) continue;
        const Vec3 from = position[static_cast<std::size_t>(a[k])];
        const Vec3 to = position[static_cast<std::size_t>(b[k])];
        ContactRecord r;
        r.a = static_cast<std::uint32_t>(model.bonds[k].a);
        r.b = static_cast<std::uint32_t>(model.bonds[k].b);
        const Vec3 arm = cell.nearest(to - from);
        r.point = from + 0.5 * arm;
        r.normal = normalized(arm);
        r.force = {-x[k], -y[k], -z[k]};
        records.push_back(r);
    }
    return records;
}

}  // namespace scree::SCREE_FLAVOR
