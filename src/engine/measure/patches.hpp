// Contacts of polyhedra at the end of a step -> records, energies, and the work done in the step. Patches are searched for anew: only what
// a step needs is kept from one to the next.
#pragma once

#include <vector>

#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// A touching contact and the energy in its springs.
/// Pairs of polyhedra that a measure looks at in one piece.
inline constexpr Index patch_piece = Index{1} << 17;

struct PatchRecord {
    ContactRecord contact;
    double elastic_normal{0}, elastic_tangential{0};  // [J]
};

/// Touching contacts of polyhedra with bodies, by id of A, then of B. O(pairs).
std::vector<PatchRecord> convex_pair_records(const Model& model, State& state, Workspace& work);
/// The same with walls, by id, then by class and number of surface.
std::vector<PatchRecord> convex_wall_records(const Model& model, State& state, Workspace& work);

/// Both as contact records alone, after those given.
void add_patch_records(const Model& model, State& state, Workspace& work, std::vector<ContactRecord>& records);

/// Adds one step's work in contacts of polyhedra to the accounts, as account_dissipation does for spheres.
void account_patches(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
