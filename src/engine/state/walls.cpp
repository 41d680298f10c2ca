#include "engine/state/walls.hpp"

#include <algorithm>
#include <cmath>

#include "model/surfaces/mesh_topology.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// The joint mesh tables while they grow on the host.
struct JointMesh {
    std::vector<Vec3> vertex, edge_normal, patch_normal, patch_point;
    std::vector<std::int32_t> triangle, triangle_edge, triangle_patch, patch_wall, patch_material, edge, edge_triangle, vertex_edge;
    std::vector<Index> edge_start{0}, vertex_start{0};
    std::vector<std::uint8_t> edge_inner, vertex_inner;

    void add(const MeshTopology& m, std::int32_t wall, std::int32_t material) {
        const auto vertex0 = static_cast<std::int32_t>(vertex.size());
        const auto triangle0 = static_cast<std::int32_t>(triangle_patch.size());
        const auto edge0 = static_cast<std::int32_t>(edge_inner.size());
        const auto patch0 = static_cast<std::int32_t>(patch_wall.size());
        const Index edge_triangle0 = static_cast<Index>(edge_triangle.size()), vertex_edge0 = static_cast<Index>(vertex_edge.size());
        vertex.insert(vertex.end(), m.vertex.begin(), m.vertex.end());
        patch_normal.insert(patch_normal.end(), m.patch_normal.begin(), m.patch_normal.end());
        patch_point.insert(patch_point.end(), m.patch_point.begin(), m.patch_point.end());
        patch_wall.insert(patch_wall.end(), m.patches(), wall);
        patch_material.insert(patch_material.end(), m.patches(), material);
        for (std::size_t t = 0; t < m.triangle.size(); ++t) {
            for (int k = 0; k < 3; ++k) triangle.push_back(vertex0 + m.triangle[t][static_cast<std::size_t>(k)]);
            for (int k = 0; k < 3; ++k) triangle_edge.push_back(edge0 + m.triangle_edge[t][static_cast<std::size_t>(k)]);
            triangle_patch.push_back(patch0 + m.patch[t]);
            const Vec3 corner[3] = {m.vertex[static_cast<std::size_t>(m.triangle[t][0])],
                                    m.vertex[static_cast<std::size_t>(m.triangle[t][1])],
                                    m.vertex[static_cast<std::size_t>(m.triangle[t][2])]};
            const Vec3 normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
            for (int k = 0; k < 3; ++k) edge_normal.push_back(cross(normal, corner[(k + 1) % 3] - corner[k]));
        }
        for (const auto& e : m.edge) {
            edge.push_back(vertex0 + e[0]);
            edge.push_back(vertex0 + e[1]);
        }
        for (const std::int32_t t : m.edge_triangle) edge_triangle.push_back(triangle0 + t);
        for (const std::int32_t e : m.vertex_edge) vertex_edge.push_back(edge0 + e);
        for (std::size_t k = 1; k < m.edge_start.size(); ++k) edge_start.push_back(edge_triangle0 + m.edge_start[k]);
        for (std::size_t k = 1; k < m.vertex_start.size(); ++k) vertex_start.push_back(vertex_edge0 + m.vertex_start[k]);
        edge_inner.insert(edge_inner.end(), m.edge_inner.begin(), m.edge_inner.end());
        vertex_inner.insert(vertex_inner.end(), m.vertex_inner.begin(), m.vertex_inner.end());
    }

    /// Does the plane of triangle t pass through a cell, a little widened for rounding? Slanted triangles have boxes far larger than
    /// themselves.
    bool plane_meets_cell(std::size_t t, const TriangleGrid& g, Index x, Index y, Index z) const {
        const auto patch = static_cast<std::size_t>(triangle_patch[t]);
        const Vec3 n = patch_normal[patch];
        const double half = 0.5 * g.cell;
        const Vec3 centre = g.origin + Vec3{(static_cast<double>(x) + 0.5) * g.cell, (static_cast<double>(y) + 0.5) * g.cell,
                                            (static_cast<double>(z) + 0.5) * g.cell};
        const double reach = half * (std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z));
        // A patch is flat to 1e-4 rad of its size; a hundredth of a cell covers that for triangles up to a hundred cells long.
        return std::fabs(dot(centre - patch_point[patch], n)) <= 1.02 * reach + 0.01 * g.cell;
    }

    Aabb box_of(std::size_t t) const {
        Aabb box;
        for (std::size_t k = 0; k < 3; ++k) box.include(vertex[static_cast<std::size_t>(triangle[3 * t + k])]);
        return box;
    }
};

Index range_cells(const TriangleGrid& g, const Aabb& box, Index low[3], Index high[3]) {
    const double lo[3] = {box.min.x, box.min.y, box.min.z}, hi[3] = {box.max.x, box.max.y, box.max.z};
    const double origin[3] = {g.origin.x, g.origin.y, g.origin.z};
    Index cells = 1;
    for (int a = 0; a < 3; ++a) {
        low[a] = grid_along(lo[a], origin[a], g.cell, g.count[a]);
        high[a] = grid_along(hi[a], origin[a], g.cell, g.count[a]);
        cells *= high[a] - low[a] + 1;
    }
    return cells;
}

void size_grid(TriangleGrid& g, const Aabb& all, double cell) {
    g.origin = all.min;
    const Vec3 extent = all.max - all.min;
    const double along[3] = {extent.x, extent.y, extent.z};
    constexpr double most_cells = 4e6;
    for (g.cell = cell;; g.cell *= 1.25) {
        double cells = 1;
        for (int a = 0; a < 3; ++a) {
            const double here = std::floor(along[a] / g.cell) + 1;
            cells *= here;
            g.count[a] = here < 1e9 ? static_cast<Index>(here) : 1;
        }
        if (cells <= most_cells) return;
    }
}

/// The cells of all grids while they grow on the host.
struct JointCells {
    std::vector<TriangleGrid> grids;
    std::vector<Index> start{0};
    std::vector<std::int32_t> triangle;
};

/// A grid over the listed triangles, ascending: count, scan, write, in order of triangles. `wall`: see TriangleGrid.
void lay_grid(const JointMesh& mesh, const std::vector<std::size_t>& triangles, double cell, std::int32_t wall, JointCells& cells) {
    Aabb all;
    for (const std::size_t t : triangles) {
        const Aabb box = mesh.box_of(t);
        all.include(box.min);
        all.include(box.max);
    }
    if (triangles.empty()) all = {{0, 0, 0}, {0, 0, 0}};
    TriangleGrid g{};
    g.wall = wall;
    g.first_cell = static_cast<Index>(cells.start.size()) - 1;
    size_grid(g, all, cell);
    Index lo[3], hi[3];
    // Large triangles in small cells: widen the cells until the lists stay near a hundred cells a triangle.
    for (;; size_grid(g, all, g.cell * 1.5)) {
        Index entries = 0;
        for (const std::size_t t : triangles) entries += range_cells(g, mesh.box_of(t), lo, hi);
        if (entries <= 2000000 + 100 * static_cast<Index>(triangles.size()) || g.count[0] * g.count[1] * g.count[2] <= 64) break;
    }
    std::vector<Index> start(static_cast<std::size_t>(g.count[0] * g.count[1] * g.count[2]) + 1, 0);
    const auto each_cell = [&](std::size_t t, auto use) {
        range_cells(g, mesh.box_of(t), lo, hi);
        for (Index z = lo[2]; z <= hi[2]; ++z)
            for (Index y = lo[1]; y <= hi[1]; ++y)
                for (Index x = lo[0]; x <= hi[0]; ++x)
                    if (mesh.plane_meets_cell(t, g, x, y, z)) use(static_cast<std::size_t>((z * g.count[1] + y) * g.count[0] + x));
    };
    for (const std::size_t t : triangles) each_cell(t, [&](std::size_t c) { ++start[c + 1]; });
    start[0] = cells.start.back();
    for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
    cells.triangle.resize(static_cast<std::size_t>(start.back()));
    cells.start.insert(cells.start.end(), start.begin() + 1, start.end());
    for (const std::size_t t : triangles)
        each_cell(t, [&](std::size_t c) { cells.triangle[static_cast<std::size_t>(start[c]++)] = static_cast<std::int32_t>(t); });
    cells.grids.push_back(g);
}

/// One grid over the triangles of all walls that stay in place, then one for each wall that moves.
void lay_grids(const Model& model, const JointMesh& mesh, double cell, Walls& walls) {
    const std::size_t n = mesh.triangle_patch.size();
    std::vector<std::vector<std::size_t>> moving(model.walls.size());
    std::vector<std::size_t> still;
    std::vector<Vec3> low(n), high(n);
    for (std::size_t t = 0; t < n; ++t) {
        const auto wall = static_cast<std::size_t>(mesh.patch_wall[static_cast<std::size_t>(mesh.triangle_patch[t])]);
        (moves(model.walls[wall]) ? moving[wall] : still).push_back(t);
        const Aabb box = mesh.box_of(t);
        low[t] = box.min;
        high[t] = box.max;
    }
    JointCells cells;
    lay_grid(mesh, still, cell, -1, cells);
    for (std::size_t w = 0; w < moving.size(); ++w) {
        if (!moving[w].empty()) lay_grid(mesh, moving[w], cell, static_cast<std::int32_t>(w), cells);
    }
    walls.grids.assign(cells.grids);
    walls.grid_start.assign(cells.start);
    walls.grid_triangle.assign(cells.triangle);
    walls.triangle_min.assign(low);
    walls.triangle_max.assign(high);
}

void load_analytic(const Model& model, Walls& walls) {
    std::vector<Vec3> plane_point, plane_normal, cylinder_point, cylinder_axis, middle;
    std::vector<double> radius, length, cosine, sine;
    std::vector<std::int32_t> plane_wall, plane_material, inside, cylinder_wall, cylinder_material;
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        const Wall& wall = model.walls[w];
        for (const Plane& p : wall.planes) {
            plane_point.push_back(p.point);
            plane_normal.push_back(p.normal);
            plane_wall.push_back(static_cast<std::int32_t>(w));
            plane_material.push_back(wall.material);
        }
    }
    walls.joined = joined_cylinders(model);
    for (const Cylinder& c : walls.joined.cylinders) {
        cylinder_point.push_back(c.point);
        cylinder_axis.push_back(c.axis);
        radius.push_back(c.radius);
        length.push_back(c.length);
        inside.push_back(c.inside ? 1 : 0);
        middle.push_back(c.middle);
        cosine.push_back(arc_cosine(c));
        sine.push_back(arc_sine(c));
    }
    for (const std::int32_t w : walls.joined.wall) {
        cylinder_wall.push_back(w);
        cylinder_material.push_back(model.walls[static_cast<std::size_t>(w)].material);
    }
    walls.planes = static_cast<Index>(plane_wall.size());
    walls.plane_point.assign(plane_point);
    walls.plane_normal.assign(plane_normal);
    walls.plane_wall.assign(plane_wall);
    walls.plane_material.assign(plane_material);
    walls.cylinders = static_cast<Index>(cylinder_wall.size());
    walls.cylinder_point.assign(cylinder_point);
    walls.cylinder_axis.assign(cylinder_axis);
    walls.cylinder_radius.assign(radius);
    walls.cylinder_length.assign(length);
    walls.cylinder_inside.assign(inside);
    walls.cylinder_wall.assign(cylinder_wall);
    walls.cylinder_material.assign(cylinder_material);
    walls.arcs = model.dimensions == 2;
    if (!walls.arcs) return;
    walls.arc_middle.assign(middle);
    walls.arc_cosine.assign(cosine);
    walls.arc_sine.assign(sine);
}

void load_meshes(const Model& model, double cell, Walls& walls) {
    JointMesh mesh;
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        const Wall& wall = model.walls[w];
        if (!wall.mesh.triangles.empty()) mesh.add(mesh_topology(wall.mesh), static_cast<std::int32_t>(w), wall.material);
    }
    walls.patches = static_cast<Index>(mesh.patch_wall.size());
    walls.triangles = static_cast<Index>(mesh.triangle_patch.size());
    walls.vertex.assign(mesh.vertex);
    walls.edge_normal.assign(mesh.edge_normal);
    walls.patch_normal.assign(mesh.patch_normal);
    walls.patch_point.assign(mesh.patch_point);
    walls.triangle.assign(mesh.triangle);
    walls.triangle_edge.assign(mesh.triangle_edge);
    walls.triangle_patch.assign(mesh.triangle_patch);
    walls.patch_wall.assign(mesh.patch_wall);
    walls.patch_material.assign(mesh.patch_material);
    walls.edge.assign(mesh.edge);
    walls.edge_triangle.assign(mesh.edge_triangle);
    walls.vertex_edge.assign(mesh.vertex_edge);
    walls.edge_start.assign(mesh.edge_start);
    walls.vertex_start.assign(mesh.vertex_start);
    walls.edge_inner.assign(mesh.edge_inner);
    walls.vertex_inner.assign(mesh.vertex_inner);
    lay_grids(model, mesh, cell, walls);
}

}  // namespace

void load_walls(const Model& model, double cell, Walls& walls) {
    walls.active.assign(std::vector<std::uint8_t>(model.walls.size(), 1));
    load_analytic(model, walls);
    load_meshes(model, cell, walls);
    load_motions(model, walls.motions);
}

std::size_t Walls::bytes() const {
    const auto sum = [](const auto&... arrays) { return (arrays.bytes() + ...); };
    return sum(active, plane_point, plane_normal, plane_wall, plane_material, cylinder_point, cylinder_axis, cylinder_radius,
               cylinder_length, cylinder_inside, cylinder_wall, cylinder_material, arc_middle, arc_cosine, arc_sine, vertex, edge_normal,
               patch_normal, patch_point, triangle, triangle_edge, triangle_patch, patch_wall, patch_material, edge, edge_triangle,
               vertex_edge, edge_start, vertex_start, edge_inner, vertex_inner, grids, motions, grid_start, grid_triangle, triangle_min,
               triangle_max);
}

}  // namespace scree::SCREE_FLAVOR
