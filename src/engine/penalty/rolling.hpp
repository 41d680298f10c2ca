// Rolling friction of spheres and disks under the penalty method (laws/rolling.hpp): a part of its own beside the forces of contacts, whose
// normal forces limit the couples. In: forces of a step as penalty/forces.hpp leaves them. Out: couples on A, Contacts::couple, and what
// contacts remember, Contacts::roll.
#pragma once

#include "engine/exec/fused_rows.hpp"
#include "engine/penalty/contact_state.hpp"
#include "engine/penalty/rolled_pair.hpp"

namespace scree::SCREE_FLAVOR {

/// Couples of all contacts, or of those with walls, of forces without pulls (penalty/cohesion.hpp). O(pairs). Nothing where rolling
/// friction is off.
void rolling_couples(const Model& model, State& state, Workspace& work, double dt, bool walls_alone = false);
/// What the fused step's parts hold for the couple of a contact: beside what its friction is found from, which stays, from 14 on.
inline constexpr int held_for_rolling = 20;
SCREE_HD void hold_pressed(const Found<Real>& to, const PressedContact<Real>& c, Real R_eff) {
    to.set(14, c.normal);
    to.set(17, R_eff);
    to.set(18, c.v_n);
    to.set(19, c.secant);
}
SCREE_HD PressedPair held_pressed(const Found<Real>& from) {
    return {from.vector(14), from.get(9),  from.get(10), from.get(11), from.get(12),
            from.get(17),    from.get(18), from.get(7),  from.get(8),  from.get(19)};
}

/// A part of the fused step (exec/fused_rows.hpp): the couples of pairs, where values of the second block begin.
struct RollContext {
    ForceSettings settings;
    RollingRow only;  // the first of `rows`
    const RollingRow* rows;
    const std::int32_t* law;
    RollColumns kept;
};
using RollStage = StagePart<Real, RollContext>;
RollStage roll_stage(const Model& model, State& state, const Workspace& work);

/// Adds them to the torques of bodies, in the order of their rows.
void add_rolling_couples(State& state, Workspace& work, Gate gate);

/// Elastic energy of rolling springs [J].
double rolling_energy(const Model& model, State& state, Workspace& work);
/// Charges bodies with what contacts of spheres and walls take, rolling and all else, in a step whose velocities are at the time of its
/// forces.
void account_rolling(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
