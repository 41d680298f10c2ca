// Walls that move: against the same system seen from the wall, against formulas, against other shapes of the same wall; energy;
// determinism.
#include <doctest/doctest.h>

#include "engine/exec/config.hpp"
#include "model/motion.hpp"
#include "hashes.hpp"
#include "systems.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double g = 9.81, r = 2e-3;
const double endless = std::numeric_limits<double>::infinity();

Motion shifting(Vec3 velocity) {
    Motion m;
    m.moves = true;
    m.velocity = velocity;
    return m;
}
Motion turning(double rate, Vec3 axis, Vec3 point = {}) {
    Motion m;
    m.moves = true;
    m.rate = rate;
    m.axis = normalized(axis);
    m.point = point;
    return m;
}
Motion swinging(Vec3 amplitude, double angle, Vec3 axis, Vec3 point, double frequency) {
    Motion m = turning(0, axis, point);
    // In two parts, which add up.
    m.harmonics = {{0.25 * amplitude, 0.5 * angle, frequency, 0}, {0.75 * amplitude, 0.5 * angle, frequency, 0}};
    return m;
}

Wall with(Wall wall, const Motion& motion) {
    wall.motion = motion;
    return wall;
}
Wall floor_wall(const Motion& motion) {
    return with(plane_wall("floor", {0, 0, 0}, {0, 0, 1}), motion);
}
Wall cylinder_wall(const std::string& name, const Cylinder& c, const Motion& motion) {
    Wall w;
    w.name = name;
    w.cylinders = {c};
    return with(w, motion);
}

Model ball(double restitution, double friction) {
    Model m = empty_model(Law::Hertz, restitution, friction);
    m.gravity = {0, 0, -g};
    return m;
}

/// Overlap at which a surface bears a ball of radius r.
double seat(const Model& m) {
    const double weight = density * 4.0 / 3.0 * pi * r * r * r * g;
    return std::pow(weight / (law_table(m).front().k_n * std::sqrt(r)), 2.0 / 3.0);
}

/// Speed of the ball's lowest point against the world.
Vec3 sole_velocity(const Snapshot& s) {
    return s.velocity[0] + cross(s.angular_velocity[0], Vec3{0, 0, -r});
}

/// Every class of surface, at rest and moving, about a cloud of spheres.
Model mill() {
    Model m = empty_model(Law::Hertz, 0.5, 0.4);
    m.gravity = {0, 0, -g};
    m.materials[0].young = 1e6;  // soft, for a long step
    m.penalty.overlap_limit = 1;
    add_cloud(m, 250, {{0.002, 0.002, 0.02}, {0.058, 0.058, 0.055}}, 0.7e-3, 2e-3, 0.4, 100, 4);
    Rng rng(8, 1);
    m.walls = {
        with(box_wall("box", {{-0.004, -0.004, -0.004}, {0.064, 0.064, 0.1}}),
             swinging({1e-3, 0, 0}, 0.05, {0, 1, 0}, {0.03, 0.03, 0}, 40)),
        mesh_wall("ground", terrain_mesh(12, 12, 5e-3, [&rng](int, int) { return rng.uniform(0, 4e-3); })),
        with(mesh_wall("rotor", subdivided(box_mesh({{0.008, 0.027, 0.012}, {0.052, 0.033, 0.018}}), 2)),
             turning(30, {0.1, 0, 1}, {0.03, 0.03, 0.015})),
        cylinder_wall("rod", {{0.03, 0, 0.03}, {0, 1, 0}, 0.003, 0.06, false},
                      swinging({0, 0, 5e-3}, 0.3, {1, 0, 0}, {0.03, 0.03, 0.03}, 25)),
        cylinder_wall("drum", {{0.03, 0.03, 0}, {0, 0, 1}, 0.036, endless, true}, turning(-60, {0, 0, 1}, {0.03, 0.03, 0})),
    };
    m.walls[3].motion.from = 5e-3;
    m.walls[3].motion.to = 20e-3;
    for (Vec3& v : m.bodies.velocity) v += {0.5, 0, -1.2};
    keep_clear(m);
    set_step(m, 1);
    return m;
}

constexpr std::int64_t steps = 1200;

}  // namespace

TEST_CASE("a plane that hits a sphere does what a sphere that hits a plane does") {
    const Vec3 u{0.3, -0.2, 0.7}, spin{30, -20, 50};
    Model still = empty_model(Law::Hertz, 0.6, 0.3), moving = still;
    add_sphere(still, {0, 0, r + 1e-4}, r, -u, spin);
    add_sphere(moving, {0, 0, r + 1e-4}, r, {}, spin);
    still.walls = {floor_wall({})};
    moving.walls = {floor_wall(shifting(u))};
    set_step(still, 0.5);
    moving.dt = still.dt;
    const auto a = engine_of(still), b = engine_of(moving);
    bool touched = false;
    for (int k = 0; k < 50; ++k) {
        a->advance(20);
        b->advance(20);
        touched = touched || !a->contacts().empty();
        CHECK(a->contacts().size() == b->contacts().size());
        const Snapshot s = a->snapshot(), t = b->snapshot();
        // Roundings; contacts in float see the same differences, formed in double, up to theirs.
        CHECK(norm(s.velocity[0] + u - t.velocity[0]) < by_precision(1e-11, 1e-5));
        CHECK(norm(s.angular_velocity[0] - t.angular_velocity[0]) < by_precision(1e-8, 1e-2));
        CHECK(norm(s.position[0] + s.time * u - t.position[0]) < by_precision(1e-14, 1e-9));
        CHECK(norm(t.walls[0].shift - s.time * u) == 0);
    }
    CHECK(touched);
    CHECK(a->snapshot().velocity[0].z > 0.3);
}

TEST_CASE("a belt drags a sphere until it rolls") {
    const double mu = 0.2, u = 0.5;
    Model m = ball(0.3, mu);
    add_sphere(m, {0, 0, r - seat(m)}, r);
    m.walls = {floor_wall(shifting({u, 0, 0}))};
    m.penalty.skin = 4e-4;
    set_step(m, 0.5);
    const auto engine = engine_of(m);
    const double sliding = 2.0 / 7.0 * u / (mu * g);  // from the momentum about the line of contact
    while (engine->counters().time < 0.6 * sliding) engine->advance(100);
    const Snapshot half = engine->snapshot();
    CHECK(half.velocity[0].x == doctest::Approx(mu * g * half.time).epsilon(1e-2));
    CHECK(half.force[0].x == doctest::Approx(mu * half.force[0].z).epsilon(by_precision(1e-12, 1e-5)));
    while (engine->counters().time < 1.5 * sliding) engine->advance(100);
    const Snapshot end = engine->snapshot();
    CHECK(end.velocity[0].x == doctest::Approx(2.0 / 7.0 * u).epsilon(1e-3));
    CHECK(std::fabs(sole_velocity(end).x - u) < 1e-3 * u);
    CHECK(norm(end.walls[0].shift - Vec3{u * end.time, 0, 0}) < 1e-15);
    // A plane that slides along itself uses up no skin: the ball goes 11 mm, the belt 55 mm, half the skin is 0.2 mm.
    CHECK(engine->counters().rebuilds < 100);
}

TEST_CASE("a ball that rolls on a turntable goes round in circles at two sevenths of its rate") {
    // Weltner, Am. J. Phys. 47 (1979) 984: dv/dt = 2/7 Omega x v.
    const double rate = 5;
    Model m = ball(0.3, 0.9);
    const Vec3 start{0.05, 0, r - seat(m)}, v{0.03, 0.02, 0};
    const Vec3 slip = cross(Vec3{0, 0, rate}, start) - v;
    add_sphere(m, start, r, v, {slip.y / r, -slip.x / r, 0});
    m.walls = {floor_wall(turning(rate, {0, 0, 1}))};
    set_step(m, 0.5);
    const auto engine = engine_of(m);
    while (engine->counters().time < 1.0) engine->advance(1000);
    const Snapshot s = engine->snapshot();
    const double angle = 2.0 / 7.0 * rate * s.time;
    const Vec3 turned{v.x * std::cos(angle) - v.y * std::sin(angle), v.x * std::sin(angle) + v.y * std::cos(angle), 0};
    // The tangential spring follows by a swing of its own: a hundredth.
    CHECK(norm(s.velocity[0] - turned) < 0.01 * norm(v));
    const Vec3 at{s.position[0].x, s.position[0].y, 0};
    CHECK(norm(sole_velocity(s) - cross(Vec3{0, 0, rate}, at)) < 0.01 * rate * norm(at));
    CHECK(engine->counters().rebuilds < 1000);
}

TEST_CASE("a drum turns alike as a cylinder and as a finely faceted mesh") {
    const double R = 0.05, rate = 4;
    const int facets = 1440;
    TriangleMesh mesh;
    for (int i = 0; i < facets; ++i) {
        const double a = 2 * pi * (i + 0.5) / facets, corner = R / std::cos(pi / facets);
        for (const double y : {0.0, 0.04}) mesh.vertices.push_back({corner * std::sin(a), y, -corner * std::cos(a)});
    }
    for (std::int32_t i = 0; i < facets; ++i) {
        const std::int32_t a = 2 * i, b = 2 * ((i + 1) % facets);
        mesh.triangles.push_back({a, b, b + 1});
        mesh.triangles.push_back({a, b + 1, a + 1});
    }
    Model m = ball(0.3, 0.3);
    add_sphere(m, {0, 0.02, -(R - r + seat(m))}, r);
    set_step(m, 0.5);
    Model meshed = m;
    const Motion motion = turning(rate, {0, 1, 0});
    m.walls = {cylinder_wall("drum", {{0, -0.1, 0}, {0, 1, 0}, R, endless, true}, motion)};
    meshed.walls = {with(mesh_wall("drum", mesh), motion)};
    const auto a = engine_of(m), b = engine_of(meshed);
    double worst = 0;
    while (a->counters().time < 0.4) {
        a->advance(500);
        b->advance(500);
        worst = std::fmax(worst, norm(a->snapshot().position[0] - b->snapshot().position[0]));
    }
    const Snapshot s = a->snapshot();
    CHECK(norm(s.position[0] - m.bodies.position[0]) > 2e-3);  // it was carried along
    // Facets of 0.25 degrees pass under the ball: kinks of 4 mrad that push it about.
    CHECK(worst < 0.02 * R);
    // The cylinder carries its surface at the drum's speed: the ball rolls on it.
    const Vec3 out = normalized(Vec3{s.position[0].x, 0, s.position[0].z});
    const Vec3 slip = s.velocity[0] + r * cross(s.angular_velocity[0], out) - rate * R * cross(Vec3{0, 1, 0}, out);
    CHECK(norm(slip - dot(slip, out) * out) < 0.01 * rate * R);
}

TEST_CASE("a mesh moves as the plane it lies in") {
    Motion motion = swinging({2e-3, 0, 4e-3}, 0.2, {0.3, 1, 0}, {0.02, 0.01, 0}, 8);
    motion.velocity = {0.05, 0.02, 0};
    Model m = ball(0.7, 0.4);
    add_sphere(m, {0.01, 0, 5e-3}, r, {0.1, 0, 0}, {20, 0, 10});
    set_step(m, 0.5);
    Model meshed = m;
    m.walls = {floor_wall(motion)};
    TriangleMesh sheet = terrain_mesh(8, 8, 0.05, [](int, int) { return 0.0; });
    for (Vec3& v : sheet.vertices) v -= {0.2, 0.2, 0};
    meshed.walls = {with(mesh_wall("floor", sheet), motion)};
    const auto a = engine_of(m), b = engine_of(meshed);
    int kicks = 0;
    double before = 0;
    for (int k = 0; k < 600; ++k) {
        a->advance(static_cast<std::int64_t>(5e-4 / m.dt));
        b->advance(static_cast<std::int64_t>(5e-4 / m.dt));
        const double up = a->snapshot().velocity[0].z;
        kicks += up > before ? 1 : 0;
        before = up;
        // Roundings, grown by rebounds.
        CHECK(norm(a->snapshot().position[0] - b->snapshot().position[0]) < by_precision(1e-9, 1e-5));
    }
    CHECK(kicks > 5);  // only the floor gives speed upwards
}

TEST_CASE("what a shaken floor and a rotor give the bodies is what their energy grows by") {
    Model m = empty_model(Law::Hertz, 0.7, 0.4);
    m.gravity = {0, 0, -g};
    m.materials[0].young = 1e6;
    add_cloud(m, 60, {{0, 0, 0.009}, {0.02, 0.02, 0.04}}, 0.9e-3, 1.5e-3, 0.1, 10, 5);
    m.walls = {
        box_wall("box", {{0, 0, -0.01}, {0.02, 0.02, 1}}), floor_wall(swinging({0, 0, 1e-3}, 0, {0, 0, 1}, {}, 60)),
        with(mesh_wall("rotor", box_mesh({{-0.002, 0.008, 0.004}, {0.022, 0.012, 0.008}})), turning(20, {0, 1, 0}, {0.01, 0.01, 0.006})),
        cylinder_wall("rod", {{0.01, 0, 0.02}, {0, 1, 0}, 2e-3, endless, false}, turning(100, {0, 1, 0}, {0.01, 0, 0.02}))};
    for (Vec3& v : m.bodies.velocity) v += {0, 0, -0.6};
    keep_clear(m);
    set_step(m, 0.25);
    const auto engine = engine_of(m, 1, false, true);
    const double start = engine->measure().energy.total();
    double by_power = 0, worst = 0, wall[4] = {};
    for (int k = 0; k < 12000; ++k) {
        REQUIRE(engine->advance(1).fault.kind == FaultKind::None);
        const Measurement now = engine->measure();
        REQUIRE(now.wall_power.size() == 4);
        for (std::size_t w = 0; w < 4; ++w) wall[w] += m.dt * now.wall_power[w];
        by_power = wall[0] + wall[1] + wall[2] + wall[3];
        worst = std::fmax(worst, std::fabs(now.energy.total() - now.energy.work_of_walls - start));
        REQUIRE(std::fabs(by_power - now.energy.work_of_walls) < by_precision(1e-12, 1e-6) * std::fabs(start));
    }
    CHECK(wall[0] == 0);
    CHECK(std::fabs(wall[1]) > 0.05 * start);
    CHECK(std::fabs(wall[2]) > 0.05 * start);
    CHECK(std::fabs(wall[3]) > 1e-3 * start);
    // The step's error at a quarter of the automatic step, as where no wall moves.
    CHECK(worst < 1e-3 * (start + std::fabs(by_power)));
}

TEST_CASE("work of walls survives restarts and removals") {
    Model m = ball(0.9, 0.2);
    add_sphere(m, {0, 0, 2 * r}, r);
    add_sphere(m, {0.01, 0, 2 * r}, r, {3, 0, 0});
    m.walls = {floor_wall(shifting({0.2, 0, 1}))};
    m.domain.box.max.x = 0.05;
    m.domain.leave = Leave::Remove;
    set_step(m, 0.5);
    const auto engine = engine_of(m, 1, false, true);
    engine->advance(static_cast<std::int64_t>(8e-3 / m.dt));
    CHECK(engine->counters().removed == 0);
    const double before = engine->measure().energy.work_of_walls;
    CHECK(before > 0);
    const auto fresh = engine_of(m, 1, false, true);
    fresh->load(engine->save());
    CHECK(fresh->measure().energy.work_of_walls == before);
    for (const auto& e : {engine.get(), fresh.get()}) e->advance(static_cast<std::int64_t>(12e-3 / m.dt));
    CHECK(engine->counters().removed == 1);
    CHECK(engine->measure().energy.work_of_walls >= before);
    const auto again = engine_of(m, 1, false, true);
    again->load(engine->save());
    for (const auto& e : {fresh.get(), again.get()}) {
        CHECK(e->measure().energy.work_of_walls == engine->measure().energy.work_of_walls);
        CHECK(e->measure().wall_power == engine->measure().wall_power);
        CHECK(e->state_hash() == engine->state_hash());
    }
}

TEST_CASE("moving walls of every kind: every way of running gives the same bits") {
    const Model m = mill();
    const auto engine = engine_of(m);
    bool touched[5] = {};
    for (int k = 0; k < 20; ++k) {
        REQUIRE(engine->advance(steps / 20).fault.kind == FaultKind::None);
        for (const ContactRecord& c : wall_contacts(*engine)) touched[c.wall] = true;
    }
    for (const bool wall : touched) CHECK(wall);
    CHECK(engine->counters().time > 20e-3);  // the rod has started and stopped
    const std::uint64_t expected = engine->state_hash();
    CHECK(hash_after(m, steps, 1, true) == expected);
    CHECK(hash_after(m, steps, 2) == expected);
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
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{1}, std::int64_t{333}, steps - 1}) {
        const auto before = engine_of(m), after = engine_of(first == 333 ? brute : m);
        before->advance(first);
        after->load(before->save());
        CHECK(after->state_hash() == before->state_hash());
        CHECK(after->contacts().size() == before->contacts().size());
        after->advance(steps - first);
        CHECK(after->state_hash() == expected);
    }
}

TEST_CASE("walls that rest in a scene where others move feel as in one where none does") {
    Model m = ball(0.6, 0.4);
    add_cloud(m, 40, {{0, 0, 0.004}, {0.03, 0.03, 0.03}}, 1e-3, 2e-3, 0.3, 20, 6);
    m.walls = {box_wall("box", {{0, 0, 0}, {0.03, 0.03, 0.1}}), mesh_wall("step", box_mesh({{0.01, 0.01, -0.01}, {0.02, 0.02, 0.003}})),
               cylinder_wall("rod", {{0, 0.015, 0.01}, {1, 0, 0}, 2e-3, 0.03, false}, {})};
    set_step(m, 1);
    Model other = m;
    other.walls.push_back(with(plane_wall("far", {0, 0, 1}, {0, 0, -1}), turning(3, {1, 0, 0}, {0, 0, 1})));
    other.walls.back().motion.from = 100;
    const auto a = engine_of(m), b = engine_of(other);
    a->advance(800);
    b->advance(800);
    const Snapshot s = a->snapshot(), t = b->snapshot();
    // Poses of walls at rest are exact, so only the compiler's order of operations could differ; it may not past rounding.
    for (std::size_t i = 0; i < s.id.size(); ++i) CHECK(norm(s.position[i] - t.position[i]) < by_precision(1e-10, 1e-6));
}

TEST_CASE("after a million steps a shaken floor and the ball on it are where the formula says") {
    const double A = 2e-3, f = 5, w = 2 * pi * f;
    Model m = ball(0.2, 0.3);
    m.materials[0].young = 1e6;
    add_sphere(m, {0, 0, r - seat(m)}, r);
    m.walls = {floor_wall(swinging({0, 0, A}, 0, {0, 0, 1}, {}, f))};  // A w^2 = 0.2 g: the ball stays on
    m.dt = 2e-5;
    const auto engine = engine_of(m);
    const std::int64_t count = SCREE_FLAVOR::on_device ? 100003 : 1000003;  // one ball a step is slow there
    REQUIRE(engine->advance(count).steps_done == count);
    const Snapshot s = engine->snapshot();
    const double t = static_cast<double>(count) * m.dt, z = A * std::sin(w * t), lift = -A * w * w * std::sin(w * t);
    CHECK(std::fabs(s.walls[0].shift.z - z) < 1e-12);  // 2 pi f t is 628 rad, rounded in its sixteenth digit
    const double overlap = seat(m) * std::pow(1 + lift / g, 2.0 / 3.0);
    CHECK(std::fabs(s.position[0].z - (z + r - overlap)) < 0.02 * overlap);
    CHECK(s.force[0].z == doctest::Approx(s.mass[0] * (g + lift)).epsilon(0.02));
}

TEST_CASE("a wall that comes to a body at rest is seen in time, whatever the skin") {
    const Motion turn = turning(15, {0, 0, 1});
    const struct {
        const char* name;
        Wall wall;
        Vec3 ball;
    } cases[] = {
        {"plane that shifts", floor_wall(shifting({0.1, 0, 0.5})), {0, 0, r + 1e-3}},
        {"plane that turns", floor_wall(turning(-5, {0, 1, 0})), {0.05, 0, r + 1e-3}},
        {"mesh that turns", with(mesh_wall("rotor", box_mesh({{-0.03, -0.002, -0.01}, {0.03, 0.002, 0.01}})), turn), {0.02, 0.006, 0}},
        {"mesh that swings",
         with(mesh_wall("sheet", terrain_mesh(2, 2, 0.02, [](int, int) { return 0.0; })), swinging({0, 0, 4e-3}, 0.1, {1, 0, 0}, {}, 20)),
         {0.01, 0.01, r + 1e-3}},
        {"rod with ends that turns", cylinder_wall("rod", {{0, 0, 0}, {1, 0, 0}, 2e-3, 0.04, false}, turn), {0.03, 0.006, 0}},
        {"rod with ends that shifts along",
         cylinder_wall("rod", {{0, 0, 0}, {1, 0, 0}, 2e-3, 0.04, false}, shifting({0.5, 0, 0})),
         {0.044, 0, 0}},
        {"endless rod that turns", cylinder_wall("rod", {{0, 0, 0}, {1, 0, 0}, 2e-3, endless, false}, turn), {0.05, 0.006, 0}},
        {"endless rod that shifts",
         cylinder_wall("rod", {{0, 0, 0}, {1, 0, 0}, 2e-3, endless, false}, shifting({3, 0.5, 0})),
         {0, 0.006, 0}},
        {"tube that shifts", cylinder_wall("tube", {{0, 0, 0}, {1, 0, 0}, 0.01, 0.04, true}, shifting({0, 0.5, 0})), {0.02, -0.006, 0}},
    };
    for (const auto& c : cases) {
        CAPTURE(c.name);
        Model m = empty_model(Law::Hertz, 0.8, 0.3);
        add_sphere(m, c.ball, r);
        m.walls = {c.wall};
        set_step(m, 1);
        const auto count = static_cast<std::int64_t>(0.012 / m.dt);
        const auto engine = engine_of(m);
        CHECK(engine->contacts().empty());
        engine->advance(count);
        CHECK(norm(engine->snapshot().velocity[0]) > 0.05);
        CHECK(engine->measure().max_overlap < 0.05);
        for (const double skin : {1e-5, 2e-4, 5e-3}) {
            Model other = m;
            other.penalty.skin = skin;
            CHECK(hash_after(other, count) == engine->state_hash());
        }
    }
}

TEST_CASE("a far body and a plane that turns: the skin still holds") {
    Model m = ball(0.5, 0.4);
    for (int k = 0; k < 8; ++k) add_sphere(m, {0.02 * k - 0.07, 0, 1.2 * r}, r);
    m.walls = {floor_wall(swinging({}, 0.02, {0, 1, 0}, {}, 10))};
    set_step(m, 1);
    const std::uint64_t expected = hash_after(m, 2000);
    for (const double skin : {2e-5, 1e-3}) {
        Model other = m;
        other.penalty.skin = skin;
        CHECK(hash_after(other, 2000) == expected);
    }
}
