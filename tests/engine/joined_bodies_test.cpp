// Joints in the engine's step: a pendulum against formulas, conservation, what joints keep from touching, and the same bits every way.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "hashes.hpp"
#include "joined.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double g = 9.81;

void run(Engine& engine, std::int64_t steps) {
    const BatchReport report = engine.advance(steps);
    REQUIRE(report.fault.kind == FaultKind::None);
}

/// A body on a hinge about y through the origin, `angle` from hanging down.
Model pendulum(double angle) {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    m.gravity = {0, 0, -g};
    const double l = 0.1, mass = 0.2;
    const Quat q = turn({0, 1, 0}, -angle);
    const std::int32_t id = add_compound_entry(m, rotate(q, Vec3{0, 0, -l}), q, mass, {4e-4, 5e-4, 2e-4}, 0.05);
    m.joints = {joined(m, JointKind::Revolute, Joint::ground, id, {}, {0, 1, 0})};
    m.dt = 1e-4;
    return m;
}

/// A chain of two clumps on a hinge, over a floor with balls, in a box.
Model flail() {
    Model m = empty_model(Law::Hertz, 0.4, 0.4);
    m.gravity = {0, 0, -g};
    m.materials[0].young = 1e6;
    const std::int32_t arm = add_clump(m, cross_of(6e-3, 3e-3, 1.5e-3), {8e-3, 0, 0.022}, {}, {}, {0, 20, 0});
    const std::int32_t head = add_clump(m, dumbbell(2e-3, 3e-3), {0.02, 0, 0.022}, {}, {}, {5, 20, 0});
    m.joints = {joined(m, JointKind::Revolute, Joint::ground, arm, {0, 0, 0.022}, {0, 1, 0}),
                joined(m, JointKind::Spherical, arm, head, {0.015, 0, 0.022})};
    for (int k = 0; k < 40; ++k) {
        add_sphere(m, {(k % 8 - 3.5) * 5e-3, (k / 8 - 2) * 5e-3, 2.1e-3 + 1e-5 * k}, 2e-3);
    }
    fill_owners(m.bodies);
    m.walls = {box_wall("box", {{-0.03, -0.03, 0}, {0.03, 0.03, 1}})};
    m.dt = 2e-5;
    return m;
}

}  // namespace

TEST_CASE("a pendulum of a compound swings with its period and loads its hinge") {
    const double angle = 0.05, l = 0.1, mass = 0.2, I = 5e-4 + mass * l * l;
    const Model m = pendulum(angle);
    const auto engine = engine_of(m);
    const Measurement before = engine->measure();
    const double period = 2 * pi * std::sqrt(I / (mass * g * l)) * (1 + angle * angle / 16);
    const auto steps = static_cast<std::int64_t>(std::llround(3 * period / m.dt));
    run(*engine, steps);
    // At the turning point again, where the position is flat in time: the angle misses by its curvature times half a step and the period's
    // series by angle^4.
    const Measurement now = engine->measure();
    REQUIRE(now.joints.size() == 1);
    CHECK(now.joints[0].angle == doctest::Approx(before.joints[0].angle).epsilon(1e-4));
    CHECK(now.joints[0].violation < 1e-10);
    CHECK(now.energy.total() == doctest::Approx(before.energy.total()).epsilon(1e-7));
    // At rest at the turning point the hinge bears weight less what accelerates the body: m l alpha, alpha = m g l sin(angle) / I.
    const double alpha = mass * g * l * std::sin(angle) / I;
    const Vec3 down{0, 0, -g}, radial = normalized(engine->snapshot().position[0]);
    const Vec3 expected = mass * down - mass * l * alpha * normalized(down - dot(down, radial) * radial);
    CHECK(norm(now.joints[0].force - expected) < 1e-3 * mass * g);
    // The force on the body is that of the hinge: no contact here.
    CHECK(norm(engine->snapshot().force[0] + now.joints[0].force) < 1e-9 * mass * g);
    // A quarter of a period on, at the bottom: weight and centripetal force.
    run(*engine, static_cast<std::int64_t>(std::llround(period / 4 / m.dt)));
    const double w2 = 2 * mass * g * l * (1 - std::cos(angle)) / I;
    CHECK(engine->measure().joints[0].force.z == doctest::Approx(-mass * (g + w2 * l)).epsilon(1e-4));
}

TEST_CASE("joined compounds in free flight keep momentum and angular momentum") {
    Model m = empty_model(Law::Hertz, 0.5, 0.4);
    const std::int32_t a = add_clump(m, dumbbell(3e-3, 2e-3), {}, {}, {0.05, 0, 0}, {10, 30, 20});
    const std::int32_t b = add_clump(m, cross_of(3e-3, 2e-3, 1e-3), {8e-3, 1e-3, 0}, turn({1, 1, 0}, 0.4), {0, 0.1, 0}, {0, -40, 10});
    m.joints = {joined(m, JointKind::Universal, a, b, {5e-3, 0, 0}, {0, 0, 1})};
    add_sphere(m, {9e-3, 8e-3, 0}, 2e-3, {0, -0.4, 0});  // hits them
    fill_owners(m.bodies);
    m.dt = 2e-6;
    const auto engine = engine_of(m);
    run(*engine, 1);
    const Measurement before = engine->measure();
    std::int64_t most = 0;
    for (int k = 0; k < 50; ++k) {
        run(*engine, 500);
        most = std::max(most, engine->measure().contacts);
    }
    CHECK(most > 0);
    const Measurement after = engine->measure();
    CHECK(after.joints[0].violation < 1e-10);
    const double scale = before.mass * 0.1;
    CHECK(norm(after.momentum - before.momentum) < 1e-11 * scale);
    // Joints hold positions to 1e-10; torques of contacts are rounded to float in mixed precision.
    CHECK(norm(after.angular_momentum - before.angular_momentum) < by_precision(1e-9, 1e-6) * scale * 5e-3);
}

TEST_CASE("bodies that a joint joins do not touch, unless it says so") {
    Model m = empty_model(Law::Hertz, 0.5, 0.4);
    add_sphere(m, {0, 0, 0}, 2e-3);
    add_sphere(m, {3.9e-3, 0, 0}, 2e-3);
    CHECK(engine_of(m)->contacts().size() == 1);
    m.joints = {joined(m, JointKind::Spherical, 0, 1, {2e-3, 0, 0})};
    const auto apart = engine_of(m);
    CHECK(apart->contacts().empty());
    run(*apart, 10);
    CHECK(norm(apart->snapshot().velocity[0]) == 0);
    m.joints[0].collide = true;
    CHECK(engine_of(m)->contacts().size() == 1);
    // The same of compounds, by their members, and of a wall that one of them carries.
    Model c = empty_model(Law::Hertz, 0.5, 0.4);
    const std::int32_t a = add_clump(c, dumbbell(2e-3, 2e-3), {}), b = add_clump(c, dumbbell(2e-3, 2e-3), {7e-3, 0, 0});
    c.walls = {plane_wall("plate", {0, 0, 1e-3}, {0, 0, -1})};
    c.walls[0].body = a;
    CHECK(engine_of(c)->contacts().size() == 3);  // the two of b with the plate, and one of the clumps
    c.joints = {joined(c, JointKind::Spherical, a, b, {})};
    CHECK(engine_of(c)->contacts().empty());
    c.joints[0].b = b + 1;
    CHECK_THROWS_AS(engine_of(c), Error);  // a member has no joints
}

TEST_CASE("a mechanism among balls: every way of running it gives the same bits") {
    const Model m = flail();
    constexpr std::int64_t steps = 4000;
    const auto engine = engine_of(m);
    std::int64_t touched = 0;
    for (int k = 0; k < 40; ++k) {
        run(*engine, steps / 40);
        for (const ContactRecord& r : engine->contacts()) touched += r.wall < 0 && r.a < 8 && r.b >= 8 ? 1 : 0;
    }
    CHECK(touched > 0);
    for (const JointState& j : engine->measure().joints) CHECK(j.violation < 1e-10);
    const std::uint64_t expected = engine->state_hash();
    CHECK(hash_after(m, steps, 2) == expected);
    CHECK(hash_after(m, steps, 1, true) == expected);
    CHECK(hash_after(m, steps, 1, false, 1) == expected);
    for (const double skin : {3e-5, 2e-3}) {
        Model other = m;
        other.penalty.skin = skin;
        CHECK(hash_after(other, steps) == expected);
    }
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2345}}) {
        const auto saved = engine_of(m), fresh = engine_of(m);
        saved->advance(first);
        fresh->load(saved->save());
        const std::vector<JointState> x = saved->measure().joints, y = fresh->measure().joints;
        for (std::size_t j = 0; j < x.size(); ++j) {
            CHECK(x[j].force == y[j].force);
            CHECK(x[j].torque == y[j].torque);
            CHECK(x[j].angle == y[j].angle);
            CHECK(x[j].violation == y[j].violation);
        }
        fresh->advance(steps - first);
        CHECK(fresh->state_hash() == expected);
    }
}

TEST_CASE("a mechanism cannot lose a body: the run stops and names it") {
    Model m = pendulum(1);
    add_sphere(m, {0.5, 0, 0}, 1e-3, {1, 0, 0});
    fill_owners(m.bodies);
    m.domain.box.max.x = 0.51;
    m.domain.box.min.z = -0.09;
    m.domain.leave = Leave::Remove;
    m.domain.check_every = 10;
    const auto engine = engine_of(m);
    const BatchReport report = engine->advance(10000);
    CHECK(report.fault.kind == FaultKind::Left);
    CHECK(report.fault.body == 0);
    CHECK(engine->counters().removed == 1);  // the ball left before
}
