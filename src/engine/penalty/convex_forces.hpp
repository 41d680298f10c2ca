// Contacts of polyhedra -> wrenches: with each other, with spheres, and with walls. As penalty/forces.hpp, but one thread works a contact
// from the search for its patch to its wrench: what it costs differs from contact to contact.
// In: bodies, shapes, pairs, history. Out: contacts and patches of the lists with polyhedra. Source: laws/patch.hpp.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Evaluates every contact of a polyhedron once. dt [s] advances the history. Raises flags as contact_forces does.
void convex_forces(const Model& model, State& state, Workspace& work, double dt);

}  // namespace scree::SCREE_FLAVOR
