// What happens between steps: walls that come and go, bodies that leave the domain. Both at fixed steps, whatever the pair list.
#pragma once

#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Sets which walls exist for the step that starts now: by their times, and while the bodies that carry them are there. True where that
/// changed.
bool update_active_walls(const Model& model, const State& state, Workspace& work);

/// Looks at the domain with the last kernels of a step, where it is to be looked at then: the step's report tells what came out.
void check_ahead(const Model& model, State& state, Workspace& work, std::int64_t step);
/// The report of the step that has just been finished: where it says that all are inside, check_domain need not look.
void note_check(const Model& model, const State& state, Workspace& work, const FlagWords& flags);
/// The same from a box that all are in.
void note_bounds(const Model& model, const State& state, Workspace& work, const Aabb& bounds);

enum class BoundaryCheck { Clear, Removed, Fault };
/// Every `check_every` steps: bodies outside the domain are removed, with the walls they carry, or are a fault (put into report); a body
/// with joints is a fault always. Members of compounds go with these.
BoundaryCheck check_domain(const Model& model, State& state, Workspace& work, BatchReport& report);

/// At steps that speeds tell, whatever the list: bodies that have left a periodic cell come back on its other side; true where any has,
/// whose list is then old.
bool bring_back(const Model& model, State& state, Workspace& work);

/// The next step at which a wall changes or bodies are looked for that have left the domain or the cell, past the present one.
std::int64_t next_boundary_event(const Model& model, const State& state);

}  // namespace scree::SCREE_FLAVOR
