// Polyhedra in the engine: statics, collisions, conservation, walls of every kind, determinism, restart.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/exec/config.hpp"
#include "model/convex_shape.hpp"
#include "systems.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double edge = 0.01;                                // of the test cubes [m]
constexpr double half_diagonal = 0.8660254037844386 * edge;  // bounding radius of a cube [m]

Model cube_model(Law law, double restitution, double friction) {
    Model m = empty_model(law, restitution, friction);
    m.shapes.push_back(box_shape("cube", {edge, edge, edge}));
    return m;
}

void add_cube(Model& m, Vec3 at, Quat q = {}, Vec3 v = {}, Vec3 w = {}) {
    m.bodies.add_convex(at, q, 0, m.shapes[0], half_diagonal, 0, density, v, w);
}

/// Advances by `steps` and fails where a fault ends the run.
void run(Engine& engine, std::int64_t steps) {
    const BatchReport report = engine.advance(steps);
    REQUIRE(report.fault.kind == FaultKind::None);
}

Quat turn(Vec3 axis, double angle) {
    return rotation_by(angle * normalized(axis));
}

/// Cubes at random places and turns, falling into a box.
Model cloud_of_cubes(int n, std::uint64_t seed) {
    Model m = cube_model(Law::Hertz, 0.3, 0.4);
    m.gravity = {0, 0, -9.81};
    Rng rng(seed, 1);
    const double pitch = 2.05 * half_diagonal;
    for (int k = 0; k < n; ++k) {
        const Vec3 at{(k % 3 + 0.5) * pitch, (k / 3 % 3 + 0.5) * pitch, (k / 9 + 0.6) * pitch};
        const Vec3 axis{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        add_cube(m, at, turn(axis, rng.uniform(0, 3)), {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 0)},
                 {rng.uniform(-20, 20), rng.uniform(-20, 20), rng.uniform(-20, 20)});
    }
    m.walls.push_back(box_wall("box", {{0, 0, 0}, {3 * pitch, 3 * pitch, 1}}));
    m.dt = 2e-5;
    return m;
}

}  // namespace

TEST_CASE("a cube rests on a plane with its weight") {
    for (const Law law : {Law::Hertz, Law::Linear, Law::Volume}) {
        Model m = cube_model(law, 0.3, 0.5);
        m.gravity = {0, 0, -9.81};
        m.walls = {plane_wall("floor", {0, 0, 0}, {0, 0, 1})};
        add_cube(m, {0, 0, 0.5 * edge});
        m.dt = 1e-5;
        const auto engine = engine_of(m);
        run(*engine, 30000);
        const Measurement now = engine->measure();
        const double weight = density * edge * edge * edge * 9.81;
        // In float the depth of 0.4 um is rounded to about a thousandth of itself.
        CHECK(now.walls[0].force.z == doctest::Approx(-weight).epsilon(by_precision(1e-5, 2e-3)));
        CHECK(now.max_speed < 1e-6);
        const Snapshot s = engine->snapshot();
        CHECK(std::fabs(s.position[0].x) < 1e-9);
        // Depth by the law's formula: the whole face is the patch.
        const double a = edge / std::sqrt(pi), E_eff = 1e7 / (1 - 0.0625) / 2;
        const double depth = law == Law::Hertz ? weight / (2 * E_eff * a) : law == Law::Linear ? weight / 1e4 : weight / (E_eff * edge);
        CHECK(0.5 * edge - s.position[0].z == doctest::Approx(depth).epsilon(by_precision(1e-4, 1e-2)));
    }
}

TEST_CASE("pair collisions of cubes keep momentum and angular momentum") {
    Model m = cube_model(Law::Hertz, 0.5, 0.4);
    add_cube(m, {0, 0, 0}, turn({1, 2, 3}, 0.7), {0.5, 0.1, 0}, {3, -20, 10});
    add_cube(m, {0.017, 0.003, 0.002}, turn({-1, 2, 0}, 1.2), {-0.5, 0, 0.1}, {-5, 2, 30});
    m.dt = 1e-5;
    const auto engine = engine_of(m);
    const Measurement before = engine->measure();
    run(*engine, 3000);
    const Measurement after = engine->measure();
    const double size = norm(before.momentum) + density * edge * edge * edge, spin = norm(before.angular_momentum);
    // Sums of a few thousand forces: rounding of each is 1e-16 (double) or 6e-8 (float torques).
    CHECK(norm(after.momentum - before.momentum) < 1e-13 * size);
    CHECK(norm(after.angular_momentum - before.angular_momentum) < by_precision(1e-12, 1e-6) * spin);
    CHECK(norm(after.momentum) > 0);
    CHECK(after.energy.kinetic_translation + after.energy.kinetic_rotation <
          0.95 * (before.energy.kinetic_translation + before.energy.kinetic_rotation));
}

TEST_CASE("the volume law keeps energy whatever the cubes do") {
    Model m = cube_model(Law::Volume, 1.0, 0.0);
    add_cube(m, {0, 0, 0}, turn({1, 2, 3}, 0.7), {0.5, 0.1, 0}, {3, -20, 10});
    add_cube(m, {0.017, 0.003, 0.002}, turn({-1, 2, 0}, 1.2), {-0.5, 0, 0.1}, {-5, 2, 30});
    add_cube(m, {-0.016, 0.004, 0.001}, turn({1, 1, 0}, 0.4), {0.9, 0, 0.1}, {15, 2, 3});
    m.dt = 1e-6;
    const auto engine = engine_of(m);
    const double before = engine->measure().energy.total();
    double lowest = before, kinetic = before, elastic = 0;
    for (int k = 0; k < 100; ++k) {
        run(*engine, 300);
        const Energy e = engine->measure().energy;
        lowest = std::min(lowest, e.total());
        kinetic = std::min(kinetic, e.kinetic_translation + e.kinetic_rotation);
        elastic = std::max(elastic, e.elastic_normal);
    }
    CHECK(elastic > 0.05 * before);
    // Second order in the step: 1e-6 s is a few thousandths of a contact.
    CHECK(lowest == doctest::Approx(before).epsilon(by_precision(1e-5, 1e-3)));
    CHECK(engine->measure().energy.total() == doctest::Approx(before).epsilon(by_precision(1e-5, 1e-3)));
}

TEST_CASE("cubes on a plane, a mesh, a block and a cylinder end at rest with their weight carried") {
    const double weight = density * edge * edge * edge * 9.81;
    const auto settle = [&](const Wall& wall, Vec3 at, Vec3 gravity) {
        Model m = cube_model(Law::Hertz, 0.2, 0.5);
        m.gravity = gravity;
        m.walls = {wall};
        add_cube(m, at);
        m.dt = 1e-5;
        const auto engine = engine_of(m);
        run(*engine, 40000);
        const Measurement now = engine->measure();
        CHECK(now.max_speed < 1e-4);
        CHECK(norm(now.walls[0].force) == doctest::Approx(weight).epsilon(1e-3));
        return engine->snapshot().position[0];
    };
    const Vec3 down{0, 0, -9.81};
    const Vec3 plane = settle(plane_wall("plane", {0, 0, 0}, {0, 0, 1}), {0, 0, 0.5 * edge}, down);
    const TriangleMesh block = box_mesh({{-0.05, -0.05, -0.02}, {0.05, 0.05, 0}});
    const Vec3 coarse = settle(mesh_wall("block", block), {0.001, 0.002, 0.5 * edge}, down);
    const Vec3 fine = settle(mesh_wall("fine", subdivided(block, 3)), {0.001, 0.002, 0.5 * edge}, down);
    CHECK(coarse.z == doctest::Approx(plane.z).epsilon(by_precision(1e-10, 1e-5)));
    CHECK(fine.z == doctest::Approx(plane.z).epsilon(by_precision(1e-10, 1e-5)));
    Wall tube;
    tube.name = "tube";
    tube.cylinders = {{{0, -1, 0.1}, {0, 1, 0}, 0.1, std::numeric_limits<double>::infinity(), true}};
    const Vec3 inside = settle(tube, {0, 0, 0.52 * edge}, down);
    // Its lower edges meet the tube: the middle of the face hangs over it by the sagitta.
    CHECK(inside.z == doctest::Approx(0.5 * edge + 0.1 - std::sqrt(0.01 - 0.25 * edge * edge)).epsilon(2e-3));
    Wall rod;
    rod.name = "rod";
    rod.cylinders = {{{0, -0.05, -0.1}, {0, 1, 0}, 0.1, 0.1, false}};
    const Vec3 outside = settle(rod, {0, 0, 0.5 * edge}, down);
    CHECK(outside.z == doctest::Approx(0.5 * edge).epsilon(2e-3));
    Wall cap;
    cap.name = "cap";
    cap.cylinders = {{{0, 0, -0.1}, {0, 0, 1}, 0.05, 0.1, false}};
    const Vec3 on_cap = settle(cap, {0.02, 0.01, 0.5 * edge}, down);
    CHECK(on_cap.z == doctest::Approx(plane.z).epsilon(1e-5));
}

TEST_CASE("an edge of a wall that pokes a face carries it") {
    // A knife edge under the middle of the cube's lower face.
    Model m = cube_model(Law::Hertz, 0.2, 0.5);
    m.gravity = {0, 0, -9.81};
    TriangleMesh knife;
    knife.vertices = {{0.0001, -0.02, 0}, {0.0001, 0.02, 0}, {0.0001, 0.02, -0.03}, {0.0001, -0.02, -0.03}};
    knife.triangles = {{0, 1, 2}, {0, 2, 3}};
    m.walls = {mesh_wall("knife", knife)};
    add_cube(m, {0, 0, 0.5 * edge});
    m.dt = 1e-5;
    const auto engine = engine_of(m);
    run(*engine, 400);
    const Snapshot s = engine->snapshot();
    CHECK(s.position[0].z > 0.497 * edge);
    CHECK(engine->measure().wall_contacts == 1);
}

TEST_CASE("hashes of cubes do not depend on threads, order, skin or search") {
    Model m = cloud_of_cubes(54, 7);
    const auto hash = [&](const Model& model, int threads, bool shuffle) {
        const auto engine = engine_of(model, threads, shuffle);
        run(*engine, 1500);
        return engine->state_hash();
    };
    const std::uint64_t first = hash(m, 1, false);
    CHECK(hash(m, 2, false) == first);
    CHECK(hash(m, 4, false) == first);
    CHECK(hash(m, 1, true) == first);
    for (const double skin : {0.0003, 0.001, 0.003}) {
        m.penalty.skin = skin;
        CHECK(hash(m, 1, false) == first);
    }
    m.penalty.skin = 0;
    m.penalty.search = Search::BruteForce;
    CHECK(hash(m, 1, false) == first);
}

TEST_CASE("a run of cubes and spheres goes on from a saved state bit for bit") {
    Model m = cloud_of_cubes(27, 9);
    for (int k = 0; k < 9; ++k) add_sphere(m, {(k % 3 + 0.5) * 0.0175, (k / 3 + 0.5) * 0.0175, 0.07}, 0.006);
    m.walls.push_back(mesh_wall("block", box_mesh({{0.01, 0.01, -0.01}, {0.03, 0.03, 0.004}})));
    const auto whole = engine_of(m);
    run(*whole, 2400);
    const auto first = engine_of(m);
    run(*first, 1300);
    const auto second = engine_of(m, 2);
    second->load(first->save());
    CHECK(second->state_hash() == first->state_hash());
    run(*second, 1100);
    CHECK(second->state_hash() == whole->state_hash());
}

TEST_CASE("energy of settling cubes is accounted for") {
    Model m = cloud_of_cubes(27, 3);
    m.dt = 1e-5;
    const auto engine = engine_of(m, 1, false, true);
    const double before = engine->measure().energy.total();
    const double lowest = density * edge * edge * edge * 9.81 * 0.5 * edge * 27;
    run(*engine, 20000);
    const Energy e = engine->measure().energy;
    CHECK(e.dissipated_damping > 0);
    CHECK(e.dissipated_friction > 0);
    // The Hertz-type patch is not exactly conservative when it turns, and its energy is exact for self-similar patches only.
    CHECK(e.total() - lowest == doctest::Approx(before - lowest).epsilon(0.05));
}

namespace {

/// Wrench on cube A by the law at a place of B, as six numbers: force, torque over the edge.
struct Probe {
    Vec3 force, torque;
};

/// Largest change of the wrench from step to step along a path of cube B past cube A, over the largest wrench met.
template <class Path>
double largest_jump(Law law, int steps, Path path) {
    double largest = 0, jump = 0;
    Probe last{};
    for (int k = 0; k <= steps; ++k) {
        Model m = cube_model(law, 1.0, 0.0);
        add_cube(m, {0, 0, 0});
        const auto [at, q] = path(static_cast<double>(k) / steps);
        add_cube(m, at, q);
        m.penalty.overlap_limit = 1;
        const auto engine = engine_of(m);
        Probe now{};
        for (const ContactRecord& r : engine->contacts()) {
            now.force = r.force;
            now.torque = (1 / edge) * (r.torque + cross(r.point, r.force));
        }
        largest = std::max({largest, norm(now.force), norm(now.torque)});
        if (k > 0) jump = std::max({jump, norm(now.force - last.force), norm(now.torque - last.torque)});
        last = now;
    }
    REQUIRE(largest > 0);
    return jump / largest;
}

using Place = std::pair<Vec3, Quat>;

}  // namespace

TEST_CASE("force and torque are continuous as cubes slide and turn across feature changes") {
    // Were the wrench discontinuous, halving the steps of a path would leave its largest jump as it is; it is halved.
    const auto over_the_edge = [](double s) { return Place{{edge * (0.2 + 0.9 * s), 0.1 * edge, 0.97 * edge}, turn({0.1, 1, 0.3}, 0.03)}; };
    const auto corner_to_face = [](double s) {
        return Place{{0.12 * edge, 0.05 * edge, edge * (1.32 - 0.37 * s)}, turn({1, -1, 0}, 0.955 * (1 - s))};
    };
    const auto edge_past_edge = [](double s) {
        return Place{{edge * (0.98 - 0.1 * s), 0, edge * (0.6 + 0.35 * s)}, turn({1, 1, 0.2}, 0.6)};
    };
    const auto spin_on_face = [](double s) { return Place{{0.3 * edge, 0.2 * edge, 0.985 * edge}, turn({0.02, 0.01, 1}, 1.6 * s)}; };
    const auto check = [](Law law, auto path) {
        const double coarse = largest_jump(law, 200, path), fine = largest_jump(law, 800, path);
        CHECK(fine < 0.4 * coarse);
    };
    // An engine for each place: a device takes minutes for the memory of all.
    for (const Law law : {Law::Hertz, Law::Linear, Law::Volume}) {
        if (SCREE_FLAVOR::on_device && law != Law::Volume) continue;
        check(law, over_the_edge);
        check(law, corner_to_face);
        check(law, edge_past_edge);
        check(law, spin_on_face);
    }
    // Sides that come to lie in one plane: the gradient of the volume has a kink there, so the volume law is left out.
    const auto flush = [](double s) { return Place{{0.2 * edge, (s - 0.503) * 0.1 * edge, 0.98 * edge}, turn({0, 1, 0}, 0.02)}; };
    for (const Law law : {Law::Hertz, Law::Linear}) CHECK(largest_jump(law, 800, flush) < 2e-3);
}

TEST_CASE("force is continuous as a cube slides over the edge of a block and across a table of triangles") {
    const auto jump_over = [](const TriangleMesh& mesh, double from, double to, int steps) {
        Model m = cube_model(Law::Hertz, 1.0, 0.0);
        m.walls = {mesh_wall("block", mesh)};
        // One cube for each place, far apart along the edge.
        for (int k = 0; k <= steps; ++k) {
            add_cube(m, {from + (to - from) * k / steps, (2 * k + 1) * edge, 0.49 * edge}, turn({0.2, 1, 0.1}, 0.02));
        }
        const auto engine = engine_of(m);
        const std::vector<Vec3> force = engine->snapshot().force;
        double largest = 0, jump = 0;
        for (std::size_t k = 0; k < force.size(); ++k) {
            largest = std::max(largest, norm(force[k]));
            if (k > 0) jump = std::max(jump, norm(force[k] - force[k - 1]));
        }
        REQUIRE(largest > 0);
        return jump / largest;
    };
    const TriangleMesh block = box_mesh({{-0.05, -1, -0.02}, {0, 40, 0}});
    const double coarse = jump_over(block, -0.8 * edge, 0.8 * edge, 200), fine = jump_over(block, -0.8 * edge, 0.8 * edge, 800);
    CHECK(coarse < 0.05);
    CHECK(fine < 0.4 * coarse);
    const TriangleMesh table = terrain_mesh(8, 8000, 0.005, [](int, int) { return 0.0; });
    CHECK(jump_over(table, 0.012, 0.03, 100) < by_precision(1e-9, 5e-3));
}
