// What stops a run is reported with who, where and when, and leaves an engine that can still be asked.
#include <doctest/doctest.h>

#include <limits>

#include "systems.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Asks everything that can be asked.
void look_around(Engine& engine) {
    (void)engine.snapshot();
    (void)engine.measure();
    (void)engine.contacts();
    (void)engine.save();
    (void)engine.state_hash();
    (void)engine.counters();
    CHECK(engine.memory_bytes() > 0);
}

Model two_apart() {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    add_sphere(m, {0, 0, 0}, 1e-3);
    add_sphere(m, {3e-3, 0, 0}, 1e-3);
    add_sphere(m, {0.1, 0, 0}, 1e-3);
    set_step(m, 0.2);
    return m;
}

}  // namespace

TEST_CASE("an overlap past the limit stops the run and names the pair") {
    Model m = two_apart();
    m.bodies.velocity[1] = {-30, 0, 0};
    for (const std::int64_t batch : {std::int64_t{1}, std::int64_t{100000}}) {
        const auto engine = engine_of(m);
        BatchReport report;
        std::int64_t done = 0;
        bool warned = false;
        while (report.fault.kind == FaultKind::None && done < 100000) {
            report = engine->advance(batch);
            done += report.steps_done;
            warned = warned || report.overlap_warned;
        }
        const Fault f = report.fault;
        REQUIRE(f.kind == FaultKind::Overlap);
        CHECK(warned);
        CHECK(f.body == 0);
        CHECK(f.other == 1);
        CHECK(f.wall == -1);
        CHECK(f.value > 0.3);
        CHECK(f.value < 0.3 + 30 * m.dt / 1e-3);  // found in the first step past the limit
        CHECK(f.step == engine->counters().step);
        CHECK(f.time == doctest::Approx(static_cast<double>(f.step) * m.dt));
        // The first touch comes after 1 mm at 30 m/s, the limit 0.3 mm later, with a little braking.
        CHECK(f.time > 1.3e-3 / 30);
        CHECK(f.time < 1.5 * 1.3e-3 / 30);
        CHECK(std::fabs(f.position.y) < 1e-9);
        const Snapshot s = engine->snapshot();
        CHECK(f.position.x > s.position[0].x);
        CHECK(f.position.x < s.position[1].x);
        CHECK(engine->measure().max_overlap == doctest::Approx(f.value).epsilon(1e-9));
        look_around(*engine);
        for (int k = 0; k < 5; ++k) CHECK(engine->advance(10).fault.kind == FaultKind::Overlap);  // as long as it lasts
    }
}

TEST_CASE("an overlap with a wall names the wall") {
    for (int kind = 0; kind < 3; ++kind) {
        Model m = two_apart();
        m.bodies.velocity[2] = {0, 0, -30};
        Wall tube;
        tube.name = "tube";
        tube.cylinders = {{{0, 0, 3e-3}, {1, 0, 0}, 6e-3, std::numeric_limits<double>::infinity(), true}};
        const Wall wall = kind == 0   ? plane_wall("plane", {0, 0, -3e-3}, {0, 0, 1})
                          : kind == 1 ? tube
                                      : mesh_wall("mesh", box_mesh({{-1, -1, -0.1}, {1, 1, -3e-3}}));
        m.walls = {plane_wall("far", {0, 0, -1}, {0, 0, 1}), wall};
        const auto engine = engine_of(m);
        const BatchReport report = engine->advance(100000);
        CAPTURE(kind);
        REQUIRE(report.fault.kind == FaultKind::Overlap);
        CHECK(report.fault.body == 2);
        CHECK(report.fault.other == ContactRecord::none);
        CHECK(report.fault.wall == 1);
        CHECK(std::fabs(report.fault.position.z + 3e-3) < 1e-9);
        look_around(*engine);
        (void)engine->advance(10);
    }
}

TEST_CASE("overlaps past the warning are flagged and do not stop the run") {
    Model m = two_apart();
    m.bodies.velocity[1] = {-3, 0, 0};
    const auto engine = engine_of(m);
    BatchReport report = engine->advance(static_cast<std::int64_t>(0.5e-3 / 3 / m.dt));
    CHECK_FALSE(report.overlap_warned);
    report = engine->advance(static_cast<std::int64_t>(3e-3 / 3 / m.dt));
    CHECK(report.overlap_warned);
    CHECK(report.fault.kind == FaultKind::None);
    report = engine->advance(100);
    CHECK_FALSE(report.overlap_warned);
    // The limits are settings.
    m.penalty.overlap_limit = m.penalty.overlap_warning = 1;
    m.bodies.velocity[1] = {-30, 0, 0};
    const auto lenient = engine_of(m);
    report = lenient->advance(static_cast<std::int64_t>(2e-3 / 30 / m.dt));
    CHECK(report.fault.kind == FaultKind::None);
    CHECK_FALSE(report.overlap_warned);
}

TEST_CASE("a velocity that is not a number is found in the first step and names its body") {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200}) {
        Model m = two_apart();
        m.walls = {plane_wall("floor", {0, 0, -1e-3}, {0, 0, 1}), mesh_wall("box", box_mesh({{-1, -1, -1}, {1, 1, -1e-3}}))};
        m.bodies.velocity[2] = {0, bad, 0};
        const auto engine = engine_of(m);
        for (int k = 0; k < 3; ++k) {
            const BatchReport report = engine->advance(10);
            REQUIRE(report.fault.kind == FaultKind::NotFinite);
            CHECK(report.fault.body == 2);
            CHECK(report.fault.step <= k + 1);
            look_around(*engine);
        }
        const Snapshot s = engine->snapshot();
        CHECK(s.position[0] == m.bodies.position[0]);
    }
}

TEST_CASE("a spin that is not a number is found when it touches") {
    Model m = two_apart();
    m.bodies.position[1] = {1.99e-3, 0, 0};
    m.bodies.angular_velocity[1] = {0, 0, std::numeric_limits<double>::quiet_NaN()};
    const auto engine = engine_of(m);
    const BatchReport report = engine->advance(10);
    REQUIRE(report.fault.kind == FaultKind::NotFinite);
    CHECK((report.fault.body == 0 || report.fault.body == 1));
    CHECK(report.fault.step <= 2);
    look_around(*engine);
    (void)engine->advance(10);
}

TEST_CASE("a state with a number lost can be saved and loaded to look at it") {
    Model m = two_apart();
    m.bodies.velocity[2] = {0, std::numeric_limits<double>::quiet_NaN(), 0};
    const auto engine = engine_of(m);
    REQUIRE(engine->advance(10).fault.kind == FaultKind::NotFinite);
    const auto fresh = engine_of(two_apart());
    fresh->load(engine->save());
    look_around(*fresh);
    CHECK(fresh->advance(10).fault.kind == FaultKind::NotFinite);
}

TEST_CASE("leaving the domain stops the run where it is told to") {
    Model m = two_apart();
    m.domain.box.max.y = 0.01;
    m.domain.leave = Leave::Stop;
    m.domain.check_every = 7;
    m.bodies.velocity[1] = {0, 10, 0};
    m.bodies.velocity[2] = {0, 10, 0};
    const auto engine = engine_of(m);
    const BatchReport report = engine->advance(1000000);
    REQUIRE(report.fault.kind == FaultKind::Left);
    CHECK(report.fault.body == 1);  // the lowest id of those outside
    CHECK(report.fault.step % 7 == 0);
    CHECK(report.fault.step == engine->counters().step);
    CHECK(report.steps_done == report.fault.step);
    CHECK(report.fault.position.y > 0.01);
    CHECK(report.fault.position.y < 0.01 + 10 * 7 * m.dt * (1 + 1e-9));
    CHECK(engine->counters().removed == 0);
    look_around(*engine);
    CHECK(engine->advance(10).fault.kind == FaultKind::Left);
}
