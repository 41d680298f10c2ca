// The files that a scene is read from.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace scree {

/// The scene file, then the meshes, tables and lists of bodies that it names, in its order; one may come twice.
std::vector<std::string> files_of(const Scene& scene);

}  // namespace scree
