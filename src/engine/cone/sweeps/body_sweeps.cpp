// Gauss–Seidel sweeps over bodies: colour by colour, the points of one pair relaxed one after the other with their two bodies at hand, and
// as many pairs at once as a vector has lanes. Contacts that resist rolling, and pairs that found no colour, are relaxed singly.
#include <cstddef>
#include <limits>

#include "engine/cone/algebra.hpp"
#include "engine/cone/sweeps/block_steps.hpp"
#include "engine/cone/body_kernels.hpp"
#include "engine/cone/step_sums.hpp"
#include "engine/cone/sweeps/sweep_lanes.hpp"
#include "engine/exec/reduce.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Times that the points of one pair are relaxed while its bodies are at hand: they hang together more than pairs do, and more times
/// cost arithmetic alone: ten sweeps of a bed of cubes leave a residual of 3.2, 1.9, 1.4 and 1.3 mm/s with one to four. A single point's
/// step is as good as exact the first time.
constexpr int passes = 3;

/// Blocks relaxed side by side. Three have no room in the registers of a core; a device has threads enough.
constexpr int blocks_at_once = on_device ? 1 : 2;

struct LaneView {
    const Manifold* manifold;
    const SweepBlock* block;
    Real* value;
    const BodyMass* mass;
    BodyTwist* twist;
};

static_assert(sizeof(BodyTwist) == row_values * sizeof(Real) && sizeof(BodyMass) == row_values * sizeof(Real));
static_assert(offsetof(BodyTwist, w) == 4 * sizeof(Real) && offsetof(BodyMass, inverse_inertia) == sizeof(Real));

/// Rows of the bodies A and B of a block's lanes; null where a lane has none.
struct BlockRows {
    Real* twist[2][lane_count];
    const Real* mass[2][lane_count];
};
SCREE_HD void find_rows(const LaneView& s, Index at, BlockRows& rows) {
    const Manifold* manifold = s.manifold + at * lane_count;
    for (int l = 0; l < lane_count; ++l) {
        const Slot body[2] = {manifold[l].a, manifold[l].b};
        for (int side = 0; side < 2; ++side) {
            const Slot i = body[side];
            rows.twist[side][l] = i >= 0 ? reinterpret_cast<Real*>(s.twist + i) : nullptr;
            rows.mass[side][l] = i >= 0 ? reinterpret_cast<const Real*>(s.mass + i) : nullptr;
        }
    }
}

/// So many blocks of one bucket, from `at` on.
template <bool slides, int Count>
SCREE_HD void relax_blocks(const LaneView& s, Lanes relaxation, Index at) {
    const SweepBlock block = s.block[at];
    BlockRows rows[Count];
    MassLanes<Count> mass[2];
    BodyLanes<Count> a, b;
    for (int j = 0; j < Count; ++j) {
        find_rows(s, at + j, rows[j]);
        load_twists(rows[j].twist[0], j, a);
        load_twists(rows[j].twist[1], j, b);
        for (int side = 0; side < 2; ++side) load_masses(rows[j].mass[side], j, mass[side]);
    }
    const PointValues<Count> head{s.value + block.data, block_values(block.points)};
    const Vec3Group<Count> between = head.vector(0);
    const LaneGroup<Count> omega = LaneGroup<Count>::all(relaxation);
    const int rounds = block.points > 1 ? passes : 1;
    for (int round = 0; round < rounds; ++round) {
        for (std::int32_t q = 0; q < block.points; ++q)
            relax_lanes<slides>(head.after(head_values + q * kPointValues), between, omega, mass, a, b);
    }
    for (int j = 0; j < Count; ++j) {
        store_twists(a, j, rows[j].twist[0]);
        store_twists(b, j, rows[j].twist[1]);
    }
}

/// The largest miss in a block; what is no number is endless.
template <bool slides>
SCREE_HD double block_miss(const LaneView& s, Index at) {
    const SweepBlock block = s.block[at];
    if (block.points == 0) return 0;
    BlockRows rows;
    find_rows(s, at, rows);
    BodyLanes<1> a, b;
    load_twists(rows.twist[0], 0, a);
    load_twists(rows.twist[1], 0, b);
    const PointValues<1> head{s.value + block.data, 0};
    const Vec3Group<1> between = head.vector(0);
    const Real endless = std::numeric_limits<Real>::infinity();
    Real most = Real(0), miss[lane_count];
    for (std::int32_t q = 0; q < block.points; ++q) {
        store_lanes(miss, miss_lanes<slides>(head.after(head_values + q * kPointValues), between, a, b));
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
    now = cone.slides ? into_disk(cone, now, rolls, k) : project_in_metric(cone, now, rolls, k);
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
void load_points(const Exec& exec, SweepBuffers& buffers, ContactTable& t, const Real* shift, const Vec3R* x, Gate gate) {
    const Manifold* manifold = buffers.manifold.data();
    const SweepBlock* block = buffers.block.data();
    Real* value = buffers.value.data();
    const Vec3R *normal = t.normal.data(), *base = t.base.data();
    for_each(
        exec, "cone/load_sweep", buffers.manifold.size(),
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
void store_points(const Exec& exec, SweepBuffers& buffers, Vec3R* x, Gate gate) {
    const Manifold* manifold = buffers.manifold.data();
    const SweepBlock* block = buffers.block.data();
    const Real* value = buffers.value.data();
    for_each(
        exec, "cone/store_sweep", buffers.manifold.size(),
        SCREE_LAMBDA(Index m)->void {
            const Real* from = value + block[m / lane_count].data + m % lane_count;
            for (std::int32_t q = 0; q < manifold[m].count; ++q) {
                const Real* p = from + (head_values + q * kPointValues + kImpulse) * lane_count;
                x[static_cast<Index>(manifold[m].first) + q] = {p[0], p[lane_count], p[2 * lane_count]};
            }
        },
        gate);
}

/// How many blocks of its bucket block `at` of a colour is relaxed with, itself the first: none where it is not the first. start: of the
/// colour's buckets and the next.
SCREE_HD Index blocks_from(const SweepStart* start, Index at) {
    if (blocks_at_once == 1) return 1;
    int bucket = 0;
    while (at >= start[bucket + 1].block) ++bucket;
    if ((at - start[bucket].block) % blocks_at_once != 0) return 0;
    const Index left = start[bucket + 1].block - at;
    return left < blocks_at_once ? left : blocks_at_once;
}

/// The blocks of a colour, of which there are at most so many: no two of their manifolds share a body. start: of its buckets and the next.
template <bool slides>
void sweep_blocks(const Exec& exec, const SweepStart* start, Index most, LaneView s, const Late<double>& omega, Gate gate) {
    for_each(
        exec, "cone/sweep", most,
        SCREE_LAMBDA(Index k)->void {
            const Index at = start[0].block + k;
            if (at >= start[most_points].block) return;
            const Index count = blocks_from(start, at);
            const Lanes relaxation = static_cast<Real>(omega.now());
            if (count == blocks_at_once) {
                relax_blocks<slides, blocks_at_once>(s, relaxation, at);
            } else if (blocks_at_once > 1 && count > 0) {
                relax_blocks<slides, 1>(s, relaxation, at);
            }
        },
        gate);
}
template <bool slides>
void largest_miss(const Exec& exec, Index blocks, LaneView s, Gate gate, double* miss) {
    fold_into(
        exec, "cone/look", blocks, miss, SCREE_LAMBDA(Index k)->double { return block_miss<slides>(s, k); }, LargerMiss{}, gate);
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
void sweep_scalars(const Exec& exec, const ScalarRow* row, Index rows, SingleView s, const Late<double>& omega, Gate gate) {
    if (rows == 0) return;
    for_each(
        exec, "cone/sweep_scalars", 1,
        SCREE_LAMBDA(Index)->void {
            const Real relaxation = static_cast<Real>(omega.now());
            for (Index k = 0; k < rows; ++k) {
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
    lay_out_sweeps(work_.exec, table_, state_.bodies.count, table_.sort, buffers_.sweep);
}

void BodyOperator::fit_sweeps() {
    loaded_ = false;
    scree::SCREE_FLAVOR::fit_sweeps(work_.exec, table_, state_.bodies.count, table_.sort, buffers_.sweep);
}

void BodyOperator::expect_sweeps(const SweepSizes& sizes) {
    if (!buffers_.sweep.colours.in_turn()) buffers_.sweep.most = expected_after(sizes);
}

/// From the blocks, where all of the problem is in them.
bool BodyOperator::look(Unknowns& x, bool project_first, Gate gate, double* miss) {
    if (table_.rolling || joined_ || buffers_.scalars() > 0) return false;
    lay_sweeps();
    SweepBuffers& buffers = buffers_.sweep;
    if (buffers.in_series.size() > 0) return false;
    if (project_first) project(*this, x, gate);
    if (project_first || !loaded_)
        load_points(work_.exec, buffers, table_, shifted_ ? buffers_.shift.data() : nullptr, x.impulse.data(), gate);
    loaded_ = true;
    twists(view_of(x), true, gate);
    const auto measure = slides_ ? largest_miss<true> : largest_miss<false>;
    measure(work_.exec, buffers.block.size(),
            {buffers.manifold.data(), buffers.block.data(), buffers.value.data(), buffers_.mass.data(), buffers_.twist.data()}, gate, miss);
    return true;
}

void BodyOperator::sweep(Unknowns& x, const Late<double>& omega, bool first, std::int64_t sweeps, Gate gate) {
    const Exec& exec = work_.exec;
    lay_sweeps();
    if (first) twists(view_of(x), true, gate);
    SweepBuffers& buffers = buffers_.sweep;
    const Real* shift = shifted_ ? buffers_.shift.data() : nullptr;
    const LaneView lanes{buffers.manifold.data(), buffers.block.data(), buffers.value.data(), buffers_.mass.data(), buffers_.twist.data()};
    const SingleView single{
        table_.touch.data(), table_.arms.data(), table_.base.data(), shift, buffers_.mass.data(), buffers_.twist.data(), cone(),
        view_of(x)};
    if (!table_.rolling && (first || !loaded_)) load_points(exec, buffers, table_, shift, x.impulse.data(), gate);
    loaded_ = true;
    const SweepSizes most = buffers.most.value_or(SweepSizes{});
    for (std::int64_t done = 0; done < sweeps; ++done) {
        for (int c = 0; c < most_colours && most.colour[c] > 0; ++c) {
            const SweepStart* start = buffers.start.data() + c * most_points;
            if (table_.rolling) {
                sweep_singly(exec, start, most.colour[c], buffers.manifold.data(), single, omega, gate);
            } else {
                const auto sweep = slides_ ? sweep_blocks<true> : sweep_blocks<false>;
                sweep(exec, start, most.colour[c], lanes, omega, gate);
            }
        }
        sweep_in_series(exec, buffers.in_series.data(), buffers.in_series.size(), single, omega, gate);
        sweep_bonds(exec, single.x, omega, buffers_, gate);
        sweep_scalars(exec, buffers_.scalar_row.data(), buffers_.scalar_row.size(), single, omega, gate);
        project_joints(true, gate);
    }
    if (!table_.rolling) store_points(exec, buffers, x.impulse.data(), gate);
}

}  // namespace scree::SCREE_FLAVOR
