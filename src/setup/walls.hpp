// Walls of a scene: planes, quads, boxes, cylinders and meshes as the plain geometry of the Model.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// The wall's geometry, its material's index and the time it exists. A quad becomes two triangles, a box six planes that face inwards, or
/// twelve triangles where bodies are outside.
/// `number` (from 1) names a wall without a name: wall1, wall2, … Throws scree::Error at the wall's table.
Wall build_wall(const Scene& scene, const SceneWall& wall, std::size_t number);

/// In two dimensions: gives segments, blocks and arcs the length along z that contacts with the thickest body need. After all bodies.
void extrude_walls(Model& model);

/// Triangles of a mesh file, scaled, then shifted [m]. Text (.txt, .csv, .dat): nine numbers a row, x y z of three corners, with or without
/// a line of names; anything else (STL, OBJ, PLY, …) by assimp, in its single precision; all meshes of a file are joined. Throws
/// scree::Error where the file cannot be read or holds no triangle.
TriangleMesh read_mesh(const std::string& path, double scale, Vec3 offset, const SourcePlace& place);

}  // namespace scree
