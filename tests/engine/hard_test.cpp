// Hard particles in time steps: collisions against formulas and against events, energy, and the same bits whatever the order.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "hard_gas.hpp"
#include "hashes.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Largest difference of places after `time`, event by event and in `steps` steps.
double miss(Model m, double time, int steps) {
    EventSystem events(m);
    events.run_to(time);
    m.hard.stepping = HardStepping::Steps;
    m.dt = time / steps;
    const auto engine = engine_of(m);
    engine->advance(steps);
    const std::vector<Vec3> exact = events.positions(time), found = engine->snapshot().position;
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) worst = std::max(worst, apart(m, exact[i], found[i]));
    return worst;
}

}  // namespace

TEST_CASE("steps find single collisions where they happen, between steps") {
    for (const double e : {1.0, 0.5}) {
        Model m = hard_model(3, HardStepping::Steps, e);
        add_hard(m, {0, 0, 0}, 0.2, {0, 0.1, 0});
        add_hard(m, {3, 0.15, 0}, 0.3, {-2, 0, 0});
        // A collision in mid-step is undone by the straight way back: no error but rounding, whatever the step.
        for (const int steps : {40, 100, 300}) CHECK(miss(m, 4, steps) < 1e-13);
        Model box = walled(m);
        const Vec3 low{-1, -1, -1}, high{4, 1, 1};
        box.walls[0].planes = {{low, {1, 0, 0}}, {high, {-1, 0, 0}}, {low, {0, 1, 0}}, {high, {0, -1, 0}}};
        for (const int steps : {40, 100, 300}) CHECK(miss(box, 4, steps) < 1e-12);
    }
}

TEST_CASE("what slides along a skew plane bounced off it once") {
    for (const double e : {0.0, 1.0})
        for (int k = 0; k < 40; ++k) {
            Model m = hard_model(3, HardStepping::Steps, e);
            Rng rng(3, static_cast<std::uint64_t>(k));
            const auto draw = [&] { return Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; };
            const Vec3 n = normalized(draw());
            add_hard(m, n, 0.05, -2.0 * n + cross(n, draw()));
            Wall& floor = m.walls.emplace_back();
            floor.planes = {{{0, 0, 0}, n}};
            m.dt = 0.1;
            EventSystem events(m);
            events.run_to(1);
            CHECK(events.report(1).wall_collisions == 1);
            const auto engine = engine_of(m);
            engine->advance(10);
            const Measurement after = engine->measure();
            CHECK(after.hard.wall_collisions == 1);
            CHECK(after.hard.unfinished == 0);
            // Rounding of the way there, 0.95 m, and on.
            CHECK(norm(engine->snapshot().position[0] - events.positions(1)[0]) < 1e-14);
        }
}

TEST_CASE("two that move on together collided once") {
    for (int k = 0; k < 40; ++k) {
        Model m = hard_model(3, HardStepping::Steps, 0);
        Rng rng(4, static_cast<std::uint64_t>(k));
        const auto draw = [&] { return Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; };
        const Vec3 n = normalized(draw()), drift = 1000.0 * draw(), slip = 0.1 * cross(n, draw());
        add_hard(m, -1.0 * n, 0.5, drift + n + slip);
        add_hard(m, n, 0.4, drift - n);
        m.dt = 1e-3;
        EventSystem events(m);
        events.run_to(1);
        CHECK(events.report(1).collisions == 1);
        const auto engine = engine_of(m);
        engine->advance(1000);
        CHECK(engine->measure().hard.collisions == 1);
        CHECK(engine->measure().hard.unfinished == 0);
    }
}

TEST_CASE("a bullet that would pass through in one step is caught") {
    Model m = hard_model(2, HardStepping::Steps);
    add_hard(m, {0, 0, 0}, 0.1, {0, 0, 0});
    add_hard(m, {1, 0, 0}, 0.1, {-1.9, 0, 0});
    CHECK(miss(m, 1.0, 10) < 1e-13);  // flies 0.19 a step; the two are 0.2 across
}

TEST_CASE("who gains speed in a step finds those far away") {
    // Five lighter and lighter balls in a row: an impact from the left makes the last one 20 times as fast within the step.
    Model m = hard_model(3, HardStepping::Steps);
    double x = 0, radius = 1;
    for (int k = 0; k < 6; ++k) {
        add_hard(m, {x, 0, 0}, radius, {k == 0 ? 1.0 : 0.0, 0, 0});
        x += radius + 1e-3;
        radius *= 0.4;
        x += radius;
    }
    add_hard(m, {x + 3.5, 0.1, 0}, 0.5, {0, 0, 0});  // past all rows: they reach 2.35 m
    CHECK(miss(m, 0.15, 1) < 1e-11);
    // Rounding of places to 1e-15 grows by path over radius, up to 3.5 / 0.01, where the last one hits.
    EventSystem events(m);
    events.run_to(0.15);
    CHECK(events.report(0.15).collisions == 6);
}

TEST_CASE("a short step follows the events of a gas") {
    // Until differences grow from collision to collision: two for each body.
    const Model m = hard_gas(3, HardStepping::Events, 4, 0.2, 0.9, 0.3);
    CHECK(miss(m, 0.5, 20000) < 1e-10);
}

TEST_CASE("a body hit by many at once keeps energy and momentum") {
    Model m = hard_model(2, HardStepping::Steps);
    add_hard(m, {0, 0, 0}, 0.5, {0.01, 0.02, 0});
    for (int k = 0; k < 6; ++k) {
        const double angle = k * pi / 3;
        const Vec3 out{std::cos(angle), std::sin(angle), 0};
        add_hard(m, 1.02 * out, 0.5, -1.0 * out);
    }
    m.dt = 0.05;  // all six arrive in the first step
    const auto engine = engine_of(m);
    const Measurement before = engine->measure();
    engine->advance(1);
    const Measurement after = engine->measure();
    CHECK(after.hard.collisions >= 6);
    CHECK(after.hard.unfinished == 0);
    // Rounding of a few dozen impulses.
    CHECK(std::fabs(after.energy.kinetic_translation / before.energy.kinetic_translation - 1) < 1e-14);
    CHECK(norm(after.momentum - before.momentum) < 1e-14);
    engine->advance(200);
    CHECK(engine->measure().energy.kinetic_translation == doctest::Approx(before.energy.kinetic_translation).epsilon(1e-13));
}

TEST_CASE("steps keep energy through ten thousand collisions of every particle") {
    Model m = hard_gas(2, HardStepping::Steps, 5, 0.6, 1, 0.1);
    m.dt = 0.02;
    const auto engine = engine_of(m);
    const Measurement before = engine->measure();
    while (engine->measure().hard.collisions < 5000 * 25) engine->advance(5000);
    const Measurement after = engine->measure();
    // As for events: 1e-16 a collision, summed as they fall or, at worst, all of one sign.
    CHECK(std::fabs(after.energy.kinetic_translation / before.energy.kinetic_translation - 1) < 1e-13);
    CHECK(norm(after.momentum) < 1e-11 * std::sqrt(2 * before.energy.kinetic_translation));
    CHECK(after.hard.unfinished == 0);
}

TEST_CASE("hard particles: threads, order, rows and restarts change no bit") {
    for (Model m : {hard_gas(2, HardStepping::Steps, 20, 0.5, 0.95, 0.2), walled(hard_gas(3, HardStepping::Steps, 8, 0.3, 0.95, 0.15))}) {
        m.dt = 0.03;
        const std::uint64_t expected = hash_after(m, 40);
        CHECK(hash_after(m, 40, 2) == expected);
        CHECK(hash_after(m, 40, 3, false, 7) == expected);
        CHECK(hash_after(m, 40, 1, true) == expected);
        // Rows are made anew where a state is loaded.
        auto engine = engine_of(m);
        for (int k = 0; k < 4; ++k) {
            engine->advance(10);
            const EngineState saved = engine->save();
            engine = engine_of(m);
            engine->load(saved);
        }
        CHECK(engine->state_hash() == expected);
        CHECK(engine->measure().hard.collisions > static_cast<std::int64_t>(m.bodies.size()));
        CHECK(engine->counters().rebuilds > 0);
    }
    // A period so small that at first rows have to be made anew in nearly every step.
    Model m = hard_gas(2, HardStepping::Steps, 5, 0.3, 0.8);
    double fastest = 0;
    for (const Vec3& v : m.bodies.velocity) fastest = std::max(fastest, norm(v));
    m.dt = 0.28 / fastest;  // 0.314 m is a sixth of half the period less the diameter
    const auto whole = engine_of(m);
    whole->advance(5);
    CHECK(whole->counters().rebuilds >= 3);
    whole->advance(35);
    auto engine = engine_of(m);
    for (int k = 0; k < 40; ++k) {
        engine->advance(1);
        const EngineState saved = engine->save();
        engine = engine_of(m);
        engine->load(saved);
    }
    CHECK(engine->state_hash() == whole->state_hash());
}

TEST_CASE("shorter steps miss fewer collisions") {
    // Disks of mean speed fly a fifth, and a twentieth, of their diameter in a step.
    const auto pressure = [](double dt) {
        Model m = hard_gas(2, HardStepping::Steps, 20, 0.6);
        m.dt = dt;
        const auto engine = engine_of(m);
        engine->advance(static_cast<std::int64_t>(10 / dt));
        const Measurement from = engine->measure();
        engine->advance(static_cast<std::int64_t>(30 / dt));
        const Measurement to = engine->measure();
        return compressibility(m, to.energy.kinetic_translation, from.hard, to.hard, to.time - from.time);
    };
    const double expected = 6.4576771;  // as in hard_events_test.cpp
    const double coarse = std::fabs(pressure(0.15) / expected - 1), fine = std::fabs(pressure(0.04) / expected - 1);
    // The error falls with the square of the step: 4,096 disks have 3.4 and 0.2 %. 400 disks and 4e4 collisions scatter by 0.4 %.
    CHECK(coarse > 0.02);
    CHECK(coarse < 0.05);
    CHECK(fine < 0.012);
}

TEST_CASE("steps measure the overlap they leave, across a border and with walls, and warn of it") {
    Model m = hard_model(3, HardStepping::Steps);
    m.domain.box = {{0, 0, 0}, {10, 10, 10}};
    m.domain.periodic[0] = true;
    add_hard(m, {0.25, 5, 5}, 0.5, {0, 0, 0});
    add_hard(m, {9.5, 5, 5}, 0.26, {0, 0, 0});
    const auto near = engine_of(m);
    CHECK(!near->advance(1).overlap_warned);
    // 0.01 m; 1e-12: rounding of places at 10 m over that.
    CHECK(near->measure().max_overlap == doctest::Approx(0.01 / 0.26).epsilon(1e-12));
    m.walls.emplace_back().planes = {{{0, 4.6, 0}, {0, 1, 0}}};
    const auto walled = engine_of(m);
    CHECK(walled->advance(1).overlap_warned);
    CHECK(walled->measure().max_overlap == doctest::Approx(0.1 / 0.5).epsilon(1e-12));
}

TEST_CASE("steps that are too long are refused") {
    Model m = hard_gas(3, HardStepping::Steps, 4, 0.2);
    m.dt = 2;
    CHECK_THROWS_WITH_AS(engine_of(m), doctest::Contains("shorten time.step"), RunError);
    // A micrometre wide: the advice follows from the period, and has digits.
    Model small = hard_model(3, HardStepping::Steps);
    small.domain.box = {{0, 0, 0}, {1e-6, 1e-6, 1e-6}};
    small.domain.periodic[0] = true;
    add_hard(small, {0, 0, 0}, 1e-7, {1, 0, 0});
    small.dt = 8e-8;
    CHECK_THROWS_WITH_AS(engine_of(small),
                         doctest::Contains("flies 8e-08 m in a step, farther than the 5e-08 m that so small a domain allows: shorten "
                                           "time.step to 1.667e-08 s"),
                         RunError);
}
