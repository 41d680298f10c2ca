// Patches of different meshes that join flush: which do, and what lies behind them.
#include "model/surfaces/flush_groups.hpp"

#include <doctest/doctest.h>

using namespace scree;

namespace {

/// A rectangle at height z, from (x0, y0) to (x1, y1).
TriangleMesh sheet(double x0, double y0, double x1, double y1, double z) {
    return {{{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}}, {{0, 1, 2}, {0, 2, 3}}};
}

TriangleMesh block(Vec3 a, Vec3 b) {
    TriangleMesh m;
    for (int k = 0; k < 8; ++k) m.vertices.push_back({(k & 1) != 0 ? b.x : a.x, (k & 2) != 0 ? b.y : a.y, (k & 4) != 0 ? b.z : a.z});
    for (const auto& f : {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
        m.triangles.push_back({f[0], f[1], f[2]});
        m.triangles.push_back({f[0], f[2], f[3]});
    }
    return m;
}

FlushJoints joints_of(const std::vector<TriangleMesh>& meshes, std::size_t moves = 99) {
    std::vector<MeshTopology> topology;
    for (const TriangleMesh& m : meshes) topology.push_back(mesh_topology(m));
    std::vector<MeshInPlace> all;
    for (std::size_t k = 0; k < topology.size(); ++k) all.push_back({&topology[k], k != moves});
    return flush_groups(all);
}

using Groups = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("sheets that join along an edge or a piece of it are one surface") {
    const TriangleMesh left = sheet(-1, 0, 0, 1, 0), right = sheet(0, 0, 1, 1, 0), half = sheet(0, 0.5, 1, 2, 0),
                       far = sheet(2, 0, 3, 1, 0);
    CHECK(joints_of({left, right}).group == Groups{0, 0});
    CHECK(joints_of({left, half, far}).group == Groups{0, 0, -1});
    CHECK(joints_of({left, sheet(1, 0, 2, 1, 0), right}).group == Groups{0, 0, 0});
    TriangleMesh turned = right;  // wound the other way
    for (auto& t : turned.triangles) std::swap(t[1], t[2]);
    CHECK(joints_of({left, turned}).group == Groups{0, 0});
    // A corner alone, a step, one above the other, one that moves.
    CHECK(!joints_of({left, sheet(0, 1, 1, 2, 0)}).any());
    CHECK(!joints_of({left, sheet(0, 0, 1, 1, 0.01)}).any());
    CHECK(!joints_of({left, left}).any());
    CHECK(!joints_of({left, right}, 1).any());
}

TEST_CASE("blocks side by side join at their tops, and the faces between them lie behind") {
    const std::vector<TriangleMesh> blocks{block({-1, 0, -1}, {0, 1, 0}), block({0, 0, -1}, {1, 1, 0})};
    const FlushJoints joints = joints_of(blocks);
    REQUIRE(joints.group.size() == 12);
    std::vector<MeshTopology> topology{mesh_topology(blocks[0]), mesh_topology(blocks[1])};
    int grouped = 0;
    for (std::size_t k = 0; k < 12; ++k) {
        const Vec3 n = topology[k / 6].patch_normal[k % 6], at = topology[k / 6].patch_point[k % 6];
        const bool between = std::abs(n.x) > 0.9 && std::abs(at.x)<0.1, end = std::abs(n.x)> 0.9 && !between;
        CHECK((joints.group[k] < 0) == (between || end));
        grouped += joints.group[k] >= 0 ? 1 : 0;
        // The faces between end at all four surfaces: top, bottom, front and back.
        CHECK((joints.behind[k][3] >= 0) == between);
        if (!between) CHECK(joints.behind[k][0] < 0);
    }
    CHECK(grouped == 8);
    // A step: nothing joins at the top.
    const FlushJoints step = joints_of({blocks[0], block({0, 0, -1}, {1, 1, -0.1})});
    int joined = 0;
    for (const std::int32_t g : step.group) joined += g >= 0 ? 1 : 0;
    CHECK(joined == 6);  // bottom, front and back
}
