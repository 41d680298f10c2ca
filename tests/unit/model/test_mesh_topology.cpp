// Welding, edges, patches and inner flags on meshes whose topology is known.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "model/surfaces/mesh_topology.hpp"

using namespace scree;

namespace {

/// Adds a triangle with its own three vertices, as an STL file does.
void add(TriangleMesh& mesh, Vec3 a, Vec3 b, Vec3 c) {
    const std::int32_t n = static_cast<std::int32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
    mesh.triangles.push_back({n, n + 1, n + 2});
}

void add_quad(TriangleMesh& mesh, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    add(mesh, a, b, c);
    add(mesh, a, c, d);
}

/// A unit cube, normals outward.
TriangleMesh cube() {
    TriangleMesh mesh;
    const Vec3 o{0, 0, 0}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    add_quad(mesh, o, y, x + y, x);
    add_quad(mesh, z, x + z, x + y + z, y + z);
    add_quad(mesh, o, x, x + z, z);
    add_quad(mesh, y, y + z, x + y + z, x + y);
    add_quad(mesh, o, z, y + z, y);
    add_quad(mesh, x, x + y, x + y + z, x + z);
    return mesh;
}

std::size_t count(const std::vector<std::uint8_t>& flags) {
    return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), 1));
}

/// What holds for every mesh: CSRs agree with the lists they index, patches are numbered by first triangle.
void check_consistent(const MeshTopology& t) {
    REQUIRE(t.patch.size() == t.triangle.size());
    REQUIRE(t.edge_start.size() == t.edge.size() + 1);
    REQUIRE(t.vertex_start.size() == t.vertex.size() + 1);
    REQUIRE(t.patch_point.size() == t.patches());
    CHECK(static_cast<std::size_t>(t.edge_start.back()) == 3 * t.triangle.size());
    CHECK(static_cast<std::size_t>(t.vertex_start.back()) == 2 * t.edge.size());
    for (std::size_t i = 0; i < t.triangle.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t a = t.triangle[i][k], b = t.triangle[i][(k + 1) % 3];
            const std::size_t e = static_cast<std::size_t>(t.triangle_edge[i][k]);
            CHECK(t.edge[e] == std::array<std::int32_t, 2>{std::min(a, b), std::max(a, b)});
            const auto begin = t.edge_triangle.begin() + t.edge_start[e], end = t.edge_triangle.begin() + t.edge_start[e + 1];
            CHECK(std::find(begin, end, static_cast<std::int32_t>(i)) != end);
            CHECK(std::is_sorted(begin, end));
        }
    for (std::size_t v = 0; v < t.vertex.size(); ++v) {
        bool inner = true;
        for (std::int64_t k = t.vertex_start[v]; k < t.vertex_start[v + 1]; ++k) {
            const std::size_t e = static_cast<std::size_t>(t.vertex_edge[static_cast<std::size_t>(k)]);
            CHECK((t.edge[e][0] == static_cast<std::int32_t>(v) || t.edge[e][1] == static_cast<std::int32_t>(v)));
            inner = inner && t.edge_inner[e];
        }
        CHECK(inner == (t.vertex_inner[v] == 1));
    }
    std::int32_t next = 0;
    for (const std::int32_t p : t.patch) {
        CHECK(p <= next);
        next = std::max(next, p + 1);
    }
    CHECK(next == static_cast<std::int32_t>(t.patches()));
    for (const Vec3& n : t.patch_normal) CHECK(norm(n) == doctest::Approx(1.0).epsilon(1e-14));
}

}  // namespace

TEST_CASE("a cube has 8 vertices, 6 patches, 12 edges and 6 diagonals") {
    const MeshTopology t = mesh_topology(cube());
    check_consistent(t);
    CHECK(t.vertex.size() == 8);
    CHECK(t.triangle.size() == 12);
    CHECK(t.edge.size() == 18);
    CHECK(t.patches() == 6);
    CHECK(count(t.edge_inner) == 6);
    CHECK(count(t.vertex_inner) == 0);
    CHECK(t.dropped == 0);
    const Vec3 centre{0.5, 0.5, 0.5};
    for (std::size_t p = 0; p < 6; ++p) {
        CHECK(dot(t.patch_normal[p], t.patch_point[p] - centre) == doctest::Approx(0.5).epsilon(1e-14));
        CHECK(t.patch[2 * p] == t.patch[2 * p + 1]);
    }
}

TEST_CASE("a tessellated tilted plane is one patch with an inner interior") {
    const int n = 7;
    const Vec3 u = normalized(Vec3{1, 0.3, 0.2}), w = normalized(cross(Vec3{0.1, 0.2, 1}, u));
    for (const bool mixed_winding : {false, true}) {
        TriangleMesh mesh;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                const Vec3 a = static_cast<double>(i) * u + static_cast<double>(j) * w;
                const Vec3 b = a + u, c = a + u + w, d = a + w;
                add(mesh, a, b, c);
                if (mixed_winding && (i + j) % 2 == 1) {
                    add(mesh, a, d, c);
                } else {
                    add(mesh, a, c, d);
                }
            }
        const MeshTopology t = mesh_topology(mesh);
        check_consistent(t);
        CHECK(t.patches() == 1);
        CHECK(t.vertex.size() == (n + 1) * (n + 1));
        CHECK(t.edge.size() == 3 * n * n + 2 * n);
        CHECK(count(t.edge_inner) == t.edge.size() - 4 * n);
        CHECK(count(t.vertex_inner) == (n - 1) * (n - 1));
        CHECK(norm(t.patch_normal[0] - cross(u, w)) < 1e-14);
    }
}

TEST_CASE("a flat fan: the hub is inner, an open fan's hub is not") {
    const double pi = std::acos(-1.0);
    for (const int sectors : {8, 7}) {
        TriangleMesh mesh;
        for (int k = 0; k < sectors; ++k)
            add(mesh, {0, 0, 0}, {std::cos(k * pi / 4), std::sin(k * pi / 4), 0},
                {std::cos((k + 1) * pi / 4), std::sin((k + 1) * pi / 4), 0});
        const MeshTopology t = mesh_topology(mesh);
        check_consistent(t);
        CHECK(t.patches() == 1);
        CHECK(t.vertex.size() == 9);
        CHECK(count(t.vertex_inner) == (sectors == 8 ? 1 : 0));
        CHECK(count(t.edge_inner) == (sectors == 8 ? 8 : 6));
    }
}

TEST_CASE("a finely curved surface does not become one patch") {
    // 1000 strips of a cylinder, 6e-3 rad apart: with 1e-2 rad allowed a patch spans two strips, measured from its first, never more.
    const double pi = std::acos(-1.0);
    TriangleMesh mesh;
    for (int k = 0; k < 1000; ++k) {
        const double a = 2 * pi * k / 1000, b = 2 * pi * (k + 1) / 1000;
        add_quad(mesh, {std::cos(a), std::sin(a), 0}, {std::cos(b), std::sin(b), 0}, {std::cos(b), std::sin(b), 1},
                 {std::cos(a), std::sin(a), 1});
    }
    CHECK(mesh_topology(mesh).patches() == 1000);
    const MeshTopology t = mesh_topology(mesh, 1e-2);
    check_consistent(t);
    CHECK(t.patches() >= 333);
    CHECK(t.patches() <= 500);
}

TEST_CASE("an edge with three triangles is inner only where all are coplanar") {
    TriangleMesh mesh;
    const Vec3 a{0, 0, 0}, b{0, 1, 0};
    add(mesh, a, b, {-1, 0.5, 0});
    add(mesh, b, a, {1, 0.5, 0});
    CHECK(count(mesh_topology(mesh).edge_inner) == 1);
    add(mesh, a, b, {0, 0.5, 1});
    const MeshTopology t = mesh_topology(mesh);
    check_consistent(t);
    CHECK(t.patches() == 2);
    CHECK(t.patch == std::vector<std::int32_t>{0, 0, 1});
    CHECK(t.edge.size() == 7);
    CHECK(count(t.edge_inner) == 0);
}

TEST_CASE("doubled and folded triangles keep their border") {
    TriangleMesh mesh;
    add(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    add(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    add(mesh, {0, 0, 0}, {0, 1, 0}, {1, 0, 0});
    const MeshTopology t = mesh_topology(mesh);
    check_consistent(t);
    CHECK(t.patches() == 1);
    CHECK(t.triangle.size() == 3);
    CHECK(t.edge.size() == 3);
    CHECK(count(t.edge_inner) == 0);
    CHECK(count(t.vertex_inner) == 0);
    CHECK(t.patch_normal[0].z == doctest::Approx(1.0));
}

TEST_CASE("triangles without area are dropped and counted, order stays") {
    TriangleMesh mesh;
    add(mesh, {0, 0, 0}, {1, 0, 0}, {2, 0, 0});  // collinear
    add(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    add(mesh, {5, 5, 5}, {5, 5, 5}, {6, 5, 5});  // two corners in one point
    add(mesh, {0, 0, 1}, {1, 0, 1}, {0, 1, 1});
    const MeshTopology t = mesh_topology(mesh);
    check_consistent(t);
    CHECK(t.dropped == 2);
    CHECK(t.triangle.size() == 2);
    CHECK(t.vertex.size() == 6);
    CHECK(t.patch_point[0].z == doctest::Approx(0.0));
    CHECK(t.patch_point[1].z == doctest::Approx(1.0));
    CHECK(mesh_topology(TriangleMesh{}).patches() == 0);
    TriangleMesh point;
    add(point, {1, 1, 1}, {1, 1, 1}, {1, 1, 1});
    CHECK(mesh_topology(point).dropped == 1);
}

TEST_CASE("vertices within 1e-9 of the extent are welded, farther ones are not") {
    for (const double shift : {0.4e-9, 1e-7}) {
        TriangleMesh mesh;
        add(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
        add(mesh, {1, shift, shift}, {1, 1, 0}, {-shift, 1, 0});
        const MeshTopology t = mesh_topology(mesh);
        check_consistent(t);
        CHECK(t.vertex.size() == (shift < 1e-8 ? 4 : 6));
        CHECK(t.patches() == (shift < 1e-8 ? 1 : 2));
    }
}
