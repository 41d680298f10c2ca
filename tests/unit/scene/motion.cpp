// Walls that move, as scenes give them.
#include <doctest/doctest.h>

#include "unit/scene/example.hpp"

using namespace scree;
using namespace scree_test;

namespace {

const std::string kWalls = R"([[wall]]
kind = "cylinder"
name = "drum"
material = "glass"
point = [0, 0, 0]
axis = [0, 1, 0]
radius = "10 cm"
motion = { rate = "30 rpm", from = "0.5 s" }
[[wall]]
kind = "box"
name = "block"
material = "glass"
min = [0, 0, 0]
max = [1, 1, 1]
side = "outside"
[wall.motion]
velocity = ["1 cm/s", 0, 0]
axis = [0, 0, 2]
point = [0, 0, "5 mm"]
oscillation = { amplitude = [0, 0, "2 mm"], angle = "90 deg", frequency = "50 Hz", phase = "180 deg" }
table = "lift.csv"
to = 3
)";

std::string plane(const std::string& motion) {
    return kHead + "[[wall]]\nkind = \"plane\"\nmaterial = \"glass\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmotion = { " + motion + " }\n";
}

}  // namespace

TEST_CASE("parse: motions of walls") {
    const Scene scene = parsed(kHead + kWalls);
    REQUIRE(scene.walls.size() == 2);
    REQUIRE(scene.walls[0].motion.has_value());
    const SceneMotion& drum = *scene.walls[0].motion;
    CHECK(drum.rate == doctest::Approx(3.14159265358979324));
    CHECK(!drum.axis);
    CHECK(!drum.oscillation);
    CHECK(drum.from == 0.5);
    CHECK(drum.to == kInfinity);
    const SceneMotion& block = *scene.walls[1].motion;
    CHECK(scene.walls[1].side == "outside");
    CHECK(block.velocity == Vec3{0.01, 0, 0});
    CHECK(block.axis == Vec3{0, 0, 2});
    CHECK(block.point == Vec3{0, 0, 0.005});
    REQUIRE(block.oscillation.has_value());
    CHECK(block.oscillation->amplitude == Vec3{0, 0, 0.002});
    CHECK(block.oscillation->angle == doctest::Approx(1.57079632679489662));
    CHECK(block.oscillation->frequency == 50);
    CHECK(block.oscillation->phase == doctest::Approx(3.14159265358979324));
    CHECK(block.table == "/scenes/lift.csv");
    CHECK(block.to == 3);
}

TEST_CASE("resolved: motions come back, and only where they were given") {
    const Scene scene = parsed(kHead + kWalls);
    const Scene again = parse_scene_text(scene.resolved, "resolved.toml", "/elsewhere");
    CHECK(again.resolved == scene.resolved);
    REQUIRE(again.walls[1].motion.has_value());
    CHECK(again.walls[1].motion->oscillation->angle == scene.walls[1].motion->oscillation->angle);
    CHECK(again.walls[0].motion->rate == scene.walls[0].motion->rate);
    CHECK(parsed(kFull).resolved.find("motion") == std::string::npos);
}

TEST_CASE("overrides: a motion's rate") {
    CHECK(parsed(kHead + kWalls, {"wall.drum.motion.rate=60 rpm"}).walls[0].motion->rate == doctest::Approx(6.28318530717958648));
}

TEST_CASE("motions of speed 0 may be said") {
    for (const char* motion : {"velocity = [0, 0, 0]", "rate = 0", "oscillation = { amplitude = [0, 0, 0], frequency = 3 }",
                               "oscillation = { angle = 0, frequency = 0 }"})
        CHECK_MESSAGE(parsed(plane(motion)).walls[0].motion.has_value(), motion);
}

TEST_CASE("errors: motions") {
    const struct {
        const char* motion;
        std::string message;
    } cases[] = {
        {"from = 1", "scene.toml:17:10: [[wall]] motion velocity: a motion needs velocity, rate, oscillation, harmonics, table or servo"},
        {"rate = 3", "scene.toml:17:10: [[wall]] motion: what turns needs axis and point"},
        {"rate = 3, axis = [0, 0, 1]", "scene.toml:17:10: [[wall]] motion: what turns needs axis and point"},
        {"rate = 3, axis = [0, 0, 0], point = [0, 0, 0]", "scene.toml:17:29: [[wall]] motion axis: gives a direction"},
        {"rate = \"3 Hz\"",
         "scene.toml:17:19: [[wall]] motion rate: expected an angular velocity, such as \"30 rpm\"; \"3 Hz\" is a frequency"},
        {"velocity = [1, 0, 0], from = 2, to = 1", "scene.toml:17:49: [[wall]] motion to: must be above from = 2, not 1"},
        {"oscillation = { frequency = 3 }", "scene.toml:17:40: [[wall]] motion oscillation frequency: an oscillation needs an amplitude"},
        {"oscillation = { amplitude = [0, 0, 1] }", "scene.toml:17:26: [[wall]] motion oscillation needs \"frequency\""},
        {"oscillation = { amplitude = [0, 0, 1], frequency = -1 }",
         "scene.toml:17:63: [[wall]] motion oscillation frequency: must be at least 0"},
        {"speed = 3", "scene.toml:17:12: unknown key \"speed\" in [[wall]] motion"},
    };
    for (const auto& c : cases) {
        const std::string message = error_of(plane(c.motion));
        CHECK_MESSAGE(message.starts_with(c.message), c.motion, "\ngave:     ", message, "\nexpected: ", c.message);
    }
}
