// What acts on bodies wherever they are: accelerations that change over time, and media that slow bodies down (model/fields.hpp).
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Takes over the model's fields.
void load_fields(const Model& model, Workspace& work);
/// What they do in a step, once the drift that starts it is made: half of it before the drift, whose places are put right for that, and
/// half after it. Raises the flags of a drift. Nothing where the model has no fields.
void kick_by_fields(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
