// Motions of walls from scene to model, their tables, and solid blocks.
#include <cmath>

#include "model/surfaces/mesh_topology.hpp"
#include "setup/motion.hpp"
#include "setup/walls.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

SceneWall moving_quad() {
    SceneWall wall;
    wall.kind = "quad";
    wall.material = "glass";
    wall.corners = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    wall.place = {"scene.toml", 20, 1};
    wall.motion.emplace();
    wall.motion->place = {"scene.toml", 24, 1};
    return wall;
}

Motion with_table(const std::string& text, bool axis = true) {
    const TemporaryFile file("table.csv", text);
    SceneWall wall = moving_quad();
    wall.motion->table = file.path();
    if (axis) {
        wall.motion->axis = {0, 3, 0};
        wall.motion->point = {0, 0, 1};
    }
    return build_motion(wall, "");
}

std::string failure(const std::string& text, bool axis = true) {
    return error_of([&] { with_table(text, axis); });
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("motions: every key arrives") {
    SceneWall wall = moving_quad();
    SceneMotion& given = *wall.motion;
    given.velocity = {1, 2, 3};
    given.rate = 4;
    given.axis = {0, 0, -2};
    given.point = {5, 6, 7};
    given.oscillation = SceneOscillation{{8, 0, 0}, 0.5, 9, 0.25};
    given.harmonics = {SceneOscillation{{0, 1, 0}, 0, 3, 0}};
    given.from = 1;
    given.to = 2;
    const Motion m = build_wall(plain_scene(), wall, 1).motion;
    CHECK(m.moves);
    CHECK(m.velocity == Vec3{1, 2, 3});
    CHECK(m.rate == 4);
    CHECK(m.axis == Vec3{0, 0, -1});
    CHECK(m.point == Vec3{5, 6, 7});
    REQUIRE(m.harmonics.size() == 2);
    CHECK(m.harmonics[0].amplitude == Vec3{8, 0, 0});
    CHECK(m.harmonics[0].angle == 0.5);
    CHECK(m.harmonics[0].frequency == 9);
    CHECK(m.harmonics[0].phase == 0.25);
    CHECK(m.harmonics[1].amplitude == Vec3{0, 1, 0});
    CHECK(m.from == 1);
    CHECK(m.to == 2);
    CHECK(m.time.empty());
    wall.motion.reset();
    CHECK(!build_wall(plain_scene(), wall, 1).motion.moves);
}

TEST_CASE("motions: a cylinder turns about its own axis unless told otherwise; others need one") {
    SceneWall drum = moving_quad();
    drum.kind = "cylinder";
    drum.point = {1, 2, 3};
    drum.axis = {0, 5, 0};
    drum.radius = 1;
    drum.motion->rate = 2;
    CHECK(build_motion(drum, "").axis == Vec3{0, 1, 0});
    CHECK(build_motion(drum, "").point == Vec3{1, 2, 3});
    drum.motion->point = Vec3{0, 0, 0};
    CHECK(build_motion(drum, "").axis == Vec3{0, 1, 0});
    CHECK(build_motion(drum, "").point == Vec3{0, 0, 0});
    SceneWall quad = moving_quad();
    quad.motion->rate = 2;
    CHECK(has(error_of([&] { build_motion(quad, ""); }), "scene.toml:24:1: what turns needs axis and point"));
}

TEST_CASE("motions: tables") {
    const Motion m = with_table("# lift\ntime, angle, z\n0, 0, 0\n0.5, 1.5, 2e-3\n2, 1, 4e-3\n");
    CHECK(m.time == std::vector<double>{0, 0.5, 2});
    CHECK(m.angle == std::vector<double>{0, 1.5, 1});
    CHECK(m.shift[2] == Vec3{0, 0, 4e-3});
    CHECK(m.axis == Vec3{0, 1, 0});
    CHECK(with_table("time x y\n1 2 3\n", false).shift[0] == Vec3{2, 3, 0});
    CHECK(has(failure("time, w\n0, 1\n"), "table.csv:1: unknown column \"w\""));
    CHECK(has(failure("0, 1\n1, 2\n"), "table.csv:1: unknown column \"0\": the first line names the columns"));
    CHECK(has(failure("x, y\n0, 1\n"), "table.csv:1: a column time is needed"));
    CHECK(has(failure("time\n0\n"), "beside time a column x, y, z or angle is needed"));
    CHECK(has(failure("time, x, x\n0, 1, 1\n"), "column \"x\" stands twice"));
    CHECK(has(failure("time, x\n0, 1\n\n0, 2\n"), "table.csv:4: times must rise from row to row; 0 follows 0"));
    CHECK(has(failure("time, x\n0, 1, 2\n"), "table.csv:2: expected 2 fields, not 3"));
    CHECK(has(failure("time, x\n0, one\n"), "table.csv:2:4: \"one\" is not a finite number"));
    CHECK(has(failure("time, x\n"), "has no rows"));
    CHECK(has(failure("\n"), "is empty"));
    CHECK(has(failure("time, angle\n0, 0\n1, 1\n", false), "what turns needs axis and point"));
}

TEST_CASE("a box with bodies outside is a closed block") {
    SceneWall wall;
    wall.kind = "box";
    wall.material = "glass";
    wall.min = {0, 0, 0};
    wall.max = {1, 2, 3};
    wall.side = "outside";
    const Wall block = build_wall(plain_scene(), wall, 1);
    CHECK(block.planes.empty());
    REQUIRE(block.mesh.triangles.size() == 12);
    double volume = 0;
    for (const auto& t : block.mesh.triangles) {
        const auto at = [&](std::size_t k) { return block.mesh.vertices[static_cast<std::size_t>(t[k])]; };
        volume += dot(at(0), cross(at(1), at(2))) / 6;
    }
    CHECK(volume == doctest::Approx(6));  // closed, normals outwards
    CHECK(mesh_topology(block.mesh).patches() == 6);
    wall.side = "inside";
    CHECK(build_wall(plain_scene(), wall, 1).planes.size() == 6);
    wall.side = "beside";
    CHECK(has(error_of([&] { build_wall(plain_scene(), wall, 1); }), "unknown side \"beside\""));
}
