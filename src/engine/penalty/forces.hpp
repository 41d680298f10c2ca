// Contacts -> forces: narrow phase and law in one kernel per shape class, one wrench per pair, kept until the next step.
// In: bodies, pairs, history. Out: contacts.force, .twist, .stretch of every list. Source: laws/contact.hpp.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Evaluates every contact once. dt [s] advances the history. Raises flags for overlaps and non-finite numbers.
void contact_forces(const Model& model, State& state, Workspace& work, double dt);
/// Those of spheres and walls alone.
void wall_contact_forces(const Model& model, State& state, Workspace& work, double dt);

}  // namespace scree::SCREE_FLAVOR
