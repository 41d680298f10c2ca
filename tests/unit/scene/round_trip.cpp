// The resolved text: complete, stable, and free of the folder it was read in.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "unit/scene/example.hpp"

using namespace scree;
using namespace scree_test;

TEST_CASE("resolved: parses to itself, from another folder too") {
    for (const std::string& text : {kFull, kHead, std::string("[time]\nend = 1\n")}) {
        const Scene scene = parsed(text);
        const Scene again = parse_scene_text(scene.resolved, "resolved.toml", "/elsewhere");
        CHECK(again.resolved == scene.resolved);
    }
}

TEST_CASE("resolved: every value comes back") {
    const Scene scene = parsed(kFull);
    const Scene again = parse_scene_text(scene.resolved, "resolved.toml", "/elsewhere");
    CHECK(again.title == scene.title);
    CHECK(again.time.step == scene.time.step);
    CHECK(again.domain.max == scene.domain.max);
    CHECK(again.method.stiffness == scene.method.stiffness);
    REQUIRE(again.shapes.size() == scene.shapes.size());
    for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
        CHECK(again.shapes[i].size.kind == scene.shapes[i].size.kind);
        CHECK(again.shapes[i].size.radius == scene.shapes[i].size.radius);
        CHECK(again.shapes[i].size.class_share == scene.shapes[i].size.class_share);
        CHECK(again.shapes[i].size.mean == scene.shapes[i].size.mean);
    }
    REQUIRE(again.bodies.size() == scene.bodies.size());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        CHECK(again.bodies[i].placement.kind == scene.bodies[i].placement.kind);
        CHECK(again.bodies[i].placement.region == scene.bodies[i].placement.region);
        CHECK(again.bodies[i].placement.fraction == scene.bodies[i].placement.fraction);
        CHECK(again.bodies[i].placement.file == scene.bodies[i].placement.file);
        CHECK(again.bodies[i].placement.types == scene.bodies[i].placement.types);
        CHECK(again.bodies[i].placement.scale == scene.bodies[i].placement.scale);
        CHECK(again.bodies[i].angular_velocity == scene.bodies[i].angular_velocity);
    }
    REQUIRE(again.walls.size() == scene.walls.size());
    for (std::size_t i = 0; i < scene.walls.size(); ++i) {
        CHECK(again.walls[i].name == scene.walls[i].name);
        CHECK(again.walls[i].length == scene.walls[i].length);
        CHECK(again.walls[i].file == scene.walls[i].file);
        CHECK(again.walls[i].corners == scene.walls[i].corners);
    }
    REQUIRE(again.measures.size() == scene.measures.size());
    for (std::size_t i = 0; i < scene.measures.size(); ++i) {
        CHECK(again.measures[i].region == scene.measures[i].region);
        CHECK(again.measures[i].wall == scene.measures[i].wall);
    }
}

TEST_CASE("resolved: defaults and overrides are written out in SI") {
    const std::string text = parsed(kHead, {"time.end=20 ms"}).resolved;
    for (const char* part :
         {"dimensions = 3", "[time]\nstep = \"auto\"\nend = 0.02\n", "gravity = [0, 0, -9.81]", "max = [inf, inf, inf]", "law = \"hertz\"",
          "skin = \"auto\"", "[shape.grain]\nkind = \"sphere\"\nradius = 0.002\n", "checkpoint_every = 600"})
        CHECK_MESSAGE(contains(text, part), part, " is missing in\n", text);
    CHECK(!contains(text, "stiffness"));
}

TEST_CASE("resolved: awkward numbers and text come back exactly") {
    const std::string bodies = kHead + "[[bodies]]\nmaterial = \"glass\"\nplace.file = \"a \\\"b\\\" \\\\ c.csv\"\n";
    const Scene scene = parsed(bodies, {"domain.gravity=[1e-300, 0.1, -0.0]", "time.end=123456789.123456789"});
    const Scene again = parsed(scene.resolved);
    CHECK(again.domain.gravity == Vec3{1e-300, 0.1, 0});
    CHECK(again.time.end == 123456789.123456789);
    CHECK(again.bodies[0].placement.file == "/scenes/a \"b\" \\ c.csv");
    CHECK(again.resolved == scene.resolved);
}

TEST_CASE("resolved: a turn past 360 degrees has no zeros with a sign, which would not come back") {
    const std::string text = kHead + R"(
[shape.lug]
kind = "box"
edges = ["1 mm", "1 mm", "2 mm"]
[shape.tyre]
kind = "compound"
parts = [{ shape = "lug", rotation = { axis = [0, 1, 0], angle = "541 deg" } }, { shape = "lug", at = ["2 mm", -0.0, 0] }]
)";
    const Scene scene = parsed(text), again = parsed(scene.resolved);
    const auto& parts = scene.shapes.back().parts;
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].orientation.y == doctest::Approx(std::sin(541 * std::numbers::pi / 360)));
    CHECK(!std::signbit(parts[0].orientation.x));
    CHECK(!std::signbit(parts[1].at.y));
    CHECK(again.shapes.back().parts[0].orientation == parts[0].orientation);
    CHECK(again.resolved == scene.resolved);
}
