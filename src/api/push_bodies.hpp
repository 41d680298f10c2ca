// Forces and torques on bodies of a running engine, as a caller gives them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace scree_v0 {

/// `force` and `torque`: 3 numbers for each of `ids`, or empty for none. Throws SceneError, before anything changes.
void push_bodies(::scree::Engine& engine, const ::scree::Model& model, const std::vector<std::uint32_t>& ids,
                 const std::vector<double>& force, const std::vector<double>& torque);

}  // namespace scree_v0
