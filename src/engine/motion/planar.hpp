// Velocity Verlet of a plane model: motion/verlet.hpp along x and y and about z. Velocities along z and spins about x and y stay zero, as
// they are given.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// finish_step and finish_and_start of motion/verlet.hpp where forces are gathered; bodies are turned by the caller. As there, the one
/// gives with start_step the same bits as the other.
void finish_planar(const Model& model, State& state, Workspace& work);
void finish_and_start_planar(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
