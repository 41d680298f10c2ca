#include "engine/cone/joint_rows.hpp"

#include <algorithm>

#include "engine/cone/body_operator.hpp"
#include "engine/cone/step_sums.hpp"
#include "engine/exec/reduce.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Blocks of the direct rows; false where one has more than `most_rows`.
bool lay_blocks(const RowBlocks& blocks, std::int64_t most_rows, std::vector<RowBlock>& of_rows) {
    std::int64_t entries = 0;
    of_rows.clear();
    for (std::size_t b = 0; b + 1 < blocks.start.size(); ++b) {
        const std::int32_t first = blocks.start[b], count = blocks.start[b + 1] - first;
        if (count > most_rows) return false;
        for (std::int32_t k = 0; k < count; ++k) of_rows.push_back({first, count, static_cast<std::int32_t>(entries) + k * count});
        entries += std::int64_t{count} * count;
    }
    return true;
}

void load_terms(const std::vector<JointRow>& all, const std::vector<JointBody>& bodies, JointRows& rows) {
    std::vector<Index> start(bodies.size() + 1, 0);
    const auto each_term = [&](auto&& use) {
        for (std::size_t r = 0; r < all.size(); ++r) {
            for (int k = 0; k < row_terms; ++k) {
                const RowTerm t = term_of(all[r], k);
                if (t.body >= 0) use(static_cast<std::int32_t>(r), t);
            }
        }
    };
    each_term([&](std::int32_t, const RowTerm& t) { ++start[static_cast<std::size_t>(t.body) + 1]; });
    for (std::size_t k = 0; k < bodies.size(); ++k) start[k + 1] += start[k];
    std::vector<JoinedTerm> terms(static_cast<std::size_t>(start.back()));
    std::vector<Index> next(start.begin(), start.end() - 1);
    each_term([&](std::int32_t r, const RowTerm& t) {
        const auto k = static_cast<std::size_t>(t.body);
        terms[static_cast<std::size_t>(next[k]++)] = {r, t.linear, t.angular, answer_of(bodies[k], t.linear, t.angular)};
    });
    rows.term_start.assign(start);
    rows.term.assign(terms);
}

}  // namespace

std::size_t JointRows::bytes() const {
    return slot.bytes() + applied.bytes() + body.bytes() + twist.bytes() + pose.bytes() + row.bytes() + term_start.bytes() + term.bytes() +
           block.bytes() + inverse.bytes() + rate.bytes() + impulse.bytes() + miss.bytes() + info.bytes() + part.bytes() + angle.bytes() +
           moved.bytes() + held.bytes() + correction.bytes();
}

void load_joint_rows(const JointRun& run, bool direct, JointRows& rows) {
    const JointSystem& system = run.system;
    std::vector<Slot> slots;
    for (const JoinedBody& body : run.seen) slots.push_back(body.slot);
    std::vector<Wrench> applied;
    for (std::size_t k = 0; k < slots.size(); ++k) applied.push_back(system.applied(k));
    const std::vector<JointRow>& bilateral = system.bilateral();
    const std::vector<std::int32_t>& order = system.blocks().order;
    std::vector<JointRow> all;
    std::vector<RowInfo> info;
    for (std::size_t p = 0; direct && p < bilateral.size(); ++p) {
        all.push_back(bilateral[static_cast<std::size_t>(order[p])]);
        info.push_back(system.bilateral_info()[static_cast<std::size_t>(order[p])]);
    }
    rows.eliminates = direct;
    rows.direct = static_cast<Index>(all.size());
    all.insert(all.end(), system.bounded().begin(), system.bounded().end());
    if (!direct) all.insert(all.end(), bilateral.begin(), bilateral.end());
    const std::vector<JointBody>& bodies = system.bodies();
    rows.slot.assign(slots);
    rows.applied.assign(applied);
    rows.row.assign(all);
    load_terms(all, bodies, rows);
    rows.twist.resize(rows.slot.size());
    rows.impulse.resize(rows.direct);
    std::vector<RowBlock> block;
    rows.by_kernels = direct && lay_blocks(system.blocks(), rows.most_rows, block);
    if (!rows.by_kernels) return;
    std::vector<double> inverse;
    system.inverse(inverse);
    rows.block.assign(block);
    rows.inverse.assign(inverse);
    rows.info.assign(info);
    rows.body.assign(bodies);
    rows.angle.assign(system.angles());
    rows.part.assign(system.parts());
    rows.rate.resize(rows.direct);
    rows.miss.resize(rows.direct);
    rows.held.resize(rows.direct);
    rows.pose.resize(rows.slot.size());
    rows.moved.resize(rows.part.size());
}

namespace {

SCREE_HD double rate_at(const JointRow& row, const Slot* slot, const BodyTwist* twist) {
    double rate = 0;
    for (int k = 0; k < row_terms; ++k) {
        const RowTerm t = term_of(row, k);
        if (t.body < 0) continue;
        const BodyTwist& at = twist[slot[t.body]];
        rate += dot(t.linear, cast<double>(at.v)) + dot(t.angular, cast<double>(at.w));
    }
    return rate;
}

}  // namespace

void hold_joints(const Exec& exec, JointRows& rows, BodyTwist* twist, const Late<bool>& with_r, Gate gate) {
    const JointRow* row = rows.row.data();
    const Slot* slot = rows.slot.data();
    double *rate = rows.rate.data(), *impulse = rows.impulse.data();
    for_each(
        exec, "cone/joint_rates", rows.direct,
        SCREE_LAMBDA(Index p)->void { rate[p] = rate_at(row[p], slot, twist) + (with_r.now() ? row[p].bias : 0.0); }, gate);
    const RowBlock* block = rows.block.data();
    const double* inverse = rows.inverse.data();
    for_each(
        exec, "cone/joint_impulses", rows.direct,
        SCREE_LAMBDA(Index p)->void {
            const RowBlock b = block[p];
            double sum = 0;
            for (std::int32_t j = 0; j < b.count; ++j) sum += inverse[b.entry + j] * rate[b.first + j];
            impulse[p] = -sum;
        },
        gate);
    const Index *start = rows.term_start.data(), direct = rows.direct;
    const JoinedTerm* term = rows.term.data();
    Twist* held = rows.twist.data();
    for_each(
        exec, "cone/hold_joints", rows.slot.size(),
        SCREE_LAMBDA(Index k)->void {
            BodyTwist& at = twist[slot[k]];
            Twist v{cast<double>(at.v), cast<double>(at.w)};
            for (Index n = start[k]; n < start[k + 1]; ++n) {
                if (term[n].row >= direct) continue;
                v.velocity += impulse[term[n].row] * term[n].answer.velocity;
                v.angular += impulse[term[n].row] * term[n].answer.angular;
            }
            held[k] = v;
            at.v = cast<Real>(v.velocity);
            at.w = cast<Real>(v.angular);
        },
        gate);
}

void start_corrections(const Exec& exec, double tolerance, double inner_tolerance, JointRows& rows) {
    CorrectionControl start;
    start.tolerance = tolerance;
    start.inner_tolerance = inner_tolerance;
    rows.correction.resize(1);
    CorrectionControl* control = rows.correction.data();
    for_each(
        exec, "cone/start_corrections", 1, SCREE_LAMBDA(Index)->void { *control = start; });
}

void send_correction(const Exec& exec, double dt, double size, JointRows& rows) {
    const JointBody* body = rows.body.data();
    const Twist* twist = rows.twist.data();
    Pose* pose = rows.pose.data();
    for_each(
        exec, "cone/drift_joined", rows.slot.size(), SCREE_LAMBDA(Index k)->void { pose[k] = drifted(body[k], twist[k], dt); });
    const JointPart* part = rows.part.data();
    const double* angle = rows.angle.data();
    MovedJoint* moved = rows.moved.data();
    double* held = rows.held.data();
    for_each(
        exec, "cone/measure_joints", rows.part.size(), SCREE_LAMBDA(Index j)->void {
            const JointPart& joint = part[j];
            if (joint.couples) return;
            const Pose a = joint.a < 0 ? Pose{} : pose[joint.a], b = joint.b < 0 ? Pose{} : pose[joint.b];
            moved[j] = measure_joint(joint, a, b, angle[j], held + joint.first_held);
        });
    const RowInfo* info = rows.info.data();
    JointRow* row = rows.row.data();
    double* miss = rows.miss.data();
    for_each(
        exec, "cone/correct_rows", rows.direct, SCREE_LAMBDA(Index p)->void {
            const double by = missed_by(info[p], part, moved, held);
            row[p].bias += by / dt;
            miss[p] = std::fabs(by) / (row[p].is_length() ? size : 1.0);
        });
    CorrectionControl* control = rows.correction.data();
    fold_into(
        exec, "cone/missed", rows.direct, &control->found, SCREE_LAMBDA(Index p)->double { return miss[p]; }, LargerMiss{});
    for_each(
        exec, "cone/decide_corrections", 1, SCREE_LAMBDA(Index)->void { decide(*control); });
}

void add_joint_wrenches(State& state, Workspace& work, JointRows& rows, const Array<Real>& scalar, double kick) {
    const Index *start = rows.term_start.data(), direct = rows.direct;
    const JoinedTerm* term = rows.term.data();
    const double* impulse = rows.impulse.data();
    const Real* unknown = scalar.data();
    const Wrench* applied = rows.applied.data();
    const Slot* slot = rows.slot.data();
    const BodyView body = state.bodies.view();
    const double per_kick = 1 / kick;
    for_each(
        work.exec, "cone/joint_wrenches", rows.slot.size(), SCREE_LAMBDA(Index k)->void {
            Vec3 force = applied[k].force, torque = applied[k].torque;
            for (Index n = start[k]; n < start[k + 1]; ++n) {
                const std::int32_t r = term[n].row;
                const double by = per_kick * (r < direct ? impulse[r] : static_cast<double>(unknown[r - direct]));
                force += by * term[n].linear;
                torque += by * term[n].angular;
            }
            const Slot i = slot[k];
            body.force.set(i, body.force[i] + force);
            body.torque.set(i, body.torque[i] + torque);
        });
}

}  // namespace scree::SCREE_FLAVOR
