#include <cmath>

#include "engine/broad/broad.hpp"
#include "engine/narrow/sphere_mesh.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct TriangleSearch {
    TriangleGridView grid;
    MeshView mesh;
    BodyView body;
    const WallPlace* places;
    const std::uint8_t* active;
    double skin;
    std::int32_t materials;
    BodyClass which;
    ApartView apart;
};

/// Is a triangle within reach [m] of c? Its box and its plane first: of the triangles near one on a slant or a curved wall most fail there.
SCREE_HD bool near_triangle(const TriangleSearch& s, std::int32_t t, Vec3 c, double reach) {
    const Vec3 low = s.grid.min[t], high = s.grid.max[t];
    if (c.x + reach < low.x || c.x - reach > high.x || c.y + reach < low.y || c.y - reach > high.y || c.z + reach < low.z ||
        c.z - reach > high.z)
        return false;
    const std::int32_t patch = s.mesh.triangle_patch[t];
    if (std::fabs(dot(c - s.mesh.patch_point[patch], s.mesh.patch_normal[patch])) >= reach * (1 + 1e-9)) return false;
    return nearest_feature(s.mesh, t, c).distance2 < reach * reach * (1 + 1e-9);
}

/// Triangles of one grid near body i, a sphere at c in the grid's frame.
template <class Found>
SCREE_HD void visit_grid(const TriangleSearch& s, const TriangleGrid& g, Index i, Vec3 c, double reach, Found found) {
    const Index lx = grid_along(c.x - reach, g.origin.x, g.cell, g.count[0]), hx = grid_along(c.x + reach, g.origin.x, g.cell, g.count[0]);
    const Index ly = grid_along(c.y - reach, g.origin.y, g.cell, g.count[1]), hy = grid_along(c.y + reach, g.origin.y, g.cell, g.count[1]);
    const Index lz = grid_along(c.z - reach, g.origin.z, g.cell, g.count[2]), hz = grid_along(c.z + reach, g.origin.z, g.cell, g.count[2]);
    for (Index z = lz; z <= hz; ++z) {
        for (Index y = ly; y <= hy; ++y) {
            const Index row = g.first_cell + (z * g.count[1] + y) * g.count[0];
            // Cells along x lie side by side.
            for (Index k = s.grid.start[row + lx]; k < s.grid.start[row + hx + 1]; ++k) {
                const std::int32_t t = s.grid.triangle[k];
                const std::int32_t wall = s.mesh.patch_wall[s.mesh.triangle_patch[t]];
                if (near_triangle(s, t, c, reach) && s.active[wall] != 0 && !s.apart.body_and_wall(i, wall)) found(t);
            }
        }
    }
}

/// Calls found(t) for each triangle of an active wall near body i, more than once where it lies in several cells.
template <class Found>
SCREE_HD void visit_triangles(const TriangleSearch& s, Index i, Found found) {
    if (!s.body.is_of(s.which, i)) return;
    const Vec3 c = s.body.position[i];
    const double reach = s.body.radius[i] + s.skin;
    for (Index k = 0; k < s.grid.grids; ++k) {
        const TriangleGrid& g = s.grid.grid[k];
        visit_grid(s, g, i, g.wall < 0 ? c : in_frame(s.places[g.wall].pose, c), reach, found);
    }
}

struct CountTriangles {
    std::int32_t* count;
    SCREE_HD void operator()(std::int32_t) const { ++*count; }
};

/// Keeps the list sorted by patch, then triangle, and without repetition while it grows.
struct InsertTriangle {
    const std::int32_t* patch;
    std::int32_t* list;
    std::int32_t* length;
    SCREE_HD bool before(std::int32_t t, std::int32_t u) const { return patch[t] != patch[u] ? patch[t] < patch[u] : t < u; }
    SCREE_HD void operator()(std::int32_t t) const {
        std::int32_t to = *length;
        while (to > 0 && before(t, list[to - 1])) --to;
        if (to > 0 && list[to - 1] == t) return;
        for (std::int32_t k = *length; k > to; --k) list[k] = list[k - 1];
        list[to] = t;
        ++*length;
    }
};

/// Candidates of each body from work.offset on, their number in work.count.
void list_triangles(const TriangleSearch& s, Index bodies, Workspace& work, ContactList& pairs) {
    work.count.resize(bodies);
    std::int32_t* count = work.count.data();
    for_each(
        work.exec, "broad/count_triangles", bodies, SCREE_LAMBDA(Index i)->void {
            std::int32_t found = 0;
            visit_triangles(s, i, CountTriangles{&found});
            count[i] = found;
        });
    pairs.triangle.resize(scan_counts(work.exec, count, bodies, work.offset));
    std::int32_t* triangle = pairs.triangle.data();
    const Index* offset = work.offset.data();
    for_each(
        work.exec, "broad/write_triangles", bodies, SCREE_LAMBDA(Index i)->void {
            if (count[i] == 0) return;
            std::int32_t length = 0;
            visit_triangles(s, i, InsertTriangle{s.mesh.triangle_patch, triangle + offset[i], &length});
            count[i] = length;
        });
}

/// One pair per run of equal patches in each body's list. Leaves the number of pairs of each body in work.count.
void list_patches(const Model& model, const TriangleSearch& s, State& state, Workspace& work, PairList list) {
    const Index bodies = state.bodies.count;
    ContactList& pairs = state.lists[list];
    const Index* offset = work.offset.data();
    const std::int32_t* triangle = pairs.triangle.data();
    std::int32_t* count = work.count.data();
    work.runs.resize(bodies);
    std::int32_t* runs = work.runs.data();
    for_each(
        work.exec, "broad/count_patches", bodies, SCREE_LAMBDA(Index i)->void {
            const std::int32_t* mine = triangle + offset[i];
            std::int32_t found = 0;
            for (std::int32_t k = 0; k < count[i]; ++k) {
                found += k == 0 || s.mesh.triangle_patch[mine[k]] != s.mesh.triangle_patch[mine[k - 1]] ? 1 : 0;
            }
            runs[i] = found;
        });
    const Index n = lay_wall_rows(work.exec, runs, bodies, pairs);
    resize_wall_pairs(model, state, work.exec, list, n);
    pairs.triangle_start.resize(n);
    pairs.triangle_end.resize(n);
    Slot* slot = pairs.a.data();
    std::int32_t* surface = pairs.b.data();
    std::int32_t* law = pairs.law.data();
    Index* triangle_start = pairs.triangle_start.data();
    Index* triangle_end = pairs.triangle_end.data();
    const RowStart* start = pairs.row_start.data();
    for_each(
        work.exec, "broad/write_patches", bodies, SCREE_LAMBDA(Index i)->void {
            Index p = Index{start[i]} - 1;
            std::int32_t last_patch = -1;
            for (Index k = offset[i]; k < offset[i] + count[i]; ++k) {
                const std::int32_t patch = s.mesh.triangle_patch[triangle[k]];
                if (patch != last_patch) {
                    ++p;
                    slot[p] = static_cast<Slot>(i);
                    surface[p] = patch;
                    law[p] = s.body.material[i] * s.materials + s.mesh.patch_material[patch];
                    triangle_start[p] = k;
                    last_patch = patch;
                }
                triangle_end[p] = k + 1;
            }
        });
}

void list_near_bodies(Index bodies, Workspace& work, ContactList& pairs) {
    std::int32_t* near = work.count.data();
    for_each(
        work.exec, "broad/mark_near", bodies, SCREE_LAMBDA(Index i)->void { near[i] = near[i] > 0 ? 1 : 0; });
    pairs.near_body.resize(scan_counts(work.exec, near, bodies, work.offset));
    const Index* offset = work.offset.data();
    Slot* list = pairs.near_body.data();
    for_each(
        work.exec, "broad/list_near", bodies, SCREE_LAMBDA(Index i)->void {
            if (near[i] != 0) list[offset[i]] = static_cast<Slot>(i);
        });
}

}  // namespace

void find_mesh_pairs(const Model& model, State& state, Workspace& work, PairList list) {
    const Index bodies = state.bodies.count;
    ContactList& pairs = state.lists[list];
    if (work.walls.triangles == 0) {
        if (model.method != Method::Fluid) {
            pairs.row_start.drop();
        } else if (pairs.row_start.size() != bodies + 1) {
            pairs.row_start.resize_zero(bodies + 1);
        }
        return;
    }
    const TriangleSearch s{work.walls.grid_view(),
                           work.walls.mesh_view(),
                           state.bodies.view(),
                           work.walls.motions.places(),
                           work.walls.active.data(),
                           list_margin(state),
                           static_cast<std::int32_t>(model.materials.size()),
                           bodies_of(list),
                           apart_from_walls(state, work)};
    list_triangles(s, bodies, work, pairs);
    list_patches(model, s, state, work, list);
    list_near_bodies(bodies, work, pairs);
}

}  // namespace scree::SCREE_FLAVOR
