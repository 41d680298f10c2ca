// The choice among flavors, each a module that is loaded when it is first asked for.
#pragma once

#include <string>

#include "engine/flavor.hpp"

namespace scree {

/// Throws scree::Error where the flavor's module is missing or of another build.
const Flavor& flavor(bool cuda, Precision precision);
/// Why no CUDA device can be used in this precision; empty where one can. Never throws.
std::string cuda_problem(Precision precision);

}  // namespace scree
