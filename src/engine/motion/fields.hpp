// What acts on bodies wherever they are: accelerations that change over time, and media that slow bodies down (model/fields.hpp); and what
// callers push single bodies with.
#pragma once

#include <vector>

#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Takes over the model's fields.
void load_fields(const Model& model, Workspace& work);
/// As Engine::push.
void push_bodies(const Model& model, State& state, Workspace& work, const std::vector<std::int32_t>& ids, const std::vector<Vec3>& force,
                 const std::vector<Vec3>& torque);
/// Fields of a state, where somebody pushes.
void save_pushes(const Workspace& work, EngineState& out);
/// As they were saved; before the fields of bodies are read, among which the account of their work then is.
void load_pushes(const Model& model, const EngineState& saved, State& state, Workspace& work);
/// What they do in a step, once the drift that starts it is made: half of it before the drift, whose places are put right for that, and
/// half after it. Raises the flags of a drift. Nothing where the model has no fields and nobody pushes.
void kick_by_fields(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
