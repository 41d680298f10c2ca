// Scenes of hard particles: what is refused, disks, random velocities, the automatic step.
#include <cmath>

#include "setup/build_model.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

/// 4 × 4 grains of 1 mm on a lattice of 3 mm, in a periodic domain of 12 mm.
Scene hard_scene(std::int64_t dimensions) {
    Scene scene = plain_scene();
    scene.dimensions = dimensions;
    scene.method.kind = "hard";
    scene.shapes[0].kind = dimensions == 2 ? "disk" : "sphere";
    scene.method.place = {"scene.toml", 2, 1};
    scene.domain.gravity = {};
    scene.domain.place = {"scene.toml", 3, 1};
    scene.time.step_place = {"scene.toml", 4, 1};
    scene.domain.min = {0, 0, dimensions == 2 ? -kInfinity : 0};
    scene.domain.max = {12e-3, 12e-3, dimensions == 2 ? kInfinity : 12e-3};
    scene.domain.periodic = dimensions == 2 ? "xy" : "xyz";
    SceneBodies group = plain_group();
    group.placement.kind = ScenePlacement::Kind::Lattice;
    group.placement.spacing = 3e-3;
    group.placement.count[0] = group.placement.count[1] = 4;
    group.placement.count[2] = dimensions == 2 ? 1 : 4;
    group.velocity_deviation = 0.5;
    scene.bodies.push_back(group);
    return scene;
}

SceneWall wall_of(const std::string& kind) {
    SceneWall wall;
    wall.kind = kind;
    wall.material = "glass";
    wall.place = {"scene.toml", 30, 1};
    wall.min = {0, 0, 0};
    wall.max = {1, 1, 1};
    wall.radius = 1;
    return wall;
}

template <class Change>
std::string refusal(std::int64_t dimensions, Change change) {
    Scene scene = hard_scene(dimensions);
    change(scene);
    return error_of([&] { build_model(scene); });
}

}  // namespace

TEST_CASE("hard: disks lie in the plane and weigh what a disk of unit thickness does") {
    const Model m = build_model(hard_scene(2)).model;
    CHECK(m.method == Method::Hard);
    CHECK(m.dimensions == 2);
    CHECK(m.domain.periodic[0]);
    CHECK(m.domain.periodic[1]);
    CHECK(!m.domain.periodic[2]);
    REQUIRE(m.bodies.size() == 16);
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        CHECK(m.bodies.mass[i] == doctest::Approx(2500 * std::acos(-1.0) * 1e-6).epsilon(1e-12));
        CHECK(m.bodies.position[i].z == 0);
        CHECK(m.bodies.velocity[i].z == 0);
    }
}

TEST_CASE("hard: random velocities have their deviation and no momentum, and add to the group's") {
    Scene scene = hard_scene(3);
    scene.bodies[0].placement.count[0] = 40;
    scene.bodies[0].placement.count[1] = 40;
    scene.domain.max = {120e-3, 120e-3, 12e-3};
    scene.bodies[0].velocity = {0, 0, 2};
    const Model m = build_model(scene).model;
    const double n = static_cast<double>(m.bodies.size());
    Vec3 mean, square;
    for (const Vec3& v : m.bodies.velocity) {
        const Vec3 own = v - Vec3{0, 0, 2};
        mean += own / n;
        square += Vec3{own.x * own.x, own.y * own.y, own.z * own.z} / n;
    }
    CHECK(norm(mean) < 1e-14);  // rounding of a sum of 6,400 terms
    // Of 6,400 values the deviation scatters by 0.9 %: four times that.
    CHECK(std::sqrt(square.x) == doctest::Approx(0.5).epsilon(0.035));
    CHECK(std::sqrt(square.y) == doctest::Approx(0.5).epsilon(0.035));
    CHECK(std::sqrt(square.z) == doctest::Approx(0.5).epsilon(0.035));
}

TEST_CASE("hard: the automatic step is what mean speed needs for a fiftieth of the radius") {
    const Model m = build_model(hard_scene(3)).model;
    double square = 0;
    for (const Vec3& v : m.bodies.velocity) square += norm2(v) / static_cast<double>(m.bodies.size());
    CHECK(m.dt == doctest::Approx(0.02 * 1e-3 / std::sqrt(square)).epsilon(1e-12));
    // Slow bodies: a hundredth of the run.
    Scene slow = hard_scene(3);
    slow.bodies[0].velocity_deviation = 1e-9;
    CHECK(build_model(slow).model.dt == 0.01 * slow.time.end);
}

TEST_CASE("hard: in two dimensions a box is four planes, without top and bottom") {
    Scene scene = hard_scene(2);
    scene.domain.periodic = "none";
    scene.domain.min = {-kInfinity, -kInfinity, -kInfinity};
    scene.domain.max = {kInfinity, kInfinity, kInfinity};
    scene.walls = {wall_of("box")};
    CHECK(build_model(scene).model.walls[0].planes.size() == 4);
}

TEST_CASE("hard: friction and cohesion that a material gives are left out with a warning") {
    Scene scene = hard_scene(3);
    scene.materials[0].given = {{"friction", {"scene.toml", 6, 12}}};
    scene.materials[0].cohesion = 2;
    const std::vector<std::string> warnings = build_model(scene).warnings;
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0] == "scene.toml:6:12: [material.glass] friction: the method of hard particles, which are smooth, leaves out 0.4");
    CHECK(warnings[1] == "scene.toml:5:1: [material.glass] cohesion: the method of hard particles, which are smooth, leaves out 2");
    scene.materials[0].friction = scene.materials[0].cohesion = 0;
    CHECK(build_model(scene).warnings.empty());
}

TEST_CASE("hard: a start that cannot be is refused with place and remedy") {
    // At x = 0.5, 4, 7.5 and 11 mm the first and the last are 1.5 mm apart across the border.
    const std::string across = refusal(2, [](Scene& s) {
        s.bodies[0].placement.spacing = 3.5e-3;
        s.bodies[0].placement.count[1] = 1;
        s.bodies[0].placement.origin = Vec3{0.5e-3, 1.5e-3, 0};
    });
    CHECK(contains(across, "bodies 0 (group 1) and 3 (group 1) overlap by 50.0 % of the smaller radius across the domain's border"));
    // A period away is the same place: nothing overlaps, and bodies come back.
    Scene away = hard_scene(2);
    away.bodies[0].placement.origin = Vec3{25.5e-3, -10.5e-3, 0};
    const Model m = build_model(away).model;
    CHECK(m.bodies.position[0].x == doctest::Approx(1.5e-3).epsilon(1e-12));
    CHECK(m.bodies.position[0].y == doctest::Approx(1.5e-3).epsilon(1e-12));
    // In the corner only two that are near each other across both borders overlap.
    const auto corner = [](Scene& s) {
        s.bodies[0].placement.count[0] = s.bodies[0].placement.count[1] = 1;
        s.bodies[0].placement.origin = Vec3{0.5e-3, 11.5e-3, 0};
        SceneBodies other = s.bodies[0];
        other.placement.origin = Vec3{11.5e-3, 0.5e-3, 0};
        other.placement.place = {"scene.toml", 25, 1};
        s.bodies.push_back(other);
    };
    CHECK(contains(refusal(2, corner), "scene.toml:25:1: bodies 0 (group 1) and 1 (group 2) overlap by"));
    CHECK(contains(refusal(3, [](Scene& s) { s.shapes[0].size.radius = 2.1e-3; }),
                   "scene.toml:3:1: the period along x is 0.012 m, shorter than three of the largest diameters, 0.0042 m each"));
    CHECK(contains(refusal(3,
                           [](Scene& s) {
                               s.walls = {wall_of("plane")};
                               s.walls[0].name = "floor";
                               s.walls[0].point = {0, 0, 0.7e-3};
                               s.domain.periodic = "xy";
                               s.domain.min.z = -kInfinity, s.domain.max.z = kInfinity;
                           }),
                   "scene.toml:21:3: body 0 (group 1) reaches 0.0002 m into wall \"floor\""));
}

TEST_CASE("hard: what cannot be simulated is refused with place and remedy") {
    CHECK(contains(refusal(3, [](Scene& s) { s.domain.gravity = {0, 0, -9.81}; }), "scene.toml:3:1: hard particles fly straight"));
    CHECK(contains(refusal(3, [](Scene& s) { s.domain.periodic = "xy"; }), "scene.toml:3:1: hard particles leave no domain: bound z"));
    CHECK(contains(refusal(3, [](Scene& s) { s.domain.max.y = kInfinity; }), "the period along y is max less min"));
    CHECK(contains(refusal(2, [](Scene& s) { s.domain.periodic = "xyz"; }), "there is no z in two dimensions"));
    CHECK(contains(refusal(3, [](Scene& s) { s.walls = {wall_of("cylinder")}; }), "scene.toml:30:1: hard particles bounce off planes"));
    CHECK(contains(refusal(3,
                           [](Scene& s) {
                               s.walls = {wall_of("plane")};
                               s.walls[0].motion = SceneMotion{};
                               s.walls[0].motion->velocity = {1, 0, 0};
                           }),
                   "scene.toml:30:1: walls of hard particles are at rest"));
    CHECK(contains(refusal(3,
                           [](Scene& s) {
                               s.walls = {wall_of("plane")};
                               s.walls[0].active_to = 1;
                           }),
                   "leave active out"));
    CHECK(contains(refusal(2,
                           [](Scene& s) {
                               s.walls = {wall_of("plane")};
                               s.walls[0].name = "slope";
                               s.walls[0].normal = {0.6, 0.8, 0};
                               s.domain.periodic = "x";
                               s.domain.min.y = -kInfinity, s.domain.max.y = kInfinity;
                           }),
                   "scene.toml:30:1: wall \"slope\": the plane with normal (0.6, 0.8, 0) is not the same in each period along x"));
    CHECK(contains(refusal(3,
                           [](Scene& s) {
                               SceneBody body;
                               body.name = "crank", body.shape = "grain", body.material = "glass";
                               body.place = {"scene.toml", 40, 1};
                               s.named_bodies = {body};
                           }),
                   "scene.toml:40:1: [[body]] makes a compound"));
    CHECK(contains(refusal(3,
                           [](Scene& s) {
                               SceneMeasure load;
                               load.kind = "wall_load";
                               load.place = {"scene.toml", 50, 1};
                               s.measures = {load};
                           }),
                   "scene.toml:50:1: collisions that take no time make no load"));
    for (const char* kind : {"coordination", "contact_kinds"})
        CHECK(contains(refusal(3,
                               [kind](Scene& s) {
                                   SceneMeasure touching;
                                   touching.kind = kind;
                                   touching.place = {"scene.toml", 50, 1};
                                   s.measures = {touching};
                               }),
                       std::string("scene.toml:50:1: hard particles touch for no time, so kind = \"") + kind));
    CHECK(contains(refusal(3,
                           [](Scene& s) {
                               s.output.contacts = true;
                               s.output.place = {"scene.toml", 60, 1};
                           }),
                   "scene.toml:60:1: hard particles touch for no time: leave contacts = true out"));
    CHECK(contains(refusal(2, [](Scene& s) { s.bodies[0].velocity.z = 1; }), "move in the plane z = 0"));
    CHECK(contains(refusal(2, [](Scene& s) { s.bodies[0].placement.origin = Vec3{1.5e-3, 1.5e-3, 2}; }), "origin to 0, not 2"));
    CHECK(contains(refusal(3, [](Scene& s) { s.bodies[0].velocity.x = 1e200; }), "body 0 (group 1) brings the kinetic energy past all"));
    CHECK(contains(refusal(3, [](Scene& s) { s.bodies[0].velocity.y = -2e7; }), "m/s crosses the period along y more than 1e9 times"));
    CHECK(contains(refusal(3, [](Scene& s) { s.bodies[0].placement.spacing = 1.99e-3; }),
                   "overlap by 1.0 % of the smaller radius, which hard particles cannot"));
    CHECK(contains(refusal(3,
                           [](Scene& s) {
                               s.shapes[0].kind = "box", s.shapes[0].edges = {1e-3, 1e-3, 1e-3};
                           }),
                   "use kind = \"sphere\""));
    CHECK(contains(refusal(3,
                           [](Scene& s) {
                               s.method.stepping = "steps";
                               s.time.step = 1;
                           }),
                   "scene.toml:4:1: in a step of 1 s the fastest body flies"));
    // A period of 12 mm and diameters of 2 mm allow 0.222 mm.
    const auto one = [](double step) {
        return [step](Scene& s) {
            s.method.stepping = "steps";
            s.bodies[0].velocity_deviation = 0;
            s.bodies[0].velocity = {1, 0, 0};
            s.time.step = step;
        };
    };
    CHECK(contains(refusal(3, one(0.225e-3)), "farther than 0.0002222 m, which is what so small a domain allows"));
    CHECK(refusal(3, one(0.22e-3)).empty());
}
