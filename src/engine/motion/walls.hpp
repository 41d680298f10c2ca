// Time -> places of walls that move. Displacements follow from the time alone (model/motion.hpp); nothing is summed up.
// Where no wall moves these do nothing.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Places of the walls at `time` [s]; velocities of mid-step are those `half` [s] before it. Raises kSkinExhausted where a wall's surface
/// has moved by half the skin since the list was made: to be called with the drift of the bodies, whose flag it shares.
void move_walls(State& state, Workspace& work, double time, double half);
/// Places of the walls for the positions at hand, which a pair list is about to be made for; displacements count from here.
void place_walls(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
