#include "engine/cone/joint_rows.hpp"

#include <algorithm>

#include "engine/cone/body_operator.hpp"
#include "engine/cone/step_sums.hpp"
#include "engine/exec/reduce.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Blocks of the direct rows as kernels read them.
void lay_blocks(const RowBlocks& blocks, JointRows& rows) {
    const auto n = static_cast<std::int32_t>(blocks.order.size());
    std::vector<RowBlock> of_rows;
    for (const RowBlock& block : blocks.block) of_rows.insert(of_rows.end(), static_cast<std::size_t>(block.count), block);
    rows.block.assign(of_rows);
    rows.coupled.assign(blocks.coupled);
    rows.stage = blocks.stage;
    rows.pull_start.clear();
    rows.pull.clear();
    auto block = blocks.block.begin();
    for (std::size_t s = 0; s + 2 < blocks.stage.size(); ++s) {
        const std::int32_t later = blocks.stage[s + 1];
        std::vector<std::vector<RowPull>> pulls(static_cast<std::size_t>(n) - static_cast<std::size_t>(later));
        for (; block->first < later; ++block) {
            for (std::int32_t c = 0; c < block->couples; ++c) {
                const std::int32_t row = blocks.coupled[static_cast<std::size_t>(block->coupled) + static_cast<std::size_t>(c)];
                pulls[static_cast<std::size_t>(row - later)].push_back(
                    {block->first, block->count, block->value + std::int64_t{block->count} * (block->count + c)});
            }
        }
        std::vector<Index> start{0};
        std::vector<RowPull> all;
        for (const std::vector<RowPull>& of_row : pulls) {
            all.insert(all.end(), of_row.begin(), of_row.end());
            start.push_back(static_cast<Index>(all.size()));
        }
        rows.pull_start.emplace_back().assign(start);
        rows.pull.emplace_back().assign(all);
    }
    rows.laid = blocks.number;
}

/// The values of this step, and buffers.
void load_inverse(const JointSystem& system, JointRows& rows) {
    system.inverse(rows.inverse);
    rows.value.assign(rows.inverse.values);
    rows.scale.assign(rows.inverse.scale);
    for (Array<double>* a : {&rows.rate, &rows.solution, &rows.gain, &rows.miss, &rows.held}) a->resize(rows.direct);
    rows.filtered.resize(rows.inverse.filters > 0 ? rows.direct : 0);
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
    std::size_t pulled = 0;
    for (const Array<Index>& a : pull_start) pulled += a.bytes();
    for (const Array<RowPull>& a : pull) pulled += a.bytes();
    return pulled + slot.bytes() + applied.bytes() + body.bytes() + twist.bytes() + pose.bytes() + row.bytes() + term_start.bytes() +
           term.bytes() + block.bytes() + coupled.bytes() + value.bytes() + scale.bytes() + rate.bytes() + solution.bytes() +
           filtered.bytes() + gain.bytes() + impulse.bytes() + miss.bytes() + info.bytes() + part.bytes() + angle.bytes() + moved.bytes() +
           held.bytes() + corrections.bytes();
}

void load_joint_rows(const JointRun& run, bool direct, JointRows& rows) {
    const JointSystem& system = run.system;
    std::vector<Slot> slots;
    slots.reserve(run.seen.size());
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
    if (!direct) return;
    if (rows.laid != system.blocks().number) lay_blocks(system.blocks(), rows);
    load_inverse(system, rows);
    rows.info.assign(info);
    rows.body.assign(bodies);
    rows.angle.assign(system.angles());
    rows.part.assign(system.parts());
    rows.pose.resize(rows.slot.size());
    rows.moved.resize(rows.part.size());
}

namespace {

/// Twists of joined bodies, in their order: as kernels have them by slot, or as the last pass left them.
struct JoinedTwists {
    const BodyTwist* by_slot;
    const Slot* slot;
    const Twist* held;
    bool again;
    SCREE_HD Twist at(Index k) const {
        if (again) return held[k];
        const BodyTwist& now = by_slot[slot[k]];
        return {cast<double>(now.v), cast<double>(now.w)};
    }
};

SCREE_HD double rate_at(const JointRow& row, const JoinedTwists& twists) {
    double rate = 0;
    for (int k = 0; k < row_terms; ++k) {
        const RowTerm t = term_of(row, k);
        if (t.body < 0) continue;
        const Twist at = twists.at(t.body);
        rate += dot(t.linear, at.velocity) + dot(t.angular, at.angular);
    }
    return rate;
}

/// Numbers of a, `stride` apart, times those of b; in four parts that need not wait for each other.
SCREE_HD double dot_of(const double* a, Index stride, const double* b, Index n) {
    double sum[4]{};
    Index k = 0;
    for (; k + 4 <= n; k += 4) {
        for (int part = 0; part < 4; ++part) sum[part] += a[(k + part) * stride] * b[k + part];
    }
    for (; k < n; ++k) sum[0] += a[k * stride] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// solution = B rate, stage by stage and back; what is left of `rate` is of no use.
void apply_inverse(const Exec& exec, JointRows& rows, Gate gate) {
    if (rows.direct == 0) return;
    const RowBlock* block = rows.block.data();
    const std::int32_t* coupled = rows.coupled.data();
    const double* value = rows.value.data();
    double *rate = rows.rate.data(), *solution = rows.solution.data();
    const std::size_t last = rows.stage.size() - 2;
    for (std::size_t s = 0; s < last; ++s) {
        const Index later = rows.stage[s + 1];
        const Index* start = rows.pull_start[s].data();
        const RowPull* pull = rows.pull[s].data();
        for_each(
            exec, "cone/eliminate_rows", rows.direct - later,
            SCREE_LAMBDA(Index k)->void {
                double sum = 0;
                for (Index n = start[k]; n < start[k + 1]; ++n)
                    sum += dot_of(value + pull[n].value, 1, rate + pull[n].first, pull[n].count);
                rate[later + k] -= sum;
            },
            gate);
    }
    for (std::size_t s = last + 1; s-- > 0;) {
        const Index first = rows.stage[s];
        for_each(
            exec, "cone/solve_rows", rows.stage[s + 1] - first,
            SCREE_LAMBDA(Index k)->void {
                const Index p = first + k;
                const RowBlock b = block[p];
                const double* own = value + b.value;
                const Index row = p - b.first;
                // The inverse is symmetric: a row of it is a column. A device reads neighbours' numbers together, a core those of one row.
                double sum = on_device ? dot_of(own + row, b.count, rate + b.first, b.count)
                                       : dot_of(own + row * b.count, 1, rate + b.first, b.count);
                const double* reaches = own + Index{b.count} * b.count + row;
                for (std::int32_t c = 0; c < b.couples; ++c) sum -= reaches[Index{c} * b.count] * solution[coupled[b.coupled + c]];
                solution[p] = sum;
            },
            gate);
    }
}

/// x -= shift B x, so many times; the solution is x then.
void filter(const Exec& exec, JointRows& rows, Gate gate) {
    double *rate = rows.rate.data(), *solution = rows.solution.data(), *filtered = rows.filtered.data();
    const double shift = rows.inverse.shift;
    for (int k = 0; k < rows.inverse.filters; ++k) {
        for_each(
            exec, "cone/begin_filter", rows.direct, SCREE_LAMBDA(Index p)->void { rate[p] = filtered[p] = solution[p]; }, gate);
        apply_inverse(exec, rows, gate);
        for_each(
            exec, "cone/end_filter", rows.direct, SCREE_LAMBDA(Index p)->void { solution[p] = filtered[p] - shift * solution[p]; }, gate);
    }
}

}  // namespace

void hold_joints(const Exec& exec, JointRows& rows, BodyTwist* twist, const Late<bool>& with_r, Gate gate) {
    const JointRow* row = rows.row.data();
    const Slot* slot = rows.slot.data();
    const double *scale = rows.scale.data(), *solution = rows.solution.data();
    double *rate = rows.rate.data(), *gain = rows.gain.data(), *impulse = rows.impulse.data();
    const Index *start = rows.term_start.data(), direct = rows.direct;
    const JoinedTerm* term = rows.term.data();
    Twist* held = rows.twist.data();
    for (int pass = 0; pass < rows.inverse.passes; ++pass) {
        const JoinedTwists twists{twist, slot, held, pass > 0};
        const bool again = pass > 0;
        for_each(
            exec, "cone/joint_rates", direct,
            SCREE_LAMBDA(Index p)->void { rate[p] = -scale[p] * (rate_at(row[p], twists) + (with_r.now() ? row[p].bias : 0.0)); }, gate);
        apply_inverse(exec, rows, gate);
        filter(exec, rows, gate);
        for_each(
            exec, "cone/joint_impulses", direct,
            SCREE_LAMBDA(Index p)->void {
                gain[p] = scale[p] * solution[p];
                impulse[p] = (again ? impulse[p] : 0.0) + gain[p];
            },
            gate);
        for_each(
            exec, "cone/hold_joints", rows.slot.size(),
            SCREE_LAMBDA(Index k)->void {
                Twist v = twists.at(k);
                for (Index n = start[k]; n < start[k + 1]; ++n) {
                    if (term[n].row >= direct) continue;
                    v.velocity += gain[term[n].row] * term[n].answer.velocity;
                    v.angular += gain[term[n].row] * term[n].answer.angular;
                }
                held[k] = v;
                BodyTwist& at = twist[slot[k]];
                at.v = cast<Real>(v.velocity);
                at.w = cast<Real>(v.angular);
            },
            gate);
    }
}

/// Takes what the last pass missed.
SCREE_HD void decide(CorrectionControl& c) {
    constexpr double gained = 0.5;
    const bool falls = c.found < gained * c.missed;
    c.missed = c.found;
    ++c.passes;
    if (c.missed <= c.tolerance || (c.passes >= few_corrections && !falls) || c.passes >= most_corrections)
        c.done = CorrectionControl::stop;
}

void start_corrections(const Exec& exec, double tolerance, double inner_tolerance, const OuterControl* within, JointRows& rows) {
    CorrectionControl start;
    start.tolerance = tolerance;
    start.inner_tolerance = inner_tolerance;
    CorrectionControl* control = rows.corrections.control<CorrectionControl>();
    for_each(
        exec, "cone/start_corrections", 1, SCREE_LAMBDA(Index)->void {
            if (within == nullptr || (within->done & OuterControl::stop) == 0) *control = start;
        });
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
    CorrectionControl* control = rows.corrections.control<CorrectionControl>();
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
