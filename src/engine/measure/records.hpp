// State -> contact records and wall loads, on the host, in the order of ids: what users see of contacts. Does not advance history.
#pragma once

#include <vector>

#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Bodies on the host, slot by slot, and the contact lists' geometry from them.
std::vector<ContactRecord> body_contact_records(State& state);
/// Touching contacts with walls, by body id, then by surface.
std::vector<ContactRecord> wall_contact_records(const Model& model, State& state, Workspace& work);
/// Force and torque (about the world's origin) of the bodies on each wall, from wall records in their order.
std::vector<Wrench> wall_loads(const std::vector<ContactRecord>& records, std::size_t walls);
/// Power that each wall's motion at `time` gives to the bodies against these loads [W].
std::vector<double> wall_powers(const Model& model, const std::vector<Wrench>& loads, double time);

}  // namespace scree::SCREE_FLAVOR
