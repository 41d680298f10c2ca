// A fault found by kernels -> who, where, when.
#pragma once

#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Completes the step that found the fault, so that the state is one in time, and names the worst contact or the first broken body.
Fault settle_fault(const Model& model, State& state, Workspace& work, std::uint32_t flags);

/// Does a body move further in a step than a share of what it is thick (most_thicknesses)? It could pass a wall without thickness, or
/// another body, between two steps. Looked at where a list is used up, which such a body does at once. FaultKind::None where none does, or
/// contacts look ahead by themselves.
Fault too_fast(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
