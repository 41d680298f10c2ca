// The engine of hard particles in time steps: its own state and its own, short step.
#pragma once

#include <memory>

#include "engine/engine.hpp"

namespace scree::SCREE_FLAVOR {

std::unique_ptr<Engine> make_hard_engine(const Model& model, const EngineOptions& options);

}  // namespace scree::SCREE_FLAVOR
