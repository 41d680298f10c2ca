// Members of compounds go where their compound goes: after each drift and each kick.
#pragma once

#include "engine/motion/moves.hpp"

namespace scree::SCREE_FLAVOR {

/// Places, orientations and velocities of all members from their compounds.
void place_members(State& state, Workspace& work);
/// The same after a drift: raises the flag where a member has used up the skin.
void drift_members(State& state, Workspace& work, const MotionSettings& s);
/// After a kick: velocities alone have changed.
void kick_members(State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
