#include "engine/state/tiles.hpp"

#include <algorithm>
#include <cmath>

#include "model/surfaces/flush_groups.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Neighbours that fold back further than this (150 degrees between normals) get no bisector: the edge counts as a rim.
constexpr double sharpest_fold = -0.866;

/// The tables while they grow on the host.
struct JointTiles {
    std::vector<Vec3> way;
    std::vector<double> depth;
    std::vector<std::int32_t> component;
    std::vector<std::int8_t> sign;
    std::int32_t components{0};
};

std::size_t at(std::int32_t k) {
    return static_cast<std::size_t>(k);
}

/// The one other triangle at edge e, or -1 where there are none or several.
std::int32_t across(const MeshTopology& m, std::int32_t e, std::int32_t t) {
    const std::int64_t first = m.edge_start[at(e)];
    if (m.edge_start[at(e) + 1] - first != 2) return -1;
    const std::int32_t a = m.edge_triangle[static_cast<std::size_t>(first)], b = m.edge_triangle[static_cast<std::size_t>(first) + 1];
    return a == t ? b : a;
}

Vec3 corner(const MeshTopology& m, std::int32_t t, int k) {
    return m.vertex[at(m.triangle[at(t)][static_cast<std::size_t>(k % 3)])];
}

/// Does triangle t run along its edge k from the edge's low vertex to its high one?
bool runs_up(const MeshTopology& m, std::int32_t t, int k) {
    const auto e = m.triangle_edge[at(t)][static_cast<std::size_t>(k)];
    return m.triangle[at(t)][static_cast<std::size_t>(k)] == m.edge[at(e)][0];
}

int edge_index(const MeshTopology& m, std::int32_t t, std::int32_t e) {
    for (int k = 0; k < 3; ++k) {
        if (m.triangle_edge[at(t)][static_cast<std::size_t>(k)] == e) return k;
    }
    return 0;
}

/// Components, and for each triangle whether its winding agrees with that of its component's first triangle.
void orient(const MeshTopology& m, JointTiles& joint, std::vector<std::int8_t>& winding) {
    const std::size_t n = m.triangle.size(), first = joint.component.size();
    joint.component.resize(first + n, -1);
    winding.assign(n, 0);
    std::vector<std::int32_t> stack;
    for (std::size_t root = 0; root < n; ++root) {
        if (joint.component[first + root] >= 0) continue;
        joint.component[first + root] = joint.components;
        winding[root] = 1;
        stack.push_back(static_cast<std::int32_t>(root));
        while (!stack.empty()) {
            const std::int32_t t = stack.back();
            stack.pop_back();
            for (int k = 0; k < 3; ++k) {
                const std::int32_t e = m.triangle_edge[at(t)][static_cast<std::size_t>(k)], u = across(m, e, t);
                if (u < 0 || joint.component[first + at(u)] >= 0) continue;
                joint.component[first + at(u)] = joint.components;
                const bool agree = runs_up(m, t, k) != runs_up(m, u, edge_index(m, u, e));
                winding[at(u)] = static_cast<std::int8_t>(agree ? winding[at(t)] : -winding[at(t)]);
                stack.push_back(u);
            }
        }
        ++joint.components;
    }
}

Vec3 wound_normal(const MeshTopology& m, std::int32_t t) {
    return cross(corner(m, t, 1) - corner(m, t, 0), corner(m, t, 2) - corner(m, t, 0));
}

/// Normal of the plane that bounds the slab of t at its edge k, out of the slab. n: oriented normal of each triangle; joined: by edge,
/// where the surface goes on flush in another mesh.
Vec3 side_normal(const MeshTopology& m, const std::vector<std::uint8_t>& joined, const std::vector<Vec3>& n, std::int32_t t, int k) {
    const std::int32_t e = m.triangle_edge[at(t)][static_cast<std::size_t>(k)], u = across(m, e, t);
    Vec3 bisector = n[at(t)];
    if (u >= 0 && joined[at(e)] == 0 && dot(n[at(t)], n[at(u)]) > sharpest_fold) bisector = normalized(n[at(t)] + n[at(u)]);
    const Vec3 along = corner(m, t, k + 1) - corner(m, t, k);
    const Vec3 side = normalized(cross(along, bisector));
    return dot(side, corner(m, t, k + 2) - corner(m, t, k)) > 0 ? -side : side;
}

void add_tiles(const MeshTopology& m, const std::vector<std::uint8_t>& joined, JointTiles& joint) {
    std::vector<std::int8_t> winding;
    orient(m, joint, winding);
    std::vector<Vec3> n(m.triangle.size());
    for (std::size_t t = 0; t < n.size(); ++t) {
        const Vec3 patch = m.patch_normal[at(m.patch[t])];
        const bool along = dot(wound_normal(m, static_cast<std::int32_t>(t)), patch) > 0;
        const int sign = winding[t] * (along ? 1 : -1);
        joint.sign.push_back(static_cast<std::int8_t>(sign));
        n[t] = static_cast<double>(sign) * patch;
    }
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(n.size()); ++t) {
        Vec3 side[3], way[3];
        for (int k = 0; k < 3; ++k) side[k] = side_normal(m, joined, n, t, k);
        for (int k = 0; k < 3; ++k) {
            const Vec3 line = cross(side[(k + 2) % 3], side[k]);
            const double fall = dot(line, n[at(t)]);
            way[k] = std::fabs(fall) > 1e-3 * norm(line) ? line / -fall : -n[at(t)];
            joint.way.push_back(way[k]);
        }
        double shrink = 0, grow = 0;  // of an edge per depth
        for (int k = 0; k < 3; ++k) {
            const Vec3 along = corner(m, t, k + 1) - corner(m, t, k);
            const double rate = dot(way[(k + 1) % 3] - way[k], along) / norm2(along);
            shrink = std::max(shrink, -rate);
            grow = std::max(grow, rate);
        }
        // A twentieth of each edge is left, so that the slab keeps all its faces.
        joint.depth.push_back(shrink > 0 ? 0.95 / shrink : 1e300);
        joint.depth.push_back(grow > 0 ? 0.95 / grow : 1e300);
    }
}

}  // namespace

void load_tiles(const Model& model, Tiles& tiles, FlushBodies& flush) {
    JointTiles joint;
    std::vector<MeshTopology> topology;
    std::vector<MeshInPlace> meshes;
    topology.reserve(model.walls.size());
    std::size_t patches = 0;
    for (const Wall& wall : model.walls) {
        if (wall.mesh.triangles.empty()) continue;
        topology.push_back(mesh_topology(wall.mesh));
        patches += topology.back().patches();
        meshes.push_back({&topology.back(), !wall.motion.moves && wall.body < 0, wall.active_from, wall.active_to});
    }
    const HeldBodies held = model.method == Method::Penalty ? held_bodies(model) : HeldBodies{};
    for (const MeshTopology& surface : held.surface) meshes.push_back({&surface, true});
    const FlushJoints joints = flush_groups(meshes);
    for (std::size_t k = 0; k < topology.size(); ++k) add_tiles(topology[k], joints.joined[k], joint);
    const auto end = joints.group.begin() + static_cast<std::ptrdiff_t>(patches);
    if (std::any_of(joints.group.begin(), end, [](std::int32_t k) { return k >= 0; })) {
        tiles.group.assign(std::vector<std::int32_t>(joints.group.begin(), end));
        std::vector<std::int32_t> behind;
        for (std::size_t k = 0; k < patches; ++k) {
            // Groups that no mesh is part of are left to their bodies.
            for (const std::int32_t g : joints.behind[k]) {
                if (g >= 0 && g < static_cast<std::int32_t>(patches)) behind.push_back(g);
            }
            behind.resize(FlushJoints::most_behind * (k + 1), -1);
        }
        tiles.behind.assign(behind);
    }
    load_flush_bodies(model, held, joints, patches, flush);
    tiles.way.assign(joint.way);
    tiles.depth.assign(joint.depth);
    tiles.component.assign(joint.component);
    tiles.sign.assign(joint.sign);
}

}  // namespace scree::SCREE_FLAVOR
