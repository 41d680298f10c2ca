// A fault found by kernels -> who, where, when.
#pragma once

#include "engine/snapshot.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Completes the step that found the fault, so that the state is one in time, and names the worst contact or the first broken body.
Fault settle_fault(const Model& model, State& state, Workspace& work, std::uint32_t flags);

}  // namespace scree::SCREE_FLAVOR
