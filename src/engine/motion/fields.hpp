// What acts on bodies wherever they are: accelerations that change over time, and media that slow bodies down (model/fields.hpp).
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Takes over the model's fields.
void load_fields(const Model& model, Workspace& work);
/// One kick of the velocities for a whole step, after the drift that starts it: exact where accelerations and media are all that acts,
/// however long the step. Nothing where the model has no fields.
void kick_by_fields(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
