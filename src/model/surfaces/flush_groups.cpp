#include "model/surfaces/flush_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/aabb.hpp"

namespace scree {

namespace {

constexpr double close = 1e-4;              // of the lengths of edges, and of an angle [rad]
constexpr double fold = 0.866;              // cosine of 30 degrees
constexpr std::size_t most_edges = 200000;  // past this walls are scenery, and looking at pairs of edges would not end

/// An edge at which a patch ends.
struct BorderEdge {
    std::int32_t patch;  // counted through all meshes
    std::int32_t mesh, edge;
    Vec3 a, b, normal, inside;  // inside: unit, across the edge into the patch
};

std::size_t at(std::int32_t k) {
    return static_cast<std::size_t>(k);
}

/// Does the patch of triangle t end at edge e, in a border or a fold?
bool ends_at(const MeshTopology& m, std::int32_t e, std::int32_t t) {
    const std::int64_t first = m.edge_start[at(e)], last = m.edge_start[at(e) + 1];
    for (std::int64_t k = first; k < last; ++k) {
        const std::int32_t other = m.edge_triangle[static_cast<std::size_t>(k)];
        if (other == t) continue;
        if (m.patch[at(other)] == m.patch[at(t)]) return false;
        if (std::fabs(dot(m.patch_normal[at(m.patch[at(other)])], m.patch_normal[at(m.patch[at(t)])])) > fold) return false;
    }
    return true;
}

void add_borders(const MeshTopology& m, std::int32_t mesh, std::int32_t first, std::vector<BorderEdge>& edges) {
    for (std::size_t t = 0; t < m.triangle.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (!ends_at(m, m.triangle_edge[t][k], static_cast<std::int32_t>(t))) continue;
            const Vec3 a = m.vertex[at(m.triangle[t][k])], b = m.vertex[at(m.triangle[t][(k + 1) % 3])];
            const Vec3 c = m.vertex[at(m.triangle[t][(k + 2) % 3])], along = normalized(b - a);
            const Vec3 across = (c - a) - dot(c - a, along) * along;
            edges.push_back({first + m.patch[t], mesh, m.triangle_edge[t][k], a, b, m.patch_normal[at(m.patch[t])], normalized(across)});
        }
    }
}

/// Do two patches join flush along these edges?
bool join(const BorderEdge& p, const BorderEdge& q) {
    if (p.patch == q.patch || std::fabs(dot(p.normal, q.normal)) < 1 - 0.5 * close * close || dot(p.inside, q.inside) > 0) return false;
    const double length = norm(p.b - p.a), margin = close * std::min(length, norm(q.b - q.a));
    const Vec3 along = (p.b - p.a) / length;
    for (const Vec3& x : {q.a, q.b}) {
        const Vec3 off = (x - p.a) - dot(x - p.a, along) * along;
        if (norm(off) > margin) return false;
    }
    const double s = dot(q.a - p.a, along), t = dot(q.b - p.a, along);
    return std::min(std::max(s, t), length) - std::max(std::min(s, t), 0.0) > margin;
}

void add_behind(std::array<std::int32_t, FlushJoints::most_behind>& groups, std::int32_t group) {
    for (std::int32_t& one : groups) {
        if (one == group) return;
        if (one >= 0) continue;
        one = group;
        return;
    }
}

/// Roots of groups that grow together.
struct Forest {
    std::vector<std::int32_t> parent;
    std::int32_t root(std::int32_t k) {
        while (parent[at(k)] != k) k = parent[at(k)] = parent[at(parent[at(k)])];
        return k;
    }
    void unite(std::int32_t a, std::int32_t b) {
        const std::int32_t i = root(a), j = root(b);
        parent[at(std::max(i, j))] = std::min(i, j);
    }
};

}  // namespace

bool FlushJoints::any() const {
    return std::any_of(group.begin(), group.end(), [](std::int32_t k) { return k >= 0; });
}

FlushJoints flush_groups(const std::vector<MeshInPlace>& meshes) {
    std::int32_t patches = 0;
    std::vector<BorderEdge> edges;
    std::vector<std::int32_t> first_patch;
    FlushJoints joints;
    for (const MeshInPlace& mesh : meshes) {
        if (mesh.stays) add_borders(*mesh.topology, static_cast<std::int32_t>(first_patch.size()), patches, edges);
        first_patch.push_back(patches);
        joints.joined.emplace_back(mesh.topology->edge.size(), std::uint8_t{0});
        patches += static_cast<std::int32_t>(mesh.topology->patches());
    }
    std::vector<std::int32_t>& group = joints.group;
    group.assign(at(patches), -1);
    joints.behind.assign(at(patches), {-1, -1, -1, -1});
    if (edges.size() > most_edges) return joints;
    // Edges by the low end of their boxes along the axis in which they are spread most; each meets those that begin before it ends.
    Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const BorderEdge& e : edges) {
        for (const Vec3& x : {e.a, e.b}) {
            low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
            high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
        }
    }
    const Vec3 size = high - low;
    const Vec3 axis = size.x >= size.y && size.x >= size.z ? Vec3{1, 0, 0} : (size.y >= size.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
    const auto first = [&](const BorderEdge& e) { return std::min(dot(e.a, axis), dot(e.b, axis)); };
    const auto last = [&](const BorderEdge& e) { return std::max(dot(e.a, axis), dot(e.b, axis)); };
    std::sort(edges.begin(), edges.end(), [&](const BorderEdge& a, const BorderEdge& b) { return first(a) < first(b); });
    Forest forest;
    std::vector<std::uint8_t> joins(edges.size(), 0);
    forest.parent.resize(at(patches));
    std::iota(forest.parent.begin(), forest.parent.end(), 0);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const double end = last(edges[i]) + close * norm(edges[i].b - edges[i].a);
        for (std::size_t j = i + 1; j < edges.size() && first(edges[j]) <= end; ++j) {
            const MeshInPlace &one = meshes[at(edges[i].mesh)], &other = meshes[at(edges[j].mesh)];
            if (one.from != other.from || one.to != other.to || !join(edges[i], edges[j])) continue;
            forest.unite(edges[i].patch, edges[j].patch);
            joins[i] = joins[j] = 1;
        }
    }
    std::vector<std::int32_t> members(at(patches), 0);
    for (std::int32_t k = 0; k < patches; ++k) ++members[at(forest.root(k))];
    for (std::int32_t k = 0; k < patches; ++k) {
        const std::int32_t root = forest.root(k);
        if (members[at(root)] > 1) group[at(k)] = root;
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (joins[i] == 0) continue;
        const BorderEdge& e = edges[i];
        const MeshTopology& m = *meshes[at(e.mesh)].topology;
        joints.joined[at(e.mesh)][at(e.edge)] = 1;
        for (std::int64_t k = m.edge_start[at(e.edge)]; k < m.edge_start[at(e.edge) + 1]; ++k) {
            const std::int32_t other = first_patch[at(e.mesh)] + m.patch[at(m.edge_triangle[static_cast<std::size_t>(k)])];
            if (other != e.patch) add_behind(joints.behind[at(other)], group[at(e.patch)]);
        }
    }
    return joints;
}

}  // namespace scree
