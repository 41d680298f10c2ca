// The same motion as verlet.hpp where forces and torques are stored before bodies move (State::stores_forces): with compounds, whose
// members are placed after each drift and each kick, with joints, and under the cone method. Called through verlet.hpp.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

void start_stored(const Model& model, State& state, Workspace& work);
void finish_stored(const Model& model, State& state, Workspace& work);
void finish_and_start_stored(const Model& model, State& state, Workspace& work);

/// Places, orientations and velocities of all members from their compounds.
void place_members(State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
