// State <-> named byte fields, for checkpoints. Saved: bodies in slot order, and the touching contacts by ids, so that the list of
// pairs itself is made anew on loading; no result depends on it.
#pragma once

#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Bodies from the model's table, ids 0 … n - 1, and everything that is constant (walls, laws, size levels).
void load_model(const Model& model, bool account, State& state, Workspace& work);

/// Walls once more, where some of them that were at rest move from now on. A state is to be loaded next.
void reload_walls(const Model& model, State& state, Workspace& work);

/// Into the fields of `out`, or its sink.
void save_state(const Model& model, State& state, const Workspace& work, EngineState& out);
/// Puts a saved state in place of the present one and its contacts where carry_history looks for them.
/// Walls are matched by name; a wall that is gone, or has another geometry or material, drops its history. Throws scree::Error.
void load_state(const Model& model, const EngineState& saved, State& state, Workspace& work);

std::size_t bytes_in_use(State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
