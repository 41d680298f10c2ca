// A part of the solid inside a closed mesh, on one side of each of some planes; cut by further ones.
// Its surface is what is left of the mesh's triangles and a fan of triangles for each cut, which may lie over each other: all together,
// with their signs, they close it, so that volumes are exact whatever the form of the cuts. Corners of its hull are only those that the
// solid has.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/vec3.hpp"
#include "setup/meshes/closed_mesh.hpp"

namespace scree {

/// Below it: normal . x < offset.
struct CutPlane {
    Vec3 normal;       // unit
    double offset{0};  // [m]
};

/// What a plane leaves on its two sides, below and above it.
struct CutSides {
    std::array<std::vector<Vec3>, 2> corners;  // points that hold all corners of each side's hull
    std::array<double, 2> volume{0, 0};        // [m3]
    double area{0};                            // of the cut [m2]
    double parted{0};                          // share of the concave edges, by length and angle, that lie in the plane
};

class MeshPiece {
public:
    /// Is a point inside the solid, not on its surface?
    using Inside = std::function<bool(Vec3)>;

    /// The whole solid. Corners nearer to a plane than `rounding` [m] count as on it.
    MeshPiece(const ClosedMesh& mesh, double rounding);

    double volume() const { return volume_; }
    /// Points that hold all corners of its hull.
    std::vector<Vec3> corners() const;
    Moments moments() const;

    /// The plane's two sides, without cutting. O(triangles).
    CutSides sides(const CutPlane& plane, const Inside& inside) const;
    /// The same, cut.
    std::array<MeshPiece, 2> cut(const CutPlane& plane, const Inside& inside) const;

    /// An edge of the mesh along which it is concave, and the planes of its two triangles.
    struct ConcaveEdge {
        Vec3 from, to;
        Vec3 normal[2];    // unit, outwards
        double angle{0};   // by which it is bent inwards [rad]
        double weight{0};  // angle times length
        std::array<std::int32_t, 2> ends{};
    };
    const std::vector<ConcaveEdge>& concave_edges() const { return concave_; }

private:
    using Triangle = std::array<std::int32_t, 3>;
    using Edge = std::array<std::int32_t, 2>;

    MeshPiece() = default;
    void complete();
    void find_concave_edges();
    std::vector<double> heights(const CutPlane& plane) const;
    std::vector<Vec3> new_corners(const CutPlane& plane, const Inside& inside) const;

    double rounding_{0};
    std::vector<Vec3> point_;
    std::vector<Triangle> triangle_;
    std::size_t own_{0};         // so many triangles first are the mesh's; the others close the cuts
    std::vector<Edge> edge_;     // of the mesh's triangles, each once
    std::vector<Vec3> corner_;   // where three cuts meet inside the solid
    std::vector<CutPlane> cut_;  // it is below each
    std::vector<Vec3> area_;     // of each triangle, twice its vector
    std::vector<ConcaveEdge> concave_;
    double bent_{0};  // sum of their weights
    double volume_{0};
};

}  // namespace scree
