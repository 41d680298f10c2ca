// Triangles -> welded vertices, edges and patches, so that a sphere feels a surface and not its triangulation.
// A patch is a maximal set of coplanar triangles connected over edges; it acts as one face.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/wall.hpp"

namespace scree {

/// Topology of one welded mesh. Triangles keep their order unless degenerate ones are dropped (see dropped).
struct MeshTopology {
    std::vector<Vec3> vertex;                           // welded
    std::vector<std::array<std::int32_t, 3>> triangle;  // vertex indices
    std::vector<std::int32_t> patch;                    // of each triangle; patches are numbered by their first triangle
    std::vector<Vec3> patch_normal;                     // unit, area-weighted over the patch, orientation of its first triangle
    std::vector<Vec3> patch_point;                      // a point of the patch's plane
    // Edges of the mesh, each once, with vertices (low, high).
    std::vector<std::array<std::int32_t, 2>> edge;
    std::vector<std::array<std::int32_t, 3>> triangle_edge;  // edge k joins corners k and k+1 of the triangle
    // Edge -> triangles, CSR, ascending.
    std::vector<std::int64_t> edge_start;
    std::vector<std::int32_t> edge_triangle;
    // Vertex -> edges at it, CSR, ascending.
    std::vector<std::int64_t> vertex_start;
    std::vector<std::int32_t> vertex_edge;
    std::vector<std::uint8_t> edge_inner;    // 1: all its triangles are in one patch and lie on both sides of it
    std::vector<std::uint8_t> vertex_inner;  // 1: all edges at it are inner
    std::int64_t dropped{0};                 // triangles without area, left out

    std::size_t patches() const { return patch_normal.size(); }
};

/// Takes any triangles: open, non-manifold, doubled or wound either way.
/// Welds vertices closer than 1e-9 of the mesh's extent, builds edges and patches.
/// Two triangles share a patch where they share an edge and their normals differ by less than `coplanar_angle` [rad],
/// measured against the first triangle of the patch, so that a finely curved surface does not become one patch.
MeshTopology mesh_topology(const TriangleMesh& mesh, double coplanar_angle = 1e-4);

}  // namespace scree
