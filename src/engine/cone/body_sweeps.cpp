// Gauss–Seidel sweeps over bodies: colour by colour, the points of one pair relaxed one after the other with their two bodies at hand, and
// as many pairs at once as a vector has lanes. Contacts that resist rolling, and pairs that found no colour, are relaxed singly.
#include <limits>

#include "engine/cone/algebra.hpp"
#include "engine/cone/block_steps.hpp"
#include "engine/cone/body_kernels.hpp"
#include "engine/cone/step_sums.hpp"
#include "engine/exec/reduce.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

// Of a body: velocity, angular velocity, and its entry of BodyMass but for the padding.
constexpr int body_values = 13;
/// Times that the points of one pair are relaxed while its bodies are at hand: they hang together more than pairs do, and more times
/// cost arithmetic alone: ten sweeps of a bed of cubes leave a residual of 3.2, 1.9, 1.4 and 1.3 mm/s with one to four. A single point's
/// step is as good as exact the first time.
constexpr int passes = 3;

struct LaneView {
    const Manifold* manifold;
    const SweepBlock* block;
    Real* value;
    const BodyMass* mass;
    BodyTwist* twist;
};

SCREE_HD void load_body(const LaneView& s, Slot i, Real* to) {
    const BodyTwist& t = s.twist[i];
    const BodyMass& m = s.mass[i];
    const Real values[body_values] = {t.v.x,
                                      t.v.y,
                                      t.v.z,
                                      t.w.x,
                                      t.w.y,
                                      t.w.z,
                                      m.inverse_mass,
                                      m.inverse_inertia[0],
                                      m.inverse_inertia[1],
                                      m.inverse_inertia[2],
                                      m.inverse_inertia[3],
                                      m.inverse_inertia[4],
                                      m.inverse_inertia[5]};
    for (int k = 0; k < body_values; ++k) to[k * lane_count] = values[k];
}
SCREE_HD void load_nothing(Real* to) {
    for (int k = 0; k < body_values; ++k) to[k * lane_count] = Real(0);
}
SCREE_HD void store_body(const LaneView& s, Slot i, const Real* from) {
    BodyTwist& t = s.twist[i];
    t.v = {from[0], from[lane_count], from[2 * lane_count]};
    t.w = {from[3 * lane_count], from[4 * lane_count], from[5 * lane_count]};
}

/// One body of each lane.
struct BodyLanes {
    Vec3L v, w;
    Lanes inverse_mass, inverse_inertia[6];
};
SCREE_HD void load_lanes_of(const Real* from, BodyLanes& b) {
    b.v = load_vector(from);
    b.w = load_vector(from + 3 * lane_count);
    b.inverse_mass = load_lanes(from + 6 * lane_count);
    for (int k = 0; k < 6; ++k) b.inverse_inertia[k] = load_lanes(from + (7 + k) * lane_count);
}
SCREE_HD void push(BodyLanes& b, const Vec3L& arm, const Vec3L& g) {
    const Vec3L t = cross(arm, g);
    const Lanes* I = b.inverse_inertia;
    b.v += b.inverse_mass * g;
    b.w += Vec3L{I[0] * t.x + I[3] * t.y + I[4] * t.z, I[3] * t.x + I[1] * t.y + I[5] * t.z, I[4] * t.x + I[5] * t.y + I[2] * t.z};
}

/// As project_cone(g, n, mu, stretch) of cones.hpp; slope = mu stretch.
SCREE_HD Vec3L project_lanes(const Vec3L& g, const Vec3L& n, Lanes slope, Lanes stretch) {
    const Lanes zero = Real(0);
    const Lanes gn = dot(g, n);
    const Vec3L gt = g - gn * n;
    const Lanes t = stretch * root_of(norm2(gt));
    const Lanes on_surface = (gn + slope * t) / (Real(1) + slope * slope);
    const auto polar = slope * t <= -gn, inside = t <= slope * gn;
    const Lanes pn = choose(polar, zero, on_surface);
    const Lanes part = choose(polar || inside, zero, slope * on_surface / t);
    const Vec3L p = pn * n + part * gt;
    const auto keep = inside && !polar;
    return {choose(keep, g.x, p.x), choose(keep, g.y, p.y), choose(keep, g.z, p.z)};
}

/// One block step of a point in each lane and its effect on the two bodies.
SCREE_HD void relax_lanes(Real* point, const Vec3L& between, Lanes omega, BodyLanes& a, BodyLanes& b) {
    const auto vector = [&](int value) { return load_vector(point + value * lane_count); };
    const auto scalar = [&](int value) { return load_lanes(point + value * lane_count); };
    const Vec3L arm = vector(kArm), n = vector(kNormal), before = vector(kImpulse), arm_b = arm - between;
    const Vec3L u = b.v + cross(b.w, arm_b) - a.v - cross(a.w, arm) + vector(kBase);
    const Lanes along = scalar(kAlong), across = scalar(kAcross);
    const Vec3L step = across * u + ((along - across) * dot(u, n)) * n;
    const Vec3L relaxed = project_lanes(before - omega * step, n, scalar(kSlope), scalar(kStretch));
    // Points that nothing moves keep what they have.
    const auto moves = across > Lanes(Real(0));
    const Vec3L now{choose(moves, relaxed.x, before.x), choose(moves, relaxed.y, before.y), choose(moves, relaxed.z, before.z)};
    store_vector(point + kImpulse * lane_count, now);
    const Vec3L g = now - before;
    push(b, arm_b, g);
    push(a, arm, -g);
}

SCREE_HD void relax_block(const LaneView& s, Lanes omega, Index at) {
    const SweepBlock block = s.block[at];
    const Manifold* manifold = s.manifold + at * lane_count;
    Real *value = s.value + block.data, room_a[body_values * lane_count], room_b[body_values * lane_count];
    for (int l = 0; l < lane_count; ++l) {
        if (manifold[l].count > 0) {
            load_body(s, manifold[l].a, room_a + l);
        } else {
            load_nothing(room_a + l);
        }
        if (manifold[l].count > 0 && manifold[l].b >= 0) {
            load_body(s, manifold[l].b, room_b + l);
        } else {
            load_nothing(room_b + l);
        }
    }
    BodyLanes a, b;
    load_lanes_of(room_a, a);
    load_lanes_of(room_b, b);
    const Vec3L between = load_vector(value);
    const int rounds = block.points > 1 ? passes : 1;
    for (int round = 0; round < rounds; ++round) {
        for (std::int32_t q = 0; q < block.points; ++q)
            relax_lanes(value + (head_values + q * kPointValues) * lane_count, between, omega, a, b);
    }
    store_vector(room_a, a.v);
    store_vector(room_a + 3 * lane_count, a.w);
    store_vector(room_b, b.v);
    store_vector(room_b + 3 * lane_count, b.w);
    for (int l = 0; l < lane_count; ++l) {
        if (manifold[l].count == 0) continue;
        store_body(s, manifold[l].a, room_a + l);
        if (manifold[l].b >= 0) store_body(s, manifold[l].b, room_b + l);
    }
}

SCREE_HD void load_motion(const LaneView& s, Slot i, Real* to) {
    const BodyTwist t = i >= 0 ? s.twist[i] : BodyTwist{};
    const Real values[6] = {t.v.x, t.v.y, t.v.z, t.w.x, t.w.y, t.w.z};
    for (int k = 0; k < 6; ++k) to[k * lane_count] = values[k];
}

/// |x - P(x - eta u)| / eta of a point in each lane; zero where it does not move.
SCREE_HD Lanes miss_lanes(const Real* point, const Vec3L& between, const Vec3L& v_a, const Vec3L& w_a, const Vec3L& v_b, const Vec3L& w_b) {
    const auto vector = [&](int value) { return load_vector(point + value * lane_count); };
    const auto scalar = [&](int value) { return load_lanes(point + value * lane_count); };
    const Lanes zero = Real(0), one = Real(1);
    const Vec3L arm = vector(kArm), x = vector(kImpulse), arm_b = arm - between;
    const Vec3L u = v_b + cross(w_b, arm_b) - v_a - cross(w_a, arm) + vector(kBase);
    const Lanes eta = scalar(kEta), mu = scalar(kSlope) / scalar(kStretch);
    const Vec3L miss = x - project_lanes(x - eta * u, vector(kNormal), mu, one);
    const auto moves = eta > zero;
    return choose(moves, root_of(norm2(miss)) / choose(moves, eta, one), zero);
}

/// The largest miss in a block; what is no number is endless.
SCREE_HD double block_miss(const LaneView& s, Index at) {
    const SweepBlock block = s.block[at];
    if (block.points == 0) return 0;
    const Manifold* manifold = s.manifold + at * lane_count;
    const Real* value = s.value + block.data;
    Real room_a[6 * lane_count], room_b[6 * lane_count], miss[lane_count];
    for (int l = 0; l < lane_count; ++l) {
        load_motion(s, manifold[l].a, room_a + l);
        load_motion(s, manifold[l].b, room_b + l);
    }
    const Vec3L v_a = load_vector(room_a), w_a = load_vector(room_a + 3 * lane_count);
    const Vec3L v_b = load_vector(room_b), w_b = load_vector(room_b + 3 * lane_count), between = load_vector(value);
    const Real endless = std::numeric_limits<Real>::infinity();
    Real most = Real(0);
    for (std::int32_t q = 0; q < block.points; ++q) {
        store_lanes(miss, miss_lanes(value + (head_values + q * kPointValues) * lane_count, between, v_a, w_a, v_b, w_b));
        for (int l = 0; l < lane_count; ++l) {
            const Real here = miss[l] < endless ? miss[l] : endless;
            most = here > most ? here : most;
        }
    }
    return static_cast<double>(most);
}

/// What single steps read and write.
struct SingleView {
    const Touch* touch;
    const Arms* arms;
    const Vec3R* base;
    const Real* shift;  // may be null
    const BodyMass* mass;
    BodyTwist* twist;
    ConeView cone;
    UnknownsView x;
};

SCREE_HD void push_body(const SingleView& s, Slot i, Vec3R arm, Vec3R g, Vec3R c) {
    if (i < 0) return;
    s.twist[i].v += s.mass[i].inverse_mass * g;
    s.twist[i].w += times(s.mass[i], cross(arm, g) + c);
}

SCREE_HD void relax_contact(const SingleView& s, Real omega, Index k) {
    const ConeView& cone = s.cone;
    const Touch t = s.touch[k];
    const Arms arms = s.arms[k];
    if (!(cone.eta[k] > Real(0))) return;
    const BodyTwist a = s.twist[t.a], b = t.b >= 0 ? s.twist[t.b] : BodyTwist{};
    Vec3R u = b.v + cross(b.w, arms.b) - a.v - cross(a.w, arms.a) + s.base[k];
    if (s.shift != nullptr) u += s.shift[k] * cone.normal[k];
    const bool rolls = s.x.couple != nullptr;
    const ImpulseAndCouple<Real> before{s.x.impulse[k], rolls ? s.x.couple[k] : Vec3R{}};
    ImpulseAndCouple<Real> now = before;
    now.impulse -= omega * scaled(steps_of(cone, k), cone.normal[k], u);
    if (rolls) now.couple -= (omega * cone.eta[k] * cone.reach[k] * cone.reach[k]) * (b.w - a.w);
    now = project_in_metric(cone, now, rolls, k);
    s.x.impulse[k] = now.impulse;
    if (rolls) s.x.couple[k] = now.couple;
    const Vec3R g = now.impulse - before.impulse, c = now.couple - before.couple;
    push_body(s, t.b, arms.b, g, c);
    push_body(s, t.a, arms.a, -g, -c);
}
SCREE_HD void relax_singly(const SingleView& s, Real omega, const Manifold& m) {
    const int rounds = m.count > 1 ? passes : 1;
    for (int round = 0; round < rounds; ++round) {
        for (std::int32_t q = 0; q < m.count; ++q) relax_contact(s, omega, static_cast<Index>(m.first) + q);
    }
}

}  // namespace

/// Impulses and biases to the blocks, or impulses back from them.
void load_points(const Exec& exec, SweepRoom& room, ContactTable& t, const Real* shift, const Vec3R* x, Gate gate) {
    const Manifold* manifold = room.manifold.data();
    const SweepBlock* block = room.block.data();
    Real* value = room.value.data();
    const Vec3R *normal = t.normal.data(), *base = t.base.data();
    for_each(
        exec, "cone/load_sweep", room.manifold.size(),
        SCREE_LAMBDA(Index m)->void {
            Real* to = value + block[m / lane_count].data + m % lane_count;
            for (std::int32_t q = 0; q < manifold[m].count; ++q) {
                const Index k = static_cast<Index>(manifold[m].first) + q;
                Real* p = to + (head_values + q * kPointValues) * lane_count;
                const Vec3R bias = shift != nullptr ? base[k] + shift[k] * normal[k] : base[k], g = x[k];
                p[kBase * lane_count] = bias.x;
                p[(kBase + 1) * lane_count] = bias.y;
                p[(kBase + 2) * lane_count] = bias.z;
                p[kImpulse * lane_count] = g.x;
                p[(kImpulse + 1) * lane_count] = g.y;
                p[(kImpulse + 2) * lane_count] = g.z;
            }
        },
        gate);
}
void store_points(const Exec& exec, SweepRoom& room, Vec3R* x, Gate gate) {
    const Manifold* manifold = room.manifold.data();
    const SweepBlock* block = room.block.data();
    const Real* value = room.value.data();
    for_each(
        exec, "cone/store_sweep", room.manifold.size(),
        SCREE_LAMBDA(Index m)->void {
            const Real* from = value + block[m / lane_count].data + m % lane_count;
            for (std::int32_t q = 0; q < manifold[m].count; ++q) {
                const Real* p = from + (head_values + q * kPointValues + kImpulse) * lane_count;
                x[static_cast<Index>(manifold[m].first) + q] = {p[0], p[lane_count], p[2 * lane_count]};
            }
        },
        gate);
}

/// The blocks of a colour, of which there are at most so many: no two of their manifolds share a body. start: of its buckets and the next.
void sweep_blocks(const Exec& exec, const SweepStart* start, Index most, LaneView s, const Late<double>& omega, Gate gate) {
    for_each(
        exec, "cone/sweep", most,
        SCREE_LAMBDA(Index k)->void {
            const Index at = start[0].block + k;
            if (at < start[most_points].block) relax_block(s, Lanes(static_cast<Real>(omega.now())), at);
        },
        gate);
}
void largest_miss(const Exec& exec, Index blocks, LaneView s, Gate gate, double* miss) {
    fold_into(
        exec, "cone/look", blocks, miss, SCREE_LAMBDA(Index k)->double { return block_miss(s, k); }, LargerMiss{}, gate);
}
/// Likewise the manifolds of a colour.
void sweep_singly(const Exec& exec, const SweepStart* start, Index most, const Manifold* manifold, SingleView s, const Late<double>& omega,
                  Gate gate) {
    for_each(
        exec, "cone/sweep_singly", most,
        SCREE_LAMBDA(Index k)->void {
            const Index at = start[0].manifold + k;
            if (at < start[most_points].manifold) relax_singly(s, static_cast<Real>(omega.now()), manifold[at]);
        },
        gate);
}
void sweep_in_series(const Exec& exec, const Manifold* manifold, Index count, SingleView s, const Late<double>& omega, Gate gate) {
    if (count == 0) return;
    for_each(
        exec, "cone/sweep_in_series", 1,
        SCREE_LAMBDA(Index)->void {
            const Real relaxation = static_cast<Real>(omega.now());
            for (Index k = 0; k < count; ++k) relax_singly(s, relaxation, manifold[k]);
        },
        gate);
}
void sweep_scalars(const Exec& exec, const ScalarRow* row, SingleView s, const Late<double>& omega, Gate gate) {
    if (s.cone.scalars == 0) return;
    for_each(
        exec, "cone/sweep_scalars", 1,
        SCREE_LAMBDA(Index)->void {
            const Real relaxation = static_cast<Real>(omega.now());
            for (Index k = 0; k < s.cone.scalars; ++k) {
                const Real rate = scalar_rate(row[k], s.twist) + row[k].bias;
                const Real now = project_scalar(s.cone, s.x.scalar[k] - relaxation * s.cone.scalar_eta[k] * rate, k);
                push_scalar(row[k], now - s.x.scalar[k], s.twist, s.mass);
                s.x.scalar[k] = now;
            }
        },
        gate);
}

/// Once per problem.
void BodyOperator::lay_sweeps() {
    if (coloured_) return;
    coloured_ = true;
    lay_out_sweeps(work_.exec, table_, state_.bodies.count, table_.sort, room_.sweep);
}

void BodyOperator::fit_sweeps() {
    loaded_ = false;
    scree::SCREE_FLAVOR::fit_sweeps(work_.exec, table_, state_.bodies.count, table_.sort, room_.sweep);
}

void BodyOperator::expect_sweeps(const SweepSizes& sizes) {
    if (!room_.sweep.colours.in_turn()) room_.sweep.most = expected_after(sizes);
}

/// From the blocks, where all of the problem is in them.
bool BodyOperator::look(Unknowns& x, bool project_first, Gate gate, double* miss) {
    if (table_.rolling || joined_ || room_.scalar_row.size() > 0) return false;
    lay_sweeps();
    SweepRoom& room = room_.sweep;
    if (room.in_series.size() > 0) return false;
    if (project_first) project(*this, x, gate);
    if (project_first || !loaded_) load_points(work_.exec, room, table_, shifted_ ? room_.shift.data() : nullptr, x.impulse.data(), gate);
    loaded_ = true;
    twists(view_of(x), true, gate);
    largest_miss(work_.exec, room.block.size(),
                 {room.manifold.data(), room.block.data(), room.value.data(), room_.mass.data(), room_.twist.data()}, gate, miss);
    return true;
}

void BodyOperator::sweep(Unknowns& x, const Late<double>& omega, bool first, std::int64_t sweeps, Gate gate) {
    const Exec& exec = work_.exec;
    lay_sweeps();
    if (first) twists(view_of(x), true, gate);
    SweepRoom& room = room_.sweep;
    const Real* shift = shifted_ ? room_.shift.data() : nullptr;
    const LaneView lanes{room.manifold.data(), room.block.data(), room.value.data(), room_.mass.data(), room_.twist.data()};
    const SingleView single{
        table_.touch.data(), table_.arms.data(), table_.base.data(), shift, room_.mass.data(), room_.twist.data(), cone(), view_of(x)};
    if (!table_.rolling && (first || !loaded_)) load_points(exec, room, table_, shift, x.impulse.data(), gate);
    loaded_ = true;
    const SweepSizes most = room.most.value_or(SweepSizes{});
    for (std::int64_t done = 0; done < sweeps; ++done) {
        for (int c = 0; c < most_colours && most.colour[c] > 0; ++c) {
            const SweepStart* start = room.start.data() + c * most_points;
            if (table_.rolling) {
                sweep_singly(exec, start, most.colour[c], room.manifold.data(), single, omega, gate);
            } else {
                sweep_blocks(exec, start, most.colour[c], lanes, omega, gate);
            }
        }
        sweep_in_series(exec, room.in_series.data(), room.in_series.size(), single, omega, gate);
        sweep_scalars(exec, room_.scalar_row.data(), single, omega, gate);
        project_joints(true, gate);
    }
    if (!table_.rolling) store_points(exec, room, x.impulse.data(), gate);
}

}  // namespace scree::SCREE_FLAVOR
