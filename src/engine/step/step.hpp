// The step: the only place that orders the stages.
#pragma once

#include "engine/exec/timer.hpp"
#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Makes the first list and the forces at the start. `fresh`: forces are evaluated (a new run); otherwise they were loaded.
void prepare(const Model& model, State& state, Workspace& work, StageTimers& timers, bool fresh);

/// Up to `steps` steps; ends early at a fault. `account`: keep energy accounts.
BatchReport advance_steps(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t steps, bool account);

}  // namespace scree::SCREE_FLAVOR
