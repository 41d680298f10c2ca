// What a device sees of the step: steps sent ahead change no result, the host looks once per batch, nothing is allocated once warm, and
// stretches that are replayed start the same kernels with the same arguments. On the host the same calls are counted, and compared.
#include <doctest/doctest.h>

#include "engine/exec/reduce.hpp"
#include "engine/fluid/fluid.hpp"
#include "engine/measure/measure.hpp"
#include "engine/step/fluid_step.hpp"
#include "fluids.hpp"
#include "hard_gas.hpp"
#include "hashes.hpp"
#include "joined.hpp"
#include "model/convex_shape.hpp"
#include "step_run.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;
using namespace scree::test;

namespace {

constexpr double size = 4e-3;  // of the bodies [m]

/// Spheres in a box with a mesh for its floor and a plane that swings; `speed` of the bodies [m/s].
Model spheres(double speed) {
    Model m = empty_model(Law::Hertz, 0.6, 0.4);
    m.gravity = {0, 0, -9.81};
    const Aabb box{{0.002, 0, 0}, {0.04, 0.04, 0.04}};  // clear of where the plane swings
    add_cloud(m, 150, box, 0.4 * size, 0.5 * size, speed, 10, 7);
    m.walls.push_back(box_wall("box", {{0, 0, -1}, {0.04, 0.04, 0.04}}));
    m.walls.push_back(mesh_wall("floor", box_mesh({{-0.1, -0.1, -0.1}, {0.2, 0.2, 0}})));
    Wall swing = plane_wall("swing", {0.001, 0, 0}, {1, 0, 0});
    swing.motion.moves = true;
    swing.motion.axis = {0, 0, 1};
    swing.motion.harmonics = {{{5e-4, 0, 0}, 0, 50, 0}};
    m.walls.push_back(swing);
    set_step(m, 1);
    return m;
}

/// Cubes and spheres above a floor.
Model mixture(double speed) {
    Model m = empty_model(Law::Hertz, 0.4, 0.4);
    m.gravity = {0, 0, -9.81};
    m.shapes.push_back(box_shape("cube", {size, size, size}));
    Rng rng(3, 1);
    for (int k = 0; k < 48; ++k) {
        const Vec3 at{(k % 4 + 0.5) * 1.8 * size, (k / 4 % 4 + 0.5) * 1.8 * size, (k / 16 + 0.5) * 1.8 * size};
        const Vec3 v{rng.uniform(-speed, speed), rng.uniform(-speed, speed), rng.uniform(-speed, speed)};
        if (k % 3 == 0) {
            add_sphere(m, at, 0.5 * size, v);
        } else {
            m.bodies.add_convex(at, rotation_by({rng.uniform(-1, 1), 0.3, 0.2}), 0, m.shapes[0], 0.8660254037844386 * size, 0, density, v);
        }
    }
    m.walls.push_back(box_wall("box", {{0, 0, 0}, {7.2 * size, 7.2 * size, 1}}));
    m.dt = 1e-5;
    return m;
}

/// A pendulum of two clumps above a floor.
Model pendulum() {
    Model m = empty_model(Law::Hertz, 0.4, 0.4);
    m.gravity = {0, 0, -9.81};
    const std::int32_t upper = add_clump(m, dumbbell(1e-3, 2e-3), {2e-3, 0, 0.012}, {}, {}, {0, 20, 0});
    const std::int32_t lower = add_clump(m, dumbbell(1e-3, 2e-3), {7e-3, 0, 0.012}, {}, {}, {0, -5, 0});
    m.joints = {joined(m, JointKind::Revolute, Joint::ground, upper, {0, 0, 0.012}, {0, 1, 0}),
                joined(m, JointKind::Spherical, upper, lower, {4.5e-3, 0, 0.012})};
    m.walls.push_back(plane_wall("floor", {0, 0, 0}, {0, 0, 1}));
    m.penalty.skin = 4e-3;
    m.dt = 1e-5;
    return m;
}

void fill(const Exec& exec, Array<double>& values, double value) {
    double* out = values.data();
    for_each(
        exec, "test/fill", values.size(), SCREE_LAMBDA(Index i)->void { out[i] = value; });
}

double sum(const Exec& exec, const Array<double>& values) {
    const double* v = values.data();
    return sum_of(
        exec, "test/sum", values.size(), SCREE_LAMBDA(Index i)->double { return v[i]; });
}

/// A skin so wide that 400 slow steps do not use it up.
Model unhurried(Model m) {
    m.penalty.skin = 0.5 * size;
    return m;
}

/// Without weight and losses: lists stay as long as they are.
Model gas(Model m) {
    m.gravity = {0, 0, 0};
    PairProperties p = m.pairs(0, 0);
    p.restitution = 1;
    p.friction = 0;
    m.pairs.set(0, 0, p);
    return m;
}

/// Launches are noted on the host only.
std::vector<Model> compared(std::vector<Model> models) {
    if (on_device) models.clear();
    return models;
}

}  // namespace

TEST_CASE("steps sent ahead and replayed change no result") {
    for (const Model& m : {spheres(1.0), mixture(1.0)}) {
        Run one(m, 1, 0), many(m), all(m, 64, 16);
        for (Run* run : {&one, &many, &all}) run->advance(1500);
        CHECK(one.state.rebuilds > 5);
        // The host looks at its skin when the flag is read: rebuilds come at the same steps, since steps past a raised flag do nothing.
        CHECK(many.state.rebuilds == one.state.rebuilds);
        CHECK(same_bits(one.positions(), many.positions()));
        CHECK(same_bits(one.positions(), all.positions()));
    }
}

TEST_CASE("between two lists the host looks once per batch and nothing is allocated") {
    for (const Model& m : {unhurried(spheres(0.05)), unhurried(mixture(0.05))}) {
        Run run(m);
        run.advance(64);
        const std::int64_t lists = run.state.rebuilds;
        const std::int64_t steps = 20 * ahead;
        const Tally cost = run.cost(steps);
        REQUIRE(run.state.rebuilds == lists);
        CHECK(cost.allocations == 0);
        CHECK(cost.waits == steps / ahead);
        CHECK(cost.bytes_read == cost.waits * static_cast<std::int64_t>(sizeof(FlagWords)));
        CHECK(cost.writes == 1);  // where the segment starts
    }
}

TEST_CASE("a look at the domain comes with a step's report") {
    Model m = unhurried(spheres(0.05));
    m.domain.box = {{-1, -1, -1}, {1, 1, 1}};
    Run run(m);
    run.advance(m.domain.check_every);
    const std::int64_t lists = run.state.rebuilds, checks = 8;
    const Tally cost = run.cost(checks * m.domain.check_every);
    REQUIRE(run.state.rebuilds == lists);
    CHECK(cost.allocations == 0);
    CHECK(cost.waits == checks * ((m.domain.check_every + ahead - 1) / ahead));
    // One that leaves in step 131 is found at the next look, however steps are asked for.
    Model flier = empty_model(Law::Hertz, 0.4, 0);
    add_sphere(flier, {0, 0, 0}, 0.5 * size, {1, 0, 0});
    flier.dt = 1e-5;
    flier.domain.box = {{-1, -1, -1}, {130.5 * flier.dt, 1, 1}};
    for (const std::int64_t at_once : {7, 50, 400}) {
        Run out(flier);
        std::int64_t done = 0;
        FaultKind fault = FaultKind::None;
        while (fault == FaultKind::None && done < 400) {
            const BatchReport report = advance_steps(flier, out.state, out.work, out.timers, at_once, false);
            done += report.steps_done;
            fault = report.fault.kind;
        }
        CHECK(fault == FaultKind::Left);
        CHECK(done == 150);
    }
}

TEST_CASE("a new list costs a bounded number of looks, and no memory once warm") {
    struct Case {
        Model model;
        std::int64_t looks;  // per list
    };
    // The bounds of the cells; the lengths of the lists of bodies (three where there are spheres and polyhedra), of planes (two then), of
    // triangles, patches and bodies at these; what moving walls reach, and their distance from the bodies; how far bodies move in a step.
    for (const Case& c : {Case{gas(spheres(1.0)), 1 + 1 + 1 + 3 + 2 + 1}, Case{gas(mixture(1.0)), 1 + 3 + 2 + 1}}) {
        Run run(c.model);
        run.advance(4000);
        const std::int64_t lists = run.state.rebuilds, steps = 1600;
        const Tally cost = run.cost(steps);
        const std::int64_t made = run.state.rebuilds - lists;
        REQUIRE(made > 10);
        // A list ends a batch early, so it may cost one more look than steps / ahead.
        CHECK(cost.waits <= steps / ahead + made * (c.looks + 1));
        // A list longer than all before may still come, about as often as a record among as many draws as lists: ln(1 + 1600 / 4000) < 1;
        // it makes two sets of some 20 arrays grow, each at the next swap.
        CHECK(cost.allocations <= 40);
    }
}

TEST_CASE("what is replayed starts the same kernels with the same arguments") {
    const std::vector<Model> models = compared({spheres(1.0), mixture(1.0)});
    for (const Model& m : models) {
        Run run(m);
        run.advance(2000);
        CHECK(run.log.replays > 50);
        CHECK(run.log.changed == 0);
    }
}

TEST_CASE("a stretch whose arguments change is found out") {
    if (on_device) return;  // as above
    LaunchLog log;
    Exec exec;
    exec.log = &log;
    Replay replay;
    Array<double> values(10);
    const auto replay_fill = [&](double value) { replay.run(exec, "test/fill", [&] { fill(exec, values, value); }); };
    for (int k = 0; k < 4; ++k) replay_fill(1);
    CHECK(log.replays == 2);
    CHECK(log.changed == 0);
    replay_fill(2);
    CHECK(log.changed == 1);
    replay.forget();
    for (int k = 0; k < 3; ++k) replay_fill(2);
    CHECK(log.changed == 1);
}

TEST_CASE("scratch room makes sums, scans and groups free of allocations") {
    Scratch scratch;
    Exec exec;
    exec.scratch = &scratch;
    constexpr Index n = 5000;
    Array<double> values(std::vector<double>(n, 0.5));
    Array<std::int32_t> counts(std::vector<std::int32_t>(n, 2));
    Array<std::uint32_t> keys(std::vector<std::uint32_t>(n, 3)), order;
    Array<Index> offsets, starts;
    SortBuffers buffers;
    const auto all = [&] {
        CHECK(sum(exec, values) == 0.5 * n);
        CHECK(scan_counts(exec, counts.data(), n, offsets) == 2 * n);
        group_by(exec, keys.data(), n, 8, starts, order, buffers);
    };
    all();
    const Tally before = tally();
    all();
    const Tally cost = tally() - before;
    CHECK(cost.allocations == 0);
    CHECK(cost.waits == 2);  // the sum, the total
}

TEST_CASE("joints: the host looks once in each step, flags and joined bodies together, and steps sent ahead change no bit") {
    const Model m = pendulum();
    Run run(m), alone(m, 1, 0);
    (void)run.cost(64);
    const std::int64_t lists = run.state.rebuilds;
    const Tally cost = run.cost(64);
    REQUIRE(run.state.rebuilds == lists);
    CHECK(cost.waits == 64 + 64 / ahead);
    alone.advance(128);
    CHECK(same_bits(run.positions(), alone.positions()));
    // Over a list or two, and a stroke of the floor.
    run.advance(6000);
    alone.advance(6000);
    CHECK(run.state.rebuilds > lists);
    CHECK(same_bits(run.positions(), alone.positions()));
}

TEST_CASE("fluid: a step waits once, and where it lists walls for its faults and for the list's length") {
    constexpr double spacing = 0.01;
    // At rest from wall to wall, and a column that falls over.
    for (const double width : {10.0, 20.0}) {
        Model m = fluid_model(3);
        m.gravity = {0, 0, -9.81};
        const int counts[3] = {10, 8, 12};
        add_fluid_block(m, counts, spacing);
        m.walls.push_back(tank(m, {0, 0, 0}, {width * spacing, 8 * spacing, 30 * spacing}));
        m.domain.box = {{-1, -1, -1}, {1, 1, 1}};  // that all are inside is seen from the report
        m.domain.check_every = 5;
        Run run(m);
        run.advance(256);
        const std::int64_t before = run.state.rebuilds;
        const std::int64_t ordered = run.cost(4).waits;  // slots were put in order in the first of them, and walls listed after that
        if (run.state.rebuilds == before + 1) CHECK(ordered == 4 + 2);
        CHECK(run.state.rebuilds > before);
        const std::int64_t lists = run.state.rebuilds;
        const Tally cost = run.cost(24);  // between two times that slots are put in order
        const std::int64_t listed = run.state.rebuilds - lists;
        CHECK((listed > 0) == (width > 10));
        CHECK(cost.waits >= 24 + 2 * listed);
        CHECK(cost.waits <= 24 + 3 * listed);  // a list that ends in mid-step has it sent once more
        if (listed == 0) CHECK(cost.allocations == 0);
        CHECK(cost.writes == 0);
    }
}

TEST_CASE("fluid: rows that outgrow their room have the step go on where they were found") {
    constexpr double spacing = 0.01;
    Model m = fluid_model(3);
    m.fluid.iterations = 3;
    add_fluid_block(m, {10, 10, 10}, 0.9 * spacing);  // some 57 in a row
    for (double& r : m.bodies.radius) r = 0.5 * spacing;
    for (double& mass : m.bodies.mass) mass = water * spacing * spacing * spacing;
    Run run(m);
    run.work.fluid->rest.near = 4;
    run.advance(1);
    CHECK(run.work.fluid->rows.stride >= 57);
    Run roomy(m);
    roomy.work.fluid->rest.near = 1000;
    roomy.advance(1);
    CHECK(same_bits(run.positions(), roomy.positions()));
    run.advance(9);
    roomy.advance(9);
    CHECK(same_bits(run.positions(), roomy.positions()));
}

TEST_CASE("fluid: how long lists of walls last changes nothing, nor does it that a step is sent twice") {
    constexpr double d = 0.01;
    Model m = fluid_model(3);
    m.gravity = {0, 0, -9.81};
    m.dt = 5e-4;
    m.fluid.iterations = 3;  // odd: arrays that change places are not back after it
    m.fluid.viscosity = 0.02;
    Wall drum;
    drum.name = "drum";
    drum.cylinders = {{{0, 0, 0}, {0, 1, 0}, 0.08, std::numeric_limits<double>::infinity(), true}};
    drum.planes = {{{0, -0.04, 0}, {0, 1, 0}}, {{0, 0.04, 0}, {0, -1, 0}}};
    drum.motion.moves = true;
    drum.motion.harmonics = {{{0.02, 0, 0}, 0, 3, 0}};
    m.walls = {drum, mesh_wall("block", box_mesh({{-0.02, -0.02, -0.09}, {0.02, 0.02, -0.055}}))};
    add_fluid_block(m, {8, 8, 5}, d, {-0.04, -0.04, -0.05});
    Run kept(m), listed(m);
    const std::int64_t lists = kept.state.rebuilds;
    for (int k = 0; k < 400; ++k) {
        listed.work.fluid->walls_listed = false;
        listed.advance(1);
    }
    int sent_twice = 0;
    for (int k = 0; k < 400; ++k) {
        const bool here = kept.work.fluid->walls_listed && kept.state.step % 32 != 0;
        const std::int64_t before = kept.state.rebuilds;
        kept.advance(1);
        sent_twice += here && kept.state.rebuilds > before ? 1 : 0;
    }
    CHECK(sent_twice > 0);
    CHECK(kept.state.rebuilds - lists < 200);
    CHECK(same_bits(kept.positions(), listed.positions()));
    CHECK(same_bits(kept.state.bodies.velocity.rows.host(), listed.state.bodies.velocity.rows.host()));
    update_density(m, kept.state, kept.work);
    update_density(m, listed.state, listed.work);
    CHECK(kept.state.bodies.density.host() == listed.state.bodies.density.host());
    const auto forces = [&](Run& run) { return measure_state(m, run.state, run.work).walls; };
    for (std::size_t w = 0; w < m.walls.size(); ++w) {
        CHECK(norm(forces(kept)[w].force) > 0);
        CHECK(forces(kept)[w].force == forces(listed)[w].force);
    }
}

TEST_CASE("hard particles: a step waits once, and a few times more where rows of neighbours are made anew") {
    Model m = hard_gas(3, HardStepping::Steps, 10, 0.3, 0.95);
    const auto engine = engine_of(m);
    engine->advance(100);
    const std::int64_t made = engine->counters().rebuilds, collided = engine->measure().hard.collisions;
    const Tally before = tally();
    const int steps = 200;
    engine->advance(steps);
    const Tally cost = tally() - before;
    const std::int64_t rows = engine->counters().rebuilds - made;
    CHECK(engine->measure().hard.collisions - collided > 3 * steps);
    // One for overlaps; for rows they break off a step, and are told the fastest and their number; and a step in which more rounds are
    // needed than were expected.
    CHECK(cost.waits <= steps + 1 + 3 * rows + steps / 20);
    CHECK(rows > 0);
    CHECK(cost.allocations == 0);
    CHECK(cost.writes == 0);
}
