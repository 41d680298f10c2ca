// Steps of a fluid, in place of those that resolve contacts. Walls, domain, measures and checkpoints are those of all methods.
#pragma once

#include "engine/exec/timer.hpp"
#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Room for a fluid; fresh: and its walls at the start. A state that was loaded has those that its last step met.
void prepare_fluid(const Model& model, State& state, Workspace& work, bool fresh);

/// Steps until `target`, without boundary events. Returns false where a fault ended it (report is filled).
bool run_fluid(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t target, BatchReport& report);

/// Which walls are there has changed.
void forget_walls(Workspace& work);

/// Slots in the order of space, after particles went. Neighbours are listed in each step, walls when one needs them.
void rebuild_fluid(State& state, Workspace& work);

/// Bodies::density of the state as it is; nothing where it is known.
void update_density(const Model& model, State& state, Workspace& work);

FluidReport report_fluid(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
