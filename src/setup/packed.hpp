// Closed mesh -> spheres that fill it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "setup/clumps.hpp"
#include "setup/meshes/closed_mesh.hpp"
#include "setup/sizes.hpp"
#include "setup/solids.hpp"

namespace scree {

struct Filling {
    bool random{false};
    SizeDistribution size;  // of the spheres; of a lattice the one radius
    double surface{0.1};    // share of its radius by which a sphere may stick out
    std::uint64_t seed{0};
};

/// Spheres that do not overlap. Regular: the hexagonal close-packed lattice along the axes, spheres touching, in the place that has the
/// most of nine: eight that divide its cell, and one with a sphere at the deepest point. Random: as many as are 0.53 of the room that they
/// have, put anywhere, then pushed apart and inwards (placement_relax.hpp); those that still overlap or stick out are left out. The same on
/// every machine. Throws scree::Error at `place` where none fits, or where they are more than can be numbered.
std::vector<Ball> fill(const ClosedMesh& mesh, const Filling& filling, const std::string& label, const SourcePlace& place);

/// The closed mesh of a shape of kind "packed". Throws scree::Error at its file.
ClosedMesh packed_mesh(const Scene& scene, const SceneShape& shape);

/// The solid of such a shape: mass and inertia of the mesh, parts that are spheres.
Solid packed_solid(const Scene& scene, const SceneShape& shape);

}  // namespace scree
