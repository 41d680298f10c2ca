// Lists anew: when bodies have used up the skin, when walls or bodies come or go.
#pragma once

#include "engine/exec/timer.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// The pair list anew, with history carried over. `exhausted`: motion used the skin up, so its width may be adapted.
/// loaded: contacts to carry over, if any, stand where those of the present lists would be set aside.
void rebuild(const Model& model, State& state, Workspace& work, StageTimers& timers, bool exhausted, bool loaded = false);

/// A list that outlives its skin by far, at this step, carries candidates for nothing: make it anew, narrower.
bool skin_too_wide(const Model& model, const State& state, const Workspace& work, std::int64_t step);

}  // namespace scree::SCREE_FLAVOR
