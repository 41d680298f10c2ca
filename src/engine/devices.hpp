// Is the device that was asked for among those that are there?
#pragma once

#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace scree {

/// Throws scree::Error, naming what is there, unless GPU `asked` is one of `present`, the names by number; `status` says why there is none.
void require_device(Device asked, const std::vector<std::string>& present, const std::string& status);

}  // namespace scree
