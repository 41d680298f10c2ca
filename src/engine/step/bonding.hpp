// Bonds that are made or broken while a run goes on.
#pragma once

#include <vector>

#include "engine/exec/timer.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// As Engine::bond. The lists are made anew. O(bodies + bonds).
void make_bonds(Model& model, State& state, Workspace& work, StageTimers& timers, const std::vector<Bond>& more);
/// As Engine::break_bonds.
void break_in_region(const Model& model, State& state, Workspace& work, StageTimers& timers, const Region& region,
                     const std::vector<std::int32_t>& chosen);

}  // namespace scree::SCREE_FLAVOR
