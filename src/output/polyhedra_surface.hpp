// The surfaces of all polyhedra of a snapshot in the world frame. Each body has vertices of its own, so its surface is closed by itself.
// Invariant: faces run counterclockwise from outside; bodies in the order of the snapshot; spheres are left out.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/snapshot.hpp"
#include "output/frame_geometry.hpp"

namespace scree {

struct PolyhedraSurface {
    std::vector<Vec3> point;                // [m]
    std::vector<std::int32_t> face_start;   // faces + 1
    std::vector<std::int32_t> face_point;   // loops of points
    std::vector<std::uint32_t> face_body;   // row of the snapshot, per face
    std::vector<std::uint32_t> point_body;  // row of the snapshot, per point

    std::size_t faces() const { return face_body.size(); }
};

enum class Faces { Whole, Triangles };  // polygons as they are, or fans of triangles over them

/// True where body `i` is a compound, whose members are what there is to see.
bool is_compound(const std::vector<ShapeFaces>& shapes, const Snapshot& snapshot, std::size_t i);

/// Throws Error where a snapshot names a shape that is not there, or has more than 2^31 - 1 numbers of points.
PolyhedraSurface polyhedra_surface(const std::vector<ShapeFaces>& shapes, const Snapshot& snapshot, Faces faces);

/// Points and triangles of such a surface.
struct SurfaceSize {
    std::size_t points{0};
    std::size_t triangles{0};
};
SurfaceSize surface_size(const std::vector<ShapeFaces>& shapes, const std::vector<std::int32_t>& shape_of_bodies);

/// True where body `i` is a polyhedron with an orientation, or a compound.
inline bool is_polyhedron(const Snapshot& snapshot, std::size_t i) {
    return !snapshot.shape.empty() && !snapshot.orientation.empty() && snapshot.shape[i] >= 0;
}

}  // namespace scree
