// The stages of one step, and how its flags are raised and its end counted: what step.cpp and segment.cpp put in order.
#pragma once

#include "engine/exec/timer.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// pending -> up, where it gates the kernels that follow.
void commit_flags(Workspace& work);

/// Positions at hand -> forces. Where the state stores forces, Bodies::force and torque are complete when this returns, else motion
/// gathers them from the pairs.
void respond(const Model& model, State& state, Workspace& work, double dt);

/// What follows the drift that starts a step: fields, servo walls, walls and the cell.
void move_surroundings(const Model& model, State& state, Workspace& work);

/// One step, from positions drifted to step `step`: forces, then either the end of the step (last) or its end and the next one's start.
/// account: with energy accounts.
void one_step(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t step, bool last, bool account);

/// One step of spheres in one pass (fused/fused.hpp), from drifted positions to those of the next.
void one_fused_step(const Model& model, State& state, Workspace& work, StageTimers& timers);

}  // namespace scree::SCREE_FLAVOR
