#include "scene/parse.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "unit/scene/example.hpp"

using namespace scree;
using namespace scree_test;

TEST_CASE("parse: the smallest scene has the defaults of scene.hpp") {
    const Scene scene = parsed("[time]\nend = 2\n");
    CHECK(scene.time.end == 2);
    CHECK(!scene.time.step);
    CHECK(scene.dimensions == 3);
    CHECK(scene.domain.gravity == Vec3{0, 0, -9.81});
    CHECK(scene.domain.max.x == kInfinity);
    CHECK(scene.method.kind == "penalty");
    CHECK(scene.method.law == "hertz");
    CHECK(!scene.method.skin);
    CHECK(scene.output.checkpoint_every == 600);
    CHECK(scene.bodies.empty());
    CHECK(scene.file == "scene.toml");
    CHECK(scene.folder == "/scenes");
}

TEST_CASE("parse: time, domain, method, output") {
    const Scene scene = parsed(kFull);
    CHECK(scene.title == "Every \"table\"");
    CHECK(scene.time.step.value() == 2e-6);
    CHECK(scene.time.end == 60);
    CHECK(scene.time.step_place.line == 5);
    CHECK(scene.domain.gravity == Vec3{0, -9.81, 0});
    CHECK(scene.domain.min == Vec3{-1, -2, -0.3});
    CHECK(scene.domain.max == Vec3{1, 2, kInfinity});
    CHECK(scene.domain.leave == "remove");
    CHECK(scene.domain.check_every == 20);
    CHECK(scene.method.law == "linear");
    CHECK(scene.method.stiffness == 1e4);
    CHECK(scene.method.tangential_ratio == 0.5);
    CHECK(scene.method.overlap_warning == 0.04);
    CHECK(scene.method.overlap_limit == 0.2);
    CHECK(scene.method.skin.value() == 1e-3);
    CHECK(scene.method.search == "grid");
    CHECK(scene.output.every == 0.02);
    CHECK(scene.output.contacts);
    CHECK(scene.output.orientation);
    CHECK(scene.output.checkpoint_every == 600);
}

TEST_CASE("parse: materials, pairs and shapes") {
    const Scene scene = parsed(kFull);
    REQUIRE(scene.materials.size() == 2);
    CHECK(scene.materials[0].name == "glass");
    CHECK(scene.materials[0].young == 1e7);
    CHECK(scene.materials[0].place.line == 25);
    CHECK(scene.materials[1].restitution == 0.7);
    REQUIRE(scene.material_pairs.size() == 1);
    CHECK(scene.material_pairs[0].first == "glass");
    CHECK(scene.material_pairs[0].second == "steel");
    CHECK(scene.material_pairs[0].restitution.value() == 0.6);
    CHECK(scene.material_pairs[0].stiffness.value() == 2e4);

    using Kind = SizeDistribution::Kind;
    REQUIRE(scene.shapes.size() == 4);  // by name: bead, grain, gravel, sand
    CHECK(scene.shapes[0].size.radius == 0.0021);
    CHECK(scene.shapes[1].size.radius == 0.002);
    CHECK(scene.shapes[2].size.kind == Kind::Classes);
    CHECK(scene.shapes[2].size.class_radius == std::vector<double>{0.001, 0.002});
    CHECK(scene.shapes[2].size.class_share == std::vector<double>{3, 1});
    CHECK(scene.shapes[2].size.share_by_mass);
    CHECK(scene.shapes[3].size.kind == Kind::LogNormal);
    CHECK(scene.shapes[3].size.deviation == 2e-4);
    CHECK(scene.shapes[3].size.max == 2e-3);
}

TEST_CASE("parse: bodies and placements") {
    using Kind = ScenePlacement::Kind;
    const Scene scene = parsed(kFull);
    REQUIRE(scene.bodies.size() == 6);
    CHECK(scene.bodies[0].placement.kind == Kind::Single);
    CHECK(scene.bodies[0].placement.at == std::vector<Vec3>{{0, 0, 1}});
    CHECK(scene.bodies[0].velocity == Vec3{0.03, 0, 0});
    CHECK(scene.bodies[0].angular_velocity.z == doctest::Approx(std::numbers::pi).epsilon(1e-14));

    const ScenePlacement& lattice = scene.bodies[1].placement;
    CHECK(lattice.kind == Kind::Lattice);
    CHECK(lattice.lattice == "hcp");
    CHECK(lattice.count[2] == 40);
    CHECK(lattice.spacing == 0.0042);
    CHECK(lattice.origin.value() == Vec3{1, 2, 3});
    CHECK(lattice.bodies.value() == 100);

    const ScenePlacement& fill = scene.bodies[2].placement;
    CHECK(fill.count[0] == 0);
    CHECK(fill.region == "cylinder");
    CHECK(fill.length == 0.5);

    const ScenePlacement& random = scene.bodies[3].placement;
    CHECK(random.kind == Kind::Random);
    CHECK(random.fraction.value() == 0.3);
    CHECK(random.region == "box");
    CHECK(random.box_max == Vec3{1, 1, 0.5});
    CHECK(scene.bodies[3].seed == 42);

    CHECK(scene.bodies[4].placement.region == "sphere");
    CHECK(scene.bodies[4].placement.centre == Vec3{0, 0, 1});
    CHECK(scene.bodies[5].placement.kind == Kind::File);
    CHECK(scene.bodies[5].placement.file == "/scenes/particles.csv");
    CHECK(scene.bodies[5].shape.empty());
}

TEST_CASE("parse: walls and measures") {
    const Scene scene = parsed(kFull);
    REQUIRE(scene.walls.size() == 5);
    CHECK(scene.walls[0].name == "floor");
    CHECK(scene.walls[1].name == "wall2");
    CHECK(scene.walls[1].corners.size() == 4);
    CHECK(scene.walls[1].active_to == 2);
    CHECK(scene.walls[2].max == Vec3{1, 1, 1});
    CHECK(scene.walls[3].side == "outside");
    CHECK(scene.walls[3].radius == 0.1);
    CHECK(scene.walls[4].file == "/scenes/meshes/hopper.stl");
    CHECK(scene.walls[4].scale == 0.001);
    CHECK(scene.walls[4].offset.z == 0.01);

    REQUIRE(scene.measures.size() == 4);
    CHECK(scene.measures[0].name == "energy");
    CHECK(scene.measures[0].every == 0);
    CHECK(scene.measures[1].region == "box");
    CHECK(scene.measures[1].every == 0.01);
    CHECK(scene.measures[2].region == "cylinder");
    CHECK(scene.measures[2].axis == Vec3{0, 0, 1});
    CHECK(scene.measures[3].wall == "hopper");
}

TEST_CASE("parse: under the linear law a material needs no elastic constants") {
    const std::string steel = "[time]\nend = 1\n[material.steel]\ndensity = 7800\nrestitution = 0.7\nfriction = 0.1\n";
    CHECK(error_of(steel + "[method]\nlaw = \"linear\"\nstiffness = 1e4\n") == "no error");
    CHECK(contains(error_of(steel),
                   "scene.toml:3:1: [material.steel] with law = \"hertz\", \"volume\", \"thornton_ning\" or \"eepa\" needs \"young\""));
}

TEST_CASE("parse: at takes one point or many") {
    const std::string bodies = kHead + "[[bodies]]\nshape = \"grain\"\nmaterial = \"glass\"\n";
    CHECK(parsed(bodies + "place.at = [[0, 0, 0], [1, \"2 cm\", 0]]").bodies[0].placement.at[1] == Vec3{1, 0.02, 0});
    CHECK(parsed(bodies + "place.at = [1, 2, 3]").bodies[0].placement.at == std::vector<Vec3>{{1, 2, 3}});
}

TEST_CASE("parse: a file is read, and paths in it start at its folder") {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "scree_parse_test";
    std::filesystem::create_directories(folder);
    const std::string file = (folder / "a.toml").string();
    std::ofstream(file) << kHead << "[[bodies]]\nmaterial = \"glass\"\nplace.file = \"../b.csv\"\n";
    const Scene scene = parse_scene(file, {"time.end=3"});
    CHECK(scene.time.end == 3);
    CHECK(scene.folder == folder.string());
    CHECK(scene.bodies[0].placement.file == (std::filesystem::temp_directory_path() / "b.csv").string());
    CHECK_THROWS_WITH_AS(parse_scene(folder.string()), doctest::Contains("is a folder"), Error);
    CHECK_THROWS_WITH_AS(parse_scene((folder / "none.toml").string()), doctest::Contains("cannot be read"), Error);
    std::filesystem::remove_all(folder);
}
