// What the host looks at of bodies: copies in the order of ids, and the arrays themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Bodies by id, of all that `parts` names (SnapshotPart); ids, walls and cell are always there. Forces that nobody holds are summed for
/// it and dropped again. O(bodies), over the threads that steps take; the bits do not depend on them.
Snapshot take_snapshot(const Model& model, State& state, Workspace& work, std::uint32_t parts);

/// Arrays of bodies as kernels have them, when all kernels sent have ended: each as the table of body fields names it, vectors that lie as
/// rows under one name, others by component ("orientation_w"). Forces are among them where they are held. `device`: number of the GPU.
std::vector<RawField> raw_body_fields(State& state, int device);

}  // namespace scree::SCREE_FLAVOR
