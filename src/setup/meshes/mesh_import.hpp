// Meshes by the import library, in a process of its own: some damaged files end the process that reads them.
#pragma once

#include <string>

#include "base/error.hpp"
#include "model/wall.hpp"

namespace scree {

/// All meshes of a file, with the transformations of its nodes, faces cut into triangles, points and lines left out. Throws scree::Error at
/// `place` where the library finds the file wrong, or falls over it.
TriangleMesh import_mesh(const std::string& path, const SourcePlace& place);

}  // namespace scree
