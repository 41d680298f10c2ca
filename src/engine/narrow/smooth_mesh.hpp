// A smooth body against a triangle mesh. A contact is where the body is the least deep: over a face, or at an edge or corner along whose
// outward normals it is, so that it goes from one to the next without a jump. An edge or corner belongs to the first patch at it.
// In: joint mesh tables, the body in the wall's frame about its centre, the triangles of one patch near it.
#pragma once

#include "engine/narrow/smooth_features.hpp"
#include "engine/narrow/sphere_mesh.hpp"

namespace scree::SCREE_FLAVOR {

/// How a body lies to a patch: apart from its plane, and so from all of it; through the plane beside it; over it.
enum class OnPatch { Apart, Beside, Over };

struct SmoothMesh {
    const MeshView& m;
    PlacedSmooth body;  // about its centre
    Vec3 centre;        // in the wall's frame [m]
    double margin;      // how near counts [m]

    SCREE_HD Vec3 corner(std::int32_t v) const { return mesh_vertex(m, v) - centre; }

    SCREE_HD bool over(std::int32_t t, Vec3 foot) const {
        for (int k = 0; k < 3; ++k)
            if (!(dot(foot - corner(m.triangle[3 * t + k]), m.edge_normal[3 * t + k]) >= 0)) return false;
        return true;
    }

    /// touch: out, with the patch's plane.
    SCREE_HD_SHARED OnPatch on_patch(std::int32_t patch, const std::int32_t* triangle, Index first, Index last, SmoothTouch& touch) const {
        const Vec3 normal = m.patch_normal[patch], point = m.patch_point[patch] - centre;
        const Vec3 n = dot(point, normal) > 0 ? normal : -normal;  // out of the body into the wall
        if (!lowest_on_plane(body, point, n, margin, touch)) return OnPatch::Apart;
        // What reaches through the plane beside the patch and back over it does not touch it from this side.
        if (touch.overlap > 0 && !smooth_holds(body, touch.point - (0.5 * touch.overlap) * n)) return OnPatch::Beside;
        for (Index q = first; q < last; ++q)
            if (over(triangle[q], touch.point)) return OnPatch::Over;
        return OnPatch::Beside;
    }

    /// Does the mesh go away from its edge e along n, into the wall?
    SCREE_HD bool is_outward(std::int32_t e, Vec3 n) const {
        for (Index k = m.edge_start[e]; k < m.edge_start[e + 1]; ++k) {
            const std::int32_t t = m.edge_triangle[k];
            for (int side = 0; side < 3; ++side) {
                if (m.triangle_edge[3 * t + side] != e) continue;
                const Vec3 inwards = m.edge_normal[3 * t + side];
                if (dot(inwards, n) < -feature_slack<double> * norm(inwards)) return false;
            }
        }
        return true;
    }
    SCREE_HD bool is_outward_corner(std::int32_t v, Vec3 n) const {
        for (Index k = m.vertex_start[v]; k < m.vertex_start[v + 1]; ++k) {
            const std::int32_t e = m.vertex_edge[k], other = m.edge[2 * e] == v ? m.edge[2 * e + 1] : m.edge[2 * e];
            const Vec3 along = mesh_vertex(m, other) - mesh_vertex(m, v);
            if (dot(along, n) < -feature_slack<double> * norm(along)) return false;
        }
        return true;
    }

    SCREE_HD std::int32_t owner(std::int32_t e) const { return m.triangle_patch[m.edge_triangle[m.edge_start[e]]]; }

    /// The deepest of the edges and corners of a patch that the body touches as its own.
    SCREE_HD_SHARED bool at_rim(std::int32_t patch, const std::int32_t* triangle, Index first, Index last, SmoothTouch& found) const {
        bool any = false;
        SmoothTouch t{};
        const auto take = [&] {
            if (any && !(t.overlap > found.overlap)) return;
            found = t;
            any = true;
        };
        for (Index q = first; q < last; ++q) {
            for (int k = 0; k < 3; ++k) {
                const std::int32_t e = m.triangle_edge[3 * triangle[q] + k], v = m.triangle[3 * triangle[q] + k];
                if (m.edge_inner[e] == 0 && owner(e) == patch) {
                    const Vec3 from = corner(m.edge[2 * e]), to = corner(m.edge[2 * e + 1]) - from;
                    const double length = norm(to);
                    if (smooth_with_edge(body, from, (1 / length) * to, length, margin, t) && is_outward(e, t.normal)) take();
                }
                if (m.vertex_inner[v] == 0 && owner(m.vertex_edge[m.vertex_start[v]]) == patch &&
                    smooth_with_corner(body, corner(v), margin, t) && is_outward_corner(v, t.normal))
                    take();
            }
        }
        return any;
    }
};

}  // namespace scree::SCREE_FLAVOR
