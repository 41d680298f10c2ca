// Triangles of a file -> the surface of a solid: closed, free of crossings, wound counterclockwise as seen from outside.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/aabb.hpp"
#include "base/error.hpp"
#include "model/wall.hpp"
#include "setup/clumps.hpp"

namespace scree {

struct ClosedMesh {
    std::vector<Vec3> vertex;                           // [m]
    std::vector<std::array<std::int32_t, 3>> triangle;  // vertices
};

/// The solid that these triangles bound, however they are wound; surfaces inside others are those of hollows. `label` is what messages call
/// it. Throws scree::Error at `place`, with the coordinates of an edge or triangle, where an edge has not just two triangles, where the
/// surface crosses itself, or where it has one side only. O(n log n) for triangles that are spread out.
ClosedMesh closed_mesh(const TriangleMesh& mesh, const std::string& label, const SourcePlace& place);

/// Exact moments of the solid, of density 1, about the origin: sums of those of tetrahedra (Tonon 2004, J. Math. Stat. 1:8).
Moments moments_of(const ClosedMesh& mesh);
double area_of(const ClosedMesh& mesh);  // [m2]
Aabb bounds_of(const ClosedMesh& mesh);

}  // namespace scree
