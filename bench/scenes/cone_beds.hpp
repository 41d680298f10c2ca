// Dense beds for the cone method: spheres at rest or flowing, cubes at rest, and a pile read from a file.
#pragma once

#include <cstdint>
#include <string>

#include "engine/snapshot.hpp"
#include "model/model.hpp"

namespace scree::bench {

/// Spheres of 1 mm radius, mu 0.5, restitution 0, at rest in a box under the penalty method (scenes/beds.hpp), with gravity tilted by so
/// many degrees from -z towards +x: tilted enough, they flow. From 32,000 on mirror images of the bed of 16,000, else a bed of its own.
Model cone_spheres(std::int64_t bodies, double tilt, const std::string& folder);

/// Cubes of 1 cm edge, density 2500 kg/m3, mu 0.5, restitution 0, at rest in a box: dropped from a lattice of spacing 1.75 cm with jitter
/// and random turns, 8 x 8 columns, or for multiples of 1,000 mirror images of 10 x 10 x 10. Takes some seconds.
Model cone_cubes(std::int64_t bodies);

/// Spheres on a floor at z = 0, mu 0.4, gravity 10 m/s2, from a VTK unstructured grid in ASCII with radius and mass of each point.
/// Throws scree::Error where the file does not have them.
Model cone_pile(const std::string& path);

/// How deep two cubes, or a cube and the box, are in each other at most, in edges: by separating axes, apart from the engine's search.
double deepest_of_cubes(const Snapshot& at, const Model& model);

}  // namespace scree::bench
