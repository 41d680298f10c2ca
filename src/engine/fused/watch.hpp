// Has a body used up the skin? A step would have to read where the list looks for each body: a twentieth of its bytes, but up to a tenth of
// its time where they come from memory. Instead it compares speeds with one that no body is expected to pass, and a bound of how far away
// any is grows by that speed; bodies are looked at one by one only where the bound or a speed asks for it. The list is used up in the same
// step as if each were looked at in each. Host only.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Begins to watch, from drifted positions. O(n).
void begin_watch(const Model& model, State& state, Workspace& work);

/// Before a step: may it go without looking at each body? Looks at them where that may help. Returns the square of the speed above which
/// bodies are to be told of [m2/s2]; below 0: the step must look at each.
double speed_to_tell(const Model& model, State& state, Workspace& work);

/// How far a step may carry a body that is not told of [m], sums rounded.
double longest_way(const Model& model, const Workspace& work);

/// After a step that did not look at each body; `passed`: one was told of. Raises what the step would have raised, and with kNotFinite
/// kSkinExhausted too.
void end_watched_step(const Model& model, State& state, Workspace& work, bool passed);

}  // namespace scree::SCREE_FLAVOR
