// Triangles -> welded vertices, edges, patches. Every numbering follows the input order, so the result depends on the mesh alone.
#include "model/surfaces/mesh_topology.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/aabb.hpp"
#include "base/hash.hpp"

namespace scree {

namespace {

/// Vertices closer than this share of the mesh's diagonal are one vertex.
constexpr double kWeldShare = 1e-9;

using Corners = std::array<std::int32_t, 3>;

std::uint64_t cell_key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return hash_combine(hash_combine(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)), static_cast<std::uint64_t>(z));
}

/// For each input vertex the first input vertex within `distance` of it that stands for itself.
std::vector<std::int32_t> weld(const std::vector<Vec3>& vertices, Vec3 origin, double distance) {
    // Cells much wider than the search distance: most vertices then look into one cell only.
    const double inverse = 1.0 / (16.0 * distance);
    const auto cell_of = [&](double coordinate) { return static_cast<std::int64_t>(std::floor(coordinate * inverse)); };
    std::vector<std::int32_t> leader(vertices.size());
    std::unordered_map<std::uint64_t, std::vector<std::int32_t>> cells;
    cells.reserve(vertices.size());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const Vec3 p = vertices[i] - origin;
        std::int32_t found = static_cast<std::int32_t>(i);
        for (std::int64_t x = cell_of(p.x - distance); x <= cell_of(p.x + distance); ++x)
            for (std::int64_t y = cell_of(p.y - distance); y <= cell_of(p.y + distance); ++y)
                for (std::int64_t z = cell_of(p.z - distance); z <= cell_of(p.z + distance); ++z) {
                    const auto cell = cells.find(cell_key(x, y, z));
                    if (cell == cells.end()) continue;
                    for (const std::int32_t j : cell->second)
                        if (j < found && norm2(vertices[static_cast<std::size_t>(j)] - vertices[i]) <= distance * distance) found = j;
                }
        leader[i] = found;
        if (found == static_cast<std::int32_t>(i)) cells[cell_key(cell_of(p.x), cell_of(p.y), cell_of(p.z))].push_back(found);
    }
    return leader;
}

/// Twice the area times the unit normal, by the right-hand rule.
Vec3 area_vector(const MeshTopology& t, const Corners& c) {
    const Vec3 a = t.vertex[static_cast<std::size_t>(c[0])];
    return cross(t.vertex[static_cast<std::size_t>(c[1])] - a, t.vertex[static_cast<std::size_t>(c[2])] - a);
}

/// Fills vertex, triangle and dropped. A vertex that no kept triangle uses is left out.
void weld_triangles(const TriangleMesh& mesh, MeshTopology& t) {
    Aabb box;
    for (const Vec3& p : mesh.vertices) box.include(p);
    const double distance = box.empty() ? 0.0 : kWeldShare * norm(box.max - box.min);
    if (!(distance > 0.0)) {  // all vertices in one point
        t.dropped = static_cast<std::int64_t>(mesh.triangles.size());
        return;
    }
    const std::vector<std::int32_t> leader = weld(mesh.vertices, box.min, distance);
    std::vector<std::int32_t> number(mesh.vertices.size(), -1);
    for (const Corners& given : mesh.triangles) {
        Corners c;
        Vec3 p[3];
        for (std::size_t k = 0; k < 3; ++k) {
            c[k] = leader[static_cast<std::size_t>(given[k])];
            p[k] = mesh.vertices[static_cast<std::size_t>(c[k])];
        }
        const double longest = std::sqrt(std::max({norm2(p[1] - p[0]), norm2(p[2] - p[1]), norm2(p[0] - p[2])}));
        // Without area: the height over the longest side is no more than what welding closes.
        if (norm(cross(p[1] - p[0], p[2] - p[0])) <= distance * longest) {
            ++t.dropped;
            continue;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            std::int32_t& n = number[static_cast<std::size_t>(c[k])];
            if (n < 0) {
                n = static_cast<std::int32_t>(t.vertex.size());
                t.vertex.push_back(p[k]);
            }
            c[k] = n;
        }
        t.triangle.push_back(c);
    }
}

/// Fills edge, triangle_edge, edge_start and edge_triangle; edges are in the order of (low, high).
void build_edges(MeshTopology& t) {
    struct Side {
        std::array<std::int32_t, 2> ends;  // (low, high)
        std::int32_t triangle;
        std::int32_t corner;
    };
    std::vector<Side> sides;
    sides.reserve(3 * t.triangle.size());
    for (std::size_t i = 0; i < t.triangle.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t a = t.triangle[i][k], b = t.triangle[i][(k + 1) % 3];
            sides.push_back({{std::min(a, b), std::max(a, b)}, static_cast<std::int32_t>(i), static_cast<std::int32_t>(k)});
        }
    std::stable_sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.ends < b.ends; });

    t.triangle_edge.resize(t.triangle.size());
    for (const Side& s : sides) {
        if (t.edge.empty() || t.edge.back() != s.ends) {
            t.edge.push_back(s.ends);
            t.edge_start.push_back(static_cast<std::int64_t>(t.edge_triangle.size()));
        }
        t.triangle_edge[static_cast<std::size_t>(s.triangle)][static_cast<std::size_t>(s.corner)] =
            static_cast<std::int32_t>(t.edge.size() - 1);
        t.edge_triangle.push_back(s.triangle);
    }
    t.edge_start.push_back(static_cast<std::int64_t>(t.edge_triangle.size()));
}

/// Fills vertex_start and vertex_edge.
void build_vertex_edges(MeshTopology& t) {
    t.vertex_start.assign(t.vertex.size() + 1, 0);
    for (const auto& e : t.edge)
        for (const std::int32_t v : e) ++t.vertex_start[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 0; v < t.vertex.size(); ++v) t.vertex_start[v + 1] += t.vertex_start[v];
    t.vertex_edge.resize(2 * t.edge.size());
    std::vector<std::int64_t> next(t.vertex_start.begin(), t.vertex_start.end() - 1);
    for (std::size_t e = 0; e < t.edge.size(); ++e)
        for (const std::int32_t v : t.edge[e])
            t.vertex_edge[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<std::int32_t>(e);
}

/// Grows the patch of triangle `first` over edges; windings may disagree, so parallel and antiparallel normals count alike.
void grow_patch(MeshTopology& t, std::size_t first, double coplanar_angle, std::vector<std::size_t>& queue) {
    const std::int32_t patch = static_cast<std::int32_t>(t.patch_normal.size());
    const Vec3 n_first = normalized(area_vector(t, t.triangle[first]));
    // The sine keeps its digits at small angles, where the cosine does not.
    const double limit = std::sin(coplanar_angle);
    Vec3 sum{}, moment{};
    double area = 0.0;
    queue.assign(1, first);
    t.patch[first] = patch;
    for (std::size_t at = 0; at < queue.size(); ++at) {
        const std::size_t i = queue[at];
        const Vec3 n = area_vector(t, t.triangle[i]);
        const double a = norm(n);
        sum += dot(n, n_first) < 0.0 ? -n : n;
        Vec3 centroid{};
        for (const std::int32_t v : t.triangle[i]) centroid += t.vertex[static_cast<std::size_t>(v)];
        moment += a / 3.0 * centroid;
        area += a;
        for (const std::int32_t e : t.triangle_edge[i]) {
            const std::size_t edge = static_cast<std::size_t>(e);
            for (std::int64_t k = t.edge_start[edge]; k < t.edge_start[edge + 1]; ++k) {
                const std::size_t j = static_cast<std::size_t>(t.edge_triangle[static_cast<std::size_t>(k)]);
                if (t.patch[j] >= 0) continue;
                if (norm(cross(normalized(area_vector(t, t.triangle[j])), n_first)) >= limit) continue;
                t.patch[j] = patch;
                queue.push_back(j);
            }
        }
    }
    t.patch_normal.push_back(normalized(sum));
    t.patch_point.push_back(moment / area);
}

/// True when the edge's triangles are in one patch and lie on both sides of it; a doubled or folded triangle leaves its border a border.
bool is_inner(const MeshTopology& t, std::size_t edge) {
    const std::int64_t begin = t.edge_start[edge], end = t.edge_start[edge + 1];
    const std::size_t first = static_cast<std::size_t>(t.edge_triangle[static_cast<std::size_t>(begin)]);
    const std::int32_t low = t.edge[edge][0], high = t.edge[edge][1];
    const Vec3 a = t.vertex[static_cast<std::size_t>(low)];
    const Vec3 across = cross(t.vertex[static_cast<std::size_t>(high)] - a, t.patch_normal[static_cast<std::size_t>(t.patch[first])]);
    bool left = false, right = false;
    for (std::int64_t k = begin; k < end; ++k) {
        const std::size_t i = static_cast<std::size_t>(t.edge_triangle[static_cast<std::size_t>(k)]);
        if (t.patch[i] != t.patch[first]) return false;
        for (const std::int32_t v : t.triangle[i]) {
            if (v == low || v == high) continue;
            (dot(across, t.vertex[static_cast<std::size_t>(v)] - a) > 0.0 ? right : left) = true;
        }
    }
    return left && right;
}

void mark_inner(MeshTopology& t) {
    t.edge_inner.resize(t.edge.size());
    for (std::size_t e = 0; e < t.edge.size(); ++e) t.edge_inner[e] = is_inner(t, e) ? 1 : 0;
    t.vertex_inner.assign(t.vertex.size(), 1);
    for (std::size_t e = 0; e < t.edge.size(); ++e)
        if (!t.edge_inner[e])
            for (const std::int32_t v : t.edge[e]) t.vertex_inner[static_cast<std::size_t>(v)] = 0;
}

}  // namespace

MeshTopology mesh_topology(const TriangleMesh& mesh, double coplanar_angle) {
    MeshTopology t;
    weld_triangles(mesh, t);
    build_edges(t);
    build_vertex_edges(t);
    t.patch.assign(t.triangle.size(), -1);
    std::vector<std::size_t> queue;
    for (std::size_t i = 0; i < t.triangle.size(); ++i)
        if (t.patch[i] < 0) grow_patch(t, i, coplanar_angle, queue);
    mark_inner(t);
    return t;
}

}  // namespace scree
