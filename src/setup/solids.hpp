// Shapes of a scene -> rigid solids: what they are made of, their volume, centre of mass and inertia, in the frame each is given in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/mat3.hpp"
#include "base/pose.hpp"
#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// A collider of a solid.
struct Part {
    Pose pose;         // principal frame -> frame of the solid; for spheres only the shift counts
    double radius{0};  // of a sphere, or bounding [m]
    std::int32_t shape{BodyTable::sphere_shape};
};

struct Solid {
    std::vector<Part> parts;
    double volume{0};  // [m3]
    Vec3 centre;       // of mass [m]
    Mat3 inertia{};    // about the centre, of density 1 [m5]
};

/// The scene's shape of this name. Throws scree::Error at `place`.
const SceneShape& shape_named(const Scene& scene, const std::string& name, const SourcePlace& place);
/// Its index among the scene's.
std::int32_t shape_index(const Scene& scene, const std::string& name, const SourcePlace& place);

/// Whether a shape is made of spheres or convex parts that are about a mesh.
inline bool is_approximation(const SceneShape& shape) {
    return shape.kind == "spheres" || shape.kind == "decomposition";
}

/// Index in the model of a polyhedron, made when it is first asked for; sphere_shape for a sphere.
std::int32_t polyhedron_index(const Scene& scene, const SceneShape& shape, Model& model);

/// The solid of a shape: a clump's mass is that of the union of its spheres, a compound's the sum of its parts', a
/// packed or approximated shape's that of its mesh. Of a shape with a radius
/// it is scaled to it about the origin; a shape with a distribution of sizes, or a regular one without size, keeps its own lengths.
/// Polyhedra are added to the model. Throws scree::Error at the shape's table.
Solid solid_of(const Scene& scene, const SceneShape& shape, Model& model);

/// Radius of the smallest sphere about `centre` that holds all parts; 0 without parts.
double bounding_radius(const Solid& solid, Vec3 centre, const Model& model);

/// R m R^T for the rotation matrix R of q: a tensor in the frame that q turns into.
Mat3 turned(const Mat3& m, Quat q);

}  // namespace scree
