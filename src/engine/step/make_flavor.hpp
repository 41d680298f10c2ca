// What module.cpp sees of each flavor.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace scree::SCREE_FLAVOR {

std::unique_ptr<Engine> make_flavor(const Model& model, const EngineOptions& options);
/// Empty where the flavor can run here, else why not.
std::string flavor_problem();
/// Names of the devices that the flavor can run on, by number.
std::vector<std::string> flavor_devices();

}  // namespace scree::SCREE_FLAVOR
