// Checks across tables, made once the whole file is read.
#pragma once

#include <string>
#include <vector>

#include "scene/schema.hpp"

namespace scree {

/// Names the walls and measures that have no name, then checks that names differ and that no pair of materials is listed twice.
void check_scene(Scene& scene, const TableReading& reading);

/// Names defined in a scope: "material", "shape" or "wall".
std::vector<std::string> names_in(const Scene& scene, const std::string& scope);

}  // namespace scree
