// Polyhedra of 6 to 32 faces and settled beds of them, for the benchmarks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace scree::bench {

/// "cube", "octahedron", "dodecahedron", "icosahedron" or "football" (a truncated icosahedron: 32 faces); all are their own mirror images
/// in the three coordinate planes. Throws scree::Error for other names.
ConvexShape solid(const std::string& name);

/// Recipe of a bed: cubes of 1 cm edge or solids of the same volume, density 2500 kg/m3, mu 0.5, e 0.1, g 9.81 m/s2.
struct SolidBed {
    std::string shape{"cube"};
    double young{1e6};  // of a material with nu = 0.3 [Pa]
    std::int64_t bodies{1000};
    std::int64_t floor_triangles{0};  // 0: the floor is a plane, else a mesh with this many triangles of 2 cm, most of them far away
};

/// A bed at rest: about a thousand bodies that have fallen from a jittered lattice, with random turns, into a box, and its mirror images
/// side by side. Takes some 20 seconds; the same from run to run.
Model settled_solids(const SolidBed& bed);

/// Mirror images of a bed in a box, whose planes are x = 0, x = width, y = 0, y = depth and the floor, side by side in a box of so many
/// times its floor.
void mirror_solids(Model& m, std::int64_t tiles);

}  // namespace scree::bench
