// Hard particles as a run shows them: the report of `scree check`, and the columns of the measure of pressure.
#include <doctest/doctest.h>

#include <numbers>

#include "sim/check_report.hpp"
#include "sim/measures.hpp"
#include "unit/sim/fake_engine.hpp"

using namespace scree;

namespace {

/// Two disks of radii 0.1 and 0.2 m, periodic every 2 m in x, between planes at y = 0 and 1.5 m.
Model disks() {
    Model m;
    m.dimensions = 2;
    m.method = Method::Hard;
    m.hard.stepping = HardStepping::Steps;
    m.dt = 1e-3;
    m.materials.push_back({"glass", 2500, 1e7, 0.25, 1, 0});
    m.pairs = PairTable(1);
    m.domain.box.min.x = 0;
    m.domain.box.max.x = 2;
    m.domain.periodic[0] = true;
    Wall& ends = m.walls.emplace_back();
    ends.name = "ends";
    ends.planes = {{{0, 0, 0}, {0, 1, 0}}, {{0, 1.5, 0}, {0, -1, 0}}};
    m.bodies.add_sphere({0.5, 0.5, 0}, 0.1, 0, 1);
    m.bodies.add_sphere({1.5, 0.5, 0}, 0.2, 0, 1);
    return m;
}

/// An engine with given sums.
struct Summed : FakeEngine {
    Summed(const Model& model, FakePlan& plan) : FakeEngine(model, {}, plan), impulse(model.walls.size(), 32) {}
    Measurement measure() override {
        Measurement m;
        m.time = 4;
        m.energy.kinetic_translation = 3;
        m.hard = {.collisions = 7, .wall_collisions = 5, .unfinished = 1, .kinetic_time = 12, .virial = 36, .impulse = impulse};
        return m;
    }
    std::vector<double> impulse;  // on each wall
};

}  // namespace

TEST_CASE("check: periods, packing and stepping of hard particles, and no stable step") {
    BuiltModel built;
    built.model = disks();
    Scene scene = fake_scene();
    scene.method.kind = "hard";
    std::string text = check_report(scene, built);
    const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
    CAPTURE(text);
    CHECK(has("area 0.15708 m2\n"));  // pi (0.01 + 0.04)
    CHECK(has("periodic      x every 2 m\n"));
    CHECK(has("packing       0.0524 of 3 m2\n"));
    CHECK(has("method        hard, in time steps\n"));
    CHECK(!has("stable step"));
    CHECK(!has("domain "));
    built.model.hard.stepping = HardStepping::Events;
    built.model.walls.clear();
    text = check_report(scene, built);
    CHECK(has("method        hard, event by event\n"));
    CHECK(!has("packing"));  // no end in y
    built.model = disks();
    built.model.walls[0].planes.push_back({{0, 1, 0}, {0.6, -0.8, 0}});  // takes a corner
    text = check_report(scene, built);
    CHECK(!has("packing"));
    built.model.walls[0].planes.back().point.x = -20;  // behind all
    text = check_report(scene, built);
    CHECK(has("packing       0.0524 of 3 m2\n"));
}

TEST_CASE("measures: pressure of hard particles by the virial and by walls") {
    FakePlan plan;
    Scene scene = fake_scene();
    scene.method.kind = "hard";
    SceneMeasure pressure;
    pressure.kind = pressure.name = "pressure";
    scene.measures = {pressure};
    const Model model = disks();
    const Measures measures(scene, model);
    const std::vector<std::string> expected = {"pressure.collisions", "pressure.wall_collisions", "pressure.unfinished",
                                               "pressure.kinetic",    "pressure.kinetic_time",    "pressure.virial",
                                               "pressure.mean",       "pressure.mean_on_walls",   "pressure.ends.impulse"};
    CHECK(measures.columns() == expected);
    Summed engine(model, plan);
    const auto row = measures.sample(engine, {true});
    REQUIRE(row.size() == expected.size());
    CHECK(row[0] == 7.0);
    CHECK(row[2] == 1.0);
    CHECK(row[6] == (2 * 12.0 + 36) / (2 * 3 * 4));  // of 3 m2 over 4 s
    CHECK(row[7] == 32.0 / (2 * 2 * 4));             // on twice 2 m
    CHECK(row[8] == 32.0);
    // Where y has no end there is no volume, and where nothing crosses an axis no wall to bear it.
    Model open = model;
    open.walls.pop_back();
    Summed unbounded(open, plan);
    const auto none = Measures(scene, open).sample(unbounded, {true});
    CHECK(!none[6].has_value());
    CHECK(!none[7].has_value());
    Model askew = model;
    askew.walls[0].planes.push_back({{0, 1, 0}, {0.6, -0.8, 0}});
    Summed cut(askew, plan);
    const auto unknown = Measures(scene, askew).sample(cut, {true});
    CHECK(!unknown[6].has_value());
    CHECK(!unknown[7].has_value());
    CHECK(unknown[8] == 32.0);
    // Other methods have no such columns, and say so.
    Model penalty = model;
    penalty.method = Method::Penalty;
    const Measures of_penalty(scene, penalty);
    CHECK(of_penalty.columns().empty());
    REQUIRE(of_penalty.warnings().size() == 1);
    CHECK(of_penalty.warnings()[0].find("method.kind = \"hard\"") != std::string::npos);
}
