// Closed meshes against formulas and faults of each kind; depths against brute force; spheres that fill them, and the bodies these become.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/rng.hpp"
#include "model/surfaces/triangle_distance.hpp"
#include "setup/build_model.hpp"
#include "setup/meshes/closed_mesh.hpp"
#include "setup/meshes/hull.hpp"
#include "setup/meshes/mesh_depth.hpp"
#include "setup/packed.hpp"
#include "unit/setup/common.hpp"
#include "unit/setup/meshes.hpp"

using namespace scree;

namespace {

constexpr double kPi = std::numbers::pi;

Filling regular(double radius, double surface = 0.1) {
    Filling filling;
    filling.size = equal_size(radius);
    filling.surface = surface;
    return filling;
}

}  // namespace

TEST_CASE("closed meshes: moments of a box, wound either way, anywhere") {
    for (const bool flipped : {false, true}) {
        TriangleMesh mesh = box_mesh({2, 3, 4}, {100, -50, 7});
        // Half of the triangles the wrong way round, as careless files have them.
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
            if (flipped && t % 2 == 0) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
        const ClosedMesh box = closed(mesh);
        const Moments m = moments_of(box);
        CHECK(m.volume == doctest::Approx(24).epsilon(1e-14));
        CHECK(area_of(box) == doctest::Approx(52).epsilon(1e-14));
        CHECK(norm(m.first / m.volume - Vec3{101, -48.5, 9}) < 1e-12);
        const Mat3 I = central_inertia(m);
        // 100^2 against 2^2: four digits of sixteen are lost.
        CHECK(I.row[0].x == doctest::Approx(24 * (9 + 16) / 12.0).epsilon(1e-10));
        CHECK(I.row[1].y == doctest::Approx(24 * (4 + 16) / 12.0).epsilon(1e-10));
        CHECK(I.row[2].z == doctest::Approx(24 * (4 + 9) / 12.0).epsilon(1e-10));
        CHECK(std::fabs(I.row[0].y) + std::fabs(I.row[0].z) + std::fabs(I.row[1].z) < 1e-9);
    }
}

TEST_CASE("closed meshes: a turned tetrahedron, a ball, a hollow") {
    // Of a regular tetrahedron of edge a: V = a^3 / (6 sqrt 2), I = V a^2 / 20 about any axis.
    TriangleMesh mesh{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
    turn(mesh, normalized(Quat{0.9, 0.1, -0.3, 0.2}), {3, 4, 5});
    const double a = 2 * std::numbers::sqrt2, V = a * a * a / (6 * std::numbers::sqrt2);
    const Moments m = moments_of(closed(mesh));
    CHECK(m.volume == doctest::Approx(V).epsilon(1e-13));
    CHECK(norm(m.first / m.volume - Vec3{3, 4, 5}) < 1e-13);
    const Mat3 I = central_inertia(m);
    for (const double moment : {I.row[0].x, I.row[1].y, I.row[2].z}) CHECK(moment == doctest::Approx(V * a * a / 20).epsilon(1e-11));
    CHECK(std::fabs(I.row[0].y) + std::fabs(I.row[0].z) + std::fabs(I.row[1].z) < 1e-12);

    // A ball of n points misses some 2.2 parts of pi / n of its volume.
    const Moments ball = moments_of(closed(ball_mesh(2000)));
    CHECK(ball.volume == doctest::Approx(4 * kPi / 3).epsilon(5e-3));
    CHECK(central_inertia(ball).row[0].x / ball.volume == doctest::Approx(0.4).epsilon(5e-3));

    // A box in a box is a hollow, and one in the hollow is solid, whichever way they are wound.
    TriangleMesh nested = joined(box_mesh({4, 4, 4}), joined(box_mesh({2, 2, 2}, {1, 1, 1}), box_mesh({1, 1, 1}, {1.5, 1.5, 1.5})));
    std::swap(nested.triangles[30][0], nested.triangles[30][1]);
    CHECK(moments_of(closed(nested)).volume == doctest::Approx(64 - 8 + 1).epsilon(1e-13));
    CHECK(moments_of(closed(joined(box_mesh({1, 1, 1}), box_mesh({1, 1, 1}, {5, 0, 0})))).volume == doctest::Approx(2).epsilon(1e-13));
}

TEST_CASE("closed meshes: what is wrong, and where") {
    TriangleMesh open = box_mesh({1, 1, 1});
    open.triangles.pop_back();
    const std::string hole = error_of([&] { closed(open); });
    CHECK(contains(hole, "it is not closed: the edge from (1, 0, 0) to (1, 0, 1) m has 1 triangle,"));
    CHECK(contains(hole, "3 edges are such"));
    // Two that share an edge alone.
    TriangleMesh pair = joined(box_mesh({1, 1, 1}), box_mesh({1, 1, 1}, {1, 1, 0}));
    CHECK(contains(error_of([&] { closed(pair); }), "the edge from (1, 1, 0) to (1, 1, 1) m has 4 triangles"));
    for (const Vec3 at : {Vec3{0.5, 0.5, 0.5}, Vec3{0.5, 0.25, 0.125}, Vec3{-0.5, 0.25, 0.25}})
        CHECK(contains(error_of([&] { closed(joined(box_mesh({1, 1, 1}), box_mesh({1, 1, 1}, at))); }), "it crosses itself: triangle ("));
    CHECK(contains(error_of([&] { closed({{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}}); }), "no triangle with an area"));
    // A corner of a box that is pushed through the opposite side.
    TriangleMesh through = box_mesh({1, 1, 1});
    through.vertices[7] = {0.4, 0.3, -0.5};
    CHECK(contains(error_of([&] { closed(through); }), "it crosses itself"));
}

TEST_CASE("closed meshes: depths are those of brute force") {
    for (const TriangleMesh& given : {notched(), ball_mesh(60), joined(box_mesh({4, 4, 4}), box_mesh({2, 2, 2}, {1, 1, 1}))}) {
        const ClosedMesh mesh = closed(given);
        const MeshDepth depth(mesh, 0.3);
        const Aabb box = bounds_of(mesh);
        Rng rng(5, 1);
        for (int k = 0; k < 2000; ++k) {
            const double x = rng.uniform(box.min.x - 0.5, box.max.x + 0.5), y = rng.uniform(box.min.y - 0.5, box.max.y + 0.5);
            const Vec3 p{x, y, rng.uniform(box.min.z - 0.5, box.max.z + 0.5)};
            double nearest = 1e300, angle = 0;
            for (const auto& t : mesh.triangle) {
                const auto at = [&](std::size_t c) { return mesh.vertex[static_cast<std::size_t>(t[c])]; };
                nearest = std::min(nearest, distance_to_triangle(p, {at(0), at(1), at(2)}));
                const Vec3 a = at(0) - p, b = at(1) - p, c = at(2) - p;
                const double A = norm(a), B = norm(b), C = norm(c);
                angle += 2 * std::atan2(dot(a, cross(b, c)), A * B * C + dot(a, b) * C + dot(b, c) * A + dot(c, a) * B);
            }
            const double exact = std::fabs(angle) > 2 * kPi ? nearest : -nearest;
            CHECK(depth.depth(p) == doctest::Approx(exact).epsilon(1e-12));
            for (const double least : {-0.2, 0.0, 0.15, 0.4}) CHECK(depth.is_deep(p, least) == (exact >= least));
            if (exact > 0) CHECK(depth.depth(depth.moved_inwards(p, 0.1)) >= 0.1 - 1e-9);
        }
    }
    CHECK(MeshDepth(closed(box_mesh({4, 2, 3})), 0.5).most() == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("packed: close-packed spheres in a box, counted") {
    // Room for the centres is 20 r (1 - surface), and the lattice goes anywhere: close packing of it, less what layers round off.
    const ClosedMesh box = closed(box_mesh({2, 2, 2}));
    const std::vector<Ball> spheres = fill(box, regular(0.1, 0.0), "it", {});
    std::vector<Vec3> position;
    for (const Ball& b : spheres) {
        position.push_back({b[0], b[1], b[2]});
        for (int k = 0; k < 3; ++k) CHECK((b[static_cast<std::size_t>(k)] >= 0.1 - 1e-9 && b[static_cast<std::size_t>(k)] <= 1.9 + 1e-9));
    }
    // 10 of a row, in 11 rows and 12 layers of alternating length, at most.
    CHECK(spheres.size() > 1150);
    CHECK(spheres.size() <= 1320);
    const double gap = smallest_gap(position, std::vector<double>(position.size(), 0.1));
    CHECK(std::fabs(gap) < 1e-12);
    CHECK(fill(box, regular(0.1, 0.5), "it", {}).size() > spheres.size());
    // One that just fits is found, wherever the lattice is.
    CHECK(fill(box, regular(0.999, 0.0), "it", {}).size() == 1);
    CHECK(contains(error_of([&] { fill(box, regular(1.2), "the mesh", {}); }),
                   "no sphere of radius 1.2 m fits into the mesh: it holds radii up to 1.111 m with surface = 0.1"));
}

TEST_CASE("packed: random spheres lie inside without overlap, of several sizes, and again the same") {
    for (const TriangleMesh& given : {box_mesh({2, 2, 2}), notched(), ball_mesh(200)}) {
        const ClosedMesh mesh = closed(given);
        Filling filling = regular(0.1);
        filling.random = true;
        filling.seed = 7;
        filling.size.kind = SizeDistribution::Kind::Uniform;
        filling.size.min = 0.06;
        filling.size.max = 0.12;
        const std::vector<Ball> spheres = fill(mesh, filling, "it", {});
        const MeshDepth depth(mesh, 0.2);
        double volume = 0;
        std::vector<Vec3> position;
        std::vector<double> radius;
        for (const Ball& b : spheres) {
            position.push_back({b[0], b[1], b[2]});
            radius.push_back(b[3]);
            CHECK(depth.depth(position.back()) >= 0.9 * b[3] - 1e-8);
            volume += 4 * kPi / 3 * b[3] * b[3] * b[3];
        }
        CHECK(smallest_gap(position, radius) > -1e-8);
        CHECK(volume / moments_of(mesh).volume > 0.42);
        CHECK(fill(mesh, filling, "it", {}) == spheres);
        filling.seed = 8;
        CHECK(fill(mesh, filling, "it", {}) != spheres);
    }
    Filling one = regular(0.999, 0.0);
    one.random = true;
    CHECK(fill(closed(box_mesh({2, 2, 2})), one, "it", {}).size() == 1);
}

TEST_CASE("packed: rigid bodies have the mesh's mass and moments, loose ones its mass") {
    TriangleMesh mesh = box_mesh({2, 3, 4});
    turn(mesh, {}, {10, 0, 0});
    const TemporaryFile file("packed.obj", obj_of(mesh));
    Scene scene = plain_scene();
    SceneShape& brick = scene.shapes.emplace_back();
    brick.name = "brick";
    brick.kind = "packed";
    brick.file = file.path();
    brick.scale = 1e-3;
    brick.size = equal_size(0.2e-3);
    brick.place = {"scene.toml", 10, 1};
    SceneBodies group = plain_group();
    group.shape = "brick";
    group.placement.at = {{0, 0, 0}, {0.01, 0, 0}};
    group.velocity = {1, 2, 3};
    group.angular_velocity = {0, 0, 100};
    group.orientation = {1, 0, 1, 0};
    scene.bodies = {group};
    const double mass = 2500 * 24e-9;
    // Vertices come in single precision.
    const Model rigid = build_model(scene).model;
    CHECK(rigid.bodies.mass[0] == doctest::Approx(mass).epsilon(1e-6));
    const ConvexShape& shape = rigid.shapes[0];
    const double unit = shape.bounding_radius * shape.bounding_radius;
    CHECK(shape.inertia.x * unit == doctest::Approx(25e-6 / 12).epsilon(1e-6));
    CHECK(shape.inertia.y * unit == doctest::Approx(20e-6 / 12).epsilon(1e-6));
    CHECK(shape.inertia.z * unit == doctest::Approx(13e-6 / 12).epsilon(1e-6));
    CHECK(norm(rigid.bodies.position[0]) == 0);

    scene.shapes.back().rigid = false;
    const Model loose = build_model(scene).model;
    const std::size_t spheres = (rigid.bodies.size() - 2) / 2;
    REQUIRE(loose.bodies.size() == 2 * spheres);
    CHECK(loose.bodies.owner.empty());
    double sum = 0;
    for (std::size_t k = 0; k < spheres; ++k) {
        sum += loose.bodies.mass[k];
        CHECK(norm(loose.bodies.position[k] - rigid.bodies.position[k + 1]) < 1e-15);
        CHECK(norm(loose.bodies.velocity[k] - rigid.bodies.velocity[k + 1]) < 1e-13);
        CHECK(loose.bodies.angular_velocity[k].z == 100);
        CHECK(loose.bodies.shape[k] == BodyTable::sphere_shape);
    }
    CHECK(sum == doctest::Approx(mass).epsilon(1e-6));
    CHECK(sum == doctest::Approx(rigid.bodies.mass[0]).epsilon(1e-13));

    // A named body is one.
    SceneBody& named = scene.named_bodies.emplace_back();
    named.name = "one";
    named.shape = "brick";
    named.material = "glass";
    CHECK(contains(error_of([&] { build_model(scene); }), "body \"one\" is one rigid body, but its shape \"brick\" is not"));
}
