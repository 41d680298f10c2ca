// Spheres against surfaces: distances and directions against plain geometry, and one contact per local minimum of the distance.
#include <doctest/doctest.h>

#include <set>

#include "base/quat.hpp"
#include "engine/narrow/sphere_sphere.hpp"
#include "engine/narrow/sphere_surface.hpp"
#include "systems.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

struct Triangle {
    Vec3 a, b, c;
};

std::vector<Triangle> triangles_of(const TriangleMesh& m) {
    std::vector<Triangle> out;
    for (const auto& t : m.triangles) {
        out.push_back({m.vertices[static_cast<std::size_t>(t[0])], m.vertices[static_cast<std::size_t>(t[1])],
                       m.vertices[static_cast<std::size_t>(t[2])]});
    }
    return out;
}

Vec3 nearest_on_segment(Vec3 a, Vec3 b, Vec3 p) {
    const double s = dot(p - a, b - a) / norm2(b - a);
    return a + std::fmax(0.0, std::fmin(1.0, s)) * (b - a);
}

/// Nearest point of a triangle: its plane's foot where that is inside by areas, else the nearest of its three sides.
Vec3 nearest_on(const Triangle& t, Vec3 p) {
    const Vec3 n = normalized(cross(t.b - t.a, t.c - t.a));
    const Vec3 foot = p - dot(p - t.a, n) * n;
    const double u = dot(cross(t.b - t.a, foot - t.a), n), v = dot(cross(t.c - t.b, foot - t.b), n),
                 w = dot(cross(t.a - t.c, foot - t.c), n);
    if (u >= 0 && v >= 0 && w >= 0) return foot;
    Vec3 best = nearest_on_segment(t.a, t.b, p);
    for (const Vec3 q : {nearest_on_segment(t.b, t.c, p), nearest_on_segment(t.c, t.a, p)}) {
        if (norm2(q - p) < norm2(best - p)) best = q;
    }
    return best;
}

/// Distances of all local minima of the distance to the surface that are below `radius`, ascending. A triangle's nearest point is one
/// where no triangle that holds this point comes nearer.
std::vector<double> local_minima(const std::vector<Triangle>& mesh, Vec3 p, double radius) {
    constexpr double same = 1e-10;  // points nearer than this are one: far above roundings, far below the meshes' edges
    std::vector<Vec3> found;
    for (const Triangle& t : mesh) {
        const Vec3 q = nearest_on(t, p);
        if (norm(q - p) >= radius) continue;
        bool lowest = true;
        for (const Triangle& other : mesh) {
            if (norm(nearest_on(other, q) - q) < same && norm(nearest_on(other, p) - q) > same) lowest = false;
        }
        for (const Vec3 before : found) lowest = lowest && norm(before - q) > same;
        if (lowest) found.push_back(q);
    }
    std::vector<double> out;
    for (const Vec3 q : found) out.push_back(norm(q - p));
    std::sort(out.begin(), out.end());
    return out;
}

double distance_of(const ContactRecord& r, double radius) {
    return radius - r.overlap;
}

/// The engine's contacts of each probe are the local minima, with their distances.
void check_minima(const TriangleMesh& mesh, const std::vector<Vec3>& centres, double radius) {
    const std::vector<Triangle> triangles = triangles_of(mesh);
    const auto contacts = probe(mesh_wall("mesh", mesh), centres, radius);
    for (std::size_t k = 0; k < centres.size(); ++k) {
        std::vector<double> distances;
        for (const ContactRecord& r : contacts[k]) distances.push_back(distance_of(r, radius));
        std::sort(distances.begin(), distances.end());
        const std::vector<double> expected = local_minima(triangles, centres[k], radius);
        CAPTURE(centres[k].x);
        CAPTURE(centres[k].y);
        CAPTURE(centres[k].z);
        REQUIRE(distances.size() == expected.size());
        // Roundings of coordinates of order one.
        for (std::size_t c = 0; c < expected.size(); ++c) CHECK(std::fabs(distances[c] - expected[c]) < 1e-13);
    }
}

/// One contact with this distance and, where it is given, this direction.
void check_one(const std::vector<ContactRecord>& records, double radius, double distance, Vec3 normal) {
    REQUIRE(records.size() == 1);
    CHECK(std::fabs(distance_of(records[0], radius) - distance) < 1e-14);
    CHECK(norm(records[0].normal - normal) < 1e-14);
}

}  // namespace

TEST_CASE("two spheres: overlap, direction and lever") {
    // The overlap of nearly touching spheres keeps its digits even where the contact computes in float.
    const double s = 3e-3;
    for (const double overlap : {1e-4, 1e-7, 1e-9, -1e-6}) {
        const Vec3 d = (s - overlap) * normalized(Vec3{1, 2, -2});
        const SphereGap<SCREE_REAL> gap = sphere_gap<SCREE_REAL>(d, 1e-3, 2e-3);
        // Relative roundings of the precision, and those of s^2 - d^2 in double.
        CHECK(std::fabs(gap.delta - overlap) < by_precision(1e-14, 4e-7) * std::fabs(overlap) + 1e-18);
        CHECK(norm(cast<double>(gap.normal) - normalized(d)) < by_precision(1e-15, 3e-7));
        CHECK(std::fabs(gap.distance / SCREE_REAL(3e-3) * s - norm(d)) < by_precision(1e-15, 3e-7) * s);
    }
    CHECK(sphere_gap<SCREE_REAL>({0, 0, 0}, 1, 1).normal == Vec3T<SCREE_REAL>{0, 0, 1});
}

TEST_CASE("plane: signed distance along the normal") {
    const SurfaceGap above = plane_gap({5, 6, 2}, {0, 0, 0.5}, {0, 0, 1});
    CHECK(above.distance == 1.5);
    CHECK(above.normal == Vec3{0, 0, -1});
    CHECK(plane_gap({5, 6, 0}, {0, 0, 0.5}, {0, 0, 1}).distance == -0.5);
}

TEST_CASE("cylinder: endless tube and rod") {
    const Vec3 point{1, 2, 3}, axis{0, 0, 1};
    const SurfaceGap in = cylinder_gap({1.3, 2.4, 99}, point, axis, 2, inf, true);  // 0.5 off the axis
    CHECK(in.distance == doctest::Approx(1.5).epsilon(1e-15));
    CHECK(norm(in.normal - Vec3{0.6, 0.8, 0}) < 1e-15);
    CHECK(cylinder_gap({4, 2, -50}, point, axis, 2, inf, true).distance == doctest::Approx(-1));  // outside the tube: beyond its wall
    const SurfaceGap out = cylinder_gap({4, 6, 0}, point, axis, 2, inf, false);
    CHECK(out.distance == doctest::Approx(3).epsilon(1e-15));
    CHECK(norm(out.normal - Vec3{-0.6, -0.8, 0}) < 1e-15);
    CHECK(cylinder_gap({1.5, 2, 0}, point, axis, 2, inf, false).distance == doctest::Approx(-1.5));
    // On the axis some unit direction across it.
    const SurfaceGap middle = cylinder_gap({1, 2, 7}, point, axis, 2, inf, true);
    CHECK(middle.distance == 2);
    CHECK(dot(middle.normal, axis) == 0);
    CHECK(norm(middle.normal) == doctest::Approx(1));
}

TEST_CASE("cylinder: a tube with ends is a thin shell with rims") {
    const Vec3 axis{0, 0, 1};
    const auto tube = [&](Vec3 c) { return cylinder_gap(c, {0, 0, 0}, axis, 2, 4, true); };
    CHECK(tube({0.5, 0, 1}).distance == 1.5);
    CHECK(tube({3, 0, 1}).distance == 1);  // beside it, from without
    CHECK(tube({3, 0, 1}).normal == Vec3{-1, 0, 0});
    const SurfaceGap rim = tube({5, 0, 8});  // 3 out and 4 up from the upper rim
    CHECK(rim.distance == doctest::Approx(5).epsilon(1e-15));
    CHECK(norm(rim.normal - Vec3{-0.6, 0, -0.8}) < 1e-15);
    const SurfaceGap below = tube({0, 1, -1});  // 1 in and 1 below the lower rim
    CHECK(below.distance == doctest::Approx(std::sqrt(2.0)).epsilon(1e-15));
    CHECK(norm(below.normal - Vec3{0, 1, 1} / std::sqrt(2.0)) < 1e-15);
}

TEST_CASE("cylinder: a rod has a side, two caps and edges") {
    const auto rod = [](Vec3 c) { return cylinder_gap(c, {0, 0, 0}, {0, 0, 1}, 2, 4, false); };
    CHECK(rod({3, 0, 1}).distance == 1);
    CHECK(rod({1, 1, 5}).distance == 1);  // above the cap
    CHECK(rod({1, 1, 5}).normal == Vec3{0, 0, -1});
    CHECK(rod({1, 1, -2}).normal == Vec3{0, 0, 1});
    const SurfaceGap edge = rod({5, 0, 8});
    CHECK(edge.distance == doctest::Approx(5).epsilon(1e-15));
    CHECK(norm(edge.normal - Vec3{-0.6, 0, -0.8}) < 1e-15);
    // Within: minus the way out, by the nearest surface; the normal points inwards there, against the way out.
    CHECK(rod({0, 0, 3.9}).distance == doctest::Approx(-0.1));
    CHECK(rod({0, 0, 3.9}).normal == Vec3{0, 0, -1});
    CHECK(rod({0, 0, 0.1}).normal == Vec3{0, 0, 1});
    CHECK(rod({1.9, 0, 2}).distance == doctest::Approx(-0.1));
    CHECK(rod({1.9, 0, 2}).normal == Vec3{-1, 0, 0});
}

TEST_CASE("cylinder: distance and direction agree with each other anywhere") {
    Rng rng(2, 1);
    const Vec3 axis = normalized(Vec3{1, -2, 3});
    for (int k = 0; k < 3000; ++k) {
        const Vec3 c{rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(-5, 5)};
        const bool inside = k % 2 == 0;
        const double length = k % 3 == 0 ? inf : 3.0;
        const SurfaceGap gap = cylinder_gap(c, {0.1, 0.2, 0.3}, axis, 1.5, length, inside);
        CHECK(std::fabs(norm(gap.normal) - 1) < 1e-14);
        // The foot of the gap is on the surface.
        const Vec3 foot = c + gap.distance * gap.normal - Vec3{0.1, 0.2, 0.3};
        const double s = dot(foot, axis), rho = norm(foot - s * axis);
        const bool on_side = std::fabs(rho - 1.5) < 1e-13 && (length == inf || (s > -1e-13 && s < length + 1e-13));
        const bool on_cap = !inside && length != inf && (std::fabs(s) < 1e-13 || std::fabs(s - length) < 1e-13) && rho < 1.5 + 1e-13;
        CHECK((on_side || on_cap));
    }
}

TEST_CASE("a cube from outside: faces, edges and corners give one contact each") {
    for (const int times : {0, 1, 3}) {
        const Wall cube = mesh_wall("cube", subdivided(box_mesh({{-1, -1, -1}, {1, 1, 1}}), times));
        std::vector<Vec3> centres, normals;
        std::vector<double> distances;
        // Every combination of below, inside and above along the three axes; inside at places on and off the triangulation's lines.
        for (const double along : {0.0, 0.25, 0.5, -0.3333, 0.125, 0.7}) {
            for (int k = 0; k < 27; ++k) {
                const int sign[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
                if (sign[0] == 0 && sign[1] == 0 && sign[2] == 0) continue;
                Vec3 out{sign[0] * 0.1, sign[1] * 0.2, sign[2] * 0.2};
                const Vec3 at{sign[0] != 0 ? sign[0] : along, sign[1] != 0 ? sign[1] : along, sign[2] != 0 ? sign[2] : along};
                centres.push_back(at + out);
                distances.push_back(norm(out));
                normals.push_back(-normalized(out));
            }
        }
        const auto contacts = probe(cube, centres, 0.35);
        for (std::size_t k = 0; k < centres.size(); ++k) {
            CAPTURE(times);
            CAPTURE(centres[k].x);
            CAPTURE(centres[k].y);
            CAPTURE(centres[k].z);
            check_one(contacts[k], 0.35, distances[k], normals[k]);
        }
    }
}

TEST_CASE("a sharp edge gives one contact wherever features change") {
    // Where a contact goes from edge to edge, edge to corner or edge to face, roundings decide: none may be lost or doubled there.
    std::vector<double> offsets{0};
    for (double size = 1e-17; size < 1e-5; size *= 2) {
        offsets.push_back(size);
        offsets.push_back(-size);
    }
    std::vector<Vec3> centres;
    for (const double off : offsets) {
        for (const double at : {0.0, 0.125, 0.375, 0.5, 1.0}) {  // vertices that subdivision puts on the edges, and corners
            const double x = at + off;
            centres.push_back({x, -0.1, -0.1});
            centres.push_back({x, 1.1, -0.07});
            centres.push_back({-0.07, x, 1.1});
            centres.push_back({1.05, -0.1, x});
        }
        for (const double along : {0.3, 0.5}) {  // where the face next to an edge ends
            centres.push_back({along, -0.1, off});
            centres.push_back({-0.1, 1 + off, along});
        }
        centres.push_back({1 + off, -off, 1.1});  // over a corner
    }
    const Quat tilt = rotation_by({0.3, -0.7, 1.1});
    for (const bool tilted : {false, true}) {
        TriangleMesh mesh = subdivided(box_mesh({{0, 0, 0}, {1, 1, 1}}), 3);
        std::vector<Vec3> placed = centres;
        if (tilted) {
            for (Vec3& v : mesh.vertices) v = rotate(tilt, v);
            for (Vec3& c : placed) c = rotate(tilt, c);
        }
        const auto contacts = probe(mesh_wall("cube", mesh), placed, 0.2);
        int lost = 0, doubled = 0;
        for (const auto& c : contacts) {
            lost += c.empty() ? 1 : 0;
            doubled += c.size() > 1 ? 1 : 0;
        }
        CAPTURE(tilted);
        CHECK(lost == 0);
        CHECK(doubled == 0);
    }
}

TEST_CASE("the inside of a box gives one contact per near face") {
    for (const int times : {0, 2}) {
        const Wall box = mesh_wall("box", subdivided(box_mesh({{0, 0, 0}, {1, 1, 1}}), times));
        const auto contacts = probe(box, {{0.1, 0.5, 0.5}, {0.1, 0.1, 0.5}, {0.1, 0.1, 0.1}, {0.9, 0.05, 0.95}, {0.5, 0.5, 0.5}}, 0.2);
        CHECK(contacts[0].size() == 1);
        CHECK(contacts[1].size() == 2);
        CHECK(contacts[2].size() == 3);
        CHECK(contacts[3].size() == 3);
        CHECK(contacts[4].empty());
        for (const ContactRecord& r : contacts[2]) {
            CHECK(std::fabs(r.overlap - 0.1) < 1e-15);
            CHECK(std::fabs(std::fabs(r.normal.x) + std::fabs(r.normal.y) + std::fabs(r.normal.z) - 1) < 1e-15);
        }
    }
}

TEST_CASE("a triangulated plane is one plane") {
    // Vertices scattered in the plane, so that the triangles are irregular; centres over faces, on edges and on vertices.
    Rng rng(5, 1);
    TriangleMesh mesh = terrain_mesh(12, 12, 0.25, [](int, int) { return 0.0; });
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const std::size_t i = v % 13, j = v / 13;
        if (i == 0 || j == 0 || i == 12 || j == 12) continue;
        mesh.vertices[v] += {rng.uniform(-0.07, 0.07), rng.uniform(-0.07, 0.07), 0};
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);  // wound either way
    std::vector<Vec3> centres;
    for (int k = 0; k < 150; ++k) centres.push_back({rng.uniform(0.0, 3.0), rng.uniform(0.0, 3.0), rng.uniform(0.01, 0.09)});
    for (int k = 0; k < 100; ++k) {
        const auto& t = mesh.triangles[rng.bits() % mesh.triangles.size()];
        const Vec3 a = mesh.vertices[static_cast<std::size_t>(t[0])], b = mesh.vertices[static_cast<std::size_t>(t[1])];
        const double s = k % 2 == 0 ? 0.0 : rng.uniform();
        centres.push_back(a + s * (b - a) + Vec3{0, 0, 0.05});
    }
    // The same plane tilted in space: all coordinates rounded.
    const Quat tilt = rotation_by({0.3, -0.7, 1.1});
    for (const bool tilted : {false, true}) {
        const Vec3 up = tilted ? rotate(tilt, {0, 0, 1}) : Vec3{0, 0, 1};
        TriangleMesh placed = mesh;
        std::vector<Vec3> over = centres;
        if (tilted) {
            for (Vec3& v : placed.vertices) v = rotate(tilt, v);
            for (Vec3& c : over) c = rotate(tilt, c);
        }
        const auto contacts = probe(mesh_wall("plane", placed), over, 0.1);
        for (std::size_t k = 0; k < over.size(); ++k) {
            CAPTURE(tilted);
            CAPTURE(centres[k].x);
            CAPTURE(centres[k].y);
            REQUIRE(contacts[k].size() == 1);
            const SurfaceGap plane = plane_gap(over[k], {0, 0, 0}, up);
            // The analytic plane, up to the rounding of the tilted vertices' plane.
            CHECK(std::fabs(distance_of(contacts[k][0], 0.1) - plane.distance) < 2e-15);
            CHECK(norm(contacts[k][0].normal - plane.normal) < 4e-15);
        }
    }
}

TEST_CASE("contacts are the local minima of the distance: convex meshes") {
    Rng rng(6, 1);
    // A stretched, turned and twice subdivided octahedron, its vertices pushed to an ellipsoid: convex, no two triangles in one plane.
    TriangleMesh m;
    m.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    m.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    m = subdivided(m, 2);
    for (Vec3& v : m.vertices) v = normalized(v);
    const Quat q = rotation_by({0.4, 0.5, 0.6});
    for (Vec3& v : m.vertices) v = rotate(q, {1.3 * v.x, v.y, 0.7 * v.z});
    std::vector<Vec3> centres;
    for (int k = 0; k < 200; ++k) {
        const Vec3 u = normalized(Vec3{rng.normal(), rng.normal(), rng.normal()});
        centres.push_back(rng.uniform(1.01, 1.1) * rotate(q, {1.3 * u.x, u.y, 0.7 * u.z}));
    }
    for (const auto& c : probe(mesh_wall("convex", m), centres, 0.2)) CHECK(c.size() == 1);
    check_minima(m, centres, 0.2);
    // Exactly outside vertices and edges.
    std::vector<Vec3> sharp;
    for (std::size_t t = 0; t < m.triangles.size(); t += 2) {
        const Vec3 a = m.vertices[static_cast<std::size_t>(m.triangles[t][0])], b = m.vertices[static_cast<std::size_t>(m.triangles[t][1])];
        sharp.push_back(1.1 * a);
        sharp.push_back(1.1 * (0.5 * (a + b)));
    }
    check_minima(m, sharp, 0.2);
}

TEST_CASE("contacts are the local minima of the distance: rough terrain") {
    Rng rng(7, 1);
    const TriangleMesh m = terrain_mesh(8, 8, 0.25, [&rng](int, int) { return rng.uniform(0, 0.2); });
    std::vector<Vec3> centres;
    for (int k = 0; k < 300; ++k) centres.push_back({rng.uniform(0.1, 1.9), rng.uniform(0.1, 1.9), rng.uniform(0.1, 0.4)});
    for (const double radius : {0.1, 0.3}) check_minima(m, centres, radius);
    // From below and beyond the border too: a mesh is felt from both sides.
    std::vector<Vec3> around;
    for (int k = 0; k < 100; ++k) around.push_back({rng.uniform(-0.2, 2.2), rng.uniform(-0.2, 2.2), rng.uniform(-0.3, 0.0)});
    check_minima(m, around, 0.3);
}

TEST_CASE("two walls that meet are felt apart") {
    TriangleMesh floor = terrain_mesh(2, 2, 1, [](int, int) { return 0.0; });
    TriangleMesh side = floor;
    for (Vec3& v : side.vertices) v = {0, v.x, v.y};
    Model m = empty_model(Law::Linear, 1, 0);
    m.walls = {mesh_wall("floor", floor), mesh_wall("side", side)};
    add_sphere(m, {0.1, 1, 0.15}, 0.2);
    const auto contacts = wall_contacts(*engine_of(m));
    REQUIRE(contacts.size() == 2);
    CHECK(contacts[0].wall == 0);
    CHECK(contacts[1].wall == 1);
    CHECK(std::fabs(contacts[0].overlap - 0.05) < 1e-15);
    CHECK(std::fabs(contacts[1].overlap - 0.1) < 1e-15);
}
