// Bodies that come while a run goes on. All that is constant of them stands in the model's table.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/exec/timer.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// As Engine::insert, or with `again` as Engine::put_back. The lists are made anew. O(bodies).
void insert_bodies(const Model& model, State& state, Workspace& work, StageTimers& timers, const std::vector<std::int32_t>& ids,
                   const BodyTable& start, bool again);

}  // namespace scree::SCREE_FLAVOR
