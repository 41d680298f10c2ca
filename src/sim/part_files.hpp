// Parts of a shape -> a mesh file: STL, OBJ or PLY, by the ending of its name.
#pragma once

#include <string>
#include <vector>

#include "model/convex_shape.hpp"
#include "setup/clumps.hpp"

namespace scree {

/// Whether the ending of a name is that of a mesh file which can be written.
bool is_mesh_name(const std::string& path);

/// The spheres as balls of 320 triangles.
std::vector<FaceList> balls_of(const std::vector<Ball>& spheres);

/// Each part is a solid of an STL file, or an object of an OBJ file; a PLY file has all faces in one list, with the number of the part of
/// each. Throws RunError where it cannot be written.
void write_parts(const std::vector<FaceList>& parts, const std::string& path);

}  // namespace scree
