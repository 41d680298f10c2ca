// Bodies that start in walls: depths in closed form for every kind of surface, meshes against trying all triangles, and messages.
#include <cmath>
#include <limits>

#include "base/rng.hpp"
#include "setup/build_model.hpp"
#include "setup/wall_overlaps.hpp"
#include "setup/walls.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

SceneWall wall_of(const std::string& kind) {
    SceneWall wall;
    wall.kind = kind;
    wall.material = "glass";
    wall.place = {"scene.toml", 30, 1};
    return wall;
}

/// Depth of a sphere of radius r at p in one wall [m]; 0: clear of it.
double depth(const SceneWall& wall, Vec3 p, double r = 0.5) {
    Scene scene = plain_scene();
    scene.walls = {wall};
    Model model;
    model.bodies.add_sphere(p, r, 0, 1.0);
    model.walls.push_back(build_wall(scene, wall, 1));
    const std::vector<WallOverlap> found = find_wall_overlaps(scene, model, 0.05, 0.3);
    REQUIRE(found.size() == 1);
    CHECK((found[0].body >= 0) == (found[0].depth > 0));
    CHECK(found[0].past_limit == (found[0].depth > 0.3 * r ? 1 : 0));
    return found[0].depth;
}

Scene scene_with(std::vector<Vec3> at, const SceneWall& wall) {
    Scene scene = plain_scene();
    SceneBodies group = plain_group();
    group.placement.at = std::move(at);
    scene.bodies.push_back(group);
    scene.walls.push_back(wall);
    return scene;
}

}  // namespace

TEST_CASE("walls: depth of a sphere in every kind of surface, in closed form") {
    SceneWall plane = wall_of("plane");
    plane.point = {0, 0, 1};
    plane.normal = {0, 0, 2};
    CHECK(depth(plane, {7, 0, 1.5}) == doctest::Approx(0));
    CHECK(depth(plane, {7, 0, 1.4}) == doctest::Approx(0.1));
    CHECK(depth(plane, {7, 0, -2}) == doctest::Approx(3.5));

    SceneWall box = wall_of("box");
    box.min = {0, 0, 0};
    box.max = {4, 4, 4};
    CHECK(depth(box, {2, 2, 2}) == 0);
    CHECK(depth(box, {2, 3.9, 2}) == doctest::Approx(0.4));
    CHECK(depth(box, {2, 2, 7}) == doctest::Approx(3.5));
    box.side = "outside";
    CHECK(depth(box, {2, 2, 4.6}) == 0);
    CHECK(depth(box, {2, 2, 4.3}) == doctest::Approx(0.2));
    CHECK(depth(box, {2, 2, 3}) == doctest::Approx(1.5));                                    // to the nearest face, and out
    CHECK(depth(box, {4.3, 4.3, 2}) == doctest::Approx(0.5 - 0.3 * std::sqrt(2.0)));         // an edge
    CHECK(depth(box, {4.25, -0.25, 4.25}) == doctest::Approx(0.5 - 0.25 * std::sqrt(3.0)));  // a corner
    CHECK(depth(box, {4.4, 4.4, 2}) == 0);

    SceneWall tube = wall_of("cylinder");
    tube.point = {0, 0, 0};
    tube.axis = {0, 0, 3};
    tube.radius = 2;
    tube.length = kNone;
    CHECK(depth(tube, {1.4, 0, 9}) == 0);
    CHECK(depth(tube, {0, 1.7, 9}) == doctest::Approx(0.2));
    CHECK(depth(tube, {0, 5, 9}) == doctest::Approx(3.5));
    tube.length = 4;  // now a shell with open ends
    CHECK(depth(tube, {0, 5, 2}) == 0);
    CHECK(depth(tube, {0, 2.2, 2}) == doctest::Approx(0.3));
    CHECK(depth(tube, {2.3, 0, 4.3}) == doctest::Approx(0.5 - 0.3 * std::sqrt(2.0)));  // its rim
    tube.side = "outside";
    CHECK(depth(tube, {0, 2.2, 2}) == doctest::Approx(0.3));
    CHECK(depth(tube, {0, 0.5, 2}) == doctest::Approx(2.0));    // nearest: the side
    CHECK(depth(tube, {0, 0.5, 3.5}) == doctest::Approx(1.0));  // nearest: a cap
    CHECK(depth(tube, {0, 0.5, 4.3}) == doctest::Approx(0.2));
    CHECK(depth(tube, {2.3, 0, -0.3}) == doctest::Approx(0.5 - 0.3 * std::sqrt(2.0)));

    SceneWall quad = wall_of("quad");
    quad.corners = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    CHECK(depth(quad, {1, 1, 0.3}) == doctest::Approx(0.2));
    CHECK(depth(quad, {1, 1, -0.3}) == doctest::Approx(0.2));  // either side
    CHECK(depth(quad, {1, 1, -0.6}) == 0);
    CHECK(depth(quad, {2.3, 1, 0.3}) == doctest::Approx(0.5 - 0.3 * std::sqrt(2.0)));
    CHECK(depth(quad, {2.25, -0.25, 0.25}) == doctest::Approx(0.5 - 0.25 * std::sqrt(3.0)));
}

TEST_CASE("walls: where a motion has them at the start, and only those that are there then") {
    SceneWall plane = wall_of("plane");
    plane.normal = {0, 0, 1};
    plane.active_from = 1;
    CHECK(depth(plane, {0, 0, -1}) == 0);
    plane.active_from = 0;
    const TemporaryFile table("lift.txt", "time z\n0 0.25\n1 0.5\n");  // the table's first row holds at the start
    plane.motion = SceneMotion{};
    plane.motion->table = table.path();
    CHECK(depth(plane, {0, 0, 0.7}) == doctest::Approx(0.05));
    CHECK(depth(plane, {0, 0, 0.8}) == 0);
}

TEST_CASE("walls: arcs and blocks of the plane") {
    Scene scene = plain_scene();
    scene.dimensions = 2;
    SceneWall arc = wall_of("arc");
    arc.centre = Vec3{0, 0, 0};
    arc.radius = 2;
    arc.angle_from = 0;
    arc.angle_to = std::acos(-1.0);
    SceneWall block = wall_of("box");
    block.min = {10, 0, 0};
    block.max = {14, 4, 0};
    block.side = "outside";
    scene.walls = {arc, block};
    const auto depths = [&](Vec3 p) {
        Model model;
        model.dimensions = 2;
        model.bodies.add_disk(p, 0.5, 0, 1.0);
        for (std::size_t w = 0; w < 2; ++w) model.walls.push_back(build_wall(scene, scene.walls[w], w + 1));
        const auto found = find_wall_overlaps(scene, model, 0.05, 0.3);
        return std::pair(found[0].depth, found[1].depth);
    };
    CHECK(depths({0, 1.7, 0}).first == doctest::Approx(0.2));
    CHECK(depths({0, 2.3, 0}).first == doctest::Approx(0.2));
    CHECK(depths({0, -2, 0}).first == 0);  // the half circle is above
    CHECK(depths({2.3, -0.3, 0}).first == doctest::Approx(0.5 - 0.3 * std::sqrt(2.0)));
    CHECK(depths({12, 3, 0}).second == doctest::Approx(1.5));
    CHECK(depths({12, 5, 0}).second == 0);
}

TEST_CASE("walls: a polyhedron is past the limit where its centre is beyond, and warned of before") {
    Scene scene = plain_scene();
    SceneWall plane = wall_of("plane");
    plane.normal = {0, 0, 1};
    SceneWall block = wall_of("box");
    block.side = "outside";
    block.min = {10, 10, 10};
    block.max = {20, 20, 20};
    scene.walls = {plane, block};
    const ConvexShape cube = box_shape("cube", {2, 2, 2});
    const auto look = [&](Vec3 at) {
        Model model;
        model.shapes.push_back(cube);
        model.bodies.add_convex(at, {}, 0, cube, std::sqrt(3.0), 0, 1.0);  // edges of 2 m
        for (std::size_t w = 0; w < 2; ++w) model.walls.push_back(build_wall(scene, scene.walls[w], w + 1));
        return find_wall_overlaps(scene, model, 0.05, 0.3);
    };
    CHECK(look({0, 0, 1})[0].depth == doctest::Approx(0).epsilon(1e-12));
    CHECK(look({0, 0, 0.8})[0].depth == doctest::Approx(0.2));
    CHECK(look({0, 0, 0.8})[0].past_warning == 1);
    CHECK(look({0, 0, 0.8})[0].past_limit == 0);
    CHECK(look({0, 0, -0.1})[0].past_limit == 1);
    CHECK(look({15, 15, 9.5})[1].depth == doctest::Approx(0.5));
    CHECK(look({15, 15, 9.5})[1].past_limit == 0);
    CHECK(look({15, 15, 12})[1].past_limit == 1);
    CHECK(look({15, 15, 12})[1].depth == doctest::Approx(3));
}

TEST_CASE("walls: meshes of large and small triangles find the bodies that trying all finds") {
    Scene scene = plain_scene();
    Rng rng(11, 3);
    Model model;
    for (int i = 0; i < 3000; ++i)
        model.bodies.add_sphere({rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(-5, 5)}, rng.uniform(0.02, 0.05), 0, 1.0);
    Wall wall;
    for (int t = 0; t < 400; ++t) {
        const double size = std::exp(rng.uniform(std::log(0.05), std::log(8.0)));
        const Vec3 at{rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(-5, 5)};
        for (int k = 0; k < 3; ++k)
            wall.mesh.vertices.push_back(at + size * Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
        wall.mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    model.walls.push_back(wall);
    // Every pair of body and triangle, by the normal equations of the triangle's plane, then its edges.
    std::int64_t sure = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        double least = kNone;
        for (const auto& t : wall.mesh.triangles) {
            const auto corner = [&](std::size_t k) { return wall.mesh.vertices[static_cast<std::size_t>(t[k])]; };
            const Vec3 a = corner(0), u = corner(1) - a, v = corner(2) - a, d = model.bodies.position[i] - a;
            const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), du = dot(d, u), dv = dot(d, v), det = uu * vv - uv * uv;
            const double x = (vv * du - uv * dv) / det, y = (uu * dv - uv * du) / det;
            if (x >= 0 && y >= 0 && x + y <= 1) least = std::min(least, norm(d - x * u - y * v));
            const auto edge = [&](Vec3 from, Vec3 along) {
                const double s = std::min(1.0, std::max(0.0, dot(d - from, along) / dot(along, along)));
                least = std::min(least, norm(d - from - s * along));
            };
            edge({}, u);
            edge({}, v);
            edge(u, v - u);
        }
        sure += model.bodies.radius[i] - least > 0.3 * model.bodies.radius[i] ? 1 : 0;
    }
    CHECK(sure > 100);
    CHECK(find_wall_overlaps(scene, model, 0.05, 0.3)[0].past_limit == sure);
}

TEST_CASE("walls: messages say which body, which wall, how deep, and what to change") {
    SceneWall block = wall_of("box");
    block.name = "block";
    block.side = "outside";
    block.min = {-1, -1, -1};
    block.max = {1, 1, 1};
    const auto failure = [](const Scene& scene) { return error_of([&] { build_model(scene); }); };
    const std::string inside = failure(scene_with({{0, 0, 2}, {0, 0, 0.9}, {0, 0, 0.5}}, block));
    CHECK(contains(inside, "scene.toml:21:3: body 2 (group 1) starts 0.501 m deep in wall \"block\" (line 30)"));
    CHECK(contains(inside, "2 such bodies. The block is solid, bodies belong outside"));
    SceneWall floor = wall_of("plane");
    floor.normal = {0, 0, -1};
    CHECK(contains(failure(scene_with({{0, 0, 2}}, floor)), "Bodies belong where its normal points: turn the normal"));
    floor.normal = {0, 0, 1};
    const BuiltModel built = build_model(scene_with({{0, 0, 0.9e-3}}, floor));  // grains of 1 mm: a tenth is in the floor
    REQUIRE(built.warnings.size() == 1);
    CHECK(contains(built.warnings[0], "1 bodies start in wall \"wall1\" past overlap_warning = 0.05; worst: body 0 (group 1) by 10.0 %"));
}
