#include <cmath>

#include "engine/bonds/bonds.hpp"
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
};

/// What an elastic element does.
struct BondForce {
    Vec3 force;               // on b [N]
    Vec3 torque_a, torque_b;  // [N m]
    double axial;             // stretching force, above 0 where it pulls [N]
};

struct BondsView {
    BodyView body;
    const Slot *a, *b;
    const BondRow* rows;
    const BondKindRow* kinds;
    const std::int32_t* kind;
    Cell cell;
    const CellMotion* motion;  // null where the cell rests
    double* damage;

    SCREE_HD BondNow now(Index k) const {
        const Index i = a[k], j = b[k];
        const BondRow& row = rows[k];
        const Cell& at = motion == nullptr ? cell : motion->cell;
        BondNow s;
        s.arm = body.position[j] - body.position[i];
        s.velocity = body.velocity[j] - body.velocity[i];
        if (at.any()) {
            const ImageStep step = at.nearest_step(s.arm);
            s.arm += at.shift(step);
            s.velocity += at.drift(step);
        }
        s.length = norm(s.arm);
        s.n = s.arm / s.length;
        const Quat qa = body.orientation[i] * row.frame_a, qb = body.orientation[j] * row.frame_b;
        for (int c = 0; c < 3; ++c) {
            s.a[c] = principal_axis(qa, c);
            s.b[c] = principal_axis(qb, c);
        }
        s.spin_a = body.angular_velocity[i];
        s.spin_b = body.angular_velocity[j];
        return s;
    }
    /// Moment of inertia, of a ball where it has three of its own.
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
    double moment = norm(across(middle, n));
    if (kind.at_ends != 0) {
        const double at_a = norm(across(f.torque_a, n)), at_b = norm(across(f.torque_b, n));
        moment = at_a > at_b ? at_a : at_b;
    }
    const double normal = f.axial / row.area, bending = moment / row.bend_area;
    const double twist = row.twist_area > 0 ? std::fabs(dot(middle, n)) / row.twist_area : 0.0;
    const double shear = norm(across(f.force, n)) / row.area + kind.moment_share * twist;
    const double pressed = normal < 0 ? -normal : 0.0;
    return {(normal + kind.moment_share * bending) / (row.strength * kind.tensile),
            shear / (row.strength * kind.shear + kind.friction * pressed), bending / (row.strength * kind.bending)};
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
SCREE_HD Damped damped(const BondsView& v, Index k, const BondNow& s, double ratio) {
    const Index i = v.a[k], j = v.b[k];
    const BondRow& row = v.rows[k];
    const double m = 1 / (v.body.inverse_mass[i] + v.body.inverse_mass[j]), I = 1 / (v.turn_mobility(i) + v.turn_mobility(j));
    const double inertia[4] = {m, m, I, I};
    double c[4];
    for (int q = 0; q < 4; ++q) c[q] = 2 * ratio * std::sqrt(inertia[q] * row.k[q]);
    const auto [glide, turn] = sliding_of(s);
    const double along = dot(glide, s.n), about = dot(turn, s.n);
    const Vec3 aside = glide - along * s.n, bend = turn - about * s.n;
    return {-(c[0] * along) * s.n - c[1] * aside, -(c[2] * about) * s.n - c[3] * bend};
}

struct BondsOut {
    Vec3View<double> force, torque_a, torque_b, place;
    std::int32_t* how;
    Vec3View<double> push, couple;  // null without accounts
    double *dissipated, *power, *freed;
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

/// Returns whether it broke and its bodies touch from now on.
SCREE_HD std::uint32_t bond_force(const BondsView& v, const BondsOut& out, Index k) {
    if (v.a[k] < 0) return 0;
    if (out.how[k] != 0) {  // broken since the list was made
        out.set(k, BondForce{});
        return 0;
    }
    const BondRow& row = v.rows[k];
    const BondKindRow kind = v.kinds[v.kind[k]];
    const BondNow s = v.now(k);
    const BondForce whole = elastic(row, kind.compressed != 0, s);
    BondForce f = whole;
    if (out.dt > 0) {
        const Strained strain = strained(row, kind, whole, s.n);
        const double most = strain.most();
        const double before = v.damage[k];
        double damage = before;
        if (kind.softens != 0 && most > 1) {
            const double now = damage_at(most, kind.ductility);
            if (now > before) {
                out.dissipated[k] += energy_of(row, true, s, 1 - before) - energy_of(row, true, s, 1 - now);
                damage = now;
                v.damage[k] = now;
            }
        }
        if (kind.softens != 0 ? damage >= 1 : most > 1) {
            out.breaks(k, strain.how(), energy_of(row, kind.compressed != 0, s, 1 - damage), v.body.position[v.a[k]] + 0.5 * s.arm,
                       left_of(whole, before, s.n));
            return kind.keeps_contact != 0 ? 0u : 1u;
        }
        // Up to here it was held by what it was.
        if (damage > 0) f = left_of(whole, 0.5 * (before + damage), s.n);
    }
    if (kind.damping > 0) {
        const Damped own = damped(v, k, s, kind.damping);
        const Vec3 lever = -0.5 * cross(s.arm, own.push);
        f.force += own.push;
        f.torque_a += lever - own.couple;
        f.torque_b += lever + own.couple;
        if (out.push.x != nullptr) {
            out.push.set(k, own.push);
            out.couple.set(k, own.couple);
        }
    }
    out.set(k, f);
    return 0;
}

BondsView view_of(State& state, Workspace& work) {
    Bonds& bonds = *work.bonds;
    const Images& im = work.images;
    return {state.bodies.view(), bonds.a.data(),    bonds.b.data(), bonds.rows.data(),
            bonds.kinds.data(),  bonds.kind.data(), im.cell,        im.cell.moves ? im.motion.data() : nullptr,
            bonds.damage.data()};
}

}  // namespace

void bond_forces(const Model&, State& state, Workspace& work, double dt) {
    if (!work.bonds) return;
    Bonds& bonds = *work.bonds;
    const BondsView v = view_of(state, work);
    const BondsOut out{bonds.force.view(),
                       bonds.torque_a.view(),
                       bonds.torque_b.view(),
                       bonds.place.view(),
                       bonds.how.data(),
                       bonds.push.view(),
                       bonds.couple.view(),
                       bonds.dissipated.data(),
                       bonds.power.data(),
                       bonds.freed.data(),
                       bonds.broken_step.data(),
                       work.flags.step(),
                       dt};
    flag_each(
        work.exec, "bonds/forces", bonds.count, bonds.broke.data(), SCREE_LAMBDA(Index k)->std::uint32_t { return bond_force(v, out, k); },
        work.flags.gate());
}

void account_bonds(State& state, Workspace& work, double dt) {
    if (!work.bonds || work.bonds->push.size() == 0) return;
    Bonds& bonds = *work.bonds;
    const BondsView v = view_of(state, work);
    const std::int32_t* how = bonds.how.data();
    const Vec3View<double> push = bonds.push.view(), couple = bonds.couple.view();
    double *dissipated = bonds.dissipated.data(), *power = bonds.power.data();
    for_each(
        work.exec, "bonds/account", bonds.count,
        SCREE_LAMBDA(Index k)->void {
            if (v.a[k] < 0 || how[k] != 0) return;
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
            return energy_of(v.rows[k], v.kinds[v.kind[k]].compressed != 0, v.now(k), 1 - v.damage[k]);
        });
    sums.dissipated =
        -bonds.given + sum_of(
                           work.exec, "bonds/dissipated", bonds.count, SCREE_LAMBDA(Index k)->double { return dissipated[k]; });
    return sums;
}

}  // namespace scree::SCREE_FLAVOR
