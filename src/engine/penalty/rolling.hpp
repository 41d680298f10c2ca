// Rolling friction of spheres and disks under the penalty method (laws/rolling.hpp): a part of its own beside the forces of contacts, whose
// normal forces limit the couples. In: forces of a step as penalty/forces.hpp leaves them. Out: couples on A, Contacts::couple, and what
// contacts remember, Contacts::roll.
#pragma once

#include "engine/penalty/contact_state.hpp"

namespace scree::SCREE_FLAVOR {

/// Couples of all contacts, of forces without pulls (penalty/cohesion.hpp). O(pairs). Nothing where rolling friction is off.
void rolling_couples(const Model& model, State& state, Workspace& work, double dt);
/// Adds them to the torques of bodies, in the order of their rows.
void add_rolling_couples(State& state, Workspace& work, Gate gate);

/// Elastic energy of rolling springs [J].
double rolling_energy(const Model& model, State& state, Workspace& work);
/// Charges bodies with what contacts of spheres and walls take, rolling and all else, in a step whose velocities are at the time of its
/// forces.
void account_rolling(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
