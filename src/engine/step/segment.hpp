// Steps between two events of walls or of the domain: sent ahead, recorded or fused, reported, and lists made anew on the way.
#pragma once

#include "engine/exec/timer.hpp"
#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Steps until `target`, without boundary events. Returns false where a fault ended it (report is filled).
bool run_segment(const Model& model, State& state, Workspace& work, StageTimers& timers, std::int64_t target, bool account,
                 BatchReport& report);

/// Counts the contacts that the next step of the cone method begins from, where no report of a step told their number: after a start or a
/// list. Waits then.
void count_ahead_of_step(const Model& model, State& state, Workspace& work, StageTimers& timers);

}  // namespace scree::SCREE_FLAVOR
