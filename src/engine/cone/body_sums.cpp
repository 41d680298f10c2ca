// One pass over the contacts for accelerated methods: velocities u = N x + r, the residual, and what the step from its start says. A
// contact reads and writes some 450 bytes here, a third of what the same takes in passes of their own.
#include "engine/cone/body_kernels.hpp"
#include "engine/cone/step_sums.hpp"
#include "engine/cone/sum_order.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// What a contact's velocity is made of.
struct VelocityView {
    const BodyTwist* twist;
    const Touch* touch;
    const Arms* arms;
    const Vec3R* base;
    const Vec3R* normal;
    const Real* shift;  // may be null
};

struct ScaleView {
    const Vec3R* normal;
    const Real *eta, *mu, *along, *across;
};

constexpr int packs =
    7;  // v_A, w_A, v_B, w_B, arm_A, arm_B, base; then length2, curvature, speed2, onward in the first, the miss in the next

SCREE_HD void load_contact(const VelocityView& v, Index k, const StageSlot<Real>& slot) {
    const Touch t = v.touch[k];
    put(slot, 0, v.twist[t.a].v);
    put(slot, 1, v.twist[t.a].w);
    put(slot, 2, t.b >= 0 ? v.twist[t.b].v : Vec3R{});
    put(slot, 3, t.b >= 0 ? v.twist[t.b].w : Vec3R{});
    put(slot, 4, v.arms[k].a);
    put(slot, 5, v.arms[k].b);
    put(slot, 6, v.shift != nullptr ? v.base[k] + v.shift[k] * v.normal[k] : v.base[k]);
}

/// u with De Saxcé's term of its own sliding, where the law has it.
template <bool slides>
SCREE_HD Vec3R with_sliding(Vec3R u, Vec3R n, Real mu) {
    if constexpr (slides) return u + (mu * norm(u - dot(u, n) * n)) * n;
    return u;
}

/// The velocity of the contact whose bodies lie in the slot, and its part of the sums, which takes their place.
template <bool slides>
SCREE_HD void measure_contact(const ScaleView& c, const TrialStep& s, Index k, const StageSlot<Real>& slot) {
    const Real beta = static_cast<Real>(s.beta);
    const Vec3R at_b = take(slot, 2) + cross(take(slot, 3), take(slot, 5)), at_a = take(slot, 0) + cross(take(slot, 1), take(slot, 4));
    const Vec3R u = at_b - at_a + take(slot, 6), x = read(s.next.impulse, k), n = read(c.normal, k), last = read(s.x.impulse, k);
    const Vec3R y = extrapolated(s.x.impulse, s.before.impulse, beta, k), g = extrapolated(s.u.impulse, s.u_before.impulse, beta, k);
    const Real eta = c.eta[k];
    const BlockSteps h{c.along[k], c.across[k]};
    // A block that does not move has steps of zero and d = 0. No choice between results: the compiler would guard loads with it.
    const bool moves = eta > Real(0);
    const BlockSteps inverse{Real(1) / (moves ? h.along : Real(1)), Real(1) / (moves ? h.across : Real(1))};
    const Vec3R p = project_cone(x - eta * with_sliding<slides>(u, n, c.mu[k]), n, c.mu[k], Real(1));
    const Real miss = norm(x - p) / (moves ? eta : Real(1));
    const Vec3R d = x - y, weighed = scaled(inverse, n, d);
    const Real length2 = dot(d, weighed), onward = dot(weighed, x - last);
    const Real curvature = dot(d, u - g), speed2 = dot(u, scaled(h, n, u));
    write(s.next_u.impulse, k, u);
    Real* sums = slot.pack(0);
    sums[0] = length2;
    sums[1] = curvature;
    sums[2] = speed2;
    sums[3] = onward;
    *slot.pack(1) = miss;
}

SCREE_HD void add_contact(StepSums& sum, const StageSlot<Real>& slot) {
    sum.length2 += static_cast<double>(slot.at(0, 0));
    sum.curvature += static_cast<double>(slot.at(0, 1));
    sum.speed2 += static_cast<double>(slot.at(0, 2));
    sum.onward += static_cast<double>(slot.at(0, 3));
    sum.residual = larger_miss(sum.residual, static_cast<double>(slot.at(1, 0)));
}

}  // namespace

/// Each body's part, of the contacts in which it is the first.
template <bool slides>
void measure_step(const Exec& exec, Index bodies, const Index* first, VelocityView v, ScaleView c, const Late<TrialStep>& step, Gate gate,
                  StepSums* part) {
    for_each_row_staged<packs, Real>(
        exec, "cone/measure_step", bodies, first, part,
        SCREE_LAMBDA(Index k, const StageSlot<Real>& slot)->void { load_contact(v, k, slot); },
        SCREE_LAMBDA(Index k, const StageSlot<Real>& slot)->void { measure_contact<slides>(c, step.now(), k, slot); },
        SCREE_LAMBDA(StepSums & sum, const StageSlot<Real>& slot)->void { add_contact(sum, slot); }, gate);
}

/// In one pass over contacts that have impulses alone.
void BodyOperator::measure_impulses(const Late<TrialStep>& step, Gate gate) {
    twists(step.part(&TrialStep::next), true, gate);
    const VelocityView v{buffers_.twist.data(), table_.touch.data(),  table_.arms.data(),
                         table_.base.data(),    table_.normal.data(), shifted_ ? buffers_.shift.data() : nullptr};
    const ScaleView c{table_.normal.data(), table_.eta.data(), table_.mu.data(), table_.along.data(), table_.across.data()};
    const auto measure = slides_ ? measure_step<true> : measure_step<false>;
    measure(work_.exec, state_.bodies.count, table_.first_of_slot.data(), v, c, step, gate, buffers_.part.data());
}

void BodyOperator::measure(const Late<TrialStep>& step, Gate gate, StepSums* sums) {
    if (buffers_.scalar_row.size() > 0 || table_.rolling) {
        multiply_and_measure(*this, step, true, gate, sums);
        return;
    }
    loaded_ = false;
    const SumOrder order = sum_order();
    measure_impulses(step, gate);
    fold_groups(work_.exec, order, order.buffers, sums, AddSums{}, gate);
    measure_bonds(work_.exec, step, buffers_, buffers_.part, gate, sums + 1);
}

}  // namespace scree::SCREE_FLAVOR
