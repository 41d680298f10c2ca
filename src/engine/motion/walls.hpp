// Time -> places of walls with a motion of their own, whose displacements follow from the time alone (model/motion.hpp); and compounds ->
// places of the walls they carry. Where no wall moves these do nothing.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Places of the walls at the end of the step that follows those finished (Flags::step); velocities are those of its middle, half of dt [s]
/// before. Raises kSkinExhausted where a wall's surface
/// has moved by half the skin since the list was made: to be called with the drift of the bodies, whose flag it shares.
void move_walls(State& state, Workspace& work, double dt);
/// Velocities of the carried walls after the kick that ends a step.
void kick_carried_walls(State& state, Workspace& work);
/// Places of the walls for the positions at hand, which a pair list is about to be made for; displacements count from here.
void place_walls(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
