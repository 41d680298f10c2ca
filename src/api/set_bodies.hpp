// New positions, velocities, angular velocities or orientations for bodies of a running engine, through its saved state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace scree_v0 {

/// `values`: 3 numbers, of "orientation" 4, for each of `ids`. Throws SceneError, before anything changes.
void set_bodies(::scree::Engine& engine, const ::scree::Model& model, const std::string& name, const std::vector<std::uint32_t>& ids,
                const std::vector<double>& values);

}  // namespace scree_v0
