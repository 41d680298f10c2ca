#include <cmath>

#include "engine/broad/broad.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct TriangleSearch {
    TriangleGridView grid;
    MeshView mesh;
    BodyView body;
    const std::uint8_t* active;
    double skin;
    std::int32_t materials;
};

/// Box and plane of a triangle against a sphere of the given reach [m].
SCREE_HD bool near_triangle(const TriangleSearch& s, std::int32_t t, Vec3 c, double reach) {
    const Vec3 low = s.grid.min[t], high = s.grid.max[t];
    if (c.x + reach < low.x || c.x - reach > high.x || c.y + reach < low.y || c.y - reach > high.y || c.z + reach < low.z ||
        c.z - reach > high.z)
        return false;
    const std::int32_t patch = s.mesh.triangle_patch[t];
    return std::fabs(dot(c - s.mesh.patch_point[patch], s.mesh.patch_normal[patch])) < reach * (1 + 1e-9);
}

/// Calls found(t) once for each triangle of an active wall near body i: in the lowest cell that both ranges share.
template <class Found>
SCREE_HD void visit_triangles(const TriangleSearch& s, Index i, Found found) {
    const TriangleGrid& g = s.grid.grid;
    const Vec3 c = s.body.position[i];
    const double reach = s.body.radius[i] + s.skin;
    const Index lx = grid_along(c.x - reach, g.origin.x, g.cell, g.count[0]), hx = grid_along(c.x + reach, g.origin.x, g.cell, g.count[0]);
    const Index ly = grid_along(c.y - reach, g.origin.y, g.cell, g.count[1]), hy = grid_along(c.y + reach, g.origin.y, g.cell, g.count[1]);
    const Index lz = grid_along(c.z - reach, g.origin.z, g.cell, g.count[2]), hz = grid_along(c.z + reach, g.origin.z, g.cell, g.count[2]);
    for (Index z = lz; z <= hz; ++z) {
        for (Index y = ly; y <= hy; ++y) {
            for (Index x = lx; x <= hx; ++x) {
                const Index cell = (z * g.count[1] + y) * g.count[0] + x;
                for (Index k = s.grid.start[cell]; k < s.grid.start[cell + 1]; ++k) {
                    const std::int32_t t = s.grid.triangle[k];
                    const Index tx = s.grid.low[3 * t], ty = s.grid.low[3 * t + 1], tz = s.grid.low[3 * t + 2];
                    if (x != (tx > lx ? tx : lx) || y != (ty > ly ? ty : ly) || z != (tz > lz ? tz : lz)) continue;
                    if (s.active[s.mesh.patch_wall[s.mesh.triangle_patch[t]]] != 0 && near_triangle(s, t, c, reach)) found(t);
                }
            }
        }
    }
}

struct CountTriangles {
    std::int32_t* count;
    SCREE_HD void operator()(std::int32_t) const { ++*count; }
};

/// Keeps the list sorted by patch, then triangle, while it grows.
struct InsertTriangle {
    const std::int32_t* patch;
    std::int32_t* list;
    Index* length;
    SCREE_HD bool before(std::int32_t t, std::int32_t u) const { return patch[t] != patch[u] ? patch[t] < patch[u] : t < u; }
    SCREE_HD void operator()(std::int32_t t) const {
        Index k = (*length)++;
        for (; k > 0 && before(t, list[k - 1]); --k) list[k] = list[k - 1];
        list[k] = t;
    }
};

void list_triangles(const TriangleSearch& s, Index bodies, Workspace& work, MeshPairs& pairs) {
    work.count.resize(bodies);
    std::int32_t* count = work.count.data();
    for_each(
        work.exec, "broad/count_triangles", bodies, SCREE_LAMBDA(Index i)->void {
            std::int32_t found = 0;
            visit_triangles(s, i, CountTriangles{&found});
            count[i] = found;
        });
    pairs.triangle.resize(scan_counts(work.exec, work.count.data(), bodies, work.offset));
    std::int32_t* triangle = pairs.triangle.data();
    const Index* offset = work.offset.data();
    for_each(
        work.exec, "broad/write_triangles", bodies, SCREE_LAMBDA(Index i)->void {
            Index length = 0;
            visit_triangles(s, i, InsertTriangle{s.mesh.triangle_patch, triangle + offset[i], &length});
        });
}

/// One pair per run of equal patches in each body's list.
void list_patches(const TriangleSearch& s, Index bodies, Workspace& work, MeshPairs& pairs) {
    const Index* offset = work.offset.data();
    const std::int32_t* triangle = pairs.triangle.data();
    std::int32_t* count = work.count.data();
    for_each(
        work.exec, "broad/count_patches", bodies, SCREE_LAMBDA(Index i)->void {
            std::int32_t runs = 0;
            for (Index k = offset[i]; k < offset[i + 1]; ++k) {
                const bool first = k == offset[i] || s.mesh.triangle_patch[triangle[k]] != s.mesh.triangle_patch[triangle[k - 1]];
                runs += first ? 1 : 0;
            }
            count[i] = runs;
        });
    const Index total = scan_counts(work.exec, work.count.data(), bodies, pairs.row_start);
    pairs.body.resize(total);
    pairs.surface.resize(total);
    pairs.law.resize(total);
    pairs.contacts.resize_zero(total);
    pairs.normal.resize_zero(total);
    pairs.distance.resize_zero(total);
    pairs.triangle_start.resize(total + 1);
    Slot* slot = pairs.body.data();
    std::int32_t* surface = pairs.surface.data();
    std::int32_t* law = pairs.law.data();
    Index* triangle_start = pairs.triangle_start.data();
    const Index* start = pairs.row_start.data();
    for_each(
        work.exec, "broad/write_patches", bodies, SCREE_LAMBDA(Index i)->void {
            Index p = start[i];
            for (Index k = offset[i]; k < offset[i + 1]; ++k) {
                const std::int32_t patch = s.mesh.triangle_patch[triangle[k]];
                if (k > offset[i] && patch == s.mesh.triangle_patch[triangle[k - 1]]) continue;
                slot[p] = static_cast<Slot>(i);
                surface[p] = patch;
                law[p] = s.body.material[i] * s.materials + s.mesh.patch_material[patch];
                triangle_start[p] = k;
                ++p;
            }
        });
    pairs.triangle_start.put(total, pairs.triangle.size());
}

void list_near_bodies(Index bodies, Workspace& work, MeshPairs& pairs) {
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

void find_mesh_pairs(const Model& model, State& state, Workspace& work) {
    const Index bodies = state.bodies.count;
    MeshPairs& pairs = state.mesh_pairs;
    if (work.walls.triangles == 0) {
        if (pairs.row_start.size() != bodies + 1) pairs.row_start.resize_zero(bodies + 1);
        return;
    }
    const TriangleSearch s{work.walls.grid_view(),
                           work.walls.mesh_view(),
                           state.bodies.view(),
                           work.walls.active.data(),
                           state.skin,
                           static_cast<std::int32_t>(model.materials.size())};
    list_triangles(s, bodies, work, pairs);
    list_patches(s, bodies, work, pairs);
    list_near_bodies(bodies, work, pairs);
}

}  // namespace scree::SCREE_FLAVOR
