// Keys of polyhedra, orientations and the laws that came with them.
#include <doctest/doctest.h>

#include <cmath>

#include "unit/scene/mechanism.hpp"

using namespace scree;
using namespace scree_test;

namespace {

const std::string kShapes = kHead + R"([shape.brick]
kind = "box"
edges = ["2 cm", "1 cm", 0.005]
[shape.shard]
kind = "polyhedron"
vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, "1 m"]]
classes = [{ radius = "1 mm", share = 3 }, { radius = 0.002, share = 1 }]
share_by = "mass"
[shape.stone]
kind = "mesh"
file = "stone.stl"
scale = 0.001
hull = true
[shape.die]
kind = "cube"
edge = "16 mm"
[shape.twenty]
kind = "icosahedron"
distribution = { kind = "uniform", min = 0.001, max = 0.002 }
[shape.sand]
kind = "sphere"
distribution = { kind = "sieve", share_by = "mass", sieves = [{ aperture = "1 mm", passing = 0 }, { aperture = "2 mm", passing = 1 }] }
[shape.ore]
kind = "sphere"
distribution = { kind = "rosin_rammler", share_by = "number", scale = "3 mm", exponent = 2.5 }
[shape.nut]
kind = "prism"
sides = 6
base_radius = "5 mm"
height = "4 mm"
[shape.pearl]
kind = "geodesic"
faces = 80
diameter = 0.01
[[bodies]]
shape = "brick"
material = "glass"
place.at = [0, 0, 0]
orientation = "random"
[[bodies]]
shape = "die"
material = "glass"
place.at = [1, 0, 0]
orientation = [1, 0, 0, 1]
[[bodies]]
shape = "nut"
material = "glass"
place.at = [2, 0, 0]
rotation = { axis = [0, 0, 2], angle = "90 deg" }
)";

}  // namespace

TEST_CASE("shapes: every kind, and the resolved text parses to itself") {
    const Scene scene = parsed(kShapes);
    const Scene again = parse_scene_text(scene.resolved, "resolved.toml", "/elsewhere");
    CHECK(again.resolved == scene.resolved);
    for (const Scene& s : {scene, again}) {
        REQUIRE(s.shapes.size() == 10);
        for (const SceneShape& shape : s.shapes) {
            if (shape.name == "brick") {
                CHECK(shape.edges == Vec3{0.02, 0.01, 0.005});
                CHECK(shape.size.kind == SizeDistribution::Kind::Single);
                CHECK(shape.size.radius == 0);
            }
            if (shape.name == "shard") {
                CHECK(shape.vertices.size() == 4);
                CHECK(shape.size.kind == SizeDistribution::Kind::Classes);
                CHECK(shape.size.share_by_mass);
            }
            if (shape.name == "stone") {
                CHECK(shape.file == "/scenes/stone.stl");
                CHECK(shape.scale == 0.001);
                CHECK(shape.hull);
            }
            if (shape.name == "die") CHECK(shape.edge == 0.016);
            if (shape.name == "twenty") CHECK(shape.size.kind == SizeDistribution::Kind::Uniform);
            if (shape.name == "sand") {
                CHECK(shape.size.share_by_mass);
                CHECK(shape.size.sieve_radius == std::vector<double>{0.0005, 0.001});
                CHECK(shape.size.passing == std::vector<double>{0, 1});
            }
            if (shape.name == "ore") {
                CHECK(shape.size.kind == SizeDistribution::Kind::RosinRammler);
                CHECK(!shape.size.share_by_mass);
                CHECK(shape.size.scale == 0.003);
                CHECK(shape.size.exponent == 2.5);
            }
            if (shape.name == "nut") CHECK(shape.sides == 6);
            if (shape.name == "pearl") {
                CHECK(shape.faces == 80);
                CHECK(shape.size.radius == 0.005);
            }
        }
        REQUIRE(s.bodies.size() == 3);
        CHECK(s.bodies[0].random_orientation);
        CHECK(s.bodies[1].orientation == Quat{1, 0, 0, 1});
        CHECK(std::fabs(s.bodies[2].orientation.w - std::sqrt(0.5)) < 1e-15);
        CHECK(std::fabs(s.bodies[2].orientation.z - std::sqrt(0.5)) < 1e-15);
    }
}

TEST_CASE("shapes: errors") {
    const auto shape = [](const std::string& text) { return error_of(kHead + "[shape.a]\n" + text); };
    CHECK(contains(shape("kind = \"box\"\n"), "[shape.a] with kind = \"box\" needs \"edges\""));
    CHECK(contains(shape("kind = \"box\"\nedges = [1, 0, 1]\n"), "14:9: [shape.a] edges: all three must be above 0"));
    CHECK(contains(shape("kind = \"sphere\"\nedges = [1, 1, 1]\n"), "does not apply to kind = \"sphere\""));
    CHECK(contains(shape("kind = \"cube\"\n"), "needs one of edge, radius, diameter, classes, distribution"));
    CHECK(contains(shape("kind = \"cube\"\nedge = 1\nradius = 1\n"), "not both edge and radius"));
    CHECK(contains(shape("kind = \"geodesic\"\nradius = 1\nfaces = 81\n"), "must be 20, 80 or 320"));
    CHECK(contains(shape("kind = \"polyhedron\"\nvertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n"), "list of points"));
    CHECK(contains(shape("kind = \"box\"\nedges = [1, 1, 1]\nradius = 1\nshare_by = \"mass\"\n"), "does not apply without \"classes\""));

    const std::string group = kHead + "[shape.die]\nkind = \"cube\"\nedge = 1\n[[bodies]]\nmaterial = \"glass\"\nplace.at = [0, 0, 0]\n";
    const std::string die = group + "shape = \"die\"\n", grain = group + "shape = \"grain\"\n";
    CHECK(error_of(die + "orientation = [1, 2, 3, 4]\n") == "no error");
    CHECK(contains(error_of(die + "orientation = [1, 2, 3]\n"), "four numbers [w, x, y, z] or \"random\""));
    CHECK(contains(error_of(die + "orientation = [0, 0, 0, 0]\n"), "length must be above 0"));
    CHECK(contains(error_of(die + "orientation = \"random\"\nrotation = { axis = [1, 0, 0], angle = 1 }\n"), "not both"));
    CHECK(contains(error_of(die + "rotation = { axis = [0, 0, 0], angle = 1 }\n"), "gives a direction"));
    CHECK(contains(error_of(grain + "orientation = \"random\"\n"), "turns polyhedra"));
}

TEST_CASE("shapes: clumps and compounds, and the resolved text parses to itself") {
    const Scene scene = parsed(kClumps);
    const Scene again = parse_scene_text(scene.resolved, "resolved.toml", "/elsewhere");
    CHECK(again.resolved == scene.resolved);
    for (const Scene& s : {scene, again}) {
        const auto shape = [&s](const std::string& name) {
            for (const SceneShape& one : s.shapes)
                if (one.name == name) return one;
            return SceneShape{};
        };
        CHECK(shape("grape").spheres == std::vector<std::array<double, 4>>{{0, 0, 0, 0.001}, {0.0015, 0, 0, 0.002}});
        CHECK(shape("bunch").file == "/scenes/spheres.txt");
        CHECK(shape("bunch").size.kind == SizeDistribution::Kind::Uniform);
        const std::vector<ScenePart> parts = shape("hammer").parts;
        REQUIRE(parts.size() == 3);
        CHECK(parts[0].shape == "handle");
        CHECK(parts[1].at == Vec3{0, 0, 0.15});
        CHECK(std::fabs(parts[1].orientation.x - std::sqrt(0.5)) < 1e-15);
        CHECK(parts[2].orientation == Quat{0, 2, 0, 0});
    }
}

TEST_CASE("shapes: errors of clumps and compounds") {
    const struct {
        std::string text, message;
    } cases[] = {
        {"kind = \"clump\"\nspheres = []\n", "scene.toml:14:11: [shape.a] spheres: expected a list of spheres [[x, y, z, r], …]"},
        {"kind = \"clump\"\nspheres = [[0, 0, 0]]\n", "scene.toml:14:12: [shape.a] spheres: expected four numbers [x, y, z, r]"},
        {"kind = \"clump\"\nspheres = [[0, 0, 0, 0]]\n", "scene.toml:14:22: [shape.a] spheres: the radius must be above 0, not 0"},
        {"kind = \"clump\"\nspheres = [[0, 0, 0, \"1 s\"]]\n", "scene.toml:14:22: [shape.a] spheres: expected a length"},
        {"kind = \"clump\"\nspheres = [[0, 0, 0, 1]]\nfile = \"a\"\n", "scene.toml:15:8: [shape.a]: a clump needs either spheres"},
        {"kind = \"sphere\"\nradius = 1\nspheres = [[0, 0, 0, 1]]\n", "scene.toml:15:11: [shape.a] spheres: does not apply to kind"},
        {"kind = \"mesh\"\n", "scene.toml:12:1: [shape.a] with kind = \"mesh\" needs \"file\""},
        {"kind = \"compound\"\n", "scene.toml:12:1: [shape.a] with kind = \"compound\" needs \"parts\""},
        {"kind = \"compound\"\nparts = []\n", "scene.toml:14:9: [shape.a] parts: must not be empty"},
        {"kind = \"compound\"\nparts = [{ at = [0, 0, 0] }]\n", "scene.toml:14:10: [shape.a] parts needs \"shape\""},
        {"kind = \"compound\"\nparts = [{ shape = \"grian\" }]\n",
         "scene.toml:14:20: [shape.a] parts shape: there is no shape \"grian\"; did you mean \"grain\"?"},
        {"kind = \"compound\"\nparts = [{ shape = \"a\" }]\n", "scene.toml:14:10: shape \"a\" is a compound itself"},
        {"kind = \"compound\"\nparts = [{ shape = \"b\" }]\n[shape.b]\nkind = \"sphere\"\nclasses = [{ radius = 1, share = 1 }]\n",
         "scene.toml:14:10: shape \"b\" has a distribution of sizes; a part has one"},
        {"kind = \"compound\"\nparts = [{ shape = \"grain\", orientation = [0, 0, 0, 0] }]\n",
         "scene.toml:14:43: [shape.a] parts orientation: is a rotation"},
    };
    for (const auto& c : cases) {
        const std::string message = error_of(kHead + "[shape.a]\n" + c.text);
        CHECK_MESSAGE(message.starts_with(c.message), c.text, "\ngave:     ", message, "\nexpected: ", c.message);
    }
}

TEST_CASE("laws: power and volume") {
    const std::string power =
        "[time]\nend = 1\n[method]\nlaw = \"power\"\nstiffness = 1e6\ndamping = 0.3\ntangential_damping = 0.2\n"
        "patch = \"vertices\"\n[material.m]\ndensity = 1000\nfriction = 0.3\n";
    const Scene scene = parsed(power + "[[material_pair]]\nbetween = [\"m\", \"m\"]\nstiffness = 2e6\ndamping = 0.1\n");
    CHECK(scene.method.stiffness == 1e6);
    CHECK(scene.method.damping == 0.3);
    CHECK(scene.method.tangential_damping == 0.2);
    CHECK(scene.method.patch == "vertices");
    CHECK(scene.material_pairs[0].damping == 0.1);
    CHECK(parsed(scene.resolved).resolved == scene.resolved);
    CHECK(contains(error_of(power, {"method.stiffness=1 kN/m"}), "plain number"));
    CHECK(contains(error_of(power, {"method.law=hertz"}), "does not apply"));
    const std::string volume =
        "[time]\nend = 1\n[method]\nlaw = \"volume\"\n[material.m]\ndensity = 1000\nfriction = 0.3\nrestitution = 0.5\n";
    CHECK(contains(error_of(volume), "needs \"young\""));
    CHECK(contains(error_of(kHead + "[[material_pair]]\nbetween = [\"glass\", \"glass\"]\ndamping = 3\n"), "belongs to law = \"power\""));
}
