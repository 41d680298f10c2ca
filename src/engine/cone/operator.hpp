// The cone complementarity problem as methods see it (Negrut et al. 2010, eqs. 9-13): find x in K with u = N x + r in K*, <x, u> = 0,
// N = D^T M^-1 D. x: impulses of contacts, couples of contacts with rolling friction, and scalar rows (joints, limits, motors). u: the
// velocities that belong to them. Two operators stand behind: bodies (matrix-free, body_operator.hpp) and blocks (explicit,
// block_operator.hpp).
#pragma once

#include "engine/cone/cones.hpp"
#include "engine/cone/explicit_problem.hpp"
#include "engine/cone/sweeps/sweep_sizes.hpp"
#include "engine/exec/array.hpp"
#include "engine/exec/late.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

using Vec3R = Vec3T<Real>;

/// A vector of the problem: what methods iterate on.
struct Unknowns {
    Array<Vec3R> impulse;  // contacts, on B [N s] (as velocities: of B relative to A [m/s])
    Array<Vec3R> couple;   // contacts, or none where nothing resists rolling, on B [N m s] ([rad/s])
    Array<Real> scalar;    // rows [N s or N m s] ([m/s or rad/s])

    void resize_zero(Index contacts, bool rolling, Index scalars) {
        impulse.resize_zero(contacts);
        couple.resize_zero(rolling ? contacts : 0);
        scalar.resize_zero(scalars);
    }
    std::size_t bytes() const { return impulse.bytes() + couple.bytes() + scalar.bytes(); }
};

struct UnknownsView {
    Vec3R* impulse;
    Vec3R* couple;  // null: no rolling
    Real* scalar;
};

inline UnknownsView view_of(Unknowns& x) {
    return {x.impulse.data(), x.couple.size() > 0 ? x.couple.data() : nullptr, x.scalar.data()};
}

/// The set K and the scale of each block; constant while a problem is solved.
struct ConeView {
    Index contacts, scalars;
    const Vec3R* normal;   // contacts, unit, from A to B
    const Real* mu;        // contacts
    const Real* rolling;   // contacts: rho [m]; null: no couples
    const Real* spinning;  // contacts: sigma [m]
    const Real* reach;     // contacts: length that weighs couples [m]
    const Real* eta;  // contacts: step of the block, 3 / trace of its impulses' block of N [kg]; 0: the block is left out (infinite mass)
    const Real* low;  // scalars: bounds, -inf … inf for bilateral rows
    const Real* high;
    const Real* scalar_eta;  // scalars: 1 / diagonal of N; 0: left out
    // contacts: steps of the impulse along its normal and across it [kg]; null: eta is the step of both
    const Real* along{nullptr};
    const Real* across{nullptr};
    // Coulomb's law: u carries the De Saxcé term of its own sliding, and steps of blocks end in discs (cones.hpp)
    bool slides{false};
};

/// Steps of block k [kg]: H of its impulse along the normal and across it.
struct BlockSteps {
    Real along, across;
};
SCREE_HD BlockSteps steps_of(const ConeView& cone, Index k) {
    if (cone.along == nullptr) return {cone.eta[k], cone.eta[k]};
    return {cone.along[k], cone.across[k]};
}
/// H u of an impulse's velocity.
SCREE_HD Vec3R scaled(BlockSteps h, Vec3R n, Vec3R u) {
    return h.across * u + ((h.along - h.across) * dot(u, n)) * n;
}

/// Projection of block k of the contacts, of scalar s.
SCREE_HD void project_contact(const ConeView& cone, const UnknownsView& x, Index k) {
    if (x.couple == nullptr) {
        x.impulse[k] = project_cone(x.impulse[k], cone.normal[k], cone.mu[k]);
        return;
    }
    const ImpulseAndCouple<Real> p = project_cone(ImpulseAndCouple<Real>{x.impulse[k], x.couple[k]}, cone.normal[k], cone.mu[k],
                                                  cone.rolling[k], cone.spinning[k], cone.reach[k]);
    x.impulse[k] = p.impulse;
    x.couple[k] = p.couple;
}
SCREE_HD Real project_scalar(const ConeView& cone, Real value, Index s) {
    return value < cone.low[s] ? cone.low[s] : (value > cone.high[s] ? cone.high[s] : value);
}

/// A trial step of an accelerated method: next = P(y - t H g) from y = x + beta (x - before), g = N y + r = u + beta (u - u_before), and
/// its velocities next_u. Kernels find it in memory, as the kernel that decided on the step before left it.
struct TrialStep {
    UnknownsView x, before, next;
    UnknownsView u, u_before, next_u;
    double beta, t;
    double follow{0};  // part of the way that the shift of Coulomb's law goes towards the sliding of y (shift_after)
};

/// What the step d = next - y says: sums over blocks, and the residual of `next`.
struct StepSums {
    double length2{0};    // d.H^-1 d
    double curvature{0};  // d.N d
    double speed2{0};     // u.H u of next_u
    double onward{0};     // d.H^-1 (next - x)
    double residual{0};   // infinite where anything is not a number
};

/// How contacts are added up: each group's in their order, then groups by their ids.
struct SumOrder {
    Index groups{0}, ids{0};
    const Index* first{nullptr};      // groups + 1: contacts of each; null: no groups, contacts in their order
    const Slot* slot_of_id{nullptr};  // ids: the group, below zero for none
    StepSums* buffers{nullptr};       // groups: for the part of each
};

/// N and r of one problem. Not thread-safe; its kernels run in parallel.
class ConeOperator {
public:
    virtual ~ConeOperator() = default;
    virtual const Exec& exec() const = 0;
    virtual ConeView cone() const = 0;
    /// Gives x the problem's sizes, all zero.
    virtual void shape(Unknowns& x) const = 0;
    /// u = N x, or N x + r where `with_r`; nothing where the gate is closed. O(contacts + bodies).
    virtual void multiply(const Late<UnknownsView>& x, const Late<UnknownsView>& u, const Late<bool>& with_r, Gate gate) = 0;
    /// The same for vectors known now.
    void apply(Unknowns& x, Unknowns& u, bool with_r) { multiply(view_of(x), view_of(u), with_r, {}); }
    /// Gauss–Seidel sweeps in place, x <- P(x - omega H (N x + r)) block by block in a fixed order; omega in (0, 2). x stays where the
    /// gate is closed. `first` starts anew from x; else x has not changed since the last call or application.
    virtual void sweep(Unknowns& x, const Late<double>& omega, bool first, std::int64_t sweeps, Gate gate) = 0;
    /// Writes the residual of x, as sweeps that go on from x see it, to *miss, memory of kernels; nothing where the gate is closed. With
    /// `project`, x is first projected into K. False where the operator has no such look. Cheaper than an
    /// application, but does not give u.
    virtual bool look(Unknowns& x, bool project, Gate gate, double* miss) {
        (void)x;
        (void)project;
        (void)gate;
        (void)miss;
        return false;
    }
    /// Lays out what sweeps need, unless it is laid out. It may turn out not to fit (sweep_fit); then sweeps and looks do nothing to
    /// contacts, and find no residual.
    virtual void lay_sweeps() {}
    /// What kernels say of the layout, in their memory; null: there is none yet, or none is needed.
    virtual const SweepFit* sweep_fit() const { return nullptr; }
    /// Lays it out anew with all that it needs: the host waits.
    virtual void fit_sweeps() {}
    /// That a layout has these sizes: the next problem's will have much the same.
    virtual void expect_sweeps(const SweepSizes& sizes) { (void)sizes; }
    /// An order that neither threads nor the order of slots change.
    virtual SumOrder sum_order() { return {}; }
    /// next_u = N next + r of a step, and what the step says into sums[0], of contacts, and sums[1], of scalar rows where there are any;
    /// nothing where the gate is closed. The host need not wait.
    virtual void measure(const Late<TrialStep>& step, Gate gate, StepSums* sums);
    /// Adds mu |u_t| (with couples + rolling |w_t| + spinning |w_n|) of the given velocities along each normal to r, in place of what was
    /// added before; null: nothing (De Saxcé and Feng). Nothing changes where the gate is closed.
    virtual void shift_by_sliding(Unknowns* u, Gate gate) = 0;
    /// That Coulomb's law holds: what cone() tells of it. It stands until it is told otherwise.
    void let_slide(bool slides) { slides_ = slides; }
    /// Writes the problem out for direct methods, without the shift by sliding; false where it has couples or scalars, or cannot.
    virtual bool explicit_form(ExplicitProblem& out) {
        (void)out;
        return false;
    }

protected:
    bool slides_{false};
};

}  // namespace scree::SCREE_FLAVOR
