// Bodies that are taken out between steps, with what accounts and counts hold of them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/exec/timer.hpp"
#include "engine/state/state.hpp"
#include "model/region.hpp"

namespace scree::SCREE_FLAVOR {

/// Takes out all slots with 0 in `keep`, members among them with their compound, and the walls that they carry. Their contacts are set
/// aside under the old ids: the lists are to be made anew next.
void take_out(const Model& model, State& state, Workspace& work, const Array<std::int32_t>& keep);

/// As Engine::bodies_with_centres_in. O(bodies), on the host.
std::vector<std::int32_t> centres_in(State& state, Workspace& work, const Region& region);

/// As Engine::remove. The lists are made anew. O(bodies).
std::vector<Quat> remove_chosen(const Model& model, State& state, Workspace& work, StageTimers& timers,
                                const std::vector<std::int32_t>& ids);

}  // namespace scree::SCREE_FLAVOR
