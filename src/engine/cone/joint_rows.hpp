// Rows of joints in memory of kernels, for one step of the cone method. Those that are solved directly are eliminated from the problem:
// each product turns the twists of the joined bodies into the nearest ones for which these rows hold, by the inverse of the rows' own
// system, which the host makes once a step, block by block (joints/block_inverse.hpp): blocks hand on what they say of the rows that they
// are coupled to, stage after stage, and take back in the opposite order what these do.
#pragma once

#include <limits>

#include "engine/cone/operator.hpp"
#include "engine/cone/solvers/outer_control.hpp"
#include "engine/penalty/joined_bodies.hpp"

namespace scree::SCREE_FLAVOR {

struct BodyTwist;
struct BodyMass;

/// What a row takes over from a block of an earlier stage: its rows, and the column of its values.
struct RowPull {
    std::int32_t first, count;
    std::int64_t value;
};
/// A term of a row, where its body finds it.
struct JoinedTerm {
    std::int32_t row;
    Vec3 linear, angular;
    Twist answer;  // M^-1 of the term
};

// Corrections of joints to their places after the drift: each gains a digit or more at a tenth of a radian a step, three at a hundredth. A
// few in any case, more while each takes half of the miss away: rounding and joints that contradict each other leave some.
inline constexpr int few_corrections = 4, most_corrections = 20;

struct CorrectionControl : OuterControl {
    std::int32_t passes{0};                                  // done
    double tolerance{0};                                     // of what is missed [-]
    double found{0};                                         // by the pass before this decision
    double missed{std::numeric_limits<double>::infinity()};  // by the pass before that; the last one's once decided
};

struct JointRows {
    Array<Slot> slot;                      // of joined bodies, as JointSystem::bodies; so are the next ones
    Array<Wrench> applied;                 // springs, dampers, prescribed efforts
    Array<JointBody> body;                 // as the rows saw it
    Array<Twist> twist;                    // after the last product that ran
    Array<Pose> pose;                      // after a drift by these
    bool eliminates{false};                // bilateral rows are solved directly, else they are unknowns
    Index direct{0};                       // rows solved directly
    Array<JointRow> row;                   // these, block by block, and then those that are unknowns, as x.scalar has them
    Array<Index> term_start;               // joined bodies + 1
    Array<JoinedTerm> term;                // by body
    int laid{0};                           // RowBlocks::number of the next five
    std::vector<std::int32_t> stage;       // RowBlocks::stage
    Array<RowBlock> block;                 // of each direct row
    Array<std::int32_t> coupled;           // RowBlocks::coupled
    std::vector<Array<Index>> pull_start;  // of each stage but the last: for each row of later ones, and one more
    std::vector<Array<RowPull>> pull;      // likewise: what each row takes over from that stage
    RowInverse inverse;                    // of this step, as the host has it
    Array<double> value, scale;            // likewise, as kernels have it
    Array<double> rate, solution;          // r and x of RowInverse
    Array<double> filtered;                // x as filters have left it; empty where there are none
    Array<double> gain, impulse;           // of the last pass, and of all [N s or N m s]
    Array<double> miss;                    // over the mechanism's size [-]
    Array<RowInfo> info;                   // what each direct row stands for
    Array<JointPart> part;                 // joints
    Array<double> angle;                   // of each, over full turns [rad]
    Array<MovedJoint> moved;               // likewise, after a drift
    Array<double> held;                    // what their own rows miss there
    Repetition corrections;                // by CorrectionControl

    std::size_t bytes() const;
};

/// The rows of the last evaluate().
void load_joint_rows(const JointRun& run, bool direct, JointRows& rows);

/// Twists of joined bodies -> the nearest ones for which the direct rows hold (with their biases, where `with_r`): into buffers and
/// `twist`, by slot. Nothing where the gate is closed.
void hold_joints(const Exec& exec, JointRows& rows, BodyTwist* twist, const Late<bool>& with_r, Gate gate);

/// Begins corrections: what they are done to, the control's tolerances.
void start_corrections(const Exec& exec, double tolerance, double inner_tolerance, const OuterControl* within, JointRows& rows);
/// Drifts the joined bodies by their twists, adds what the direct rows miss there to their biases, and decides whether another pass is
/// worth it (JointSystem::correct by kernels). size: of the mechanism [m].
void send_correction(const Exec& exec, double dt, double size, JointRows& rows);

/// Wrenches on the joined bodies over the kick: what is applied, and what rows did. scalar: impulses of the rows that are unknowns.
void add_joint_wrenches(State& state, Workspace& work, JointRows& rows, const Array<Real>& scalar, double kick);

}  // namespace scree::SCREE_FLAVOR
