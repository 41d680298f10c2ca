// The groups /shapes and /walls of a file with frames. In: the geometry of a run; out: the same, read back.
//   /shapes/000: vertices (v x 3), face_start, face_vertex; attributes name, volume, and of smooth bodies axis_a, axis_b, axis_c, side,
//   top, and of capsules stick /walls/NAME: vertices (v x 3), triangles (t x 3), plane_point and plane_normal (p x 3), each where there is
//   one;
//                attributes index, material, moves, active_from, active_to
// A restart that changes walls writes them under /walls_1, and so on; each frame names the group of its walls.
#pragma once

#include <string>
#include <vector>

#include "output/frame_geometry.hpp"
#include "output/hdf5_file.hpp"

namespace scree {

void write_shapes(Hdf5File& file, const std::vector<ShapeFaces>& shapes);
std::vector<ShapeFaces> read_shapes(const Hdf5File& file);

/// Writes walls under `group`, one group each.
void write_walls(Hdf5File& file, const std::string& group, const std::vector<WallSurface>& walls);
/// Every set of walls in the file, in the order of their indices.
WallSets read_wall_sets(const Hdf5File& file);

/// Name of a wall's group: its own name, or its number where that cannot stand in a path or is taken by an earlier wall.
std::string wall_key(const std::vector<WallSurface>& walls, std::size_t w);

}  // namespace scree
