// Walls that move as bodies press on them.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// From the contacts last evaluated: how fast each servo wall goes in the step that begins, and where it is then. Before move_walls.
void drive_servos(const Model& model, State& state, Workspace& work);

/// Before fused steps, and back to what they went out from.
void keep_servos(Workspace& work);
void restore_servos(Workspace& work);

}  // namespace scree::SCREE_FLAVOR
