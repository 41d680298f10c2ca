// State -> global sums. All sums run over ids in fixed blocks, so they depend on neither slots, nor the pair list, nor threads.
#pragma once

#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Energies, momenta, contact counts and wall loads of the state at the end of a step. O(bodies + pairs).
Measurement measure_state(const Model& model, State& state, Workspace& work);
/// Mass and number of bodies with their centre in a region.
RegionSum sum_in_region(State& state, Workspace& work, const Region& region);
/// Kinetic and potential energy of the bodies with keep == 0, and their accumulated work.
struct RemovedEnergy {
    double mechanical, work_damping, work_friction, work_walls, work_fields;
};
RemovedEnergy energy_of_removed(const Model& model, State& state, Workspace& work, const Array<std::int32_t>& keep);

/// Adds one step's work of dashpots, tangential springs and moving walls to the bodies' accounts (Bodies::work_damping, work_friction,
/// work_walls).
/// Pairs of spheres have been accounted for already where accounts_by_pairs (penalty/pair_losses.hpp).
/// To be called at the end of every step, velocities complete: the forces acted for dt with just these velocities between them.
void account_dissipation(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
