// Compound bodies: free flight against formulas, against plain bodies, conservation, and every way of running them gives the same bits.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "clumps.hpp"
#include "hashes.hpp"

using namespace scree;
using namespace scree::test;

namespace {

void run(Engine& engine, std::int64_t steps) {
    const BatchReport report = engine.advance(steps);
    REQUIRE(report.fault.kind == FaultKind::None);
}

Quat turn(Vec3 axis, double angle) {
    return rotation_by(angle * normalized(axis));
}

/// Clumps of spheres at random turns and speeds among plain spheres, in a box.
Model clumps_in_box(int n, std::uint64_t seed) {
    Model m = empty_model(Law::Hertz, 0.5, 0.4);
    m.gravity = {0, 0, -9.81};
    m.materials[0].young = 1e6;  // soft, for a long step
    Rng rng(seed, 1);
    const auto in = [&rng](double size) { return Vec3{rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)}; };
    const double pitch = 8.4e-3;
    for (int k = 0; k < n; ++k) {
        const Vec3 at{(k % 3 + 0.5) * pitch, (k / 3 % 3 + 0.5) * pitch, (k / 9 + 0.5) * pitch};
        const std::vector<Part> parts = k % 3 == 0 ? dumbbell(1.4e-3, 1.5e-3) : cross_of(2.5e-3, 2e-3, 1.2e-3);
        if (k % 3 == 2) {
            add_sphere(m, at, 2e-3, in(0.5), in(50));
        } else {
            add_clump(m, parts, at, turn(in(1), rng.uniform(0, 3)), in(0.5), in(50));
        }
    }
    m.walls = {box_wall("box", {{0, 0, 0}, {3 * pitch, 3 * pitch, 1}})};
    fill_owners(m.bodies);
    m.dt = 2e-5;
    return m;
}

}  // namespace

TEST_CASE("a dumbbell in free flight precesses as a symmetric top") {
    Model m = empty_model(Law::Hertz, 1, 0);
    const double a = 3e-3;
    const std::vector<Part> parts = dumbbell(a, 2e-3);
    const Vec3 moments = moments_of(parts);
    const Vec3 w0{80, 150, 0}, v{0.5, -0.2, 1}, x0{0.1, 0.2, 0.3};
    const auto id = static_cast<std::size_t>(add_clump(m, parts, x0, {}, v, w0));
    const auto engine = engine_of(m);
    const Measurement before = engine->measure();
    CHECK(before.bodies == 1);
    CHECK(before.mass == doctest::Approx(mass_of(parts)));
    const Vec3 L{moments.x * w0.x, moments.y * w0.y, 0};
    CHECK(before.energy.kinetic_rotation == doctest::Approx(0.5 * dot(L, w0)).epsilon(1e-13));
    // The overlap of the two balls is no contact.
    CHECK(engine->contacts().empty());
    run(*engine, 20000);
    const Snapshot s = engine->snapshot();
    const double t = s.time;
    CHECK(norm(s.position[id] - (x0 + t * v)) < 1e-12);
    // The axis of the top goes about L at the rate |L| / I_perp; a step turns by 2 mrad, whose square times 30 turns is the error.
    const Vec3 axis = rotate(turn(L, norm(L) / moments.y * t), Vec3{1, 0, 0});
    CHECK(norm(s.position[id + 1] - s.position[id] - a * axis) < 1e-4 * a);
    CHECK(norm(s.position[id + 2] - s.position[id] + a * axis) < 1e-4 * a);
    CHECK(norm(s.velocity[id + 1] - v - cross(s.angular_velocity[id], a * axis)) < 1e-4 * norm(w0) * a);
    const Measurement after = engine->measure();
    CHECK(norm(after.angular_momentum - before.angular_momentum) < 1e-12 * norm(before.angular_momentum));
    CHECK(after.energy.kinetic_rotation == doctest::Approx(before.energy.kinetic_rotation).epsilon(1e-5));
}

TEST_CASE("a compound of three moments keeps its spin and energy while it tumbles") {
    Model m = empty_model(Law::Hertz, 1, 0);
    add_clump(m, cross_of(4e-3, 2.5e-3, 1e-3), {}, {}, {}, {1, 200, 1});
    const auto engine = engine_of(m);
    const Measurement before = engine->measure();
    double least = 1;
    for (int k = 0; k < 40; ++k) {
        run(*engine, 500);
        const Snapshot s = engine->snapshot();
        least = std::min(least, dot(normalized(s.position[3] - s.position[4]), Vec3{0, 1, 0}));
        const Measurement now = engine->measure();
        CHECK(norm(now.angular_momentum - before.angular_momentum) < 1e-13 * norm(before.angular_momentum));
        // Symmetric splitting: the bound of tests/engine/rotation_test.cpp.
        CHECK(now.energy.kinetic_rotation == doctest::Approx(before.energy.kinetic_rotation).epsilon(1e-5));
    }
    CHECK(least < -0.9);  // about its middle axis it turns over
}

TEST_CASE("a compound of one sphere moves as the sphere does") {
    Model plain = empty_model(Law::Hertz, 0.5, 0.4);
    plain.gravity = {0, 0, -9.81};
    plain.walls = {box_wall("box", {{0, 0, 0}, {0.012, 0.012, 1}})};
    Rng rng(3, 1);
    for (int k = 0; k < 36; ++k) {
        const Vec3 at{(k % 3 + 0.5) * 4e-3, (k / 3 % 3 + 0.5) * 4e-3, 2e-3 + (k / 9) * 4e-3};
        const double r = rng.uniform(1.8e-3, 1.99e-3);
        add_sphere(plain, at, r, {rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), -0.3}, {rng.uniform(-30, 30), 0, rng.uniform(-30, 30)});
    }
    plain.dt = 1e-6;
    Model compound = plain;
    for (std::size_t i = 0; i < 36; i += 2) {
        const BodyTable& t = plain.bodies;
        const double I = 0.4 * t.mass[i] * t.radius[i] * t.radius[i];
        const std::int32_t id = add_compound_entry(compound, t.position[i], turn({1, 2, 3}, 1), t.mass[i], {I, I, I}, t.radius[i],
                                                   t.velocity[i], t.angular_velocity[i]);
        carry(compound, i, id, {});
    }
    const auto a = engine_of(plain), b = engine_of(compound);
    run(*a, 3000);
    run(*b, 3000);
    CHECK(a->measure().contacts > 10);
    const Snapshot p = a->snapshot(), c = b->snapshot();
    // Spins are kept as angular momentum here and as angular velocity there; contacts amplify the rounding a little.
    const double near = by_precision(1e-12, 1e-6);
    for (std::size_t i = 0; i < 36; ++i) {
        CHECK(norm(p.position[i] - c.position[i]) < near * 1e-2);
        CHECK(norm(p.velocity[i] - c.velocity[i]) < near);
        CHECK(norm(p.angular_velocity[i] - c.angular_velocity[i]) < near * 1e3);
    }
    const Measurement x = a->measure(), y = b->measure();
    CHECK(x.bodies == y.bodies);
    CHECK(x.energy.total() == doctest::Approx(y.energy.total()).epsilon(by_precision(1e-11, 1e-6)));
    CHECK(x.coordination == doctest::Approx(y.coordination));
}

TEST_CASE("a compound of one cube moves as the cube does") {
    Model plain = empty_model(Law::Hertz, 0.5, 0.4);
    plain.gravity = {0, 0, -9.81};
    plain.shapes = {box_shape("box", {4e-3, 5e-3, 6e-3})};
    plain.walls = {plane_wall("floor", {0, 0, 0}, {0, 0, 1})};
    const double r = 0.5 * std::sqrt(16.0 + 25 + 36) * 1e-3;
    for (int k = 0; k < 4; ++k) {
        plain.bodies.add_convex({1e-3 * (k % 2), 5e-4 * k, 4e-3 + 8e-3 * k}, turn({1, 2, 3}, k), 0, plain.shapes[0], r, 0, density,
                                {0, 0, -0.4}, {20, 10, 0});
    }
    plain.dt = 1e-6;
    Model compound = plain;
    for (std::size_t i = 0; i < 4; i += 2) {
        const BodyTable& t = plain.bodies;
        const Vec3 moments = t.mass[i] * r * r * plain.shapes[0].inertia;
        const std::int32_t id =
            add_compound_entry(compound, t.position[i], t.orientation[i], t.mass[i], moments, r, t.velocity[i], t.angular_velocity[i]);
        carry(compound, i, id, {});
    }
    const auto a = engine_of(plain), b = engine_of(compound);
    run(*a, 5000);
    run(*b, 5000);
    CHECK(a->measure().contacts > 0);
    CHECK(a->measure().wall_contacts > 0);
    const Snapshot p = a->snapshot(), c = b->snapshot();
    const double near = by_precision(1e-12, 1e-6);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(norm(p.position[i] - c.position[i]) < near * 1e-2);
        CHECK(norm(p.velocity[i] - c.velocity[i]) < near);
        CHECK(norm(p.angular_velocity[i] - c.angular_velocity[i]) < near * 1e3);
    }
}

TEST_CASE("collisions of clumps keep momentum and angular momentum") {
    Model m = empty_model(Law::Hertz, 0.6, 0.5);
    m.shapes = {box_shape("cube", {3e-3, 3e-3, 3e-3})};
    const double bound = 0.5 * std::sqrt(27.0) * 1e-3;
    const std::vector<Part> hammer = {{{2e-3, 0, 0}, bound, 0}, {{-2e-3, 0, 0}, bound, 0, turn({0, 0, 1}, 0.3)}};
    add_clump(m, cross_of(3e-3, 2e-3, 1.5e-3), {0, 0, 0}, turn({1, 1, 0}, 0.5), {1, 0, 0}, {50, -80, 20});
    add_clump(m, dumbbell(2e-3, 1.6e-3), {9e-3, 0.5e-3, 0}, turn({0, 1, 1}, 0.7), {-1, 0, 0}, {-20, 0, 60});
    add_clump(m, hammer, {4.5e-3, 9e-3, 0}, turn({1, 0, 1}, 1.1), {0, -1, 0}, {0, 40, 40});
    m.dt = 1e-6;
    const auto engine = engine_of(m, 1, false, true);
    const Measurement before = engine->measure();
    std::int64_t most = 0;
    for (int k = 0; k < 60; ++k) {
        run(*engine, 200);
        most = std::max(most, engine->measure().contacts);
    }
    CHECK(most > 0);
    const Measurement after = engine->measure();
    const double scale = mass_of(hammer) * 1.0;  // momentum of one of them
    // Forces are exact opposites; in float so are they, but torques of the two sides of a patch are rounded each.
    CHECK(norm(after.momentum - before.momentum) < 1e-12 * scale);
    CHECK(norm(after.angular_momentum - before.angular_momentum) < by_precision(1e-12, 1e-6) * scale * 3e-3);
    CHECK(std::fabs(after.energy.total() / before.energy.total() - 1) < 5e-3);
    CHECK(after.energy.dissipated_damping > 0);
}

TEST_CASE("clumps in a box: every way of running them gives the same bits") {
    const Model m = clumps_in_box(45, 5);
    constexpr std::int64_t steps = 4000;
    const auto engine = engine_of(m);
    run(*engine, steps);
    CHECK(engine->measure().contacts > 5);
    CHECK(engine->measure().wall_contacts > 5);
    CHECK(engine->counters().rebuilds > 3);
    const std::uint64_t expected = engine->state_hash();
    CHECK(hash_after(m, steps, 2) == expected);
    CHECK(hash_after(m, steps, 4) == expected);
    CHECK(hash_after(m, steps, 1, true) == expected);
    CHECK(hash_after(m, steps, 1, false, 1) == expected);
    CHECK(hash_after(m, steps, 1, false, 77) == expected);
    for (const double skin : {3e-5, 3e-4, 2e-3}) {
        Model other = m;
        other.penalty.skin = skin;
        CHECK(hash_after(other, steps) == expected);
    }
    Model brute = m;
    brute.penalty.search = Search::BruteForce;
    CHECK(hash_after(brute, steps) == expected);
    for (const std::int64_t first : {std::int64_t{1}, std::int64_t{1234}}) {
        const auto saved = engine_of(m), fresh = engine_of(m);
        saved->advance(first);
        fresh->load(saved->save());
        CHECK(fresh->state_hash() == saved->state_hash());
        fresh->advance(steps - first);
        CHECK(fresh->state_hash() == expected);
    }
}

TEST_CASE("a bed of clumps keeps its account of energy") {
    Model m = clumps_in_box(27, 6);
    m.dt = 5e-6;
    const auto engine = engine_of(m, 1, false, true);
    const double before = engine->measure().energy.total();
    double lost = 0;
    for (int k = 0; k < 40; ++k) {
        run(*engine, 400);
        const Energy e = engine->measure().energy;
        lost = e.dissipated_damping + e.dissipated_friction;
        // Damped by more than half in all; the step's own error.
        CHECK(e.total() == doctest::Approx(before).epsilon(3e-3));
    }
    CHECK(lost > 0.2 * before);
}

TEST_CASE("clumps leave with their members, at fixed steps, however the run is cut") {
    Model m = clumps_in_box(27, 7);
    m.walls.clear();
    m.domain.box = {{0.001, -1, 0.004}, {1, 1, 1}};
    m.domain.leave = Leave::Remove;
    m.domain.check_every = 40;
    constexpr std::int64_t steps = 2000;
    const auto engine = engine_of(m, 1, false, true);
    const Measurement before = engine->measure();
    run(*engine, steps);
    const RunCounters c = engine->counters();
    CHECK(c.removed > 3);
    CHECK(c.bodies > 3);
    CHECK(c.removed + c.bodies == before.bodies);
    const Snapshot s = engine->snapshot();
    REQUIRE(s.owner.size() == s.id.size());
    std::vector<int> members(m.bodies.size(), 0);
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        CHECK(s.owner[i] == m.bodies.owner[s.id[i]]);
        if (s.owner[i] >= 0) ++members[static_cast<std::size_t>(s.owner[i])];
    }
    for (const std::uint32_t id : s.id) {
        if (m.bodies.owner[id] >= 0 || m.bodies.shape[id] < 0) continue;
        CHECK(members[id] == std::count(m.bodies.owner.begin(), m.bodies.owner.end(), static_cast<std::int32_t>(id)));
    }
    // What was removed stays in the account.
    const Measurement after = engine->measure();
    CHECK(after.energy.total() == doctest::Approx(before.energy.total()).epsilon(3e-3));
    CHECK(after.mass < before.mass);
    const std::uint64_t expected = engine->state_hash();
    CHECK(hash_after(m, steps, 2) == expected);
    CHECK(hash_after(m, steps, 1, true) == expected);
    CHECK(hash_after(m, steps, 1, false, 33) == expected);
    for (const std::int64_t first : {std::int64_t{399}, std::int64_t{400}, std::int64_t{1500}}) {
        const auto saved = engine_of(m), fresh = engine_of(m);
        saved->advance(first);
        fresh->load(saved->save());
        CHECK(fresh->counters().bodies == saved->counters().bodies);
        fresh->advance(steps - first);
        CHECK(fresh->state_hash() == expected);
    }
}

TEST_CASE("measures count a compound once, by its centre") {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    m.gravity = {0, 0, -9.81};
    const std::vector<Part> parts = dumbbell(5e-3, 2e-3);
    const Vec3 v{1, 2, 3}, w{4, 5, 6}, x{1e-3, 2e-3, 0.1};
    const std::int32_t id = add_clump(m, parts, x, {}, v, w);
    const double mass = mass_of(parts);
    const Vec3 I = moments_of(parts), L{I.x * w.x, I.y * w.y, I.z * w.z};
    const auto engine = engine_of(m);
    const Measurement now = engine->measure();
    CHECK(now.bodies == 1);
    CHECK(engine->counters().bodies == 1);
    CHECK(now.mass == doctest::Approx(mass).epsilon(1e-14));
    CHECK(now.energy.kinetic_translation == doctest::Approx(0.5 * mass * norm2(v)).epsilon(1e-14));
    CHECK(now.energy.kinetic_rotation == doctest::Approx(0.5 * dot(L, w)).epsilon(1e-14));
    CHECK(now.energy.potential == doctest::Approx(mass * 9.81 * x.z).epsilon(1e-14));
    CHECK(norm(now.momentum - mass * v) < 1e-14 * mass);
    CHECK(norm(now.angular_momentum - mass * cross(x, v) - L) < 1e-14 * mass);
    CHECK(now.max_speed == doctest::Approx(norm(v)).epsilon(1e-14));
    Region around;
    around.box = {{0, 0, 0}, {2e-3, 1, 1}};  // the centre is in, both balls' centres are out
    CHECK(engine->sum_in(around).count == 1);
    CHECK(engine->sum_in(around).mass == doctest::Approx(mass));
    around.box = {{4e-3, 0, 0}, {1, 1, 1}};  // a ball's is in
    CHECK(engine->sum_in(around).count == 0);
    const Snapshot s = engine->snapshot();
    CHECK(s.owner == std::vector<std::int32_t>{-1, id, id});
    CHECK(norm(s.velocity[1] - v - cross(w, Vec3{5e-3, 0, 0})) < 1e-14);
    CHECK(s.mass[0] == doctest::Approx(mass));
}

TEST_CASE("a fault at a member names the member") {
    Model m = empty_model(Law::Linear, 0.5, 0.5);
    const std::int32_t id = add_clump(m, dumbbell(3e-3, 2e-3), {0, 0, 2.1e-3}, {}, {0, 0, -30});
    m.walls = {plane_wall("floor", {0, 0, 0}, {0, 0, 1})};
    const auto engine = engine_of(m);
    const BatchReport report = engine->advance(1000);
    CHECK(report.fault.kind == FaultKind::Overlap);
    CHECK(report.fault.body == static_cast<std::uint32_t>(id + 1));
    CHECK(report.fault.wall == 0);
}

TEST_CASE("compounds that do not fit together are refused") {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    const std::int32_t id = add_clump(m, dumbbell(3e-3, 2e-3), {});
    Model of_a_sphere = m, nested = m, beyond = m;
    of_a_sphere.bodies.owner[1] = id + 2;
    CHECK_THROWS_AS(engine_of(of_a_sphere), Error);
    nested.bodies.owner[0] = 0;
    CHECK_THROWS_AS(engine_of(nested), Error);
    beyond.bodies.owner[1] = 17;
    CHECK_THROWS_AS(engine_of(beyond), Error);
}
