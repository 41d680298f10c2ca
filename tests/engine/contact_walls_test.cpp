// Contact points of polyhedra and spheres with meshes and cylinders: flat floors feel flat whatever their triangles, edges and corners of
// obstacles are felt once, tubes and rods as in closed form.
#include <doctest/doctest.h>

#include "contact_points_checks.hpp"
#include "convex_reference.hpp"
#include "engine/narrow/points_cylinder.hpp"
#include "engine/narrow/points_mesh.hpp"
#include "engine/narrow/points_plane.hpp"

using namespace scree;
using namespace scree::test;
using namespace scree::test::touching;
using namespace scree::SCREE_FLAVOR;

namespace {

constexpr double pi = 3.14159265358979324;

/// The tables of meshes where the test's own calls can read them.
struct HostTables {
    struct Vectors {
        std::vector<double> x, y, z;
        void copy(const Vec3Array<double>& from) {
            x = from.x.host();
            y = from.y.host();
            z = from.z.host();
        }
        Vec3View<double> view() { return {x.data(), y.data(), z.data()}; }
    };
    Vectors vertex, edge_normal, patch_normal, patch_point;
    std::vector<std::int32_t> triangle, triangle_edge, triangle_patch, patch_wall, patch_material, edge, edge_triangle, vertex_edge;
    std::vector<Index> edge_start, vertex_start;
    std::vector<std::uint8_t> edge_inner, vertex_inner;

    explicit HostTables(const Walls& w)
        : triangle(w.triangle.host()),
          triangle_edge(w.triangle_edge.host()),
          triangle_patch(w.triangle_patch.host()),
          patch_wall(w.patch_wall.host()),
          patch_material(w.patch_material.host()),
          edge(w.edge.host()),
          edge_triangle(w.edge_triangle.host()),
          vertex_edge(w.vertex_edge.host()),
          edge_start(w.edge_start.host()),
          vertex_start(w.vertex_start.host()),
          edge_inner(w.edge_inner.host()),
          vertex_inner(w.vertex_inner.host()) {
        vertex.copy(w.vertex);
        edge_normal.copy(w.edge_normal);
        patch_normal.copy(w.patch_normal);
        patch_point.copy(w.patch_point);
    }
    MeshView view() {
        return {vertex.view(),         edge_normal.view(),  triangle.data(),    triangle_edge.data(),
                triangle_patch.data(), patch_normal.view(), patch_point.view(), patch_wall.data(),
                patch_material.data(), edge.data(),         edge_start.data(),  edge_triangle.data(),
                vertex_start.data(),   vertex_edge.data(),  edge_inner.data(),  vertex_inner.data()};
    }
};

HostTables tables_of(const TriangleMesh& mesh) {
    Model model;
    model.materials.resize(1);
    Wall wall;
    wall.mesh = mesh;
    model.walls = {wall};
    Walls walls;
    load_walls(model, 1.0, walls);
    return HostTables(walls);
}

/// One mesh as kernels see it.
struct Mesh {
    HostTables tables;
    std::vector<std::vector<std::int32_t>> triangles;  // of each patch

    explicit Mesh(const TriangleMesh& mesh) : tables(tables_of(mesh)), triangles(tables.patch_wall.size()) {
        for (std::size_t t = 0; t < tables.triangle_patch.size(); ++t)
            triangles[static_cast<std::size_t>(tables.triangle_patch[t])].push_back(static_cast<std::int32_t>(t));
    }

    /// Points with one patch, from the side the body's centre is on; relative to the world's origin.
    Points touch(std::size_t patch, Placed body, double envelope) {
        const MeshView m = tables.view();
        const Vec3 centre = in_double(body.at);
        body.at = {};
        const auto k = static_cast<std::int32_t>(patch);
        const Vec3 n = m.patch_normal[k];
        const auto& t = triangles[patch];
        Points p = patch_points<buffers>(m, k, dot(centre - m.patch_point[k], n) >= 0 ? n : -n, t.data(), 0, static_cast<Index>(t.size()),
                                         body, centre, static_cast<Real>(envelope));
        for (int c = 0; c < p.count; ++c) p.point[c] += cast<Real>(centre);
        return p;
    }
    /// Of all patches that the body is in front of; `convex`: their normals point out of a solid.
    std::vector<Points> touch_all(const Placed& body, double envelope, bool convex) {
        std::vector<Points> all;
        for (std::size_t k = 0; k < triangles.size(); ++k) {
            const auto patch = static_cast<std::int32_t>(k);
            const MeshView m = tables.view();
            if (convex && dot(in_double(body.at) - m.patch_point[patch], m.patch_normal[patch]) < 0) continue;
            const Points p = touch(k, body, envelope);
            check_sound(p, envelope);
            if (p.count > 0) all.push_back(p);
        }
        return all;
    }
};

/// A floor z = 0 over [-side, side]^2 in n x n squares with inner vertices shaken.
TriangleMesh floor_mesh(double side, int n, double shake, Rng& rng) {
    TriangleMesh m;
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            const bool rim = i == 0 || j == 0 || i == n || j == n;
            const double step = 2 * side / n, dx = rim ? 0 : shake * step * rng.uniform(-1, 1),
                         dy = rim ? 0 : shake * step * rng.uniform(-1, 1);
            m.vertices.push_back({-side + i * step + dx, -side + j * step + dy, 0});
        }
    }
    const auto at = [n](int i, int j) { return static_cast<std::int32_t>(j * (n + 1) + i); };
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            m.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return m;
}

/// A closed box of these half edges, two triangles a side.
TriangleMesh box_mesh(Vec3 half) {
    TriangleMesh m;
    for (int k = 0; k < 8; ++k) m.vertices.push_back({(k & 1 ? half.x : -half.x), (k & 2 ? half.y : -half.y), (k & 4 ? half.z : -half.z)});
    const std::int32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& q : quads) {
        m.triangles.push_back({q[0], q[1], q[2]});
        m.triangles.push_back({q[0], q[2], q[3]});
    }
    return m;
}

PlacedCylinder tube(double radius, double length) {
    return {{0, 0, 0}, {0, 0, 1}, radius, length, true};
}
PlacedCylinder rod(double radius, double length) {
    return {{0, 0, 0}, {0, 0, 1}, radius, length, false};
}
constexpr double endless = 1e301;

}  // namespace

TEST_CASE("a block on a triangulated floor feels the plane, wherever its triangles are") {
    Rng rng(31, 1);
    Mesh floor(floor_mesh(3, 12, 0.3, rng));
    REQUIRE(floor.triangles.size() == 1);
    for (int trial = 0; trial < 200; ++trial) {
        const double gap = rng.uniform(-5e-3, 1e-3);
        const Quat turn = rotation_by({1e-4 * rng.normal(), 1e-4 * rng.normal(), rng.uniform(0, 3)});
        const Placed a = cube({rng.uniform(-2, 2), rng.uniform(-2, 2), 0.5 + gap}, turn);
        const Points p = floor.touch(0, a, 2e-3), q = plane_points(a, {}, {Real(0), Real(0), Real(1)}, Real(2e-3));
        check_sound(p, 2e-3);
        REQUIRE(p.count == 4);
        REQUIRE(q.count == 4);
        CHECK(holds(p, {0, 0, 1}, in_double(a.at)));
        for (int k = 0; k < 4; ++k) {
            int which = 0;
            CHECK(nearest_point(q, in_double(p.point[k]), &which) < 10 * rounding);
            CHECK(std::fabs(p.gap[k] - q.gap[which]) < 10 * rounding);
            CHECK(p.key[k] == q.key[which]);
            CHECK(norm(in_double(p.normal[k]) + Vec3{0, 0, 1}) < rounding);
        }
    }
}

TEST_CASE("other shapes on a triangulated floor: the points of the plane, and vertices right on inner edges count once") {
    Rng rng(32, 1);
    Mesh floor(floor_mesh(3, 6, 0, rng));
    // Corners of the cube on the grid's vertices and edges (x, y = -1, 0, 1 …).
    for (const Vec3 at : {Vec3{0.5, 0.5, 0.4999}, Vec3{0.5, 0.2, 0.4999}, Vec3{0, 0, 0.4999}}) {
        const Points p = floor.touch(0, cube(at), 1e-3);
        check_sound(p, 1e-3);
        CHECK(p.count == 4);
        for (int k = 0; k < p.count; ++k) CHECK(std::fabs(p.gap[k] + 1e-4) < rounding);
    }
    for (int trial = 0; trial < 300; ++trial) {
        const std::size_t i = static_cast<std::size_t>(trial) % pool().shape.size();
        const Quat turn = random_turn(rng);
        const Placed lifted = sized(i, {}, turn);
        double low = 0;
        for (std::int32_t k = 0; k < lifted.shape.vertices; ++k) low = std::min(low, in_double(lifted.vertex(k)).z);
        const double gap = rng.uniform(-0.01, 0.004);
        const Placed a = sized(i, {rng.uniform(-1, 1), rng.uniform(-1, 1), gap - low}, turn);
        const Points p = floor.touch(0, a, 5e-3);
        check_sound(p, 5e-3);
        REQUIRE(p.count > 0);
        CHECK(std::fabs(least_gap(p) - gap) < 10 * rounding + 5e-4);  // the deepest to within a tenth of the envelope
        for (int k = 0; k < p.count; ++k) CHECK(norm(in_double(p.normal[k]) + Vec3{0, 0, 1}) < rounding);
    }
}

TEST_CASE("a block over the rim of a plate rests on the rim, and slips off it") {
    Rng rng(33, 1);
    Mesh plate(floor_mesh(1, 4, 0.2, rng));
    // Flat, half of it beyond the rim at x = 1: two of its corners and two points on the rim.
    const Points half = plate.touch(0, cube({1.1, 0.1, 0.5 - 1e-4}), 1e-3);
    check_sound(half, 1e-3);
    REQUIRE(half.count == 4);
    for (const double x : {0.6, 1.0}) {
        for (const double y : {-0.4, 0.6}) CHECK(nearest_point(half, {x, y, -5e-5}) < 10 * rounding);
    }
    // From below it is the same the other way up.
    const Points below = plate.touch(0, cube({1.1, 0.1, -0.5 + 1e-4}), 1e-3);
    CHECK(below.count == 4);
    for (int k = 0; k < below.count; ++k) CHECK(norm(in_double(below.normal[k]) - Vec3{0, 0, 1}) < rounding);
    // Tilted over the rim by 0.3 rad: the rim lies along the block's lower face, whose normal the contact has.
    const Quat tilt = rotation_by({0, 0.3, 0});
    const Vec3 n = rotate(tilt, Vec3{0, 0, -1});
    const double depth = 1e-3;
    const Vec3 at = Vec3{1, 0, 0} - (0.5 - depth) * n + 0.1 * rotate(tilt, Vec3{1, 0, 0});
    const Points p = plate.touch(0, cube(at, tilt), 5e-3);
    check_sound(p, 5e-3);
    REQUIRE(p.count >= 2);  // a vertex of the rim between the ends may be a third
    for (int k = 0; k < p.count; ++k) {
        CHECK(norm(in_double(p.normal[k]) - n) < 10 * rounding);
        CHECK(std::fabs(p.gap[k] + depth) < 10 * rounding);
    }
    for (const double y : {-0.5, 0.5}) CHECK(nearest_point(p, Vec3{1, y, 0} + 0.5 * depth * n) < 10 * rounding);
    // Beside the plate there is nothing to rest on.
    CHECK(plate.touch(0, cube({1.502, 0, 0.2}), 1e-3).count == 0);
    // Its edge against the block's side: one step nearer it is felt, along x.
    const Points side = plate.touch(0, cube({1.4995, 0, 0.2}), 1e-3);
    REQUIRE(side.count == 2);
    for (int k = 0; k < 2; ++k) {
        CHECK(norm(in_double(side.normal[k]) + Vec3{1, 0, 0}) < 10 * rounding);
        CHECK(std::fabs(side.gap[k] + 5e-4) < 10 * rounding);
    }
}

TEST_CASE("a box of triangles is felt as the convex body that it encloses") {
    Rng rng(34, 1);
    Mesh box(box_mesh({0.5, 0.5, 0.5}));
    REQUIRE(box.triangles.size() == 6);
    const Placed solid = cube({});
    int edges = 0, faces = 0, wrong = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const std::size_t i = static_cast<std::size_t>(trial) % pool().shape.size();
        const Quat turn = random_turn(rng);
        const Vec3 way = random_direction(rng);
        double from = 0, to = 4;
        const double wanted = rng.uniform(-5e-3, 5e-3);
        for (int pass = 0; pass < 45; ++pass) {
            const double middle = 0.5 * (from + to);
            (reference_gap(sized(i, middle * way, turn), solid) < wanted ? from : to) = middle;
        }
        const Placed a = sized(i, to * way, turn);
        const Points expected = touch_of(a, solid, 0.01);
        if (expected.count == 0) continue;
        double least = 1e300;
        bool right = false;
        for (const Points& p : box.touch_all(a, 0.01, true)) {
            least = std::min(least, least_gap(p));
            for (int k = 0; k < p.count; ++k) right = right || norm(in_double(p.normal[k] - expected.normal[0])) < 0.03;
        }
        CAPTURE(trial);
        CAPTURE(wanted);
        CAPTURE(least_gap(expected));
        // What the convex pair has is there, and nothing much deeper. Faces within 0.02 rad stand for the normal on either side.
        wrong += right ? 0 : 1;
        CHECK(least == doctest::Approx(least_gap(expected)).scale(1).epsilon(2e-4 + 10 * rounding));
        const Vec3 n = in_double(expected.normal[0]);
        (std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)}) > 0.999 ? faces : edges)++;
    }
    CHECK(edges > 100);
    CHECK(faces > 100);
    CHECK(wrong <= 3);  // near corners several directions are as deep within the tolerance
}

TEST_CASE("in a corner of floor and wall no normal points between them") {
    // Floor z = 0 for x > 0, wall x = 0 for z > 0.
    TriangleMesh m;
    m.vertices = {{0, -2, 0}, {3, -2, 0}, {3, 2, 0}, {0, 2, 0}, {0, -2, 3}, {0, 2, 3}};
    m.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {0, 5, 4}};
    Mesh corner(m);
    REQUIRE(corner.triangles.size() == 2);
    Rng rng(35, 1);
    for (int trial = 0; trial < 100; ++trial) {
        const Vec3 at{0.5 + 1e-4 * rng.normal(), rng.uniform(-1, 1), 0.5 + 1e-4 * rng.normal()};
        const std::vector<Points> all = corner.touch_all(cube(at), 1e-3, false);
        REQUIRE(all.size() == 2);
        for (const Points& p : all) {
            CHECK(p.count == 4);
            for (int k = 0; k < p.count; ++k) {
                const Vec3 n = in_double(p.normal[k]);
                CHECK(std::max(-n.x, -n.z) > 1 - rounding);
            }
        }
    }
}

TEST_CASE("a sphere on a mesh patch has one point, apart too") {
    Rng rng(36, 1);
    Mesh floor(floor_mesh(1, 3, 0.2, rng));
    const auto& t = floor.triangles[0];
    const auto touch = [&](Vec3 centre, double radius) {
        return sphere_patch_points(floor.tables.view(), 0, t.data(), 0, static_cast<Index>(t.size()), centre, radius, Real(0.05));
    };
    const Points over = touch({0.1, 0.2, 0.52}, 0.5), rim = touch({1.3, 0, 0.4}, 0.48);
    REQUIRE(over.count == 1);
    CHECK(std::fabs(over.gap[0] - 0.02) < rounding);
    CHECK(norm(in_double(over.point[0]) - Vec3{0, 0, -0.51}) < rounding);
    REQUIRE(rim.count == 1);
    CHECK(std::fabs(rim.gap[0] - 0.02) < rounding);
    CHECK(norm(in_double(rim.normal[0]) - Vec3{-0.6, 0, -0.8}) < rounding);
    CHECK(touch({0.1, 0.2, 0.56}, 0.5).count == 0);
}

TEST_CASE("a cube in a tube meets it with its corners") {
    // Corners at radius sqrt(1/2) about the axis through its centre; lowered by d the two corners below come nearer.
    const double R = 1.5;
    for (const double gap : {-1e-3, 0.0, 2e-3}) {
        const double y = 0.5 - std::sqrt((R - gap) * (R - gap) - 0.25);  // centre's, so that corners (+-0.5, y - 0.5) are at R - gap
        const Points p = cylinder_points<buffers>(cube({0, y, 0.3}), tube(R, endless), Real(5e-3));
        check_sound(p, 5e-3);
        REQUIRE(p.count == 4);
        for (int k = 0; k < 4; ++k) {
            CHECK(std::fabs(p.gap[k] - gap) < 10 * rounding);
            const Vec3 radial{p.point[k].x, p.point[k].y, 0};
            CHECK(norm(in_double(p.normal[k]) - normalized(radial)) < 10 * rounding);
            CHECK(norm(radial) == doctest::Approx(R - 0.5 * gap).epsilon(10 * rounding));
        }
        // Half out of the open end at z = 0.3: two corners, and two edges where they cross the end.
        const Points open = cylinder_points<buffers>(cube({0, y, 0.3}), tube(R, 0.4), Real(5e-3));
        REQUIRE(open.count == 4);
        for (int k = 0; k < 4; ++k) CHECK((std::fabs(open.point[k].z) < rounding || std::fabs(open.point[k].z - 0.4) < rounding));
    }
    CHECK(cylinder_points<buffers>(cube({0, 0, 0}), tube(R, endless), Real(5e-3)).count == 0);
    // A drum a thousand times the body's size keeps the gap's digits in either precision.
    const Points big = cylinder_points<buffers>(cube({0, 0, 0}), {{0, 999.6, 0}, {0, 0, 1}, 1000, endless, true}, Real(0.2));
    REQUIRE(big.count == 4);
    for (int k = 0; k < 4; ++k) CHECK(std::fabs(big.gap[k] - (1000 - std::hypot(1000.1, 0.5))) < 1e-5);
}

TEST_CASE("a cube at a rod: face, edge and corner in closed form") {
    const double R = 0.4;
    for (const double gap : {-2e-3, 1e-3}) {
        // Face along the rod.
        const Points face = cylinder_points<buffers>(cube({0.5 + R + gap, 0.1, 0.2}), rod(R, endless), Real(5e-3));
        REQUIRE(face.count == 2);
        check_sound(face, 5e-3);
        for (const double z : {-0.3, 0.7}) {
            int which = 0;
            CHECK(nearest_point(face, {R + 0.5 * gap, 0, z}, &which) < 10 * rounding);
            CHECK(std::fabs(face.gap[which] - gap) < 10 * rounding);
            CHECK(norm(in_double(face.normal[which]) - Vec3{-1, 0, 0}) < 10 * rounding);
        }
        // An edge along the rod, off the face.
        const Points edge = cylinder_points<buffers>(cube({0.5 + 0.6 * (R + gap), 0.5 + 0.8 * (R + gap), 0}), rod(R, endless), Real(5e-3));
        REQUIRE(edge.count == 2);
        for (int k = 0; k < 2; ++k) {
            CHECK(std::fabs(edge.gap[k] - gap) < 10 * rounding);
            CHECK(norm(in_double(edge.normal[k]) - Vec3{-0.6, -0.8, 0}) < 10 * rounding);
        }
        // An edge across the rod.
        const double c = std::sqrt(0.5);
        const Points crossed =
            cylinder_points<buffers>(cube({c + R + gap, 0.1, 0.2}, rotation_by({0, 0.25 * pi, 0})), rod(R, endless), Real(5e-3));
        REQUIRE(crossed.count == 1);
        CHECK(std::fabs(crossed.gap[0] - gap) < 10 * rounding);
        CHECK(norm(in_double(crossed.point[0]) - Vec3{R + 0.5 * gap, 0, 0.2}) < 10 * rounding);
        // Face along a rod that ends halfway.
        const Points half = cylinder_points<buffers>(cube({0.5 + R + gap, 0, 0}), rod(R, 3), Real(5e-3));
        REQUIRE(half.count == 2);
        CHECK(nearest_point(half, {R + 0.5 * gap, 0, 0}) < 10 * rounding);
        CHECK(nearest_point(half, {R + 0.5 * gap, 0, 0.5}) < 10 * rounding);
    }
    CHECK(cylinder_points<buffers>(cube({1, 0, 0}), rod(R, endless), Real(5e-3)).count == 0);
}

TEST_CASE("a cube on the flat end of a rod, and beside its rim") {
    const double L = 2;
    for (const double gap : {-1e-3, 0.0, 1e-3}) {
        for (const double R : {0.3, 3.0}) {
            const Points p = cylinder_points<buffers + 32>(cube({0.05, 0, L + 0.5 + gap}), rod(R, L), Real(5e-3));
            CAPTURE(R);
            check_sound(p, 5e-3);
            REQUIRE(p.count == 4);
            CHECK(holds(p, {0, 0, 1}, {0.05, 0, 0}));
            for (int k = 0; k < 4; ++k) {
                CHECK(std::fabs(p.gap[k] - gap) < 40 * rounding);
                CHECK(norm(in_double(p.normal[k]) - Vec3{0, 0, -1}) < 10 * rounding);
            }
        }
        // A cube that leans with a face on the rim: the rim's point towards it is exact.
        const double R = 0.5, lean = -0.6;
        const Quat turn = rotation_by({0, lean, 0});
        const Vec3 n = rotate(turn, Vec3{-1, 0, 0}), point{R, 0, L};
        const Points p =
            cylinder_points<buffers + 32>(cube(point - (0.5 + gap) * n + 0.1 * rotate(turn, Vec3{0, 0, 1}), turn), rod(R, L), Real(5e-3));
        REQUIRE(p.count >= 1);
        CHECK(std::fabs(least_gap(p) - gap) < 40 * rounding);
        int which = 0;
        CHECK(nearest_point(p, point + 0.5 * gap * n * -1.0, &which) < 1e-3);
        CHECK(norm(in_double(p.normal[which]) - n) < 40 * rounding);
    }
    // On an open tube the rim bears.
    const Points p = cylinder_points<buffers>(cube({0, 0, L + 0.5 - 1e-3}), tube(0.4, L), Real(5e-3));
    REQUIRE(p.count == 4);
    CHECK(holds(p, {0, 0, 1}, {0, 0, 0}));
    for (int k = 0; k < 4; ++k) CHECK(std::fabs(p.gap[k] + 1e-3) < 10 * rounding);
}

TEST_CASE("points at rods: the least gap is the distance of the axis less the radius") {
    Rng rng(37, 1);
    int found = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const std::size_t i = static_cast<std::size_t>(trial) % pool().shape.size();
        const Placed a = sized(i, rotate(rotation_by({0, 0, rng.uniform(0, 2 * pi)}), Vec3{2, 0, rng.uniform(-1, 1)}), random_turn(rng));
        // The distance from the axis: over all edges and vertices, which hold the nearest point of what does not meet a line.
        double distance = 1e300;
        for (std::int32_t e = 0; e < a.shape.edges; ++e) {
            const Vec3 p = in_double(a.vertex(a.shape.edge[2 * e])), way = in_double(a.vertex(a.shape.edge[2 * e + 1])) - p;
            const Vec3 flat_p{p.x, p.y, 0}, flat{way.x, way.y, 0};
            const double t = norm2(flat) > 1e-20 ? std::clamp(-dot(flat_p, flat) / norm2(flat), 0.0, 1.0) : 0.0;
            distance = std::min(distance, norm(flat_p + t * flat));
        }
        const double gap = rng.uniform(-0.02, 0.03);
        if (distance - gap < 0.05) continue;
        const Points p = cylinder_points<buffers>(a, rod(distance - gap, endless), Real(0.04));
        check_sound(p, 0.04);
        REQUIRE(p.count > 0);
        CAPTURE(trial);
        // A face within 0.02 rad of the direction to the axis, at most 3 away, may stand for it: 3 (1 - cos 0.02) = 6e-4.
        CHECK(std::fabs(least_gap(p) - gap) < 6e-4 + 10 * rounding);
        found++;
    }
    CHECK(found > 100);
}
