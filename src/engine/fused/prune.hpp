// Pairs that can not touch yet are left out of fused steps until bodies may have come so near: of the four pairs a body in a list with a
// wide skin, one. After the dynamic pruning of lists in molecular dynamics (Páll et al., J. Chem. Phys. 153, 134110 (2020)). Each stage has
// the pairs that may touch first and computes them alone. A pair is near where no more than `gap` parts it; the others stay left out while
// no two bodies can have moved so far (fused/watch.hpp). Results are the same bit for bit: a pair that does not touch gives nothing and
// remembers nothing. Rows of bodies then name the near pairs alone (fused/near_rows.hpp), or what pairs that are left out gave is set to
// zero. Host only.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Before a step, from drifted positions: leaves out what can not touch in it, where that pays. `way`: how far a step may carry a body [m];
/// below 0: not known. O(1), or O(pairs) when they are looked at.
void prune(State& state, Workspace& work, double way);

/// After a step that carried no body farther than `way` [m].
void end_pruned_step(Workspace& work, double way);

/// Back to the list as it was made: before anything but fused steps reads it. O(pairs).
void restore_list(State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
