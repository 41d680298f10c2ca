// Spheres on held polyhedra and meshes that lie flush: an edge that another one's face covers is not there.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Marks contacts of spheres with edges of held polyhedra that another face covers (convex_pairs.hpp): from positions and the gaps to
/// meshes, before forces and measures look at them. A kernel of its own: that of the forces would need half as many registers again.
void mark_covered(const Model& model, State& state, Workspace& work);

/// Finds the gaps of spheres to patches of meshes, less those to edges that faces of held polyhedra cover; patches that a sphere touches
/// anew take the history of what they join. False where no such polyhedron joins a mesh: then nothing is done.
bool find_covered_gaps(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
