// Bodies that come while a run goes on: those that the model names for later wait with all that is constant of them until they are put in.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/exec/timer.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

void load_orientations(const BodyTable& table, Bodies& b);
/// Of polyhedra and compounds, zero for others [kg m2/s]. `table`: bodies of the model, or rows that are to be put in.
std::vector<Vec3> angular_momenta(const Model& model, const BodyTable& table);

/// Takes bodies out that are for later, and keeps the fields of all that are put in while the run goes on; called when all arrays of the
/// model's bodies are filled.
void set_waiting_aside(const Model& model, State& state, Workspace& work);

/// As Engine::insert, or with `again` as Engine::put_back. The lists are made anew. O(bodies).
void insert_bodies(const Model& model, State& state, Workspace& work, StageTimers& timers, const std::vector<std::int32_t>& ids,
                   const BodyTable& start, bool again);

}  // namespace scree::SCREE_FLAVOR
