// What engine.cpp sees of each flavor.
#pragma once

#include <memory>
#include <string>

#include "engine/engine.hpp"

namespace scree::SCREE_FLAVOR {

std::unique_ptr<Engine> make_flavor(const Model& model, const EngineOptions& options);
/// Empty where the flavor can run here, else why not.
std::string flavor_problem();

}  // namespace scree::SCREE_FLAVOR
