// A closed mesh as a picture, and beside it the spheres or convex parts that stand for it.
#pragma once

#include <string>
#include <vector>

#include "model/convex_shape.hpp"
#include "setup/clumps.hpp"
#include "setup/meshes/closed_mesh.hpp"

namespace scree {

/// Writes a PNG file: the mesh, and where there are spheres or parts those on its right, seen from the same side. Throws RunError.
void draw_shape(const ClosedMesh& mesh, const std::vector<Ball>& spheres, const std::vector<FaceList>& parts, const std::string& path);

}  // namespace scree
