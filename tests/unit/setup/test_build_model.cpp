// Whole scenes, filled by hand: materials and pairs, walls, groups, overlaps, step and warnings.
#include <cmath>

#include "model/contact_parameters.hpp"
#include "setup/build_model.hpp"
#include "setup/materials.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

Scene scene_with(std::vector<Vec3> at) {
    Scene scene = plain_scene();
    SceneBodies group = plain_group();
    group.placement.at = std::move(at);
    scene.bodies.push_back(group);
    return scene;
}

std::string failure(const Scene& scene) {
    return error_of([&] { build_model(scene); });
}

SceneWall wall_of(const std::string& kind) {
    SceneWall wall;
    wall.kind = kind;
    wall.material = "glass";
    wall.place = {"scene.toml", 30, 1};
    return wall;
}

}  // namespace

TEST_CASE("one grain: mass, velocity, step") {
    Scene scene = scene_with({{0, 0, 1}});
    scene.bodies[0].velocity = {1, 2, 3};
    scene.bodies[0].angular_velocity = {4, 5, 6};
    scene.domain.gravity = {0, -1, 0};
    scene.output.orientation = true;
    const BuiltModel built = build_model(scene);
    const Model& m = built.model;
    REQUIRE(m.bodies.size() == 1);
    CHECK(m.bodies.mass[0] == doctest::Approx(2500 * 4.0 / 3.0 * std::acos(-1.0) * 1e-9));
    CHECK(m.bodies.velocity[0] == Vec3{1, 2, 3});
    CHECK(m.bodies.angular_velocity[0] == Vec3{4, 5, 6});
    CHECK(m.gravity == Vec3{0, -1, 0});
    CHECK(m.track_orientation);
    CHECK(m.dt == step_limits(m).automatic);
    CHECK(built.stable_step == step_limits(m).stable);
    CHECK(built.warnings.empty());
}

TEST_CASE("pairs: geometric means, entries, method's stiffness") {
    Scene scene = plain_scene();
    scene.materials.push_back({"steel", 7800, 1e8, 0.3, 0.8, 0.1, {"scene.toml", 8, 1}});
    PairTable pairs = build_pairs(scene);
    CHECK(pairs(0, 1).restitution == doctest::Approx(std::sqrt(0.5 * 0.8)));
    CHECK(pairs(0, 1).friction == doctest::Approx(std::sqrt(0.4 * 0.1)));
    CHECK(pairs(0, 0).restitution == 0.5);
    CHECK(pairs(1, 1).friction == 0.1);
    CHECK(pairs(0, 1).stiffness == 0.0);

    SceneMaterialPair entry{"steel", "glass", 0.33, {}, {}, {}, {"scene.toml", 9, 1}, {}, {}};
    scene.material_pairs.push_back(entry);
    pairs = build_pairs(scene);
    CHECK(pairs(0, 1).restitution == 0.33);
    CHECK(pairs(1, 0).restitution == 0.33);
    CHECK(pairs(1, 0).friction == doctest::Approx(0.2));

    scene.method.law = "linear";
    CHECK(contains(error_of([&] { build_pairs(scene); }), "needs a stiffness"));
    scene.method.stiffness = 1e4;
    scene.method.tangential_ratio = 0.5;
    scene.material_pairs[0].stiffness = 2e4;
    pairs = build_pairs(scene);
    CHECK(pairs(0, 0).stiffness == 1e4);
    CHECK(pairs(0, 1).stiffness == 2e4);
    CHECK(pairs(0, 1).tangential_ratio == 0.5);
    scene.material_pairs.push_back({"glass", "steel", {}, 0.1, {}, {}, {"scene.toml", 12, 1}, {}, {}});
    CHECK(contains(error_of([&] { build_pairs(scene); }), "scene.toml:12:1: the pair \"glass\", \"steel\" is given twice"));
    scene.material_pairs.back().second = "wood";
    CHECK(contains(error_of([&] { build_pairs(scene); }), "unknown material \"wood\""));
}

TEST_CASE("walls of every kind") {
    Scene scene = scene_with({{0.5, 0.5, 0.5}});
    scene.walls = {wall_of("plane"), wall_of("quad"), wall_of("box"), wall_of("cylinder")};
    scene.walls[0].normal = {0, 0, 2};
    scene.walls[0].name = "floor";
    scene.walls[0].active_to = 3;
    scene.walls[1].corners = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    scene.walls[2].max = {1, 2, 3};
    scene.walls[3].point = {-9, 0, 0};
    scene.walls[3].axis = {0, 3, 4};
    scene.walls[3].radius = 2;
    scene.walls[3].side = "outside";
    const Model model = build_model(scene).model;
    REQUIRE(model.walls.size() == 4);
    CHECK(model.walls[0].name == "floor");
    CHECK(model.walls[1].name == "wall2");
    CHECK(model.walls[0].active_to == 3);
    CHECK(model.walls[0].planes[0].normal == Vec3{0, 0, 1});
    CHECK(model.walls[1].mesh.triangles.size() == 2);
    REQUIRE(model.walls[2].planes.size() == 6);
    // Every plane of the box has the middle on its inner side, at half the edge.
    double distances = 0.0;
    for (const Plane& p : model.walls[2].planes) {
        CHECK(dot(p.normal, Vec3{0.5, 1, 1.5} - p.point) > 0.0);
        distances += dot(p.normal, Vec3{0.5, 1, 1.5} - p.point);
    }
    CHECK(distances == doctest::Approx(1 + 2 + 3));
    CHECK(model.walls[3].cylinders[0].axis == Vec3{0, 0.6, 0.8});
    CHECK_FALSE(model.walls[3].cylinders[0].inside);
    CHECK(std::isinf(model.walls[3].cylinders[0].length));

    const auto broken = [&](std::size_t index, auto&& change) {
        Scene changed = scene;
        change(changed.walls[index]);
        return failure(changed);
    };
    CHECK(contains(broken(0, [](SceneWall& w) { w.normal = {}; }), "scene.toml:30:1: normal has no direction"));
    CHECK(contains(broken(0, [](SceneWall& w) { w.material = "air"; }), "unknown material \"air\""));
    CHECK(contains(broken(0, [](SceneWall& w) { w.kind = "sponge"; }), "unknown wall kind"));
    CHECK(contains(broken(1, [](SceneWall& w) { w.corners[3].z = 0.1; }), "not in one plane"));
    CHECK(contains(broken(1, [](SceneWall& w) { std::swap(w.corners[2], w.corners[3]); }), "the quad"));
    CHECK(contains(broken(1, [](SceneWall& w) { w.corners[2] = {0.1, 0.1, 0}; }), "not convex"));
    CHECK(contains(broken(2, [](SceneWall& w) { w.max.y = 0; }), "max must be above"));
    CHECK(contains(broken(3, [](SceneWall& w) { w.radius = 0; }), "radius 0 must be positive"));
}

TEST_CASE("groups follow each other; random ones keep clear of earlier ones") {
    Scene scene = scene_with({{5e-3, 5e-3, 5e-3}});
    scene.shapes.emplace_back().name = "boulder";
    scene.shapes.back().size = equal_size(4e-3);
    scene.bodies[0].shape = "boulder";
    scene.bodies.push_back(plain_group());
    ScenePlacement& p = scene.bodies[1].placement;
    p.kind = ScenePlacement::Kind::Random;
    p.region = "box";
    p.box_max = {1e-2, 1e-2, 2e-2};
    p.bodies = 100;
    const Model model = build_model(scene).model;
    REQUIRE(model.bodies.size() == 101);
    CHECK(model.bodies.radius[0] == 4e-3);
    CHECK(smallest_gap(model.bodies.position, model.bodies.radius) >= 0.0);
}

TEST_CASE("overlaps at the start: nothing, a warning, an error with both ids") {
    const auto weightless = [](Scene scene) {
        scene.domain.gravity = {};
        return build_model(scene);
    };
    CHECK(weightless(scene_with({{0, 0, 0}, {1.96e-3, 0, 0}})).warnings.empty());
    const BuiltModel built = weightless(scene_with({{0, 0, 0}, {1, 0, 0}, {1.9e-3, 0, 0}}));
    REQUIRE(built.warnings.size() == 1);
    CHECK(contains(built.warnings[0], "1 pairs overlap at the start"));
    Scene scene = scene_with({{1, 0, 0}, {0, 0, 0}});
    scene.bodies.push_back(scene.bodies[0]);
    scene.bodies[1].placement.at = {{0, 0, 1.5e-3}};
    scene.bodies[1].placement.place.line = 40;
    CHECK(contains(failure(scene), "scene.toml:40:3: bodies 1 (group 1) and 2 (group 2) overlap by 50.0 %"));
}

TEST_CASE("what a scene may say and hardly means") {
    const auto doubt = [](Scene scene, const char* text) {
        const std::vector<std::string> warnings = build_model(scene).warnings;
        CHECK(warnings.size() == 1);
        return !warnings.empty() && contains(warnings[0], text);
    };
    Scene scene = scene_with({{0, 0, 0}, {1, 0, 0}});
    CHECK(doubt(scene, "nothing holds the bodies"));
    SceneWall floor = wall_of("plane");
    floor.point = {0, 0, -1};
    floor.normal = {0, 0, 1};
    scene.walls = {floor};
    scene.time.end = 1;
    CHECK(build_model(scene).warnings.empty());
    Scene light = scene;
    light.materials[0].density = 2.5;
    light.materials[0].given["density"] = {"scene.toml", 7, 3};
    CHECK(doubt(light, "scene.toml:7:3: [material.glass] density: 2.5 kg/m3 is less than"));
    light.materials[0].density = 2.5e6;
    CHECK(doubt(light, "more than that of any metal"));
    Scene soft = scene;
    soft.materials[0].young = 10;
    soft.time.step = 1e-6;
    // delta = (1.5 m g (1 - nu^2) / (E sqrt(r)))^(2/3) = 5.93 mm, the radius 1 mm
    CHECK(doubt(soft, "by 5.93 of its radius"));
    Scene rare = scene;
    rare.output.every = 2;
    rare.output.place = {"scene.toml", 9, 1};
    CHECK(doubt(rare, "scene.toml:9:1: [output] every = 2 s is longer than the run, time.end = 1 s"));
}

TEST_CASE("the step: given, past the limit, or not to be chosen") {
    Scene scene = scene_with({{0, 0, 0}});
    scene.time.step = 1e-6;
    CHECK(build_model(scene).model.dt == 1e-6);
    CHECK(build_model(scene).warnings.empty());
    scene.time.step = 5e-5;
    const BuiltModel built = build_model(scene);
    REQUIRE(built.warnings.size() == 1);
    CHECK(contains(built.warnings[0], "past the stable limit"));
    scene.time.step = 1e-3;
    CHECK(contains(failure(scene), "contacts would gain energy"));
    // The power law's spring stiffens with the overlap: its limit is that of the deepest one permitted.
    Scene power = scene;
    power.method.law = "power";
    power.method.stiffness = 1e9;
    REQUIRE(build_model(power).warnings.size() == 1);
    CHECK(contains(build_model(power).warnings[0], "past the stable limit"));
    scene.time.step = -1.0;
    scene.time.step_place = {"scene.toml", 2, 8};
    CHECK(contains(failure(scene), "scene.toml:2:8: time.step -1 must be positive"));
    Scene none = plain_scene();
    CHECK(contains(failure(none), "without bodies"));
    none.time.step = 1e-5;
    CHECK(build_model(none).model.bodies.size() == 0);
}

TEST_CASE("settings and their errors") {
    Scene scene = scene_with({{0, 0, 0}});
    scene.method.search = "levels";
    scene.method.skin = 1e-4;
    scene.domain.leave = "remove";
    scene.domain.max = {1, 1, -1};
    scene.domain.check_every = 7;
    const BuiltModel built = build_model(scene);
    CHECK(built.model.penalty.search == Search::Levels);
    CHECK(built.model.penalty.skin == 1e-4);
    CHECK(built.model.domain.leave == Leave::Remove);
    CHECK(built.model.domain.check_every == 7);
    REQUIRE(built.warnings.size() == 1);
    CHECK(contains(built.warnings[0], "1 bodies start outside the domain and will be removed"));

    const auto broken = [&](auto&& change) {
        Scene changed = scene_with({{0, 0, 0}});
        change(changed);
        return failure(changed);
    };
    CHECK(contains(broken([](Scene& s) { s.method.kind = "soft"; }), "not available"));
    CHECK(contains(broken([](Scene& s) { s.method.law = "jelly"; }), "unknown law"));
    CHECK(contains(broken([](Scene& s) { s.method.overlap_warning = 0.5; }), "overlap_warning"));
    CHECK(contains(broken([](Scene& s) { s.dimensions = 4; }), "2 and 3 are available"));
    CHECK(contains(broken([](Scene& s) { s.bodies[0].shape = "egg"; }), "unknown shape \"egg\""));
    CHECK(contains(broken([](Scene& s) { s.bodies[0].material = "egg"; }), "unknown material \"egg\""));
    CHECK(contains(broken([](Scene& s) { s.shapes[0].kind = "egg"; }), "not available"));
    CHECK(contains(broken([](Scene& s) { s.domain.min.x = 2, s.domain.max.x = 1; }), "domain's max"));
    CHECK(contains(broken([](Scene& s) { s.materials[0].restitution = -0.001; }), "outside [0, 1]"));
    CHECK(contains(broken([](Scene& s) { s.materials[0].young = 0; }), "scene.toml:5:1: Young's modulus"));
}

TEST_CASE("a mesh wall with flat triangles warns") {
    const TemporaryFile file("flat.txt", "0 0 0 1 0 0 0 1 0\n0 0 0 1 0 0 2 0 0\n");
    Scene scene = scene_with({{0, 0, 1}});
    scene.walls = {wall_of("mesh")};
    scene.walls[0].file = file.path();
    const BuiltModel built = build_model(scene);
    REQUIRE(built.warnings.size() == 1);
    CHECK(contains(built.warnings[0], "wall \"wall1\": 1 of 2 triangles have no area"));
    scene.walls[0].scale = 1e-200;  // the square of an edge is below the smallest number
    CHECK(contains(error_of([&] { build_model(scene); }), "wall \"wall1\": none of its 2 triangles has an area"));
}

TEST_CASE("radii and densities whose masses are no numbers are refused") {
    const auto error = [](double radius, double density) {
        Scene scene = scene_with({{0, 0, 1}});
        scene.shapes[0].size = equal_size(radius);
        scene.materials[0].density = density;
        return error_of([&] { build_model(scene); });
    };
    CHECK(error(1e-3, 2500) == "");
    for (const double radius : {1e-200, 1e200}) {
        CAPTURE(radius);
        CHECK(contains(error(radius, 2500), "scene.toml:21:3: body 0 (group 1): radius"));
    }
    CHECK(contains(error(1e-3, 1e-300), "change its radius or density"));
    CHECK(contains(error(1e-3, 1e300), "the automatic step would be inf s: check radii, densities"));
    CHECK(contains(error(1e-60, 2500), "the automatic step would be 0 s: check radii, densities"));
}

TEST_CASE("an end that no number of steps reaches is refused") {
    Scene scene = scene_with({{0, 0, 1}});
    scene.time.step_place = {"scene.toml", 3, 8};
    scene.time.step = 1e-300;
    CHECK(contains(error_of([&] { build_model(scene); }), "scene.toml:3:8: steps of 1e-300 s would be 1e+300 to the end"));
    scene.time.step = 1e-14;
    CHECK(error_of([&] { build_model(scene); }) == "");
}
