// Contact points with one patch of a mesh: the tables of the joint mesh (state/walls.hpp) into triangles and spheres' gaps.
// In: the triangles of one patch near the body, the body in the frame of the mesh with its own centre as origin. Out: points in that frame.
#pragma once

#include "engine/narrow/points_sphere.hpp"
#include "engine/narrow/points_triangle.hpp"
#include "engine/narrow/sphere_mesh.hpp"

namespace scree::SCREE_FLAVOR {

/// Triangle t relative to the body's centre, with what lies beyond its sides.
SCREE_HD PatchTriangle patch_triangle(const MeshView& m, std::int32_t t, Vec3 centre) {
    PatchTriangle result;
    for (int k = 0; k < 3; ++k) {
        const std::int32_t e = m.triangle_edge[3 * t + k], v = m.triangle[3 * t + k];
        result.vertex[k] = v;
        result.edge[k] = e;
        result.corner[k] = mesh_vertex(m, v) - centre;
        result.spokes[k] = 0;
        for (Index q = m.vertex_start[v]; q < m.vertex_start[v + 1] && m.vertex_inner[v] == 0 && result.spokes[k] < 4; ++q) {
            const std::int32_t s = m.vertex_edge[q];
            const std::int32_t far = m.edge[2 * s] == v ? m.edge[2 * s + 1] : m.edge[2 * s];
            if (m.edge_inner[s] == 0) result.spoke[k][result.spokes[k]++] = mesh_vertex(m, far) - centre;
        }
        result.across[k] = {};
        result.side[k] = m.edge_inner[e] != 0 ? TriangleSide::Inner : TriangleSide::Free;
        result.first[k] = true;
        for (Index q = m.edge_start[e]; q < m.edge_start[e + 1] && result.side[k] == TriangleSide::Free; ++q) {
            const std::int32_t other = m.edge_triangle[q];
            if (m.triangle_patch[other] == m.triangle_patch[t]) continue;
            result.side[k] = TriangleSide::Shared;
            result.first[k] = m.triangle_patch[t] < m.triangle_patch[other];
            for (int c = 0; c < 3; ++c) {
                const std::int32_t w = m.triangle[3 * other + c];
                if (w != m.edge[2 * e] && w != m.edge[2 * e + 1]) result.across[k] = mesh_vertex(m, w) - centre;
            }
        }
    }
    return result;
}

/// A polyhedron at the origin, its centre at `centre` in the mesh's frame, and triangles first … last - 1 of `candidates`, all of one
/// patch. `normal` is the patch's, turned to the side from which the body touches it; `way` that of the mesh against the body, in its
/// frame.
template <int Capacity>
SCREE_HD ContactPoints<Real> patch_points(const MeshView& m, std::int32_t patch, Vec3 normal, const std::int32_t* candidates, Index first,
                                          Index last, const PlacedConvex<Real>& body, Vec3 centre, Real envelope,
                                          const Way<Real>& way = {}) {
    PatchPoints<Capacity, Real> points(body, normal, dot(m.patch_point[patch] - centre, normal), envelope, way);
    for (Index k = first; k < last; ++k) points.add(patch_triangle(m, candidates[k], centre));
    return points.finish();
}

/// A sphere and a patch: one point, or none where a neighbouring patch has it. What several patches of a wall have in common (as at a
/// shared corner) keep_one_of_equals sorts out among pairs.
SCREE_HD ContactPoints<Real> sphere_patch_points(const MeshView& m, std::int32_t patch, const std::int32_t* candidates, Index first,
                                                 Index last, Vec3 centre, double radius, Real envelope) {
    const PatchGap gap = patch_gap(m, patch, candidates, first, last, centre, radius + static_cast<double>(envelope));
    return gap.owns ? sphere_surface_points<Real>(gap.normal, gap.distance, radius, envelope) : ContactPoints<Real>{};
}

}  // namespace scree::SCREE_FLAVOR
