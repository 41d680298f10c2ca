// How deep points are inside a closed mesh: the distance from its surface, below 0 outside. The sign is that of the angle-weighted normal
// at the nearest point (Baerentzen & Aanaes 2005, IEEE Trans. Vis. Comput. Graph. 11:243), exact on a closed mesh whatever its form.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "setup/meshes/closed_mesh.hpp"
#include "setup/meshes/triangle_tree.hpp"

namespace scree {

class MeshDepth {
public:
    /// `cell` [m]: of a grid of depths, which answer for points whose cell is farther from the surface than it is wide. Keeps a reference
    /// to the mesh.
    MeshDepth(const ClosedMesh& mesh, double cell);
    MeshDepth(const MeshDepth&) = delete;
    MeshDepth& operator=(const MeshDepth&) = delete;

    /// Depth of a point [m].
    double depth(Vec3 p) const { return found_at(p, tree_.nearest(p)).depth; }
    /// Whether it is `least` or more. Fast away from the surface; not for several threads at once.
    bool is_deep(Vec3 p, double least) const;
    /// p, moved inwards until it is `least` deep, as far as that is possible.
    Vec3 moved_inwards(Vec3 p, double least) const;
    /// A point as deep as there is, nearly, and its depth.
    Vec3 deepest() const { return deepest_; }
    double most() const { return most_; }

    const Aabb& bounds() const { return bounds_; }

private:
    struct Found {
        double depth;
        Vec3 inwards;  // unit, or 0 on the surface
    };
    Found found_at(Vec3 p, const TriangleTree::Nearest& nearest) const;
    /// What is at p where that is less than `least` deep.
    std::optional<Found> found_shallow(Vec3 p, double least) const;
    /// The depth of the middle of the cell that p is in, and how far p is from it.
    double depth_about(Vec3 p, double& away) const;
    void find_deepest();

    const ClosedMesh& mesh_;
    TriangleTree tree_;
    Aabb bounds_;
    std::vector<Vec3> corner_normal_;               // of each vertex, weighted by angles
    std::vector<std::array<Vec3, 3>> edge_normal_;  // of each triangle
    double cell_;
    std::int64_t count_[3];
    mutable std::vector<float> cells_;  // depths rounded towards 0, NaN before they are asked for [m]
    Vec3 deepest_;
    double most_{0};
};

}  // namespace scree
