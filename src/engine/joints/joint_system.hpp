// Joints of a model as rows of velocities, with what drives, springs and stops they carry; and their exact solution. Host code, one for all
// flavors: mechanisms are small.
// Time: bodies stand at the end of a step (positions q, drifted), their velocities are those of mid-step before it; the rows ask for
// velocities v of the next mid-step such that the joints hold after the next drift: Psi(q) / dt + G v = 0, corrected until Psi(q') = 0
// (SHAKE: Ryckaert, Ciccotti & Berendsen 1977; eqs. 4-8 of Negrut et al. 2010 without the correction).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/quat.hpp"
#include "base/vec3.hpp"
#include "engine/joints/joint_measure.hpp"
#include "engine/joints/joint_rows.hpp"
#include "engine/joints/row_blocks.hpp"
#include "engine/snapshot.hpp"
#include "model/model.hpp"

namespace scree {

/// How impulses follow from rates of the bilateral rows, r = -scale (G v + bias): lambda = scale x with x = B r, B as the values of the
/// blocks. Where rows depend on each other and are cut, B is (A + shift)^-1: x then goes through so many filters x -= shift B x, and
/// all is done in so many passes, each from the rates that the one before left.
struct RowInverse {
    std::vector<double> values;  // of the blocks
    std::vector<double> scale;   // in RowBlocks::order
    double shift{0};
    int filters{0}, passes{1};
};

/// Miss of a step's end over the size of the mechanism past which nothing that follows is worth anything: a run ends.
inline constexpr double joints_lost = 0.5;

/// The joints of one model. Deterministic; every call is serial.
class JointSystem {
public:
    explicit JointSystem(const Model& model);
    ~JointSystem();
    JointSystem(JointSystem&&) noexcept;

    bool any() const;
    /// Ids of the joined bodies, ascending; `bodies` is in their order.
    const std::vector<std::uint32_t>& ids() const;
    std::vector<JointBody>& bodies();
    const std::vector<JointBody>& bodies() const;

    /// Rows at the places of bodies(); time: that of these places [s]. Factorises the bilateral rows; redundant and dependent ones are
    /// borne. Once per step; again for the same time is the same. Biases look ahead: Psi after a drift by the twists `now`, less what the
    /// row itself says of it, so that curvature is in them before correct() is called.
    void evaluate(double time, double dt);
    /// Force [N] and torque about the centre [N m] of springs, dampers and prescribed efforts on bodies()[k], after evaluate().
    Wrench applied(std::size_t k) const;
    /// Rows that hold in both directions without bound, solved by project(); and the others: stops, motors with a bound.
    const std::vector<JointRow>& bilateral() const;
    const std::vector<JointRow>& bounded() const;

    /// What the bilateral rows stand for, in their order; all joints as they are measured; and their angles over full turns [rad].
    const std::vector<RowInfo>& bilateral_info() const;
    const std::vector<JointPart>& parts() const;
    const std::vector<double>& angles() const;
    /// Bilateral rows in blocks, and what does in parallel what project() does.
    const RowBlocks& blocks() const;
    void inverse(RowInverse& out) const;
    /// Blocks of other sizes.
    void cut(const BlockLimits& limits);

    /// The nearest twists in the metric of mass for which all bilateral rows hold: v += M^-1 G^T lambda with G v + bias = 0 (bias 0 unless
    /// `with_bias`), to rounding. Rows that contradict each other are met in least squares. Of the lambda that do the same, where rows are
    /// redundant, the least. lambda [N s] is added to `impulse` where given (bilateral().size() entries). O(rows) but for sparse fill.
    void project(std::vector<Twist>& v, bool with_bias, std::vector<double>* impulse) const;
    /// Drifts the bodies by v for a step, finds what the rows miss there, and adds it to the biases of the bilateral rows. Returns the
    /// largest miss over the mechanism's size [-].
    double correct(const std::vector<Twist>& v, double dt);
    /// The last part of it where biases have been corrected elsewhere: what states() says of misses is of these twists.
    void look_after(const std::vector<Twist>& v, double dt);
    /// What each joint missed there [m] or [rad]; empty before the first step.
    const std::vector<double>& missed() const;
    /// Length that misses are measured by: the longest arm, rod or radius of gyration [m].
    double size() const;

    /// Joints as they stand, with impulses of the rows of the last evaluate() over dt, the time over which the impulses act. Angles count
    /// over full turns. A gear or rack has its wrench on body B of its first joint (a rack: on the pinion, at its teeth, where pinion and
    /// rack share a base), about that joint's frame A, the angle of its first joint and the travel of its second (of a gear: ratio angle_1
    /// + angle_2).
    std::vector<JointState> states(const std::vector<double>& bilateral_impulse, const std::vector<double>& bounded_impulse,
                                   double dt) const;
    /// What a checkpoint needs: full turns of each joint, among others; flat.
    std::vector<double> save() const;
    void load(const std::vector<double>& saved);
    /// What the motor of a joint's angle, or `along` of its travel, follows from the next evaluate() on.
    void drive(std::size_t joint, bool along, const TimeFunction& value);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Do joints keep these two bodies (ids of compounds, of their members, or of others) from touching each other? O(joints).
bool joined_without_contact(const Model& model, std::int32_t a, std::int32_t b);
/// All pairs of ids, of colliders, for which joints do so: lower id first, ascending. Joints with the ground exclude nothing; a gear or
/// rack excludes contact between the bodies of its first and those of its second joint.
std::vector<std::pair<std::int32_t, std::int32_t>> pairs_without_contact(const Model& model);

}  // namespace scree
