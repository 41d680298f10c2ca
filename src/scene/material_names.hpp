// What the materials of a run are called, by their numbers.
#pragma once

#include <string>
#include <vector>

namespace scree {

/// Of a scene file as a run keeps it; none where it is not there, or can no longer be read.
std::vector<std::string> material_names(const std::string& scene);

}  // namespace scree
