// Iterations of the cone method that the host does not wait for: how many it sends before it looks changes no bit, and what a step costs in
// waits and memory does not grow with them.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "clumps.hpp"
#include "cone_problems.hpp"
#include "engine/cone/algebra.hpp"
#include "engine/cone/block_operator.hpp"
#include "engine/cone/respond.hpp"
#include "engine/motion/verlet.hpp"
#include "engine/motion/walls.hpp"
#include "engine/step/rebuild.hpp"
#include "joined.hpp"
#include "step_run.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;
using namespace scree::test;
using namespace scree::SCREE_FLAVOR::cone_test;

namespace {

constexpr double size = 4e-3;  // of the bodies [m]

/// Spheres dropped into a box.
Model pile(double rolling_friction) {
    Model m = empty_model(Law::Hertz, 0.2, 0.5);
    PairProperties p = m.pairs(0, 0);
    p.rolling_friction = rolling_friction;
    m.pairs.set(0, 0, p);
    m.method = Method::Cone;
    m.gravity = {0, 0, -9.81};
    m.dt = 5e-4;
    m.cone.tolerance = 1e-5;
    m.cone.iterations = 60;
    Rng rng(5, 1);
    for (int k = 0; k < 64; ++k) {
        const Vec3 jitter{rng.uniform(-2e-4, 2e-4), rng.uniform(-2e-4, 2e-4), 0};
        add_sphere(m, Vec3{(k % 4 + 0.6) * size, (k / 4 % 4 + 0.6) * size, (k / 16 + 0.6) * size} + jitter, 0.45 * size);
    }
    m.walls.push_back(box_wall("box", {{0, 0, 0}, {4.2 * size, 4.2 * size, 1}}));
    return m;
}

/// A chain of two clumps on a hinge, in a pile. `direct`: its rows are solved within each product, else they are unknowns.
Model flail(bool direct) {
    Model m = pile(0);
    m.cone.direct_joints = direct;
    const std::int32_t arm = add_clump(m, dumbbell(1e-3, 2e-3), {size, size, 4.8 * size}, {}, {}, {0, 20, 0});
    const std::int32_t head = add_clump(m, dumbbell(1e-3, 2e-3), {3 * size, size, 4.8 * size}, {}, {}, {0, 20, 0});
    m.joints = {joined(m, JointKind::Revolute, Joint::ground, arm, {size, size, 4.8 * size}, {0, 1, 0}),
                joined(m, JointKind::Spherical, arm, head, {2 * size, size, 4.8 * size})};
    return m;
}

/// Cubes and spheres in a bucket that falls into the pile and turns over.
Model bucket() {
    Model m = pile(0);
    const double edge = 0.7 * size, side = 4 * size, mass = 1e-3, I = mass * side * side / 6;
    const Vec3 at{2.1 * size, 2.1 * size, 8 * size};
    m.shapes = {box_shape("cube", {edge, edge, edge})};
    const std::int32_t body = add_compound_entry(m, at, {}, mass, {I, I, I}, side, {}, {30, 0, 0});
    for (int k = 0; k < 8; ++k) {
        const Vec3 place = at + size * Vec3{k % 2 - 0.5, k / 2 % 2 - 0.5, k / 4 - 0.5};
        if (k % 3 == 0) {
            add_sphere(m, place, 0.45 * size);
        } else {
            m.bodies.add_convex(place, rotation_by({0.3 * k, 0.2, 0.1}), 0, m.shapes[0], 0.5 * std::sqrt(3.0) * edge, 0, density);
        }
    }
    fill_owners(m.bodies);
    TriangleMesh open = box_mesh({at - Vec3{0.4, 0.4, 0.4} * side, at + Vec3{0.4, 0.4, 0.4} * side});
    open.triangles.erase(open.triangles.begin() + 2, open.triangles.begin() + 4);
    m.walls.push_back(mesh_wall("bucket", open));
    m.walls.back().body = body;
    return m;
}

/// Around Barzilai-Borwein Coulomb's law is a sequence of problems, which has tests of its own.
FrictionLaw law_of(ConeSolver solver) {
    return solver == ConeSolver::BarzilaiBorwein ? FrictionLaw::Ccp : FrictionLaw::Coulomb;
}

/// Those which decide where their kernels run.
constexpr ConeSolver methods[] = {ConeSolver::Apgd, ConeSolver::Jacobi, ConeSolver::BarzilaiBorwein, ConeSolver::GaussSeidel};

/// Iterations that are sent at once: sweeps of Gauss-Seidel come with the look that follows them.
int at_once(ConeSolver solver) {
    return solver == ConeSolver::GaussSeidel ? static_cast<int>(least_sweeps) : 1;
}

/// Times that the host sends iterations, `ahead` at a time, until `iterations` are used up.
std::int64_t looks_of(ConeSolver solver, std::int64_t iterations, int ahead) {
    std::int64_t sent = 0, iteration = 1;
    while (iteration < iterations) {
        iteration += 1 + (solver == ConeSolver::GaussSeidel ? sweeps_after(iteration, iterations) : 0);
        ++sent;
    }
    const std::int64_t each = (ahead + at_once(solver) - 1) / at_once(solver);
    return (sent + each - 1) / each;
}

/// Runs of one model whose results must be the same.
struct Runs {
    std::vector<std::unique_ptr<Run>> runs;
    std::int64_t iterations{0};

    explicit Runs(const Model& m, std::size_t count) {
        while (runs.size() < count) runs.push_back(std::make_unique<Run>(m));
    }
    Exec& exec(std::size_t k) { return runs[k]->work.exec; }
    void advance(int steps) {
        for (int step = 0; step < steps; ++step) {
            for (const auto& run : runs) run->advance(1);
            const ConeReport& first = runs[0]->work.cone->report;
            iterations += first.iterations;
            for (const auto& run : runs) {
                REQUIRE(run->work.cone->report.iterations == first.iterations);
                REQUIRE(run->work.cone->report.residual == first.residual);
            }
        }
        for (const auto& run : runs) CHECK(same_bits(run->positions(), runs[0]->positions()));
    }
};

}  // namespace

TEST_CASE("cone: iterations sent before the host looks change no bit") {
    for (const ConeSolver solver : methods) {
        for (Model m : {pile(0), pile(0.1), flail(false), flail(true)}) {
            m.cone.solver = solver;
            for (const FrictionLaw law : {FrictionLaw::Ccp, FrictionLaw::Coulomb}) {
                m.cone.friction = law;
                Runs same(m, 4);
                same.exec(0).iterations_ahead = 1;
                same.exec(1).iterations_ahead = 4 * at_once(solver);
                same.exec(2).iterations_ahead = 16 * at_once(solver);
                same.exec(3).iterations_recorded = true;
                same.advance(80);
                CHECK(same.iterations > 1000);
            }
        }
    }
}

TEST_CASE("cone: neither threads nor the order of kernels' indices change a bit of iterative methods") {
    for (const ConeSolver solver : methods) {
        for (Model m : {pile(0), pile(0.1), flail(false)}) {
            m.cone.solver = solver;
            Runs same(m, 3);
            same.exec(1).threads = 2;
            same.exec(1).iterations_ahead = 3 * at_once(solver);
            same.exec(2).shuffle = true;
            same.exec(2).iterations_ahead = 16 * at_once(solver);
            same.advance(40);
        }
    }
}

TEST_CASE("cone: Jacobi with a relaxation of its own goes ahead alike") {
    Model m = pile(0);
    m.cone.solver = ConeSolver::Jacobi;
    m.cone.omega = 0.3;
    m.cone.lambda = 0.8;
    Runs same(m, 2);
    same.exec(1).iterations_ahead = 5;
    same.advance(40);
}

TEST_CASE("cone: Gauss-Seidel with a relaxation of its own goes ahead alike") {
    Model m = pile(0);
    m.cone.solver = ConeSolver::GaussSeidel;
    m.cone.omega = 1.3;
    Runs same(m, 2);
    same.exec(1).iterations_ahead = 5 * at_once(m.cone.solver);
    same.advance(40);
}

TEST_CASE("cone: an explicit problem goes ahead alike") {
    RandomSetting setting;
    setting.contacts = 12;
    const ExplicitProblem problem = explicit_of(random_problem(7, setting));
    const auto solve_ahead = [&](ConeSolver solver, FrictionLaw law) {
        std::vector<std::vector<double>> found, reports;
        for (const int ahead : {1, 4, 16}) {
            Exec exec;
            exec.iterations_ahead = ahead * at_once(solver);
            BlockOperator blocks(exec, problem);
            Unknowns x;
            blocks.shape(x);
            SolveBuffers buffers;
            SolveSettings settings;
            settings.solver = solver;
            settings.friction = law;
            const SolveReport report = solve(blocks, settings, buffers, x);
            CHECK(report.iterations > 10);
            reports.push_back({static_cast<double>(report.iterations), report.residual});
            found.push_back(rows_of(x));
        }
        for (const std::size_t k : {1u, 2u}) {
            CHECK(found[k] == found[0]);
            CHECK(reports[k] == reports[0]);
        }
    };
    for (const FrictionLaw law : {FrictionLaw::Ccp, FrictionLaw::Coulomb}) {
        for (const ConeSolver solver : methods) solve_ahead(solver, law);
    }
}

TEST_CASE("cone: impulses of sweeps that end early are those of the residual that is reported") {
    RandomSetting setting;
    setting.contacts = 12;
    BlockOperator blocks(Exec{}, explicit_of(random_problem(2, setting)));
    for (std::int64_t iterations = 10; iterations <= 120; iterations += 10) {
        SolveSettings settings;
        settings.solver = ConeSolver::GaussSeidel;
        settings.omega = 1.9;  // to and fro: the last iterate is not always the best
        settings.iterations = iterations;
        settings.tolerance = 0;
        Unknowns x, u;
        blocks.shape(x);
        blocks.shape(u);
        SolveBuffers buffers;
        const SolveReport report = solve(blocks, settings, buffers, x);
        blocks.apply(x, u, true);
        CHECK(residual(blocks, x, u) == report.residual);
    }
}

TEST_CASE("cone: contacts that are counted ahead of a step's report change no bit") {
    for (const ConeSolver solver : {ConeSolver::Apgd, ConeSolver::GaussSeidel}) {
        for (Model m : {pile(0), flail(true), bucket()}) {
            m.cone.solver = solver;
            m.cone.iterations = 10;  // each sweep of a device takes a kernel for each colour
            Run together(m), apart(m);
            together.advance(300);  // lists are made anew for speed, for their age, and none for a report
            for (int step = 0; step < 300; ++step) apart.advance(1);
            CHECK(same_bits(together.positions(), apart.positions()));
            CHECK(together.state.rebuilds == apart.state.rebuilds);
            CHECK(together.state.rebuilds > 5);
        }
    }
}

TEST_CASE("cone: a step waits for its report alone") {
    constexpr std::int64_t steps = 32;
    const auto wait_for_reports = [](Model m, bool in_rounds) {
        m.penalty.skin = 4 * size;
        m.penalty.overlap_limit = 1e6;
        Run run(m);
        run.advance(700);
        run.work.cone->bodies.sweep.colours.in_rounds = in_rounds;
        run.model.cone.tolerance = 1e-300;  // every step sweeps
        for (const ConeSolver solver : methods) {
            run.model.cone.solver = solver;
            run.model.cone.friction = law_of(solver);
            (void)run.cost(2 * steps);
            const std::int64_t lists = run.state.rebuilds;
            const Tally cost = run.cost(steps);
            REQUIRE(run.state.rebuilds == lists);
            CHECK(cost.waits == steps + 1);  // the start has a report too
            CHECK(cost.writes <= 1);
        }
    };
    for (const bool in_rounds : {true, false}) {
        if (on_device && !in_rounds) continue;
        for (const Model& m : {pile(0), pile(0.1), bucket()}) wait_for_reports(m, in_rounds);
    }
}

TEST_CASE("cone: the number of contacts that a step begins from is known before it, also after a start") {
    for (const Model& m : {pile(0), pile(0.1), bucket(), flail(true), flail(false)}) {
        Run run(m);
        run.work.exec.iterations_ahead = 16;
        run.advance(700);
        start_step(run.model, run.state, run.work);
        move_walls(run.state, run.work, run.model.dt);
        const auto waits = [&](auto&& part) {
            const Tally before = tally();
            part();
            return (tally() - before).waits;
        };
        count_ahead(run.model, run.state, run.work);
        note_counts(run.work, run.work.joints ? read_joined(run.state, run.work) : run.work.flags.read());
        run.work.cone->report = {};
        CHECK(waits([&] { cone_response(run.model, run.state, run.work, run.model.dt); }) == 0);
        CHECK(run.work.cone->report.contacts > 64);
        CHECK(run.work.cone->report.iterations > 1);
    }
}

TEST_CASE("cone: a list waits for its own sizes, its bodies' speeds and the number of its contacts, the step after it for its report") {
    for (const Model& m : {pile(0), pile(0.1)}) {
        Run run(m);
        run.advance(50);
        const std::int64_t lists = run.state.rebuilds, steps = 200;
        const Tally cost = run.cost(steps);
        const std::int64_t made = run.state.rebuilds - lists;
        REQUIRE(made > 3);
        // The fastest body, the bounds of the cells, the lengths of the lists of bodies and of planes, the contacts; and the report that
        // asked for it.
        CHECK(cost.waits <= steps + 1 + made * (1 + 1 + 1 + 1 + 1 + 1));
    }
}

TEST_CASE("cone: steps after a list find the memory that they had before it") {
    for (const ConeSolver solver : {ConeSolver::Apgd, ConeSolver::GaussSeidel}) {
        Run run(bucket());
        run.model.cone.solver = solver;
        run.advance(1500);
        const Tally before = tally();
        for (int list = 0; list < 8; ++list) {
            rebuild(run.model, run.state, run.work, run.timers, false);
            run.advance(2);
        }
        CHECK((tally() - before).allocations < 8);  // but for a table that is longer than all before
    }
}

TEST_CASE("cone: nor does Coulomb's law wait within a step, not where iterations run out either") {
    constexpr std::int64_t steps = 16;
    std::int64_t in_all = 0;
    for (Model m : {pile(0), pile(0.1), bucket()}) {
        m.penalty.skin = 4 * size;
        m.penalty.overlap_limit = 1e6;
        m.cone.friction = FrictionLaw::Coulomb;
        m.cone.iterations = 20000;
        m.gravity = {4, 0, -9.81};  // what is held by friction needs inner problems
        Run run(m);
        run.work.exec.iterations_ahead = 16;
        run.advance(700);
        for (const ConeSolver solver : methods) {
            run.model.cone.solver = solver;
            const auto waits_and_iterations = [&](double tolerance, std::int64_t iterations) {
                run.model.cone.tolerance = tolerance;
                run.model.cone.iterations = iterations;
                (void)run.cost(2 * steps);
                const std::int64_t lists = run.state.rebuilds;
                const Tally cost = run.cost(steps);
                REQUIRE(run.state.rebuilds == lists);
                // Barzilai-Borwein steps stay above 1e-5 m/s on some states, in single precision above all.
                const ConeReport& report = run.work.cone->report;
                if (tolerance < 1e-12) CHECK(!report.converged);
                if (tolerance > 1e-12 && solver != ConeSolver::BarzilaiBorwein) CHECK(report.converged);
                return std::pair(cost.waits, run.work.cone->report.iterations);
            };
            const auto [waits, iterations] = waits_and_iterations(1e-5, 20000);
            CHECK(waits == steps + 1);
            in_all += iterations;
            CHECK(waits_and_iterations(1e-300, 50).first == steps + 1);
        }
    }
    CHECK(in_all > 50);
}

TEST_CASE("cone: nor do joints make a step wait, solved directly, iterated, or in parts of the step while nothing touches them") {
    constexpr std::int64_t steps = 16;
    const auto waits = [](Run& run) {
        (void)run.cost(2 * steps);
        const std::int64_t lists = run.state.rebuilds;
        const std::int64_t cost = run.cost(steps).waits;
        REQUIRE(run.state.rebuilds == lists);
        return cost;
    };
    for (const bool direct : {true, false}) {
        for (const FrictionLaw law : {FrictionLaw::Ccp, FrictionLaw::Coulomb}) {
            if (!direct && law == FrictionLaw::Coulomb) continue;  // iterations run out
            Model m = flail(direct);
            m.penalty.skin = 4 * size;
            m.penalty.overlap_limit = 1e6;
            m.cone.friction = law;
            m.cone.iterations = 20000;
            m.cone.tolerance = by_precision(1e-5, 5e-4);  // in single precision Coulomb's fixed point may stand still at some 1e-4 m/s
            Run run(m);
            run.work.exec.iterations_ahead = 16;
            run.advance(700);
            for (const ConeSolver solver : methods) {
                run.model.cone.solver = solver;
                CHECK(waits(run) == steps + 1);  // the start has a report too
                CHECK(run.work.joints->alone.middle.empty());
                CHECK(run.work.cone->report.converged);
                CHECK(run.work.cone->report.joint_miss < by_precision(1e-10, 1e-6));
            }
        }
    }
    // Nor a chain whose rows are cut into blocks.
    Model long_chain = flail(true);
    long_chain.penalty.skin = 4 * size;
    std::int32_t last = long_chain.joints.back().b;
    for (int k = 0; k < 30; ++k) {
        const Vec3 at{(3.5 + 0.5 * k) * size, size, 6 * size};
        const std::int32_t next = add_clump(long_chain, dumbbell(1e-3, 2e-3), at, {}, {}, {0, 20, 0});
        long_chain.joints.push_back(joined(long_chain, JointKind::Revolute, last, next, at, {0, 1, 0}));
        last = next;
    }
    long_chain.walls[0] = box_wall("box", {{0, 0, 0}, {40 * size, 4.2 * size, 1}});
    long_chain.penalty.overlap_limit = 1e6;
    Run dragging(long_chain);
    dragging.work.exec.iterations_ahead = 16;
    dragging.advance(100);
    CHECK(waits(dragging) == steps + 1);
    CHECK(dragging.work.joints->alone.middle.empty());
    CHECK(dragging.work.cone->bodies.joints.stage.size() > 2);
    Model m = flail(true);
    for (std::size_t i = 0; i < 64; ++i) m.bodies.position[i].x += 10 * size;  // the pile is elsewhere
    m.walls.clear();
    m.gravity = {};
    m.penalty.skin = 4 * size;
    Run run(m);
    CHECK(waits(run) == steps + 1);
    CHECK(!run.work.joints->alone.middle.empty());
}

TEST_CASE("cone: waits of a step do not grow with its iterations, and they allocate nothing once warm") {
    constexpr std::int64_t steps = 16;
    for (Model m : {pile(0), pile(0.1), flail(false)}) {
        m.penalty.overlap_limit = m.cone.residual_limit = 1e6;  // few iterations leave overlaps
        m.penalty.skin = 4 * size;                              // lists hold while few iterations let bodies sink
        Run run(m);
        run.work.exec.iterations_ahead = 4;
        run.model.cone.tolerance = 1e-300;  // every step takes all its iterations
        run.advance(700);
        const auto cost_of = [&](std::int64_t iterations, std::int64_t of_steps) {
            run.model.cone.iterations = iterations;
            const std::int64_t lists = run.state.rebuilds;
            const Tally before = tally();
            for (std::int64_t step = 0; step < of_steps; ++step) run.advance(1);
            const Tally cost = tally() - before;
            REQUIRE(run.state.rebuilds == lists);
            CHECK(run.work.cone->report.iterations == iterations);
            return cost;
        };
        for (const ConeSolver solver : methods) {
            run.model.cone.solver = ConeSolver::Apgd;
            run.model.cone.iterations = 60;
            run.advance(100);  // to rest
            run.model.cone.solver = solver;
            run.model.cone.friction = law_of(solver);
            for (const std::int64_t warm : {41, 81}) (void)cost_of(warm, steps);  // as many contacts as there will be
            const Tally few = cost_of(41, steps), many = cost_of(81, steps), none = cost_of(1, 1);
            CHECK(few.waits == many.waits);
            CHECK(few.waits == steps * none.waits);
            // A device may have sent the iterations of one more look before the last one comes.
            const auto looks = [&](const Tally& cost, std::int64_t of_steps, std::int64_t needed) {
                CHECK(cost.looks >= needed * of_steps);
                CHECK(cost.looks <= (on_device ? needed + 1 : needed) * of_steps);
            };
            looks(none, 1, 1);
            looks(few, steps, 1 + looks_of(solver, 41, 4));
            looks(many, steps, 1 + looks_of(solver, 81, 4));
            // A table grows where there are more points than ever before; iterations that allocated would do so in every step.
            CHECK(few.allocations < steps);
            CHECK(many.allocations < steps);
        }
    }
}
