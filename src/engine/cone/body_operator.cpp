#include "engine/cone/body_operator.hpp"

#include "engine/cone/sweeps/block_steps.hpp"
#include "engine/cone/body_kernels.hpp"
#include "engine/cone/points/contact_geometry.hpp"
#include "engine/joints/bilateral_solver.hpp"
#include "engine/state/shapes.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Inverse inertia of slot i in the world: R diag(1/I) R^T; in a plane model about z alone.
SCREE_HD BodyMass mass_of(const BodyView& body, const ShapeView& shapes, bool planar, Index i) {
    BodyMass m{};
    const double inverse = body.inverse_mass[i];
    m.inverse_mass = static_cast<Real>(inverse);
    if (body.is_sphere(i)) {
        const Real round = static_cast<Real>(body.inverse_inertia[i]);
        for (int k = planar ? 2 : 0; k < 3; ++k) m.inverse_inertia[k] = round;
        return m;
    }
    const ShapeEntry& shape = shapes.entry[body.shape[i]];
    const double r = body.radius[i], scale = inverse / (r * r);
    const double e[3] = {scale / shape.inertia.x, scale / shape.inertia.y, scale / shape.inertia.z};
    if (planar) {
        m.inverse_inertia[2] = static_cast<Real>(e[2]);
        return m;
    }
    const Mat3 R = rotation_matrix(body.orientation[i]);
    const auto entry = [&](const Vec3& a, const Vec3& b) {
        return static_cast<Real>(e[0] * a.x * b.x + e[1] * a.y * b.y + e[2] * a.z * b.z);
    };
    m.inverse_inertia[0] = entry(R.row[0], R.row[0]);
    m.inverse_inertia[1] = entry(R.row[1], R.row[1]);
    m.inverse_inertia[2] = entry(R.row[2], R.row[2]);
    m.inverse_inertia[3] = entry(R.row[0], R.row[1]);
    m.inverse_inertia[4] = entry(R.row[0], R.row[2]);
    m.inverse_inertia[5] = entry(R.row[1], R.row[2]);
    return m;
}

/// A contact's 3 x 3 block of N, xx, yy, zz, xy, xz, yz, and the trace of its couple's block.
struct OwnBlock {
    Real e[6];
    Real couple;
};
/// Adds 1/m - [arm] I^-1 [arm] of one body, m(k) entry k of its BodyMass. Column by column: t = I^-1 (arm x e), then t x arm.
template <class Entry>
SCREE_HD void add_block(OwnBlock& block, Entry m, Vec3R arm) {
    const Real I[6] = {m(1), m(2), m(3), m(4), m(5), m(6)};
    const Real x = arm.x, y = arm.y, z = arm.z;
    const Vec3R t{I[3] * z - I[4] * y, I[1] * z - I[5] * y, I[5] * z - I[2] * y};
    const Vec3R u{I[4] * x - I[0] * z, I[5] * x - I[3] * z, I[2] * x - I[4] * z};
    const Real w_x = I[0] * y - I[3] * x, w_y = I[3] * y - I[1] * x;
    block.e[0] += m(0) + (t.y * z - t.z * y);
    block.e[1] += m(0) + (u.z * x - u.x * z);
    block.e[2] += m(0) + (w_x * y - w_y * x);
    block.e[3] += t.z * x - t.x * z;
    block.e[4] += t.x * y - t.y * x;
    block.e[5] += u.x * y - u.y * x;
    block.couple += I[0] + I[1] + I[2];
}
SCREE_HD Vec3R times(const OwnBlock& b, Vec3R t) {
    return {b.e[0] * t.x + b.e[3] * t.y + b.e[4] * t.z, b.e[3] * t.x + b.e[1] * t.y + b.e[5] * t.z,
            b.e[4] * t.x + b.e[5] * t.y + b.e[2] * t.z};
}

/// Steps along n and across it such that H^-1 is no less than the block B in any direction: for (a, b) the block's entry along n and the
/// largest across, c the coupling of both, (a, b) times 1 + |c| / sqrt(a b). For spheres, whose arms lie along n, c is zero.
SCREE_HD BlockSteps steps_within(const OwnBlock& block, Vec3R n) {
    const Vec3R column = times(block, n);
    const Real along = dot(column, n), coupling = norm2(column - along * n);
    // The two eigenvalues across have this sum, and this sum of squares but for the coupling, which is on both sides of n.
    const Real* e = block.e;
    const Real sum = e[0] + e[1] + e[2] - along;
    const Real squares =
        e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + Real(2) * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]) - along * along - Real(2) * coupling;
    const Real spread = Real(2) * squares - sum * sum;
    const Real across = Real(0.5) * (sum + std::sqrt(spread > Real(0) ? spread : Real(0)));
    // Without branches, for vector loops.
    const bool moves = (along > Real(0)) & (across > Real(0));
    const Real a = moves ? along : Real(1), b = moves ? across : Real(1), whole = Real(1) + std::sqrt(coupling / (a * b));
    const Real h_a = Real(1) / (a * whole), h_b = Real(1) / (b * whole);
    return {moves ? h_a : Real(0), moves ? h_b : Real(0)};
}

/// The part of A's or B's velocity at a contact.
SCREE_HD Vec3R at_contact(const BodyTwist* twist, Slot body, Vec3R arm) {
    if (body < 0) return {};
    return twist[body].v + cross(twist[body].w, arm);
}
SCREE_HD Vec3R relative_at(const BodyTwist* twist, const Touch& t, const Arms& arms) {
    return at_contact(twist, t.b, arms.b) - at_contact(twist, t.a, arms.a);
}
SCREE_HD Vec3R spin_of(const BodyTwist* twist, const Touch& t) {
    Vec3R w = t.b < 0 ? Vec3R{} : twist[t.b].w;
    return w - twist[t.a].w;
}

struct Incidence {
    const Index* row_start;
    const std::uint32_t* entry;
    const Arms* arms;
};

/// Sum of impulses and of their moments on body i; rows past 64 entries in chunks.
struct Momentum {
    Vec3R linear, angular;
};
SCREE_HD void add(Momentum& sum, const Incidence& in, const UnknownsView& x, Index k) {
    const std::uint32_t e = in.entry[k];
    const Index c = static_cast<Index>(e >> 1);
    const bool is_b = (e & 1u) != 0;
    const Vec3R g = is_b ? x.impulse[c] : -x.impulse[c];
    sum.linear += g;
    sum.angular += cross(is_b ? in.arms[c].b : in.arms[c].a, g);
    if (x.couple != nullptr) sum.angular += is_b ? x.couple[c] : -x.couple[c];
}
SCREE_HD Momentum gather_impulses(const Incidence& in, const UnknownsView& x, Index i) {
    constexpr Index chunk = 64;
    const Index last = in.row_start[i + 1];
    Momentum total{};
    for (Index begin = in.row_start[i]; begin < last; begin += chunk) {
        Momentum part{};
        const Index end = begin + chunk < last ? begin + chunk : last;
        for (Index k = begin; k < end; ++k) add(part, in, x, k);
        total.linear += part.linear;
        total.angular += part.angular;
    }
    return total;
}

void load_masses(State& state, Workspace& work, BodyOperatorBuffers& buffers) {
    buffers.mass.resize(state.bodies.count);
    BodyMass* mass = buffers.mass.data();
    const BodyView body = state.bodies.view();
    const ShapeView shapes = work.shapes.view();
    const bool planar = state.planar;
    for_each(
        work.exec, "cone/masses", state.bodies.count, SCREE_LAMBDA(Index i)->void { mass[i] = mass_of(body, shapes, planar, i); });
}

void load_steps(Workspace& work, BodyOperatorBuffers& buffers, ContactTable& t) {
    const Touch* touch = t.touch.data();
    const Arms* arms = t.arms.data();
    const Real* reach = t.reach.data();
    const Vec3R* normal = t.normal.data();
    const BodyMass* mass = buffers.mass.data();
    Real *eta = t.eta.data(), *along = t.along.data(), *across = t.across.data();
    const Real weight = t.rolling ? Real(1) : Real(0);
    constexpr int packs = 7;  // masses of A and B, two each, arms of A and B, normal and reach
    for_each_staged<packs, Real>(
        work.exec, "cone/steps", t.count,
        SCREE_LAMBDA(Index k, const StageSlot<Real>& slot)->void {
            const Slot body[2] = {touch[k].a, touch[k].b};
            for (int side = 0; side < 2; ++side) {
                const BodyMass m = body[side] >= 0 ? mass[body[side]] : BodyMass{};
                Real *first = slot.pack(2 * side), *second = slot.pack(2 * side + 1);
                first[0] = m.inverse_mass;
                for (int e = 0; e < 3; ++e) first[1 + e] = m.inverse_inertia[e];
                for (int e = 0; e < 3; ++e) second[e] = m.inverse_inertia[3 + e];
            }
            put(slot, 4, arms[k].a);
            put(slot, 5, arms[k].b);
            put(slot, 6, normal[k]);
            slot.pack(6)[3] = reach[k];
        },
        SCREE_LAMBDA(Index k, const StageSlot<Real>& slot)->void {
            OwnBlock block{};
            add_block(
                block, [&](int e) { return slot.at(e / 4, e % 4); }, take(slot, 4));
            add_block(
                block, [&](int e) { return slot.at(2 + e / 4, e % 4); }, take(slot, 5));
            const Real own = block.e[0] + block.e[1] + block.e[2], weighed_reach = slot.at(6, 3);
            // The couple's block counts as impulses at `reach`; the larger of both holds for the one step of the block.
            const Real couple = weight * block.couple * weighed_reach * weighed_reach;
            const Real trace = couple > own ? couple : own;
            const bool moves = trace > Real(0);
            const Real step = Real(3) / (moves ? trace : Real(1));
            const BlockSteps h = steps_within(block, take(slot, 6));
            eta[k] = moves ? step : Real(0);
            along[k] = h.along;
            across[k] = h.across;
        });
}

}  // namespace

std::size_t BodyOperatorBuffers::bytes() const {
    return mass.bytes() + free.bytes() + twist.bytes() + part.bytes() + shift.bytes() + scalar_row.bytes() + low.bytes() + high.bytes() +
           scalar_eta.bytes() + joints.bytes() + sweep.bytes() + bonds.bytes();
}

namespace {

/// Bounded rows, and bilateral ones too where they are iterated. share: of a step over which impulses act; their bounds are those of a
/// whole one.
void load_scalars(const JointRun& run, bool direct, double share, BodyOperatorBuffers& buffers) {
    const JointSystem& joints = run.system;
    std::vector<ScalarRow> rows;
    std::vector<Real> low, high, eta;
    const std::vector<JointBody>& bodies = joints.bodies();
    const auto slot = [&](std::int32_t k) { return k < 0 ? Slot{-1} : run.seen[static_cast<std::size_t>(k)].slot; };
    // The row's own entry of the operator. Where bilateral rows leave it nothing but rounding, it has no say.
    const auto diagonal = [&](const JointRow& r) {
        std::vector<Twist> answer(bodies.size());
        push(r, bodies, 1, answer);
        const double free = rate_of(r, answer);
        if (!direct) return free;
        joints.project(answer, false, nullptr);
        const double held = rate_of(r, answer);
        return held < 1e-12 * free ? 0.0 : held;
    };
    const auto add_rows = [&](const std::vector<JointRow>& from) {
        for (const JointRow& r : from) {
            ScalarRow row;
            for (int k = 0; k < ScalarRow::terms; ++k) {
                const RowTerm t = term_of(r, k);
                row.term[k] = {slot(t.body), cast<Real>(t.linear), cast<Real>(t.angular)};
            }
            row.bias = static_cast<Real>(r.bias);
            const double entry = diagonal(r);
            rows.push_back(row);
            low.push_back(static_cast<Real>(share * r.low));
            high.push_back(static_cast<Real>(share * r.high));
            eta.push_back(static_cast<Real>(entry > 0 ? 1 / entry : 0.0));
        }
    };
    add_rows(joints.bounded());
    if (!direct) add_rows(joints.bilateral());
    buffers.scalar_row.assign(rows);
    buffers.low.assign(low);
    buffers.high.assign(high);
    buffers.scalar_eta.assign(eta);
}

/// Share of a step in which a gap that closes at `approach` is below `reach`: the work of the pull on what comes or goes is then the pull
/// times the reach, whatever the step.
SCREE_HD Real share_within(Real gap, Real approach, Real reach, Real dt) {
    const Real left = reach - gap, way = approach * dt;
    if (left > Real(0)) return left + way >= Real(0) ? Real(1) : left / -way;
    return left + way > Real(0) ? (left + way) / way : Real(0);
}

/// Speed of a rebound that a pull over `reach` speeds up as it comes and holds back as it goes; 0: holds. What is within reach at the begin
/// of the next step is left to that step. mobility: of both bodies along the normal [1/kg].
SCREE_HD Real pulled_rebound(Real gap, Real approach, Real restitution, Real reach, Real pull, Real mobility, Real dt) {
    const Real twice = 2 * pull * mobility, ahead = gap > Real(0) ? (gap < reach ? gap : reach) : Real(0);
    const Real square = restitution * restitution * (approach * approach + twice * ahead);
    const Real way = gap + std::sqrt(square) * dt, left = square - twice * (way < reach ? (way > Real(0) ? way : Real(0)) : reach);
    return left > Real(0) ? std::sqrt(left) : Real(0);
}

/// 1/m + (r x n) . I^-1 (r x n) [1/kg].
SCREE_HD Real mobility(const BodyMass& mass, Vec3R arm, Vec3R n) {
    const Vec3R turn = cross(arm, n);
    return mass.inverse_mass + dot(turn, times(mass, turn));
}

/// What cohesion changes in rows.
struct PulledRows {
    const Touch* touch;
    const Arms* arms;
    const Vec3R* normal;
    const Real *gap, *reach;
    const Pulled* pulled;
    Vec3R* base;
    Real* pull;
};

/// Pull and rebound of row k.
SCREE_HD void hold_back(const PulledRows& rows, const BodyMass* mass, Index k, Real dt) {
    const Pulled p = rows.pulled[k];
    if (!(p.cohesion > Real(0))) return;
    const Real reach = cohesion_reach * rows.reach[k], gap = rows.gap[k];
    rows.pull[k] = share_within(gap, p.approach, reach, dt) * p.cohesion;
    if (!(p.restitution > Real(0))) return;
    const Touch t = rows.touch[k];
    const Vec3R n = rows.normal[k];
    const Real moves = mobility(mass[t.a], rows.arms[k].a, n) + (t.b >= 0 ? mobility(mass[t.b], rows.arms[k].b, n) : Real(0));
    const Real back = pulled_rebound(gap, p.approach, p.restitution, reach, p.cohesion, moves, dt);
    rows.base[k] += (back > Real(0) ? p.restitution * p.approach - back : p.plain) * n;
}

}  // namespace

void load_joints(const JointRun* joints, bool direct, double share, BodyOperatorBuffers& buffers) {
    if (joints == nullptr) {
        buffers.scalar_row.resize(0);
        return;
    }
    load_joint_rows(*joints, direct, buffers.joints);
    load_scalars(*joints, direct, share, buffers);
}

BodyOperator::BodyOperator(const Model& model, State& state, Workspace& work, ContactTable& table, BodyOperatorBuffers& buffers,
                           const JointRun* joints, bool direct)
    : model_(model), state_(state), work_(work), table_(table), buffers_(buffers), joined_(joints != nullptr), direct_(direct) {
    load_masses(state, work, buffers);
    load_steps(work, buffers, table);
}

void BodyOperator::set_free(double kick) {
    load_bond_rows(model_, state_, work_, kick, buffers_);
    const Index n = state_.bodies.count;
    buffers_.free.resize(n);
    buffers_.twist.resize(n);
    const BodyView body = state_.bodies.view();
    BodyTwist* free = buffers_.free.data();
    const Vec3 g = kick * model_.gravity;
    for_each(
        work_.exec, "cone/free_twists", n, SCREE_LAMBDA(Index i)->void {
            free[i] = {cast<Real>(body.velocity[i] + g), Real(0), cast<Real>(body.angular_velocity[i]), Real(0)};
        });
    add_cohesion(kick);
    if (!joined_) return;
    const Slot* slot = buffers_.joints.slot.data();
    const Wrench* applied = buffers_.joints.applied.data();
    const BodyMass* mass = buffers_.mass.data();
    const Real h = static_cast<Real>(kick);
    for_each(
        work_.exec, "cone/applied", buffers_.joints.slot.size(), SCREE_LAMBDA(Index k)->void {
            const Slot i = slot[k];
            free[i].v += (h * mass[i].inverse_mass) * cast<Real>(applied[k].force);
            free[i].w += times(mass[i], h * cast<Real>(applied[k].torque));
        });
}

/// Cohesion pulls with its full force; what contacts push back is solved for.
void BodyOperator::add_cohesion(double kick) {
    if (!table_.pulling) return;
    const PulledRows rows{table_.touch.data(), table_.arms.data(),   table_.normal.data(), table_.gap.data(),
                          table_.reach.data(), table_.pulled.data(), table_.base.data(),   table_.pull.data()};
    const Real dt = static_cast<Real>(model_.dt);
    const BodyMass* masses = buffers_.mass.data();
    for_each(
        work_.exec, "cone/pulls", table_.count, SCREE_LAMBDA(Index k)->void { hold_back(rows, masses, k, dt); });
    const Incidence in{table_.row_start.data(), table_.entry.data(), table_.arms.data()};
    const Vec3R* normal = table_.normal.data();
    const Real* pull = table_.pull.data();
    const BodyMass* mass = buffers_.mass.data();
    BodyTwist* free = buffers_.free.data();
    const Real h = static_cast<Real>(kick);
    for_each(
        work_.exec, "cone/cohesion", state_.bodies.count, SCREE_LAMBDA(Index i)->void {
            Momentum sum{};
            for (Index k = in.row_start[i]; k < in.row_start[i + 1]; ++k) {
                const Index c = static_cast<Index>(in.entry[k] >> 1);
                const bool is_b = (in.entry[k] & 1u) != 0;
                const Vec3R g = (is_b ? -h * pull[c] : h * pull[c]) * normal[c];
                sum.linear += g;
                sum.angular += cross(is_b ? in.arms[c].b : in.arms[c].a, g);
            }
            free[i].v += mass[i].inverse_mass * sum.linear;
            free[i].w += times(mass[i], sum.angular);
        });
}

const Exec& BodyOperator::exec() const {
    return work_.exec;
}

ConeView BodyOperator::cone() const {
    return {table_.count,
            buffers_.scalars(),
            table_.normal.data(),
            table_.mu.data(),
            table_.rolling ? table_.rho.data() : nullptr,
            table_.rolling ? table_.sigma.data() : nullptr,
            table_.reach.data(),
            table_.eta.data(),
            buffers_.low.data(),
            buffers_.high.data(),
            buffers_.scalar_eta.data(),
            table_.along.data(),
            table_.across.data(),
            slides_};
}

void BodyOperator::shape(Unknowns& x) const {
    x.resize_zero(table_.count, table_.rolling, buffers_.scalars());
}

void BodyOperator::twists(const Late<UnknownsView>& x, const Late<bool>& with_r, Gate gate) {
    const Incidence in{table_.row_start.data(), table_.entry.data(), table_.arms.data()};
    const BodyMass* mass = buffers_.mass.data();
    const BodyTwist* free = buffers_.free.data();
    BodyTwist* twist = buffers_.twist.data();
    for_each(
        work_.exec, "cone/twists", state_.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const Momentum sum = gather_impulses(in, x.now(), i);
            Vec3R v = mass[i].inverse_mass * sum.linear, w = times(mass[i], sum.angular);
            if (with_r.now()) {
                v += free[i].v;
                w += free[i].w;
            }
            twist[i] = {v, Real(0), w, Real(0)};
        },
        gate);
    push_by_bonds(work_.exec, state_, x, buffers_, gate);
    const ScalarRow* row = buffers_.scalar_row.data();
    const Index rows = buffers_.scalar_row.size();
    if (rows > 0) {
        for_each(
            work_.exec, "cone/push_scalars", 1,
            SCREE_LAMBDA(Index)->void {
                for (Index s = 0; s < rows; ++s) push_scalar(row[s], x.now().scalar[s], twist, mass);
            },
            gate);
    }
    project_joints(with_r, gate);
}

void BodyOperator::project_joints(const Late<bool>& with_r, Gate gate) {
    if (joined_ && direct_) hold_joints(work_.exec, buffers_.joints, buffers_.twist.data(), with_r, gate);
}

void BodyOperator::velocities(const Late<UnknownsView>& u, const Late<bool>& with_r, Gate gate) {
    const BodyTwist* twist = buffers_.twist.data();
    const Touch* touch = table_.touch.data();
    const Arms* arms = table_.arms.data();
    const Vec3R* base = table_.base.data();
    const Vec3R* normal = table_.normal.data();
    const Real* shift = shifted_ ? buffers_.shift.data() : nullptr;
    for_each(
        work_.exec, "cone/velocities", table_.count,
        SCREE_LAMBDA(Index k)->void {
            const UnknownsView& uv = u.now();
            Vec3R u_k = relative_at(twist, touch[k], arms[k]);
            if (with_r.now()) u_k += base[k];
            if (with_r.now() && shift != nullptr) u_k += shift[k] * normal[k];
            uv.impulse[k] = u_k;
            if (uv.couple != nullptr) uv.couple[k] = spin_of(twist, touch[k]);
        },
        gate);
    const ScalarRow* row = buffers_.scalar_row.data();
    for_each(
        work_.exec, "cone/scalar_rates", buffers_.scalar_row.size(),
        SCREE_LAMBDA(Index s)->void { u.now().scalar[s] = scalar_rate(row[s], twist) + (with_r.now() ? row[s].bias : Real(0)); }, gate);
}

void BodyOperator::multiply(const Late<UnknownsView>& x, const Late<UnknownsView>& u, const Late<bool>& with_r, Gate gate) {
    loaded_ = false;
    twists(x, with_r, gate);
    velocities(u, with_r, gate);
    bond_velocities(work_.exec, x, u, with_r, buffers_, gate);
}

SumOrder BodyOperator::sum_order() {
    buffers_.part.resize(state_.bodies.count);
    return {state_.bodies.count, work_.slot_of_id.size(), table_.first_of_slot.data(), work_.slot_of_id.data(), buffers_.part.data()};
}

void BodyOperator::shift_by_sliding(Unknowns* u, Gate gate) {
    shifted_ = u != nullptr;
    loaded_ = false;
    if (u == nullptr) return;
    buffers_.shift.resize(table_.count);
    Real* shift = buffers_.shift.data();
    const Vec3R* normal = table_.normal.data();
    const Real* mu = table_.mu.data();
    const UnknownsView v = view_of(*u);
    const Real *rho = table_.rho.data(), *sigma = table_.sigma.data();
    for_each(
        work_.exec, "cone/sliding", table_.count,
        SCREE_LAMBDA(Index k)->void {
            const Vec3R n = normal[k];
            Real sum = mu[k] * norm(v.impulse[k] - scree::dot(v.impulse[k], n) * n);
            if (v.couple != nullptr) {
                const Real w_n = scree::dot(v.couple[k], n);
                sum += rho[k] * norm(v.couple[k] - w_n * n) + sigma[k] * std::fabs(w_n);
            }
            shift[k] = sum;
        },
        gate);
}

}  // namespace scree::SCREE_FLAVOR
