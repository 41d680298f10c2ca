// Velocity Verlet: half kick, drift, forces, half kick. Contacts see positions at the end of the step and velocities at its middle.
// In: forces. Out: positions, velocities, orientations, and flags when the skin is used up. Source: Swope et al. 1982; spheres turn
// with omega, and their quaternion by the rotation omega dt (BLAZE-DEM eq. 14 with the half angle).
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Half kick with the forces at hand, then drift: positions of the next step, velocities at its middle.
void start_step(const Model& model, State& state, Workspace& work);
/// Completes the velocities with the forces of the contacts just evaluated: gathers them, unless they are stored (State::stores_forces).
void finish_step(const Model& model, State& state, Workspace& work);
/// finish_step, then start_step, in one pass over the bodies. The same bits as the two.
void finish_and_start(const Model& model, State& state, Workspace& work);
/// Turns spheres by their angular velocities for a step, where orientations are kept: after fused steps; the others do it themselves.
void turn_bodies(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
