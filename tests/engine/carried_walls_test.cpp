// Walls that bodies carry: they give and take momentum as any body, bear load, and move without external work.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "clumps.hpp"
#include "hashes.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double g = 9.81;

void run(Engine& engine, std::int64_t steps) {
    const BatchReport report = engine.advance(steps);
    REQUIRE(report.fault.kind == FaultKind::None);
}

Quat turn(Vec3 axis, double angle) {
    return rotation_by(angle * normalized(axis));
}

/// The faces of a box but for the top.
Wall bucket_wall(const Aabb& box, std::int32_t body) {
    TriangleMesh mesh = box_mesh(box);
    mesh.triangles.erase(mesh.triangles.begin() + 2, mesh.triangles.begin() + 4);
    Wall w = mesh_wall("bucket", mesh);
    w.body = body;
    return w;
}

Wall carried(Wall w, std::int32_t body) {
    w.body = body;
    return w;
}

/// A bucket that flies into balls and cubes at rest, turning a little.
Model bucket_in_flight(double restitution) {
    Model m = empty_model(Law::Hertz, restitution, 0.4);
    m.materials[0].young = 1e6;
    m.shapes = {box_shape("cube", {3e-3, 3e-3, 3e-3})};
    const double mass = 4e-3, side = 0.02;
    const double I = mass * side * side / 6;
    const std::int32_t id =
        add_compound_entry(m, {0, 0, 0}, turn({1, 2, 3}, 0.4), mass, {I, 1.2 * I, 0.8 * I}, side, {0, 0, 0.3}, {2, 3, 4});
    Rng rng(7, 1);
    for (int k = 0; k < 16; ++k) {
        const Vec3 at{(k % 2 - 0.5) * 7e-3, (k / 2 % 2 - 0.5) * 7e-3, -2e-3 + 6e-3 * (k / 4)};
        if (k % 4 == 1) {
            m.bodies.add_convex(at, turn({1, 1, 0}, k), 0, m.shapes[0], 0.5 * std::sqrt(27.0) * 1e-3, 0, density);
        } else {
            add_sphere(m, at, rng.uniform(1.5e-3, 2.5e-3));
        }
    }
    fill_owners(m.bodies);
    m.walls = {bucket_wall({{-0.01, -0.01, -0.01}, {0.01, 0.01, 0.01}}, id)};
    m.dt = 1e-5;
    return m;
}

/// Every class of surface carried by bodies of their own, about spheres and cubes in a box.
Model workshop() {
    Model m = bucket_in_flight(0.5);
    m.penalty.overlap_limit = 1;
    m.gravity = {0, 0, -g};
    m.bodies.velocity[0] = {0, 0, -0.4};
    const std::int32_t rod = add_compound_entry(m, {3e-3, 0.012, 0.03}, {}, 8e-3, {1e-7, 2e-7, 1e-7}, 5e-3, {0, -0.1, -0.2}, {5, 0, 30});
    Wall pin;
    pin.name = "pin";
    pin.cylinders = {{{3e-3, 0.002, 0.03}, {0, 1, 0}, 0.003, 0.016, false}};
    const std::int32_t lid = add_compound_entry(m, {0, 0, 0.05}, {}, 5e-3, {1e-6, 1e-6, 2e-6}, 5e-3, {0, 0, -0.5}, {0.3, 0.2, 4});
    add_clump(m, dumbbell(2e-3, 2.2e-3), {-3e-3, 2e-3, 0.036}, turn({1, 0, 1}, 1), {0, 0, -0.3}, {40, 0, 10});
    m.walls.push_back(box_wall("box", {{-0.02, -0.02, -0.025}, {0.02, 0.02, 1}}));
    m.walls.push_back(carried(pin, rod));
    m.walls.push_back(carried(plane_wall("lid", {0, 0, 0.045}, {0, 0, -1}), lid));
    // The bucket touches the box through balls at its corners alone.
    for (int k = 0; k < 8; ++k) {
        const Vec3 at{k & 1 ? 0.01 : -0.01, k & 2 ? 0.01 : -0.01, k & 4 ? 0.01 : -0.01};
        add_sphere(m, {}, 1e-3);
        carry(m, m.bodies.size() - 1, 0, at);
    }
    return m;
}

}  // namespace

TEST_CASE("a bucket that catches balls and cubes: momentum, angular momentum and energy") {
    for (const double restitution : {0.5, 1.0}) {
        Model m = bucket_in_flight(restitution);
        if (restitution == 1) m.dt = 2e-6;  // the error of the step is all that energy loses
        const auto engine = engine_of(m, 1, false, true);
        const Measurement before = engine->measure();
        std::int64_t most = 0;
        double largest = 0;
        for (int k = 0; k < 40; ++k) {
            run(*engine, restitution == 1 ? 500 : 100);
            const Measurement now = engine->measure();
            most = std::max(most, now.wall_contacts);
            largest = std::max(largest, norm(now.walls[0].force));
            CHECK(now.wall_power[0] == 0);
        }
        CHECK(most >= 2);
        CHECK(largest > 1e-3);
        const Measurement after = engine->measure();
        const double momentum = 4e-3 * 0.3;
        CHECK(norm(engine->snapshot().velocity[0] - Vec3{0, 0, 0.3}) > 0.02);  // it felt them
        CHECK(norm(after.momentum - before.momentum) < 1e-12 * momentum);
        // Of two polyhedra each side's torque is rounded by itself.
        CHECK(norm(after.angular_momentum - before.angular_momentum) < by_precision(1e-12, 1e-6) * momentum * 0.01);
        CHECK(after.energy.total() == doctest::Approx(before.energy.total()).epsilon(restitution == 1 ? 1e-3 : 5e-3));
        CHECK(after.energy.work_of_walls == 0);
        if (restitution == 1) CHECK(after.energy.dissipated_damping == doctest::Approx(0).scale(before.energy.total()).epsilon(1e-6));
    }
}

TEST_CASE("a lid bears its weight on balls") {
    Model m = empty_model(Law::Hertz, 0.2, 0.5);
    m.gravity = {0, 0, -g};
    const double r = 2e-3, mass = 2e-3;
    for (int k = 0; k < 3; ++k) add_sphere(m, {8e-3 * std::cos(2.1 * k), 8e-3 * std::sin(2.1 * k), r}, r);
    const std::int32_t id = add_compound_entry(m, {0, 0, 2.2 * r}, {}, mass, {1e-7, 1e-7, 2e-7}, 1e-2);
    m.walls = {plane_wall("floor", {0, 0, 0}, {0, 0, 1}), carried(plane_wall("lid", {0, 0, 2.05 * r}, {0, 0, -1}), id)};
    m.dt = 1e-5;
    const auto engine = engine_of(m);
    run(*engine, 40000);
    const Measurement now = engine->measure();
    CHECK(now.max_speed < 1e-4);
    const double balls = 3 * m.bodies.mass[0];
    // Forces come to rest with the speeds; in float an overlap of a micrometre is known to a few ten-thousandths.
    CHECK(now.walls[1].force.z == doctest::Approx(mass * g).epsilon(by_precision(1e-4, 2e-3)));
    CHECK(now.walls[0].force.z == doctest::Approx(-(mass + balls) * g).epsilon(by_precision(1e-4, 2e-3)));
    const Snapshot s = engine->snapshot();
    CHECK(s.force[3].z == doctest::Approx(mass * g).epsilon(by_precision(1e-4, 2e-3)));
    CHECK(norm(s.torque[3]) < 1e-3 * mass * g * 8e-3);
    // The plane is where the body has it.
    const Vec3 up = rotate(s.walls[1].turn, Vec3{0, 0, 1});
    CHECK(norm(placed(s.walls[1], m.bodies.position[3]) - s.position[3]) < 1e-15);
    CHECK(dot(up, Vec3{0, 0, 1}) > 0.99);
}

TEST_CASE("a collision with a carried wall has the restitution of its material") {
    Model m = empty_model(Law::Hertz, 0.6, 0);
    const double r = 2e-3;
    add_sphere(m, {0, 0, 0}, r, {0, 0, 1});
    const double mass = 0.5 * m.bodies.mass[0];  // lighter than the ball
    const std::int32_t id = add_compound_entry(m, {0, 0, 0.01}, {}, mass, {1e-8, 1e-8, 1e-8}, 1e-3);
    m.walls = {carried(plane_wall("plate", {0, 0, 1.1 * r}, {0, 0, -1}), id)};
    m.dt = 1e-7;
    const auto engine = engine_of(m);
    run(*engine, 20000);
    const Snapshot s = engine->snapshot();
    CHECK(engine->contacts().empty());
    CHECK(s.velocity[1].z - s.velocity[0].z == doctest::Approx(0.6).epsilon(2e-3));
}

TEST_CASE("walls of every class carried by bodies: every way of running them gives the same bits") {
    const Model m = workshop();
    constexpr std::int64_t steps = 6000;
    const auto engine = engine_of(m);
    bool touched[4] = {};
    for (int k = 0; k < 60; ++k) {
        run(*engine, steps / 60);
        for (const ContactRecord& r : wall_contacts(*engine)) touched[r.wall] = true;
    }
    for (const bool wall : touched) CHECK(wall);
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
    const auto saved = engine_of(m), fresh = engine_of(m);
    saved->advance(3456);
    fresh->load(saved->save());
    CHECK(fresh->state_hash() == saved->state_hash());
    CHECK(fresh->measure().walls[0].force == saved->measure().walls[0].force);
    fresh->advance(steps - 3456);
    CHECK(fresh->state_hash() == expected);
}

TEST_CASE("a body does not touch its own walls, and takes them along when it leaves") {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    const std::int32_t id = add_clump(m, dumbbell(2e-3, 1.5e-3), {0, 0, 0}, {}, {1, 0, 0});
    m.walls = {carried(plane_wall("own", {0, 0, 0}, {0, 0, 1}), id), plane_wall("other", {0, 0, -1}, {0, 0, 1})};
    // Balls on the plane, one to be met after it has gone.
    add_sphere(m, {0, 0.01, 1.001e-3}, 1e-3, {1, 0, 0});
    add_sphere(m, {-0.1, 0, 1.5e-3}, 1e-3, {0, 0, -0.01});
    fill_owners(m.bodies);
    m.domain.box.max.x = 0.05;
    m.domain.leave = Leave::Remove;
    m.domain.check_every = 10;
    m.dt = 1e-5;
    const auto engine = engine_of(m);
    CHECK(engine->contacts().empty());
    run(*engine, 7000);
    CHECK(engine->counters().removed == 2);  // the clump with its members, and a ball
    CHECK(engine->counters().bodies == 1);
    const Snapshot s = engine->snapshot();
    REQUIRE(s.id.size() == 1);
    CHECK(s.position[0].z == doctest::Approx(1.5e-3 - 0.01 * s.time));  // the plane is gone
    CHECK(s.force[0] == Vec3{});
    const std::uint64_t expected = engine->state_hash();
    CHECK(hash_after(m, 7000, 1, false, 333) == expected);
    for (const std::int64_t first : {std::int64_t{4990}, std::int64_t{5012}, std::int64_t{6000}}) {
        const auto saved = engine_of(m), fresh = engine_of(m);
        saved->advance(first);
        fresh->load(saved->save());
        fresh->advance(7000 - first);
        CHECK(fresh->state_hash() == expected);
        CHECK(fresh->counters().bodies == 1);
    }
}

TEST_CASE("a wall that no compound carries is refused") {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    add_sphere(m, {}, 1e-3);
    m.walls = {carried(plane_wall("plate", {0, 0, 1}, {0, 0, -1}), 0)};
    CHECK_THROWS_AS(engine_of(m), Error);
    m.walls[0].body = 7;
    CHECK_THROWS_AS(engine_of(m), Error);
}

TEST_CASE("cone: a batch and steps one by one agree where a wall comes, a carrier goes and an overlap ends the run") {
    Model m = workshop();
    m.method = Method::Cone;
    m.dt = 2e-4;
    m.cone.tolerance = 1e-4;
    m.cone.iterations = 100;
    m.penalty.overlap_limit = 1e6;
    Wall late = plane_wall("late", {0, 0, -0.005}, {0, 0, 1});
    late.active_from = 0.03;
    m.walls.push_back(late);
    const std::size_t lid = static_cast<std::size_t>(m.walls[3].body);
    m.bodies.velocity[lid] = {0, 0, 0.5};
    m.domain.box.max.z = 0.055;
    m.domain.leave = Leave::Remove;
    m.domain.check_every = 10;
    constexpr std::int64_t steps = 700;
    const auto engine = engine_of(m);
    std::int64_t carried_contacts = 0;
    for (std::int64_t done = 0; done < steps; done += 5) {
        run(*engine, 5);
        for (const ContactRecord& c : engine->contacts())
            carried_contacts += c.wall >= 0 && m.walls[static_cast<std::size_t>(c.wall)].body >= 0;
    }
    CHECK(carried_contacts > 10);
    const std::vector<std::uint32_t> left = engine->snapshot().id;
    CHECK(std::find(left.begin(), left.end(), lid) == left.end());
    const std::uint64_t expected = engine->state_hash();
    CHECK(hash_after(m, steps) == expected);
    CHECK(hash_after(m, steps, 2) == expected);
    CHECK(hash_after(m, steps, 1, false, 1) == expected);
    CHECK(hash_after(m, steps, 1, true, 37) == expected);

    m.penalty.overlap_limit = 0.05;
    m.cone.iterations = 2;
    m.cone.residual_limit = 1e6;  // so that the overlap ends the run, not what is left of a step
    const auto slow = engine_of(m), fast = engine_of(m);
    BatchReport last;
    while (last.fault.kind == FaultKind::None && slow->counters().step < steps) last = slow->advance(1);
    const BatchReport together = fast->advance(steps);
    REQUIRE(last.fault.kind == FaultKind::Overlap);
    CHECK(together.steps_done > 1);
    CHECK(together.fault.kind == FaultKind::Overlap);
    CHECK(together.fault.step == last.fault.step);
    CHECK(together.fault.value == last.fault.value);
    CHECK(fast->state_hash() == slow->state_hash());
}
