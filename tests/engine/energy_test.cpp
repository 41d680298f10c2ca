// Energy and momentum accounts of many bodies, and measures against sums made here.
#include <doctest/doctest.h>

#include "systems.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Some 200 spheres that fall in a box of planes. E = 1e6 Pa and k_n = 2e3 N/m keep the step long.
Model falling_box(Law law, double restitution, double friction, double share) {
    Model m = empty_model(law, restitution, friction);
    m.gravity = {0, 0, -9.81};
    m.materials[0].young = 1e6;
    PairProperties p = m.pairs(0, 0);
    p.stiffness = 2e3;
    m.pairs.set(0, 0, p);
    m.walls = {box_wall("box", {{0, 0, 0}, {0.06, 0.06, 0.3}})};
    add_cloud(m, 200, {{0, 0, 0}, {0.06, 0.06, 0.12}}, 4e-3, 5e-3, 0.2, 10, 1);
    set_step(m, share);
    return m;
}

double mechanical(const Energy& e) {
    return e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic_normal + e.elastic_tangential;
}

}  // namespace

TEST_CASE("energy closes while a bed falls and settles, with friction and damping") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        const Model m = falling_box(law, 0.5, 0.4, 0.25);
        const auto engine = engine_of(m, 1, false, true);
        const Measurement start = engine->measure();
        double worst = 0, damping = 0, friction = 0;
        bool growing = true;
        while (engine->counters().time < 0.25) {
            engine->advance(static_cast<std::int64_t>(0.01 / m.dt));
            const Measurement now = engine->measure();
            worst = std::fmax(worst, std::fabs(now.energy.total() - start.energy.total()));
            growing = growing && now.energy.dissipated_damping >= damping && now.energy.dissipated_friction >= friction * (1 - 1e-3);
            damping = now.energy.dissipated_damping;
            friction = now.energy.dissipated_friction;
        }
        const double turned_over = damping + friction;
        CAPTURE(static_cast<int>(law));
        CHECK(turned_over > 0.2 * start.energy.potential);
        // The step's error at a quarter of the automatic step; contacts in float are far below it.
        CHECK(worst < 1e-3 * turned_over);
        CHECK(growing);
        CHECK(damping > 0.1 * turned_over);
        CHECK(friction > 0.1 * turned_over);
    }
}

TEST_CASE("elastic bodies without friction keep their energy") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        const Model m = falling_box(law, 1, 0, 0.25);
        const auto engine = engine_of(m, 1, false, true);
        const double start = mechanical(engine->measure().energy);
        double worst = 0;
        while (engine->counters().time < 0.2) {
            engine->advance(static_cast<std::int64_t>(0.01 / m.dt));
            const Measurement now = engine->measure();
            worst = std::fmax(worst, std::fabs(mechanical(now.energy) - start));
            CHECK(now.energy.elastic_tangential == 0);
            CHECK(std::fabs(now.energy.dissipated_damping) < by_precision(1e-12, 1e-5) * start);  // float roundings of the spring force
        }
        // The symplectic step's energy swings by some (omega dt)^2 / 8 = 2e-4 of what a contact holds.
        CHECK(worst < 3e-4 * start);
    }
}

TEST_CASE("an isolated cloud keeps its momentum and angular momentum") {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    add_cloud(m, 150, {{0.1, 0.2, 0.3}, {0.15, 0.25, 0.35}}, 1e-3, 4e-3, 1.0, 50, 2);
    set_step(m, 0.5);
    const auto engine = engine_of(m);
    const Measurement start = engine->measure();
    double p = 0, L = 0;
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        p += m.bodies.mass[i] * norm(m.bodies.velocity[i]);
        L += m.bodies.mass[i] * norm(m.bodies.velocity[i]) * norm(m.bodies.position[i]);
    }
    engine->advance(4000);
    const Measurement now = engine->measure();
    CHECK(now.energy.kinetic_translation < 0.95 * start.energy.kinetic_translation);  // they did meet
    // Equal and opposite forces: only roundings of velocities. Torques have the contact's precision.
    CHECK(norm(now.momentum - start.momentum) < 1e-12 * p);
    CHECK(norm(now.angular_momentum - start.angular_momentum) < by_precision(1e-12, 1e-7) * L);
}

TEST_CASE("measures are the sums over a snapshot and over contacts") {
    Model m = falling_box(Law::Hertz, 0.5, 0.4, 1);
    m.walls.push_back(mesh_wall("step", box_mesh({{0.02, 0.02, -0.01}, {0.04, 0.04, 0.01}})));
    m.walls.push_back(plane_wall("unused", {0, 0, -1}, {0, 0, 1}));
    // The mesh stands in the bed only once the lowest bodies are clear of it.
    for (Vec3& x : m.bodies.position) x.z += 0.012;
    const auto engine = engine_of(m);
    engine->advance(3000);
    const Measurement q = engine->measure();
    const Snapshot s = engine->snapshot();
    Energy e;
    Vec3 momentum, angular;
    double mass = 0, top = 0;
    RegionSum box, tube;
    const Region in_box{Region::Kind::Box, {{0, 0, 0}, {0.03, 0.06, 0.02}}, {}, {0, 0, 1}, 0, 0};
    const Region in_tube{Region::Kind::Cylinder, {}, {0.03, 0, 0.01}, {0, 1, 0}, 0.015, 0.05};
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const double k = s.mass[i], inertia = 0.4 * k * s.radius[i] * s.radius[i];
        e.kinetic_translation += 0.5 * k * norm2(s.velocity[i]);
        e.kinetic_rotation += 0.5 * inertia * norm2(s.angular_velocity[i]);
        e.potential += 9.81 * k * s.position[i].z;
        momentum += k * s.velocity[i];
        angular += k * cross(s.position[i], s.velocity[i]) + inertia * s.angular_velocity[i];
        mass += k;
        top = std::fmax(top, norm(s.velocity[i]));
        const Vec3 x = s.position[i];
        if (in_box.box.contains(x)) box = {box.mass + k, box.count + 1};
        if (x.y <= 0.05 && (x.x - 0.03) * (x.x - 0.03) + (x.z - 0.01) * (x.z - 0.01) <= 0.015 * 0.015)
            tube = {tube.mass + k, tube.count + 1};
    }
    // Sums of the same terms in another order.
    const double same = 1e-12;
    CHECK(q.bodies == 200);
    CHECK(q.step == 3000);
    CHECK(q.mass == doctest::Approx(mass).epsilon(same));
    CHECK(q.energy.kinetic_translation == doctest::Approx(e.kinetic_translation).epsilon(same));
    CHECK(q.energy.kinetic_rotation == doctest::Approx(e.kinetic_rotation).epsilon(same));
    CHECK(q.energy.potential == doctest::Approx(e.potential).epsilon(same));
    CHECK(norm(q.momentum - momentum) < 1e-11 * mass * top);
    CHECK(norm(q.angular_momentum - angular) < 1e-11 * mass * top);
    CHECK(q.max_speed == doctest::Approx(top).epsilon(same));
    const RegionSum engine_box = engine->sum_in(in_box), engine_tube = engine->sum_in(in_tube);
    CHECK(box.count > 10);
    CHECK(tube.count > 10);
    CHECK(engine_box.count == box.count);
    CHECK(engine_box.mass == doctest::Approx(box.mass).epsilon(same));
    CHECK(engine_tube.count == tube.count);
    CHECK(engine_tube.mass == doctest::Approx(tube.mass).epsilon(same));

    std::int64_t touching = 0, at_walls = 0;
    double deepest = 0, elastic = 0;
    std::vector<Vec3> force(3), torque(3), on_body(s.id.size());
    const double k_n = law_table(m).front().k_n;
    for (const ContactRecord& r : engine->contacts()) {
        const bool body = r.wall < 0;
        (body ? touching : at_walls) += 1;
        deepest = std::fmax(deepest, r.overlap_ratio);
        CHECK(std::fabs(norm(r.normal) - 1) < 1e-12);
        const double r_a = s.radius[r.a], R_eff = body ? r_a * s.radius[r.b] / (r_a + s.radius[r.b]) : r_a;
        elastic += 0.4 * k_n * std::sqrt(R_eff) * std::pow(r.overlap, 2.5);
        on_body[r.a] += r.force;
        if (body) {
            on_body[r.b] -= r.force;
            CHECK(r.a < r.b);
        } else {
            force[static_cast<std::size_t>(r.wall)] -= r.force;
            torque[static_cast<std::size_t>(r.wall)] -= cross(r.point, r.force);
        }
    }
    CHECK(touching > 200);
    CHECK(q.contacts == touching);
    CHECK(q.wall_contacts == at_walls);
    CHECK(q.coordination == doctest::Approx(static_cast<double>(2 * touching + at_walls) / 200).epsilon(same));
    CHECK(q.max_overlap == doctest::Approx(deepest).epsilon(1e-9));  // of an overlap that is the difference of two lengths
    CHECK(q.energy.elastic_normal == doctest::Approx(elastic).epsilon(by_precision(1e-9, 1e-6)));  // k_n is in the contact's precision
    REQUIRE(q.walls.size() == 3);
    for (std::size_t w = 0; w < 3; ++w) {
        CHECK(norm(q.walls[w].force - force[w]) <= 1e-12 * norm(force[w]));
        CHECK(norm(q.walls[w].torque - torque[w]) <= 1e-12 * norm(torque[w]));
    }
    CHECK(norm(q.walls[1].force) > 0);
    CHECK(norm(q.walls[2].force) == 0);
    double off = 0;
    for (std::size_t i = 0; i < on_body.size(); ++i) off = std::fmax(off, norm(on_body[i] - s.force[i]));
    CHECK(off < 1e-12);  // forces here are some 0.01 N to 1 N, summed in another order
}

TEST_CASE("a settled pile's walls bear its weight") {
    Model m = falling_box(Law::Hertz, 0.2, 0.4, 1);
    const auto engine = engine_of(m);
    while (engine->counters().time < 0.8) engine->advance(2000);
    const Measurement q = engine->measure();
    const double weight = q.mass * 9.81;
    // At rest up to the last small motions of the bed.
    CHECK(std::fabs(q.walls[0].force.z + weight) < 0.01 * weight);
    CHECK(std::fabs(q.walls[0].force.x) < 0.01 * weight);
    CHECK(std::fabs(q.walls[0].force.y) < 0.01 * weight);
    const Snapshot s = engine->snapshot();
    Vec3 moment;  // of the weight about the origin
    for (std::size_t i = 0; i < s.id.size(); ++i) moment += cross(s.position[i], s.mass[i] * m.gravity);
    CHECK(norm(q.walls[0].torque - moment) < 0.01 * weight * 0.06);
    CHECK(q.coordination > 3);
    CHECK(q.coordination < 6.5);
    CHECK(q.max_speed < 0.05);
}

TEST_CASE("energy of bodies that leave stays on the books") {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    m.gravity = {0, 0, -9.81};
    m.domain.box.min.z = -0.05;
    m.domain.leave = Leave::Remove;
    m.domain.check_every = 20;
    m.walls = {box_wall("box", {{0, 0, -10}, {0.05, 0.05, 10}})};
    add_cloud(m, 60, {{0, 0, 0}, {0.05, 0.05, 0.05}}, 3e-3, 5e-3, 0.3, 30, 3);
    set_step(m, 0.3);
    const auto engine = engine_of(m, 1, false, true);
    const double start = engine->measure().energy.total();
    double turned_over = 0;
    for (int k = 0; k < 100 && engine->counters().bodies > 20; ++k) engine->advance(500);
    Measurement q = engine->measure();
    REQUIRE(engine->counters().removed > 0);
    turned_over = q.energy.dissipated_damping + q.energy.dissipated_friction + std::fabs(q.energy.removed);
    CHECK(std::fabs(q.energy.total() - start) < 2e-3 * turned_over);  // the step's error, as above
    const double damped = q.energy.dissipated_damping;
    for (int k = 0; k < 100 && engine->counters().bodies > 0; ++k) engine->advance(500);
    q = engine->measure();
    REQUIRE(engine->counters().bodies == 0);
    CHECK(engine->counters().removed == static_cast<std::int64_t>(m.bodies.size()));
    CHECK(q.energy.dissipated_damping >= damped);
    CHECK(std::fabs(q.energy.total() - start) < 2e-3 * turned_over);
    CHECK(q.mass == 0);
    CHECK(q.coordination == 0);
}
