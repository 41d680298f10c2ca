// Shapes of a scene -> templates of polyhedra, and the radii of a group's bodies.
#pragma once

#include "model/convex_shape.hpp"
#include "scene/scene.hpp"

namespace scree {

/// The polyhedron that a shape of any kind but "sphere" describes, in the size that its own lengths give (regular solids and balls that
/// have none: of bounding radius 1). Prisms have their axis along z and a corner on x; `tetrahedron` … `icosahedron` have their usual
/// Cartesian corners (a cube its edges along the axes). Throws scree::Error at the shape's table.
ConvexShape build_shape(const Scene& scene, const SceneShape& shape);

/// Radii of bodies of this shape: those that the scene gives, or that of `natural` as it is, the polyhedron (null of spheres); of a packed
/// shape always that. Reads a
/// file of sieves; throws scree::Error at it.
SizeDistribution sizes_of(const Scene& scene, const SceneShape& shape, const ConvexShape* natural);

}  // namespace scree
