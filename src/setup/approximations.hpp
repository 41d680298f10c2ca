// Shapes of kind "spheres" and "decomposition" -> solids: the mass and moments of a closed mesh, parts that are about it.
#pragma once

#include "setup/decomposition.hpp"
#include "setup/solids.hpp"
#include "setup/sphere_cover.hpp"

namespace scree {

/// What a shape that says nothing of it takes at most, and the error at which it stops earlier.
constexpr std::int64_t kMostSpheres = 50;
constexpr std::int64_t kMostConvexParts = 16;
constexpr double kApproximationTolerance = 0.02;

/// The solid of a shape of either kind, polyhedra added to the model where it does not have them yet. Throws scree::Error at the shape's
/// file where that is not the mesh of a solid, and where it gives a tolerance that is not reached.
Solid approximated_solid(const Scene& scene, const SceneShape& shape, Model& model);

}  // namespace scree
