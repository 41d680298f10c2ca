// Scenes of two dimensions: vectors of two, what turns as one number, and a clear message for what belongs to space.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "unit/scene/example.hpp"

using namespace scree;
using namespace scree_test;

namespace {

/// Twelve lines.
const std::string kPlane = R"(dimensions = 2
[time]
end = 1
[material.glass]
density = 2500
young = 1e7
poisson = 0.25
restitution = 0.5
friction = 0.4
[shape.grain]
kind = "disk"
radius = "2 mm"
)";

const std::string kFullPlane = kPlane + R"(
[domain]
min = [-1, "-2 m"]
max = [1, inf]
[shape.tile]
kind = "polygon"
corners = [[0, 0], [2, 0], [1, 1]]
distribution = { kind = "uniform", min = 0.01, max = 0.02 }
[shape.hexagon]
kind = "polygon"
sides = 6
edge = "1 cm"
[[bodies]]
shape = "grain"
material = "glass"
velocity = [1, "-2 m/s"]
angular_velocity = "60 rpm"
place = { lattice = [3, 4], lattice_kind = "hcp", spacing = 0.01, origin = [0, 0.1] }
[[bodies]]
shape = "tile"
material = "glass"
angle = "30 deg"
place = { random = true, bodies = 5, region = { circle = { centre = [0, 0], radius = 1 } } }
[[bodies]]
shape = "hexagon"
material = "glass"
angle = "random"
place = { at = [[0.1, 0.2], [0.3, 0.4]] }
[[bodies]]
shape = "grain"
material = "glass"
place = { lattice = "fill", spacing = 0.01, region = { box = [[0, 0], [1, 1]] } }
[[wall]]
kind = "plane"
material = "glass"
point = [0, 0]
normal = [0, 1]
[[wall]]
kind = "segment"
material = "glass"
from = [0, 0]
to = [1, "50 cm"]
motion = { rate = 1, point = [0, 0], oscillation = { amplitude = [0, 0.1], frequency = 2 } }
[[wall]]
kind = "arc"
material = "glass"
centre = [0.5, 0.5]
radius = 0.2
angles = ["-90 deg", "180 deg"]
[[wall]]
kind = "box"
material = "glass"
min = [-1, -2]
max = [1, 2]
[[measure]]
kind = "mass_in"
box = [[0, 0], [1, 1]]
)";

std::string message_of(const std::string& text) {
    try {
        parse_scene_text(text, "scene.toml", "/here");
    } catch (const Error& fault) {
        return fault.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("plane: vectors have two numbers, and what turns one") {
    const Scene scene = parse_scene_text(kFullPlane, "scene.toml", "/here");
    CHECK(scene.dimensions == 2);
    CHECK(scene.domain.gravity == Vec3{0, -9.81, 0});
    CHECK(scene.domain.min == Vec3{-1, -2, -kInfinity});
    CHECK(scene.domain.max == Vec3{1, kInfinity, kInfinity});
    REQUIRE(scene.bodies.size() == 4);
    CHECK(scene.bodies[0].velocity == Vec3{1, -2, 0});
    CHECK(scene.bodies[0].angular_velocity.x == 0);
    CHECK(scene.bodies[0].angular_velocity.z == doctest::Approx(6.283185307179586));
    CHECK(scene.bodies[0].placement.count[2] == 1);
    CHECK(*scene.bodies[0].placement.origin == Vec3{0, 0.1, 0});
    const Quat q = scene.bodies[1].orientation;
    CHECK(2 * std::atan2(q.z, q.w) == doctest::Approx(std::numbers::pi / 6));
    CHECK((q.x == 0 && q.y == 0));
    CHECK(scene.bodies[2].random_orientation);
    CHECK(scene.bodies[2].placement.at[1] == Vec3{0.3, 0.4, 0});
    CHECK(scene.walls[1].max == Vec3{1, 0.5, 0});
    CHECK(*scene.walls[1].motion->point == Vec3{});
    CHECK(*scene.walls[2].centre == Vec3{0.5, 0.5, 0});
    CHECK(scene.walls[2].angle_from == doctest::Approx(-std::numbers::pi / 2));
    CHECK(scene.walls[2].angle_to == doctest::Approx(std::numbers::pi));
    CHECK(scene.measures[0].box_min.z == -kInfinity);
}

TEST_CASE("plane: gravity may be given or left as it is") {
    const Scene given = parse_scene_text(kPlane + "[domain]\ngravity = [1, 2]\n", "scene.toml", "/here");
    CHECK(given.domain.gravity == Vec3{1, 2, 0});
    CHECK(parse_scene_text(kPlane, "scene.toml", "/here").domain.gravity == Vec3{0, -9.81, 0});
}

TEST_CASE("plane: the resolved text parses to itself, with vectors of two") {
    const Scene scene = parse_scene_text(kFullPlane, "scene.toml", "/here");
    const Scene again = parse_scene_text(scene.resolved, "resolved.toml", "/elsewhere");
    CHECK(again.resolved == scene.resolved);
    CHECK(again.bodies[1].orientation == scene.bodies[1].orientation);
    CHECK(again.bodies[0].angular_velocity == scene.bodies[0].angular_velocity);
    CHECK(scene.resolved.find("gravity = [0, -9.81]\n") != std::string::npos);
    CHECK(scene.resolved.find("orientation") == scene.resolved.find("orientation = false"));  // of [output] alone
}

TEST_CASE("plane: what belongs to space is refused where it stands") {
    struct Case {
        std::string text, message;
    };
    const std::string bodies = "[[bodies]]\nshape = \"grain\"\nmaterial = \"glass\"\n", wall = "[[wall]]\nmaterial = \"glass\"\n";
    const std::vector<Case> cases{
        {"[domain]\ngravity = [0, 0, -9.81]\n",
         "scene.toml:14:11: [domain] gravity: expected two numbers [x, y], not three: the scene has dimensions = 2"},
        {"[shape.ball]\nkind = \"sphere\"\nradius = 1\n",
         "scene.toml:14:8: [shape.ball] kind: \"sphere\" has three dimensions, but the scene two; use disk or polygon"},
        {"[shape.tile]\nkind = \"polygon\"\n", "scene.toml:13:1: [shape.tile]: a polygon needs either corners = [[x, y], …] or sides"},
        {"[shape.tile]\nkind = \"polygon\"\nsides = 5\n", "scene.toml:13:1: [shape.tile] needs one of edge, radius, diameter"},
        {"[shape.tile]\nkind = \"polygon\"\ncorners = [[0, 0], [1, 0], [0, 1]]\nedge = 1\n",
         "scene.toml:16:8: [shape.tile] edge: does not apply to a polygon given by its corners"},
        {bodies + "place = { at = [[0, 0, 0]] }\n", "scene.toml:16:17: [[bodies]] place at: expected two numbers [x, y], not three"},
        {bodies + "place = { at = [0, 0, 0] }\n", "scene.toml:16:16: [[bodies]] place at: expected two numbers [x, y], not three"},
        {bodies + "place = { at = [0, 0] }\nangular_velocity = [0, 0, 1]\n",
         "scene.toml:17:20: [[bodies]] angular_velocity: expected an angular velocity"},
        {bodies + "place = { at = [0, 0] }\norientation = [1, 0, 0, 0]\n",
         "scene.toml:17:15: [[bodies]] orientation: belongs to scenes of three dimensions, but dimensions = 2"},
        {bodies + "place = { at = [0, 0] }\nangle = 1\n",
         "scene.toml:17:9: [[bodies]] angle: turns polygons; a disk is the same from all sides. Leave it out"},
        {bodies + "place = { lattice = [2, 2, 2], spacing = 1 }\n",
         "scene.toml:16:21: [[bodies]] place lattice: expected two whole numbers [nx, ny]"},
        {wall + "kind = \"cylinder\"\npoint = [0, 0]\nradius = 1\n",
         "scene.toml:15:8: [[wall]] kind: \"cylinder\" has three dimensions, but the scene two; use plane, box, segment or arc"},
        {wall + "kind = \"segment\"\nfrom = [0, 1]\nto = [0, 1]\n", "scene.toml:17:6: [[wall]] to: must not be where the segment starts"},
        {wall + "kind = \"arc\"\nradius = 1\n", "scene.toml:13:1: [[wall]] with kind = \"arc\" needs \"centre\""},
        {wall + "kind = \"arc\"\nradius = 1\ncentre = [0, 0]\nangles = [1, 0]\n",
         "scene.toml:18:10: [[wall]] angles: must rise from the first to the last by at most a full turn, not by -57.2958 degrees"},
        {wall + "kind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\nmass = 1\n",
         "scene.toml:18:8: [[wall]] mass: belongs to scenes of three dimensions"},
        {wall + "kind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\ncentre = [0, 0]\n",
         "scene.toml:18:10: [[wall]] centre: does not apply to kind = \"plane\"; it belongs to \"arc\""},
        {bodies + "place = { random = true, fraction = 0.95, region = { box = [[0, 0], [1, 1]] } }\n",
         "scene.toml:16:37: [[bodies]] place fraction: must be above 0 and at most 0.9069, not 0.95 (equal spheres are packed to 0.7405 at "
         "most, equal disks to 0.9069)"},
        {"[[joint]]\nname = \"a\"\n", "scene.toml:13:1: [[joint]]: belongs to scenes of three dimensions, but dimensions = 2"},
        {"[[body]]\nname = \"a\"\n", "scene.toml:13:1: [[body]]: belongs to scenes of three dimensions, but dimensions = 2"},
    };
    for (const Case& c : cases) {
        const std::string message = message_of(kPlane + c.text);
        INFO(c.text << "\ngave:     " << message << "\nexpected: " << c.message);
        CHECK(message.starts_with(c.message));
    }
}

TEST_CASE("plane: what belongs to the plane is refused in space") {
    CHECK(message_of(kHead + "[shape.coin]\nkind = \"disk\"\nradius = 1\n")
              .starts_with("scene.toml:13:8: [shape.coin] kind: \"disk\" needs dimensions = 2; in three dimensions use sphere or prism"));
    CHECK(message_of(kHead + "[[wall]]\nkind = \"segment\"\nmaterial = \"glass\"\nfrom = [0, 0]\n")
              .starts_with("scene.toml:15:8: [[wall]] from: belongs to scenes of two dimensions (dimensions = 2), but dimensions = 3"));
}
