// N = D^T M^-1 D of bodies, contacts and joints, never formed (Negrut et al. 2010, section 3): each body gathers the impulses of its
// contacts in a fixed order and turns them into a velocity, joints project the velocities of what they join, each contact reads its two
// bodies. Invariant: velocity(x) is a function of x alone: the same for any number of threads and any order of slots.
#pragma once

#include <vector>

#include "engine/cone/body_twists.hpp"
#include "engine/cone/bond_rows.hpp"
#include "engine/cone/sweeps/body_sweeps.hpp"
#include "engine/cone/joint_rows.hpp"

namespace scree::SCREE_FLAVOR {

/// A joint row where kernels read it; gears and racks reach four bodies.
struct ScalarTerm {
    Slot body;  // -1: ground, or none
    Vec3R linear, angular;
};
struct ScalarRow {
    static constexpr int terms = 4;
    ScalarTerm term[terms];
    Real bias;
};

struct BodyOperatorBuffers {
    Array<BodyMass> mass;
    Array<BodyTwist> free, twist;  // by slot: without contacts, and with them
    Array<StepSums> part;          // by slot, of a sum over contacts
    Array<Real> shift;             // De Saxcé term of each contact [m/s]
    Array<ScalarRow> scalar_row;
    Array<Real> low, high, scalar_eta;
    JointRows joints;
    SweepBuffers sweep;
    BondRows bonds;
    Index scalars() const { return scalar_row.size() + bonds.rows(); }
    std::size_t bytes() const;
};

/// What an operator reads of joints. joints: evaluated, their bodies as they were seen last, or null; `direct`: their bilateral rows are
/// solved within each application, else they are unknowns like the bounded ones. share: of a step over which impulses act. Waits for no
/// kernel, but where devices read pages of the host a copy waits for what has been sent: best called before contacts are built.
void load_joints(const JointRun* joints, bool direct, double share, BodyOperatorBuffers& buffers);

class BodyOperator : public ConeOperator {
public:
    /// joints, direct: as load_joints() had them, which has filled the buffers. The table, state and buffers outlast the operator.
    BodyOperator(const Model& model, State& state, Workspace& work, ContactTable& table, BodyOperatorBuffers& buffers,
                 const JointRun* joints, bool direct);

    /// Twists without contacts: now + kick * (gravity and what is applied to joined bodies), by slot; and the rows of bonds.
    void set_free(double kick);
    /// x as the last step left the bonds.
    void guess(double kick, Unknowns& x) { guess_bonds(work_, kick, buffers_, x); }

    const Exec& exec() const override;
    ConeView cone() const override;
    void shape(Unknowns& x) const override;
    void multiply(const Late<UnknownsView>& x, const Late<UnknownsView>& u, const Late<bool>& with_r, Gate gate) override;
    void measure(const Late<TrialStep>& step, Gate gate, StepSums* sums) override;
    void sweep(Unknowns& x, const Late<double>& omega, bool first, std::int64_t sweeps, Gate gate) override;
    bool look(Unknowns& x, bool project, Gate gate, double* miss) override;
    void lay_sweeps() override;
    const SweepFit* sweep_fit() const override { return coloured_ ? buffers_.sweep.fit.data() : nullptr; }
    void fit_sweeps() override;
    void expect_sweeps(const SweepSizes& sizes) override;
    SumOrder sum_order() override;
    void shift_by_sliding(Unknowns* u, Gate gate) override;
    bool explicit_form(ExplicitProblem& out) override;

    /// That rows of the table have changed: sweeps need another layout.
    void rows_changed() { loaded_ = coloured_ = false; }

    /// Twists of all bodies under impulses x into buffers.twist; impulses of the joints' direct rows into buffers.joints.
    void twists(const Late<UnknownsView>& x, const Late<bool>& with_r, Gate gate = {});

    // Parts of the above; public because nvcc takes no kernel inside a private member.
    void project_joints(const Late<bool>& with_r, Gate gate);
    void velocities(const Late<UnknownsView>& u, const Late<bool>& with_r, Gate gate);
    void measure_impulses(const Late<TrialStep>& step, Gate gate);
    void add_cohesion(double kick);

private:
    const Model& model_;
    State& state_;
    Workspace& work_;
    ContactTable& table_;
    BodyOperatorBuffers& buffers_;
    bool joined_, direct_;
    bool shifted_{false}, coloured_{false};
    bool loaded_{false};  // the blocks hold x
};

}  // namespace scree::SCREE_FLAVOR
