// Contact lists <-> fields of a checkpoint, by ids of bodies and numbers of surfaces: written once over the layouts of lists and the
// columns.
#pragma once

#include "engine/state/state.hpp"
#include "engine/state_fields.hpp"

namespace scree::SCREE_FLAVOR {

/// All contacts that hold anything, and what surfaces' numbers mean.
void save_contacts(const Model& model, State& state, const Workspace& work, EngineState& out);

/// Saved contacts into the lists set aside, from where carry_history takes them; those of walls that are gone or changed are left out.
/// Throws Error where fields are missing or name bodies that are not there.
void load_contacts(const Model& model, const EngineState& saved, const std::vector<Slot>& slot_of_id, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
