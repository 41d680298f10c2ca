// Wall surfaces where kernels read them: planes, cylinders, and one joint table of all meshes. Constant but for `active` and the places
// of walls that move; the surfaces of those are in the wall's frame, that is in their first place.
#pragma once

#include <cmath>

#include "engine/contacts/lists.hpp"
#include "engine/exec/array.hpp"
#include "engine/state/wall_motion.hpp"
#include "model/surfaces/joined_cylinders.hpp"
#include "model/model.hpp"

namespace scree::SCREE_FLAVOR {

struct PlaneView {
    Vec3View<double> point, normal;
    const std::int32_t* wall;
    const std::int32_t* material;
};

struct CylinderView {
    Vec3View<double> point, axis;
    const double* radius;
    const double* length;  // 0: another stands for it
    const std::int32_t* inside;
    const std::int32_t* wall;
    const std::int32_t* material;
    // Of arcs, in plane models: unit vector to the middle, cosine and sine of the half angle; cosine -2: all round.
    Vec3View<double> middle;
    const double *cosine, *sine;
};

/// All meshes in one; indices run over the joint tables. Meaning of the tables: model/surfaces/mesh_topology.hpp.
struct MeshView {
    Vec3View<double> vertex;
    Vec3View<double> edge_normal;       // 3 per triangle: in its plane, inwards, across edge k; length 2 area * edge
    const std::int32_t* triangle;       // 3 per triangle: vertices
    const std::int32_t* triangle_edge;  // 3 per triangle
    const std::int32_t* triangle_patch;
    Vec3View<double> patch_normal, patch_point;
    const std::int32_t* patch_wall;
    const std::int32_t* patch_material;
    const std::int32_t* edge;  // 2 per edge: vertices, low then high
    const Index* edge_start;   // edge -> triangles
    const std::int32_t* edge_triangle;
    const Index* vertex_start;  // vertex -> edges
    const std::int32_t* vertex_edge;
    const std::uint8_t* edge_inner;
    const std::uint8_t* vertex_inner;
};

/// Geometry of a grid over triangles; points outside go to the border cells. One for all walls that stay in place, one for each that moves.
struct TriangleGrid {
    Vec3 origin;
    double cell;  // edge length [m]
    Index count[3];
    Index first_cell;   // its first cell in the joint table
    std::int32_t wall;  // in whose frame it lies, -1: the world's
};

struct TriangleGridView {
    const TriangleGrid* grid;
    Index grids;
    const Index* start;
    const std::int32_t* triangle;
    Vec3View<double> min, max;
};

struct Walls {
    Index planes{0}, cylinders{0}, patches{0}, triangles{0};
    Array<std::uint8_t> active;             // per wall, 1 while it exists; written by step
    std::vector<std::uint8_t> active_host;  // the same, on the host

    Vec3Array<double> plane_point, plane_normal;
    Array<std::int32_t> plane_wall, plane_material;

    Vec3Array<double> cylinder_point, cylinder_axis;
    Array<double> cylinder_radius, cylinder_length;
    Array<std::int32_t> cylinder_inside, cylinder_wall, cylinder_material;
    JoinedCylinders joined;  // who owns which part of them
    bool arcs{false};        // a plane model: its cylinders are arcs
    Vec3Array<double> arc_middle;
    Array<double> arc_cosine, arc_sine;

    Vec3Array<double> vertex, edge_normal, patch_normal, patch_point;
    Array<std::int32_t> triangle, triangle_edge, triangle_patch, patch_wall, patch_material, edge, edge_triangle, vertex_edge;
    Array<Index> edge_start, vertex_start;
    Array<std::uint8_t> edge_inner, vertex_inner;

    // Uniform grids over the triangles' boxes, cells of all in CSR form.
    Array<TriangleGrid> grids;
    Array<Index> grid_start;                       // cells of all + 1
    Array<std::int32_t> grid_triangle;             // ascending in each cell
    Vec3Array<double> triangle_min, triangle_max;  // box of each triangle [m]

    WallMotions motions;

    /// The wall of each surface of a class.
    const Array<std::int32_t>& walls_of(Partner surfaces) const {
        return surfaces == Partner::Plane ? plane_wall : (surfaces == Partner::Cylinder ? cylinder_wall : patch_wall);
    }
    PlaneView plane_view() { return {plane_point.view(), plane_normal.view(), plane_wall.data(), plane_material.data()}; }
    CylinderView cylinder_view() {
        return {cylinder_point.view(), cylinder_axis.view(),     cylinder_radius.data(), cylinder_length.data(), cylinder_inside.data(),
                cylinder_wall.data(),  cylinder_material.data(), arc_middle.view(),      arc_cosine.data(),      arc_sine.data()};
    }
    MeshView mesh_view() {
        return {vertex.view(),         edge_normal.view(),  triangle.data(),    triangle_edge.data(),
                triangle_patch.data(), patch_normal.view(), patch_point.view(), patch_wall.data(),
                patch_material.data(), edge.data(),         edge_start.data(),  edge_triangle.data(),
                vertex_start.data(),   vertex_edge.data(),  edge_inner.data(),  vertex_inner.data()};
    }
    TriangleGridView grid_view() {
        return {grids.data(), grids.size(), grid_start.data(), grid_triangle.data(), triangle_min.view(), triangle_max.view()};
    }
    std::size_t bytes() const;
};

/// Cell of a coordinate along one axis, held to the grid.
SCREE_HD Index grid_along(double x, double origin, double cell, Index count) {
    const double k = std::floor((x - origin) / cell);
    const double last = static_cast<double>(count - 1);
    // A NaN goes to the first cell; that it is one is found elsewhere.
    return static_cast<Index>(!(k > 0) ? 0.0 : (k > last ? last : k));
}

/// Cosine and sine of half an arc's angle as kernels read them: -2 and 0 all round.
inline bool is_whole(const Cylinder& arc) {
    return arc.half_angle >= 3.14159265358979;
}
inline double arc_cosine(const Cylinder& arc) {
    return is_whole(arc) ? -2.0 : std::cos(arc.half_angle);
}
inline double arc_sine(const Cylinder& arc) {
    return is_whole(arc) ? 0.0 : std::sin(arc.half_angle);
}

/// Fills the tables from the model's walls; all walls start active. Triangle cells are about `cell` [m] wide.
void load_walls(const Model& model, double cell, Walls& walls);

}  // namespace scree::SCREE_FLAVOR
