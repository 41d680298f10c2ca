#include "engine/cone/bond_rows.hpp"

#include <algorithm>
#include <limits>

#include "engine/bonds/element.hpp"
#include "engine/cone/body_kernels.hpp"
#include "engine/cone/points/contact_geometry.hpp"
#include "model/wall.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// The bond where its bodies stand, in its own axes.
struct BondFrame {
    Vec3 axis[3];
    double reach;          // [m]
    double k[bond_parts];  // spring and dashpot of each row, as if at `reach` [N/m], [N s/m]
    double c[bond_parts];
    double force[bond_parts];  // of the springs on b [N]
    SCREE_HD double slope(int row, double dt) const { return k[row] * dt + c[row]; }
};

/// Of what bears pull alone the spring is told slack, too.
SCREE_HD BondFrame frame_of(const BondRow& row, const BondKindRow& kind, const BondNow& s) {
    BondFrame f;
    f.axis[0] = s.n;
    const Vec3 aside = across(s.a[1] + s.b[1], s.n);
    f.axis[1] = normalized(aside);
    f.axis[2] = cross(f.axis[0], f.axis[1]);
    f.reach = 0.5 * row.length;
    const BondForce now = elastic(row, true, s);
    const Vec3 couple = 0.5 * (now.torque_b - now.torque_a);
    const double m = 1 / s.mobility, I = 1 / s.turn_mobility, arm2 = f.reach * f.reach;
    const int of[bond_parts] = {0, 1, 1, 2, 3, 3};
    for (int r = 0; r < bond_parts; ++r) {
        const double k = row.k[of[r]], inertia = r < 3 ? m : I, scale = r < 3 ? 1.0 : 1 / arm2;
        f.k[r] = scale * k;
        f.c[r] = scale * 2 * kind.damping * std::sqrt(inertia * k);
        f.force[r] = r < 3 ? dot(now.force, f.axis[r]) : dot(couple, f.axis[r - 3]) / f.reach;
    }
    return f;
}

/// Of the bodies that carry both ends, from their centres to the ends [m]; b of a wall that nothing carries: the end itself.
struct BondLevers {
    Slot a, b;
    Vec3 to_a, to_b;
};
SCREE_HD BondLevers levers_of(const BondsView& v, const RigidView& rigid, Index k) {
    const Index i = v.a[k];
    BondLevers out{};
    out.a = rigid.body_of(i);
    out.to_a = v.body.position[i] - v.body.position[out.a];
    if (v.to_wall(k)) {
        out.b = rigid.carrier_of(v.wall[k]);
        const Vec3 end = placed(v.pose_of_wall(k), v.foot[k]);
        out.to_b = out.b < 0 ? end : end - v.body.position[out.b];
        return out;
    }
    const Index j = v.b[k];
    out.b = rigid.body_of(j);
    out.to_b = v.body.position[j] - v.body.position[out.b];
    return out;
}

/// What moves the bond's middle though no body does: the wall's own motion, or what an image moves by that its body does not.
struct BondDrive {
    Vec3 glide, turn;
};
SCREE_HD BondDrive drive_of(const BondsView& v, const BondLevers& at, Vec3 arm, Index k) {
    if (v.to_wall(k)) {
        if (at.b >= 0) return {};
        const RigidVelocity moves = v.velocity_of_wall(k);
        return {velocity_at(moves, at.to_b) - 0.5 * cross(moves.angular, arm), moves.angular};
    }
    return {v.drift_of(k), {}};
}

/// e . N e of a push along e at an arm, and of a couple about e.
SCREE_HD Real moved_by(const BodyMass& mass, Vec3R arm, Vec3R e) {
    const Vec3R turn = cross(arm, e);
    return mass.inverse_mass + dot(turn, times(mass, turn));
}
SCREE_HD Real turned_by(const BodyMass& mass, Vec3R e) {
    return dot(e, times(mass, e));
}

/// Where kernels write and read the rows of bond k.
struct BondRowsOut {
    Index count;
    Slot *a, *b;
    Real *frame, *soft, *bias, *own;
    Real *low, *high, *eta;  // of its first row
    Real* inverse;           // null: not wanted

    SCREE_HD void put(Index k, int value, Vec3R v) const {
        frame[value * count + k] = v.x;
        frame[(value + 1) * count + k] = v.y;
        frame[(value + 2) * count + k] = v.z;
    }
    SCREE_HD Vec3R at(Index k, int value) const {
        return {frame[value * count + k], frame[(value + 1) * count + k], frame[(value + 2) * count + k]};
    }
    SCREE_HD Vec3R axis(Index k, int r) const {
        if (r == 2) return cross(at(k, kBondAlong), at(k, kBondAcross));
        return at(k, r == 0 ? kBondAlong : kBondAcross);
    }
};

/// Inverse of a symmetric positive matrix by Cholesky's factors, in place.
SCREE_HD void invert(double (&m)[bond_block_values]) {
    constexpr int n = bond_parts;
    for (int j = 0; j < n; ++j) {
        for (int i = j; i < n; ++i) {
            double sum = m[bond_block_entry(i, j)];
            for (int q = 0; q < j; ++q) sum -= m[bond_block_entry(i, q)] * m[bond_block_entry(j, q)];
            m[bond_block_entry(i, j)] = i == j ? std::sqrt(sum) : sum / m[bond_block_entry(j, j)];
        }
    }
    // L^-1 in place, then its transpose times it.
    for (int j = 0; j < n; ++j) {
        m[bond_block_entry(j, j)] = 1 / m[bond_block_entry(j, j)];
        for (int i = j + 1; i < n; ++i) {
            double sum = 0;
            for (int q = j; q < i; ++q) sum -= m[bond_block_entry(i, q)] * m[bond_block_entry(q, j)];
            m[bond_block_entry(i, j)] = sum / m[bond_block_entry(i, i)];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = 0;
            for (int q = i; q < n; ++q) sum += m[bond_block_entry(q, i)] * m[bond_block_entry(q, j)];
            m[bond_block_entry(i, j)] = sum;
        }
    }
}

/// The block of bond k: what a unit of each row does to all of them, and compliance. Rows without stiffness stand alone.
SCREE_HD void write_inverse(const BondRowsOut& to, const BodyMass* mass, Index k) {
    double m[bond_block_values] = {};
    const Slot body[2] = {to.a[k], to.b[k]};
    const Vec3R arm[2] = {to.at(k, kBondArmA), to.at(k, kBondArmB)};
    const Real reach = to.frame[kBondReach * to.count + k];
    for (int c = 0; c < bond_parts; ++c) {
        const bool held = to.eta[c * to.count + k] > Real(0);
        if (!held) {
            m[bond_block_entry(c, c)] = 1;
            continue;
        }
        const Vec3R e = to.axis(k, c % 3);
        for (int side = 0; side < 2; ++side) {
            if (body[side] < 0) continue;
            const BodyMass& of = mass[body[side]];
            const Vec3R v = c < 3 ? of.inverse_mass * e : Vec3R{}, w = times(of, c < 3 ? cross(arm[side], e) : reach * e);
            for (int r = c; r < bond_parts; ++r) {
                if (!(to.eta[r * to.count + k] > Real(0))) continue;
                const Vec3R along = to.axis(k, r % 3);
                m[bond_block_entry(r, c)] += static_cast<double>(r < 3 ? dot(along, v + cross(w, arm[side])) : reach * dot(along, w));
            }
        }
        m[bond_block_entry(c, c)] += static_cast<double>(to.soft[c * to.count + k]);
    }
    invert(m);
    for (int q = 0; q < bond_block_values; ++q) to.inverse[q * to.count + k] = static_cast<Real>(m[q]);
}

/// A bond that is no more: rows that do not move.
SCREE_HD void clear_rows(const BondRowsOut& to, Index k) {
    to.a[k] = to.b[k] = -1;
    for (int q = 0; q < kBondValues; ++q) to.frame[q * to.count + k] = Real(0);
    for (int r = 0; r < bond_parts; ++r) {
        const Index at = r * to.count + k;
        to.soft[at] = to.bias[at] = to.own[at] = to.eta[at] = Real(0);
        to.low[at] = to.high[at] = Real(0);
    }
    for (int q = 0; to.inverse != nullptr && q < bond_block_values; ++q) to.inverse[q * to.count + k] = Real(0);
}

SCREE_HD void write_rows(const BondRowsOut& to, const BondsView& v, const RigidView& rigid, const BodyMass* mass, double dt, double kick,
                         Index k) {
    const BondRow row = v.rows[k];
    const BondKindRow kind = v.kinds[v.kind[k]];
    const BondNow s = v.now(k);
    const BondFrame f = frame_of(row, kind, s);
    const BondLevers at = levers_of(v, rigid, k);
    const BondDrive drive = drive_of(v, at, s.arm, k);
    to.a[k] = at.a;
    to.b[k] = at.b;
    const Vec3R arm_a = cast<Real>(at.to_a + 0.5 * s.arm), arm_b = at.b >= 0 ? cast<Real>(at.to_b - 0.5 * s.arm) : Vec3R{};
    const Real reach = static_cast<Real>(f.reach);
    to.put(k, kBondArmA, arm_a);
    to.put(k, kBondArmB, arm_b);
    to.put(k, kBondAlong, cast<Real>(f.axis[0]));
    to.put(k, kBondAcross, cast<Real>(f.axis[1]));
    to.frame[kBondReach * to.count + k] = reach;
    const Real endless = std::numeric_limits<Real>::infinity();
    for (int r = 0; r < bond_parts; ++r) {
        const Index cell = r * to.count + k;
        const double slope = f.slope(r, dt);
        const bool held = slope > 0;
        const double moves = r < 3 ? dot(drive.glide, f.axis[r]) : f.reach * dot(drive.turn, f.axis[r - 3]);
        to.soft[cell] = held ? static_cast<Real>(1 / (kick * slope)) : Real(0);
        to.bias[cell] = held ? static_cast<Real>(moves - f.force[r] / slope) : Real(0);
        to.low[cell] = held ? -endless : Real(0);
        to.high[cell] = held ? (r == 0 && !(kind.compressed > 0) ? Real(0) : endless) : Real(0);
        const Vec3R e = cast<Real>(f.axis[r % 3]);
        Real own = r < 3 ? moved_by(mass[at.a], arm_a, e) : turned_by(mass[at.a], e);
        if (at.b >= 0) own += r < 3 ? moved_by(mass[at.b], arm_b, e) : turned_by(mass[at.b], e);
        if (r >= 3) own *= reach * reach;
        to.own[cell] = held ? own + to.soft[cell] : Real(0);
        to.eta[cell] = held ? Real(1) / to.own[cell] : Real(0);
    }
    if (to.inverse != nullptr) write_inverse(to, mass, k);
}

/// A device has a thread for each.
constexpr std::size_t rows_in_group = on_device ? 1 : 512;

/// Ids of the rigid bodies that carry both ends of a bond; b -1: a wall that none carries.
struct BondEnds {
    std::int32_t a, b;
};
BondEnds ends_of(const Model& model, const Bond& bond) {
    const auto rigid = [&](std::int32_t id) {
        const std::int32_t owner = model.bodies.owner_of(static_cast<std::size_t>(id));
        return owner >= 0 ? owner : id;
    };
    return {rigid(bond.a), bond.to_wall() ? model.walls[static_cast<std::size_t>(bond.wall())].body : rigid(bond.b)};
}

/// Entries of each rigid body, by its id; groups of rows.
void lay_incidence(const Model& model, BondRows& rows) {
    const std::size_t ids = model.bodies.size(), count = model.bonds.size();
    std::vector<Index> start(ids + 1);
    for (const Bond& bond : model.bonds) {
        const BondEnds ends = ends_of(model, bond);
        ++start[static_cast<std::size_t>(ends.a) + 1];
        if (ends.b >= 0) ++start[static_cast<std::size_t>(ends.b) + 1];
    }
    for (std::size_t i = 0; i < ids; ++i) start[i + 1] += start[i];
    std::vector<Index> next(start.begin(), start.end() - 1);
    std::vector<std::uint32_t> entry(static_cast<std::size_t>(start[ids]));
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t bond = static_cast<std::uint32_t>(k) << 1;
        const BondEnds ends = ends_of(model, model.bonds[k]);
        entry[static_cast<std::size_t>(next[static_cast<std::size_t>(ends.a)]++)] = bond;
        if (ends.b >= 0) entry[static_cast<std::size_t>(next[static_cast<std::size_t>(ends.b)]++)] = bond | 1u;
    }
    rows.row_start.assign(start);
    rows.entry.assign(entry);
    std::vector<Index> group;
    for (std::size_t k = 0; k < bond_parts * count; k += rows_in_group) group.push_back(static_cast<Index>(k));
    group.push_back(static_cast<Index>(bond_parts * count));
    rows.group.assign(group);
    rows.laid = count;
    rows.coloured = false;
}

/// Greedy in the order of bonds: those of one colour share no body.
void colour_bonds(const Model& model, BondRows& rows) {
    constexpr int most = 32;
    const std::size_t ids = model.bodies.size();
    std::vector<std::uint32_t> used(ids);
    std::vector<std::vector<std::uint32_t>> of_colour(most + 1);
    for (std::size_t k = 0; k < model.bonds.size(); ++k) {
        const BondEnds ends = ends_of(model, model.bonds[k]);
        const auto a = static_cast<std::size_t>(ends.a), b = static_cast<std::size_t>(ends.b >= 0 ? ends.b : ends.a);
        const std::uint32_t taken = used[a] | used[b];
        int colour = 0;
        while (colour < most && (taken >> colour & 1u) != 0) ++colour;
        of_colour[static_cast<std::size_t>(colour)].push_back(static_cast<std::uint32_t>(k));
        if (colour == most) continue;
        used[a] |= 1u << colour;
        used[b] |= 1u << colour;
    }
    rows.colours = {0};
    std::vector<std::uint32_t> all;
    for (int c = 0; c <= most; ++c) {
        const auto& bonds = of_colour[static_cast<std::size_t>(c)];
        all.insert(all.end(), bonds.begin(), bonds.end());
        if (c < most && !bonds.empty()) rows.colours.push_back(static_cast<Index>(all.size()));
    }
    rows.in_series = static_cast<Index>(of_colour[most].size());
    rows.by_colour.assign(all);
    rows.coloured = true;
}

}  // namespace

std::size_t BondRows::bytes() const {
    return a.bytes() + b.bytes() + frame.bytes() + soft.bytes() + bias.bytes() + own.bytes() + push.bytes() + inverse.bytes() +
           group.bytes() + row_start.bytes() + entry.bytes() + by_colour.bytes();
}

void load_bond_rows(const Model& model, State& state, Workspace& work, double kick, BodyOperatorBuffers& buffers) {
    BondRows& rows = buffers.bonds;
    rows.first = buffers.scalar_row.size();
    rows.count = work.bonds ? work.bonds->count : 0;
    for (Array<Real>* a : {&buffers.low, &buffers.high, &buffers.scalar_eta}) a->resize(rows.first + rows.rows());
    if (rows.count == 0) return;
    if (rows.laid != model.bonds.size()) lay_incidence(model, rows);
    rows.bounded = false;
    for (const BondKind& kind : model.bond_kinds)
        BondLaws::with(kind.law, [&](auto law) { rows.bounded = rows.bounded || !decltype(law)::compressed; });
    rows.blocks = model.cone.solver == ConeSolver::GaussSeidel;
    if (rows.blocks && !rows.coloured) colour_bonds(model, rows);
    const Index n = rows.count;
    for (Array<Slot>* a : {&rows.a, &rows.b}) a->resize(n);
    rows.frame.resize(kBondValues * n);
    rows.soft.resize(rows.rows());
    rows.bias.resize(rows.rows());
    rows.own.resize(rows.rows());
    rows.push.resize(bond_push_values * n);
    rows.inverse.resize(rows.blocks ? bond_block_values * n : 0);
    const BondRowsOut out{n,
                          rows.a.data(),
                          rows.b.data(),
                          rows.frame.data(),
                          rows.soft.data(),
                          rows.bias.data(),
                          rows.own.data(),
                          buffers.low.data() + rows.first,
                          buffers.high.data() + rows.first,
                          buffers.scalar_eta.data() + rows.first,
                          rows.blocks ? rows.inverse.data() : nullptr};
    const BondsView v = view_of(state, work);
    const RigidView rigid = rigid_view(state, work);
    const std::int32_t* how = work.bonds->how.data();
    const BodyMass* mass = buffers.mass.data();
    const double dt = model.dt;
    for_each(
        work.exec, "cone/bond_rows", n, SCREE_LAMBDA(Index k)->void {
            if (v.a[k] < 0 || how[k] != 0) {
                clear_rows(out, k);
            } else {
                write_rows(out, v, rigid, mass, dt, kick, k);
            }
        });
}

void guess_bonds(Workspace& work, double kick, BodyOperatorBuffers& buffers, Unknowns& x) {
    const BondRows& rows = buffers.bonds;
    const Index n = rows.count;
    if (n == 0) return;
    Real* scalar = x.scalar.data() + rows.first;
    const double* held = work.bonds->held.data();
    const Real* eta = buffers.scalar_eta.data() + rows.first;
    for_each(
        work.exec, "cone/guess_bonds", bond_parts * n, SCREE_LAMBDA(Index at)->void {
            const Index r = at / n, k = at - r * n;
            scalar[at] = eta[at] > Real(0) ? static_cast<Real>(kick * held[bond_parts * k + r]) : Real(0);
        });
}

namespace {

struct SolvedBonds {
    Index count;
    const Real* x;  // impulses of rows
    double dt, per_kick;
    bool breaks;
    Vec3View<double> force, torque_a, torque_b, place;
    double *held, *strain, *dissipated, *freed;
    std::int32_t* how;
    std::int64_t* step;
    const std::int64_t* finished;

    SCREE_HD void set(Index k, const BondForce& f) const {
        force.set(k, f.force);
        torque_a.set(k, f.torque_a);
        torque_b.set(k, f.torque_b);
    }
};

/// What rows with these values do.
SCREE_HD BondForce force_of(const BondFrame& f, const double (&part)[bond_parts], Vec3 arm) {
    const Vec3 push = part[0] * f.axis[0] + part[1] * f.axis[1] + part[2] * f.axis[2];
    const Vec3 couple = f.reach * (part[3] * f.axis[0] + part[4] * f.axis[1] + part[5] * f.axis[2]);
    const Vec3 lever = -0.5 * cross(arm, push);
    return {push, lever - couple, lever + couple, -part[0]};
}

/// Force of bond k, and whether it bears it: 1 where it broke and its bodies touch from now on. Strengths are looked at without dashpots.
SCREE_HD std::uint32_t keep_bond(const SolvedBonds& out, const BondsView& v, Index k) {
    if (v.a[k] < 0 || out.how[k] != 0) {
        out.set(k, BondForce{});
        for (int r = 0; r < bond_parts; ++r) out.held[bond_parts * k + r] = 0;
        return 0;
    }
    const BondRow row = v.rows[k];
    const BondKindRow kind = v.kinds[v.kind[k]];
    const BondNow s = v.now(k);
    const BondFrame f = frame_of(row, kind, s);
    double whole[bond_parts], spring[bond_parts], energy = 0;
    for (int r = 0; r < bond_parts; ++r) {
        const double slope = f.slope(r, out.dt);
        whole[r] = slope > 0 ? out.per_kick * static_cast<double>(out.x[r * out.count + k]) : 0.0;
        // u of the row by its own equation.
        spring[r] = slope > 0 ? f.force[r] - f.k[r] * out.dt * (f.force[r] - whole[r]) / slope : 0.0;
        if (r == 0 && !(kind.compressed > 0) && !(whole[r] < 0)) spring[r] = 0;
        if (f.k[r] > 0) energy += 0.5 * spring[r] * spring[r] / f.k[r];
        out.held[bond_parts * k + r] = whole[r];
    }
    out.set(k, force_of(f, whole, s.arm));
    const Strained strain = strained(row, kind, force_of(f, spring, s.arm), s.n);
    out.strain[k] = strain.most();
    if (!out.breaks || !(strain.most() > 1)) return 0;
    out.how[k] = static_cast<std::int32_t>(strain.how());
    out.step[k] = *out.finished + 1;
    out.freed[k] = energy;
    out.dissipated[k] += energy;
    out.place.set(k, v.body.position[v.a[k]] + 0.5 * s.arm);
    return kind.keeps_contact > 0 ? 0u : 1u;
}

/// Bonds' forces to the bodies that carry their ends.
void add_to_bodies(State& state, Workspace& work, const BondRows& rows) {
    Bonds& bonds = *work.bonds;
    const BondsView v = view_of(state, work);
    const RigidView rigid = rigid_view(state, work);
    const BodyView body = state.bodies.view();
    const Index* start = rows.row_start.data();
    const std::uint32_t* entry = rows.entry.data();
    const Vec3View<double> force = bonds.force.view(), torque_a = bonds.torque_a.view(), torque_b = bonds.torque_b.view();
    const bool planar = state.planar;
    for_each(
        work.exec, "cone/add_bonds", state.bodies.count, SCREE_LAMBDA(Index i)->void {
            Vec3 push{}, turn{};
            for (Index e = start[body.id[i]]; e < start[body.id[i] + 1]; ++e) {
                const Index k = static_cast<Index>(entry[e] >> 1);
                if (v.a[k] < 0) continue;
                const bool second = (entry[e] & 1u) != 0;
                const BondLevers at = levers_of(v, rigid, k);
                const Vec3 f = second ? force[k] : -force[k];
                push += f;
                turn += (second ? torque_b[k] : torque_a[k]) + cross(second ? at.to_b : at.to_a, f);
            }
            body.force.set(i, body.force[i] + (planar ? Vec3{push.x, push.y, 0} : push));
            body.torque.set(i, body.torque[i] + (planar ? Vec3{0, 0, turn.z} : turn));
        });
}

}  // namespace

void keep_bonds(State& state, Workspace& work, double dt, double kick, bool breaks, BodyOperatorBuffers& buffers, const Unknowns& x) {
    const BondRows& rows = buffers.bonds;
    if (rows.count == 0) return;
    Bonds& bonds = *work.bonds;
    const BondsView v = view_of(state, work);
    const SolvedBonds out{rows.count,
                          x.scalar.data() + rows.first,
                          dt,
                          1 / kick,
                          breaks,
                          bonds.force.view(),
                          bonds.torque_a.view(),
                          bonds.torque_b.view(),
                          bonds.place.view(),
                          bonds.held.data(),
                          bonds.strain.data(),
                          bonds.dissipated.data(),
                          bonds.freed.data(),
                          bonds.how.data(),
                          bonds.broken_step.data(),
                          work.flags.step()};
    flag_each(
        work.exec, "cone/keep_bonds", rows.count, bonds.broke.data(),
        SCREE_LAMBDA(Index k)->std::uint32_t { return keep_bond(out, v, k); });
    add_to_bodies(state, work, rows);
}

}  // namespace scree::SCREE_FLAVOR
