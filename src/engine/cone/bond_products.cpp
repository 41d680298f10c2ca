// Products of the rows of bonds with impulses (bond_rows.hpp), and sweeps over them.
#include <limits>

#include "engine/cone/body_kernels.hpp"
#include "engine/cone/bond_rows.hpp"
#include "engine/cone/step_sums.hpp"
#include "engine/exec/reduce.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct SoftRowsView {
    Index count;
    const Slot *a, *b;
    const Real *frame, *soft, *bias;

    SCREE_HD Vec3R at(Index k, int value) const {
        return {frame[value * count + k], frame[(value + 1) * count + k], frame[(value + 2) * count + k]};
    }
    SCREE_HD Real reach(Index k) const { return frame[kBondReach * count + k]; }
};
SoftRowsView view_of(const BondRows& rows) {
    return {rows.count, rows.a.data(), rows.b.data(), rows.frame.data(), rows.soft.data(), rows.bias.data()};
}

/// What impulses of a bond's rows do.
SCREE_HD BondPush push_of(const SoftRowsView& s, const Real (&x)[bond_parts], Index k) {
    const Vec3R n = s.at(k, kBondAlong), e = s.at(k, kBondAcross), f = cross(n, e);
    const Vec3R push = x[0] * n + x[1] * e + x[2] * f, couple = s.reach(k) * (x[3] * n + x[4] * e + x[5] * f);
    return {push, -cross(s.at(k, kBondArmA), push) - couple, cross(s.at(k, kBondArmB), push) + couple};
}

/// Velocities of a bond's rows by two twists, without compliance.
SCREE_HD void rates_of(const SoftRowsView& s, Vec3R v_a, Vec3R w_a, Vec3R v_b, Vec3R w_b, Index k, Real (&u)[bond_parts]) {
    const Vec3R glide = v_b + cross(w_b, s.at(k, kBondArmB)) - v_a - cross(w_a, s.at(k, kBondArmA)), turn = s.reach(k) * (w_b - w_a);
    const Vec3R n = s.at(k, kBondAlong), e = s.at(k, kBondAcross), f = cross(n, e);
    u[0] = dot(glide, n);
    u[1] = dot(glide, e);
    u[2] = dot(glide, f);
    u[3] = dot(turn, n);
    u[4] = dot(turn, e);
    u[5] = dot(turn, f);
}

constexpr int twist_packs = 4;  // v_A, w_A, v_B, w_B
SCREE_HD void load_bodies(const SoftRowsView& s, const BodyTwist* twist, Index k, const StageSlot<Real>& slot) {
    const Slot a = s.a[k], b = s.b[k];
    put(slot, 0, a >= 0 ? twist[a].v : Vec3R{});
    put(slot, 1, a >= 0 ? twist[a].w : Vec3R{});
    put(slot, 2, b >= 0 ? twist[b].v : Vec3R{});
    put(slot, 3, b >= 0 ? twist[b].w : Vec3R{});
}

}  // namespace

void push_by_bonds(const Exec& exec, State& state, const Late<UnknownsView>& x, BodyOperatorBuffers& buffers, Gate gate) {
    const BondRows& rows = buffers.bonds;
    if (rows.count == 0) return;
    const SoftRowsView s = view_of(rows);
    const Index first = rows.first, n = rows.count;
    Real* push = buffers.bonds.push.data();
    for_each_simd(
        exec, "cone/bond_pushes", n,
        SCREE_LAMBDA(Index k)->void {
            const Real* of = x.now().scalar + first + k;
            const Real part[bond_parts] = {of[0], of[n], of[2 * n], of[3 * n], of[4 * n], of[5 * n]};
            const BondPush g = push_of(s, part, k);
            Real* to = push + k;
            to[0] = g.linear.x;
            to[n] = g.linear.y;
            to[2 * n] = g.linear.z;
            to[3 * n] = g.on_a.x;
            to[4 * n] = g.on_a.y;
            to[5 * n] = g.on_a.z;
            to[6 * n] = g.on_b.x;
            to[7 * n] = g.on_b.y;
            to[8 * n] = g.on_b.z;
        },
        gate);
    const std::uint32_t* id = state.bodies.id.data();
    const Index* start = rows.row_start.data();
    const std::uint32_t* entry = rows.entry.data();
    const BodyMass* mass = buffers.mass.data();
    BodyTwist* twist = buffers.twist.data();
    for_each(
        exec, "cone/push_by_bonds", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const Index begin = start[id[i]], end = start[id[i] + 1];
            if (begin == end) return;
            Vec3R linear{}, angular{};
            for (Index e = begin; e < end; ++e) {
                const Real* of = push + (entry[e] >> 1);
                const bool second = (entry[e] & 1u) != 0;
                const Real* turns = of + (second ? 6 : 3) * n;
                const Vec3R g{of[0], of[n], of[2 * n]};
                linear += second ? g : -g;
                angular += Vec3R{turns[0], turns[n], turns[2 * n]};
            }
            twist[i].v += mass[i].inverse_mass * linear;
            twist[i].w += times(mass[i], angular);
        },
        gate);
}

namespace {

/// Steps and bounds of rows, from the first of bonds on.
struct RowSteps {
    const Real *low, *high, *eta, *inverse;
};

/// As row_sums and miss_of_scalar (step_sums.cpp, sweeps/block_steps.hpp) have them, into the slot of the row; next_u has its rate so far.
template <bool bounded>
SCREE_HD void measure_row(const SoftRowsView& s, const RowSteps& c, const TrialStep& step, Index first, Index row,
                          const StageSlot<Real>& slot) {
    const Index at = first + row;
    const Real beta = static_cast<Real>(step.beta);
    const Real x = step.next.scalar[at], last = step.x.scalar[at], u_last = step.u.scalar[at];
    const Real u = step.next_u.scalar[at] + s.soft[row] * x + s.bias[row];
    step.next_u.scalar[at] = u;
    const Real d = x - (last + beta * (last - step.before.scalar[at])), g = u_last + beta * (u_last - step.u_before.scalar[at]);
    const Real eta = c.eta[row], inverse = c.inverse[row], weighed = inverse * d;
    const Real far = x - eta * u;
    Real within = far;
    if constexpr (bounded) {
        const Real low = c.low[row], high = c.high[row], above = far < low ? low : far;
        within = above > high ? high : above;
    }
    Real* sums = slot.pack(0);
    sums[0] = d * weighed;
    sums[1] = d * (u - g);
    sums[2] = u * (eta * u);
    sums[3] = weighed * (x - last);
    *slot.pack(1) = std::fabs(x - within) * inverse;
}

SCREE_HD void add_row(StepSums& sum, const StageSlot<Real>& slot) {
    sum.length2 += static_cast<double>(slot.at(0, 0));
    sum.curvature += static_cast<double>(slot.at(0, 1));
    sum.speed2 += static_cast<double>(slot.at(0, 2));
    sum.onward += static_cast<double>(slot.at(0, 3));
    sum.residual = larger_miss(sum.residual, static_cast<double>(slot.at(1, 0)));
}

/// Rates of all rows into scalar unknowns u, without compliance and bias. A pass of its own: with all that is summed it would read more
/// streams than pages are at hand for.
void bond_rates(const Exec& exec, const Late<UnknownsView>& u, BodyOperatorBuffers& buffers, Gate gate) {
    const SoftRowsView s = view_of(buffers.bonds);
    const Index first = buffers.bonds.first, n = s.count;
    const BodyTwist* twist = buffers.twist.data();
    for_each_staged<twist_packs, Real>(
        exec, "cone/bond_rates", n, SCREE_LAMBDA(Index k, const StageSlot<Real>& slot)->void { load_bodies(s, twist, k, slot); },
        SCREE_LAMBDA(Index k, const StageSlot<Real>& slot)->void {
            Real rate[bond_parts];
            rates_of(s, take(slot, 0), take(slot, 1), take(slot, 2), take(slot, 3), k, rate);
            Real* to = u.now().scalar + first + k;
            to[0] = rate[0];
            to[n] = rate[1];
            to[2 * n] = rate[2];
            to[3 * n] = rate[3];
            to[4 * n] = rate[4];
            to[5 * n] = rate[5];
        },
        gate);
}

}  // namespace

void bond_velocities(const Exec& exec, const Late<UnknownsView>& x, const Late<UnknownsView>& u, const Late<bool>& with_r,
                     BodyOperatorBuffers& buffers, Gate gate) {
    const BondRows& rows = buffers.bonds;
    if (rows.count == 0) return;
    bond_rates(exec, u, buffers, gate);
    const Index first = rows.first;
    const Real *soft = rows.soft.data(), *bias = rows.bias.data();
    for_each_simd(
        exec, "cone/bond_compliance", rows.rows(),
        SCREE_LAMBDA(Index row)->void {
            const Real biased = with_r.now() ? Real(1) : Real(0);
            u.now().scalar[first + row] += soft[row] * x.now().scalar[first + row] + biased * bias[row];
        },
        gate);
}

/// Nothing but fibres has bounds.
template <bool bounded>
void measure_rows_of(const Exec& exec, SoftRowsView s, RowSteps c, const Late<TrialStep>& step, Index first, const Array<Index>& group,
                     Array<StepSums>& part, Gate gate) {
    for_each_row_staged<2, Real>(
        exec, "cone/measure_bonds", group.size() - 1, group.data(), part.data(), SCREE_LAMBDA(Index, const StageSlot<Real>&)->void{},
        SCREE_LAMBDA(Index row, const StageSlot<Real>& slot)->void { measure_row<bounded>(s, c, step.now(), first, row, slot); },
        SCREE_LAMBDA(StepSums & of, const StageSlot<Real>& slot)->void { add_row(of, slot); }, gate);
}

void measure_bonds(const Exec& exec, const Late<TrialStep>& step, BodyOperatorBuffers& buffers, Array<StepSums>& part, Gate gate,
                   StepSums* sum) {
    const BondRows& rows = buffers.bonds;
    if (rows.count == 0) return;
    const SoftRowsView s = view_of(rows);
    const RowSteps c{buffers.low.data() + rows.first, buffers.high.data() + rows.first, buffers.scalar_eta.data() + rows.first,
                     rows.own.data()};
    const Index first = rows.first, groups = rows.group.size() - 1;
    bond_rates(exec, step.part(&TrialStep::next_u), buffers, gate);
    part.resize(groups);
    const auto measure = rows.bounded ? measure_rows_of<true> : measure_rows_of<false>;
    measure(exec, s, c, step, first, rows.group, part, gate);
    const StepSums* of_group = part.data();
    fold_into(
        exec, "cone/sum_bonds", groups, sum, SCREE_LAMBDA(Index g)->StepSums { return of_group[g]; }, AddSums{}, gate);
}

namespace {

struct BondSweep {
    SoftRowsView rows;
    const Real *low, *high, *eta;  // of their first row
    const Real* inverse;
    const BodyMass* mass;
    BodyTwist* twist;
    Real* x;
};

SCREE_HD void relax_bond(const BondSweep& s, Real omega, Index k) {
    const Index n = s.rows.count;
    const Slot a = s.rows.a[k], b = s.rows.b[k];
    if (a < 0) return;
    Real u[bond_parts], change[bond_parts] = {};
    const BodyTwist of_a = s.twist[a], of_b = b >= 0 ? s.twist[b] : BodyTwist{};
    rates_of(s.rows, of_a.v, of_a.w, of_b.v, of_b.w, k, u);
    for (int r = 0; r < bond_parts; ++r) {
        const Index at = r * n + k;
        u[r] = s.eta[at] > Real(0) ? u[r] + s.rows.soft[at] * s.x[at] + s.rows.bias[at] : Real(0);
    }
    for (int r = 0; r < bond_parts; ++r) {
        for (int q = 0; q < bond_parts; ++q) change[r] -= omega * s.inverse[bond_block_entry(r, q) * n + k] * u[q];
        const Index at = r * n + k;
        const Real next = s.x[at] + change[r], within = next < s.low[at] ? s.low[at] : (next > s.high[at] ? s.high[at] : next);
        change[r] = within - s.x[at];
        s.x[at] = within;
    }
    const BondPush g = push_of(s.rows, change, k);
    s.twist[a].v -= s.mass[a].inverse_mass * g.linear;
    s.twist[a].w += times(s.mass[a], g.on_a);
    if (b < 0) return;
    s.twist[b].v += s.mass[b].inverse_mass * g.linear;
    s.twist[b].w += times(s.mass[b], g.on_b);
}

}  // namespace

void sweep_bonds(const Exec& exec, const UnknownsView& x, const Late<double>& omega, BodyOperatorBuffers& buffers, Gate gate) {
    const BondRows& rows = buffers.bonds;
    if (rows.count == 0) return;
    const BondSweep s{view_of(rows),
                      buffers.low.data() + rows.first,
                      buffers.high.data() + rows.first,
                      buffers.scalar_eta.data() + rows.first,
                      rows.inverse.data(),
                      buffers.mass.data(),
                      buffers.twist.data(),
                      x.scalar + rows.first};
    const std::uint32_t* bond = rows.by_colour.data();
    for (std::size_t c = 0; c + 1 < rows.colours.size(); ++c) {
        const Index first = rows.colours[c];
        for_each(
            exec, "cone/sweep_bonds", rows.colours[c + 1] - first,
            SCREE_LAMBDA(Index q)->void { relax_bond(s, static_cast<Real>(omega.now()), static_cast<Index>(bond[first + q])); }, gate);
    }
    if (rows.in_series == 0) return;
    const Index first = rows.colours.back(), count = rows.in_series;
    for_each(
        exec, "cone/sweep_bonds_in_series", 1,
        SCREE_LAMBDA(Index)->void {
            for (Index q = 0; q < count; ++q) relax_bond(s, static_cast<Real>(omega.now()), static_cast<Index>(bond[first + q]));
        },
        gate);
}

}  // namespace scree::SCREE_FLAVOR
