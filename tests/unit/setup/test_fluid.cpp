// Scenes of fluids: what is refused, masses of particles, the automatic step.
#include <cmath>

#include "setup/build_model.hpp"
#include "setup/fluid.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

/// 4 × 5 particles, in space × 6, of 1 mm spacing, half a spacing above the planes y = 0 and, in space, z = 0.
Scene fluid_scene(std::int64_t dimensions) {
    Scene scene = plain_scene();
    scene.dimensions = dimensions;
    scene.method.kind = "fluid";
    scene.method.place = {"scene.toml", 2, 1};
    scene.domain.gravity = {0, -9.81, 0};
    scene.domain.place = {"scene.toml", 3, 1};
    scene.time.step_place = {"scene.toml", 4, 1};
    scene.shapes.front().size.radius = 0.5e-3;
    SceneBodies group = plain_group();
    group.placement.kind = ScenePlacement::Kind::Lattice;
    group.placement.spacing = 1e-3;
    group.placement.origin = {0.5e-3, 0.5e-3, 0.5e-3};
    group.placement.count[0] = 4;
    group.placement.count[1] = 5;
    group.placement.count[2] = dimensions == 2 ? 1 : 6;
    scene.bodies.push_back(group);
    SceneWall floor;
    floor.kind = "plane";
    floor.name = "floor";
    floor.material = "glass";
    floor.normal = {0, 1, 0};
    floor.place = {"scene.toml", 30, 1};
    scene.walls.push_back(floor);
    return scene;
}

template <class Change>
std::string refusal(std::int64_t dimensions, Change change) {
    Scene scene = fluid_scene(dimensions);
    change(scene);
    return error_of([&] { build_model(scene); });
}

SceneMeasure measure_of(const std::string& kind) {
    SceneMeasure measure;
    measure.kind = kind;
    measure.place = {"scene.toml", 40, 1};
    return measure;
}

}  // namespace

TEST_CASE("fluid: particles weigh what they fill of a lattice") {
    for (const int dimensions : {2, 3}) {
        const BuiltModel built = build_model(fluid_scene(dimensions));
        const Model& m = built.model;
        CHECK(m.method == Method::Fluid);
        CHECK(m.dimensions == dimensions);
        REQUIRE(m.bodies.size() == (dimensions == 2 ? 20 : 120));
        const double density = m.materials[static_cast<std::size_t>(m.bodies.material[0])].density;
        for (std::size_t i = 0; i < m.bodies.size(); ++i)
            CHECK(m.bodies.mass[i] == doctest::Approx(density * std::pow(1e-3, dimensions)).epsilon(1e-12));
        // A tenth of a spacing at the speed of a fall from the highest particle to the floor.
        const double fall = 4.5e-3, speed = std::sqrt(2 * 9.81 * fall);
        CHECK(fluid_speed(m) == doctest::Approx(speed));
        CHECK(m.dt == doctest::Approx(0.1 * 1e-3 / speed));
    }
}

TEST_CASE("fluid: the step follows speeds at the start, walls that could catch a fall, and walls that move") {
    const auto speed_of = [](auto change) {
        Scene scene = fluid_scene(3);
        change(scene);
        return fluid_speed(build_model(scene).model);
    };
    const double fall = std::sqrt(2 * 9.81 * 4.5e-3);
    CHECK(speed_of([](Scene& s) { s.bodies.front().velocity = {3, 4, 0}; }) == doctest::Approx(5 + fall));
    CHECK(speed_of([](Scene& s) { s.walls.front().point = {0, -1, 0}; }) == doctest::Approx(std::sqrt(2 * 9.81 * 1.0045)));
    // A ramp of 45 degrees: below the middle of the fluid it is deeper than at its upper end.
    CHECK(speed_of([](Scene& s) {
              s.walls.front().normal = {1, 1, 0};
              s.walls.front().point = {0, -0.1, 0};
          }) == doctest::Approx(std::sqrt(2 * 9.81 * (4.5e-3 + 0.1 + 2e-3))));
    // Without gravity nothing moves.
    Scene still = fluid_scene(3);
    still.domain.gravity = {};
    CHECK(build_model(still).model.dt == 1e-3);
}

TEST_CASE("fluid: settings reach the model") {
    Scene scene = fluid_scene(3);
    scene.method.support_radius = 2.5;
    scene.method.density_iterations = 7;
    scene.method.relaxation = 0.7;
    scene.method.artificial_pressure = 0.01;
    scene.method.artificial_pressure_power = 3;
    scene.method.artificial_pressure_at = 0.3;
    scene.method.xsph_viscosity = 0.04;
    scene.method.vorticity_confinement = 0.5;
    const FluidSettings fluid = build_model(scene).model.fluid;
    CHECK(fluid.support == 2.5);
    CHECK(fluid.iterations == 7);
    CHECK(fluid.relaxation == 0.7);
    CHECK(fluid.artificial_pressure == 0.01);
    CHECK(fluid.pressure_power == 3);
    CHECK(fluid.pressure_at == 0.3);
    CHECK(fluid.viscosity == 0.04);
    CHECK(fluid.vorticity == 0.5);
}

TEST_CASE("fluid: what it cannot have is refused with what to change") {
    CHECK(contains(refusal(3, [](Scene& s) { s.joints.push_back({}); }), "no bodies to join"));
    CHECK(contains(refusal(3, [](Scene& s) { s.named_bodies.push_back({}); }), "made of the particles of [[bodies]]"));
    CHECK(contains(refusal(3, [](Scene& s) { s.walls.front().mass = 1.0; }), "at rest or move as prescribed"));
    CHECK(contains(refusal(3, [](Scene& s) { s.measures.push_back(measure_of("coordination")); }),
                   "scene.toml:40:1: a fluid has no contacts, so there is no \"coordination\""));
    CHECK(contains(refusal(3, [](Scene& s) { s.bodies.front().angular_velocity = {0, 0, 1}; }), "do not turn"));
    CHECK(contains(refusal(3,
                           [](Scene& s) {
                               s.walls.front().point = {0, 0.2e-3, 0};
                           }),
                   "body 0 (group 1) reaches 0.0002 m into wall \"floor\""));
    CHECK(contains(refusal(3, [](Scene& s) { s.domain.periodic = "x"; }), "a fluid has no periods"));
    CHECK(contains(refusal(3,
                           [](Scene& s) {
                               s.shapes.push_back(s.shapes.front());
                               s.shapes.back().name = "larger";
                               s.shapes.back().size.radius = 0.6e-3;
                               s.bodies.push_back(s.bodies.front());
                               s.bodies.back().shape = "larger";
                               s.bodies.back().placement.spacing = 2e-3;
                               s.bodies.back().placement.origin = {0, 1, 0};
                           }),
                   "the particles of a fluid are all equal"));
    CHECK(contains(refusal(3, [](Scene& s) { s.shapes.front().kind = "cube"; }), "a fluid is made of particles"));
}
