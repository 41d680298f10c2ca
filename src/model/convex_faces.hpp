// Clean faces of a closed convex mesh: what make_convex_shape() does before it measures.
#pragma once

#include <string>

#include "model/convex_shape.hpp"

namespace scree {

/// Vertices and faces, still in the frame and size as given.
struct ConvexFaces {
    std::vector<Vec3> vertex;
    std::vector<std::vector<std::int32_t>> face;  // counterclockwise from outside
    std::vector<Vec3> normal;                     // outward, unit
};

/// Welds vertices, orients, merges coplanar neighbours, drops vertices along edges; checks that the mesh is closed, in one piece and
/// convex. Tolerances and errors: make_convex_shape().
ConvexFaces clean_convex_faces(const std::string& name, const std::vector<Vec3>& vertices,
                               const std::vector<std::vector<std::int32_t>>& faces);

/// Twice the area of a loop as a vector along its normal (Newell); any polygon.
Vec3 twice_area(const std::vector<Vec3>& vertex, const std::vector<std::int32_t>& loop);

}  // namespace scree
