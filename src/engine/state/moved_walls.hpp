// Motions of walls that a caller has changed.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// As load_motions(), of walls that moved before; servos that stay go on.
void reload_motions(const Model& model, WallMotions& motions);

}  // namespace scree::SCREE_FLAVOR
