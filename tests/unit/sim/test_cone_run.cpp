// Runs under the cone method and with compounds and joints: columns, solver.csv, warnings, counts, restarts.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <sstream>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/checkpoint.hpp"
#include "output/run_directory.hpp"
#include "sim/check_report.hpp"
#include "sim/compare_scenes.hpp"
#include "sim/describe_file.hpp"
#include "sim/fault_message.hpp"
#include "unit/output/temporary_directory.hpp"
#include "unit/sim/fake_engine.hpp"

using namespace scree;

namespace {

SceneMeasure measure(const std::string& kind, double every = 0, const std::string& of = "") {
    SceneMeasure m;
    m.kind = m.name = kind;
    m.every = every;
    m.body = m.joint = of;
    return m;
}

Scene cone_scene() {
    Scene scene = fake_scene();
    scene.method.kind = "cone";
    return scene;
}

Factories cone_factories(FakePlan& plan) {
    Factories factories = fake_factories(plan);
    const auto build = factories.build;
    factories.build = [build](const Scene& scene) {
        BuiltModel built = build(scene);
        built.model.method = Method::Cone;
        return built;
    };
    return factories;
}

/// Two spheres, then a crank (id 2) with a sphere (3) as its member, and a mass without colliders (4); a hinge and a ball joint.
Model linkage() {
    Model model;
    model.dt = 1e-3;
    model.method = Method::Cone;
    model.materials.emplace_back();
    ConvexShape frame;
    frame.name = "crank";
    frame.inertia = {0.2, 0.5, 0.6};
    frame.to_given = rotation_by({0.4, -0.3, 0.2});
    model.shapes = {frame, frame};
    BodyTable& b = model.bodies;
    for (int i = 0; i < 2; ++i) b.add_sphere({0.1 * i, 0, 1}, 0.01, 0, 2500);
    b.add_convex({1, 2, 3}, rotation_by({0.1, 0.7, -0.4}), 0, model.shapes[0], 2, 0, 1, {4, 5, 6}, {0.3, -0.8, 1.1});
    b.mass.back() = 1.5;
    b.add_sphere({1, 2, 3}, 0.05, 0, 2500);
    b.add_convex({0, 0, 0}, {}, 1, model.shapes[1], 1, 0, 1);
    b.mass.back() = 3;
    b.owner = {-1, -1, -1, 2, -1};
    b.name = {"", "", "crank", "", "load"};
    model.joints.resize(2);
    model.joints[0].name = "hinge";
    model.joints[0].kind = JointKind::Revolute;
    model.joints[0].a = 2;
    model.joints[0].angle_motor.drive = Drive::Speed;
    model.joints[1].name = "ball";
    model.joints[1].kind = JointKind::Spherical;
    model.joints[1].a = 2;
    model.joints[1].b = 4;
    return model;
}

/// Forces and torques on the bodies of linkage().
FakePlan linkage_plan() {
    FakePlan plan;
    plan.force.resize(5);
    plan.torque.resize(5);
    plan.force[2] = {3, -6, 9};
    plan.torque[2] = {0.7, -1.3, 2.1};
    return plan;
}

Factories linkage_factories(FakePlan& plan) {
    Factories factories = fake_factories(plan);
    factories.build = [](const Scene&) {
        BuiltModel built;
        built.model = linkage();
        return built;
    };
    return factories;
}

RunOptions options_for(const std::string& directory) {
    RunOptions options;
    options.directory = directory;
    options.version = "test";
    options.engine.threads = 1;
    return options;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Columns of a CSV file by name, blank cells as NaN.
std::map<std::string, std::vector<double>> csv(const std::string& path) {
    std::istringstream text(read_file(path));
    std::string line, cell;
    std::vector<std::string> names;
    std::getline(text, line);
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
    std::map<std::string, std::vector<double>> columns;
    while (std::getline(text, line)) {
        std::istringstream cells(line);
        for (const std::string& name : names) {
            cell.clear();
            std::getline(cells, cell, ',');
            columns[name].push_back(cell.empty() ? std::nan("") : std::stod(cell));
        }
    }
    return columns;
}

/// I alpha + w x (I w), with I = sum of moments times dyads of the principal axes: Euler's equations written out.
Vec3 torque_of(Quat q, Vec3 moments, Vec3 w, Vec3 alpha) {
    const Vec3 axes[3] = {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})};
    const double moment[3] = {moments.x, moments.y, moments.z};
    Vec3 Iw, Ialpha;
    for (int k = 0; k < 3; ++k) {
        Iw += moment[k] * dot(axes[k], w) * axes[k];
        Ialpha += moment[k] * dot(axes[k], alpha) * axes[k];
    }
    return Ialpha + cross(w, Iw);
}

}  // namespace

TEST_CASE("measures: a body by name, with the accelerations that forces and torques give it") {
    FakePlan plan = linkage_plan();
    const Model model = linkage();
    Scene scene = cone_scene();
    scene.measures = {measure("body", 0, "crank")};
    const Measures measures(scene, model);
    REQUIRE(measures.columns().size() == 19);
    CHECK(measures.columns()[0] == "body.x");
    CHECK(measures.columns()[3] == "body.qw");
    CHECK(measures.columns()[18] == "body.alphaz");
    FakeEngine engine(model, {}, plan);
    const auto row = measures.sample(engine, {true});
    const auto vector = [&row](std::size_t first) { return Vec3{*row[first], *row[first + 1], *row[first + 2]}; };
    CHECK(vector(0) == Vec3{1, 2, 3});
    CHECK(vector(7) == Vec3{4, 5, 6});
    CHECK(vector(10) == Vec3{0.3, -0.8, 1.1});
    // Force over mass and gravity; 1e-14 covers the rounding of numbers near 10.
    CHECK(norm(vector(13) - Vec3{2, -4, 6 - 9.81}) < 1e-14);
    // The orientation is that of the frame as given: both ways around, a vector of that frame goes to the same place.
    const Quat q = model.bodies.orientation[2], given{*row[3], *row[4], *row[5], *row[6]};
    const Vec3 e{0.3, -0.5, 0.8};
    CHECK(norm(rotate(given, rotate(model.shapes[0].to_given, e)) - rotate(q, e)) < 1e-14);
    // m r2 = 1.5 * 2^2 times the template's moments.
    const Vec3 torque = torque_of(q, 6.0 * model.shapes[0].inertia, {0.3, -0.8, 1.1}, vector(16));
    CHECK(norm(torque - plan.torque[2]) < 1e-13);
}

TEST_CASE("measures: a body that was removed has blank cells, a joint its state") {
    FakePlan plan = linkage_plan();
    Model model = linkage();
    Scene scene = cone_scene();
    scene.measures = {measure("body", 0, "load"), measure("joint", 0, "ball"), measure("count")};
    const Measures measures(scene, model);
    const std::vector<std::string> joint(measures.columns().begin() + 19, measures.columns().begin() + 29);
    CHECK(joint == std::vector<std::string>{"joint.force.x", "joint.force.y", "joint.force.z", "joint.torque.x", "joint.torque.y",
                                            "joint.torque.z", "joint.angle", "joint.travel", "joint.motor", "joint.violation"});
    FakeEngine engine(model, {}, plan);
    auto row = measures.sample(engine, {true, true, true});
    for (int k = 0; k < 10; ++k) CHECK(row[19 + static_cast<std::size_t>(k)] == 2.0 + k);  // ball is joint 1
    // Of a model without joints the engine has no state of one.
    FakeEngine silent(cone_factories(plan).build(scene).model, {}, plan);
    for (std::size_t k = 19; k < 29; ++k) CHECK(!measures.sample(silent, {false, true, false})[k].has_value());
    CHECK(row[29] == 2.0);  // bodies, without the member and the named ones
    CHECK(row[31] == 0.0);  // removed
    // Without the load: the last id.
    for (auto* column : {&model.bodies.position, &model.bodies.velocity, &model.bodies.angular_velocity}) column->pop_back();
    for (auto* column : {&model.bodies.shape, &model.bodies.owner, &model.bodies.material}) column->pop_back();
    FakeEngine fewer(model, {}, plan);
    row = measures.sample(fewer, {true, false, true});
    for (std::size_t k = 0; k < 19; ++k) CHECK(!row[k].has_value());
    CHECK(row[29] == 2.0);
    CHECK(row[31] == 1.0);
}

TEST_CASE("measures: names that are not there are refused") {
    const Model model = linkage();
    for (const char* kind : {"body", "joint"}) {
        for (const char* name : {"", "piston"}) {
            Scene scene = cone_scene();
            scene.measures = {measure(kind, 0, name)};
            CHECK(has(message_of<Error>([&] { Measures(scene, model); }), std::string("no ") + kind + " is named \"" + name + "\""));
        }
    }
}

TEST_CASE("measures: columns without meaning under a method are left out") {
    FakePlan plan;
    Scene scene = cone_scene();
    scene.measures = {measure("energy"), measure("solver")};
    Model model = cone_factories(plan).build(scene).model;
    const Measures cone(scene, model);
    CHECK(cone.columns() == std::vector<std::string>{"energy.kinetic_translation", "energy.kinetic_rotation", "energy.potential",
                                                     "energy.removed", "energy.total", "solver.contacts", "solver.iterations",
                                                     "solver.residual"});
    CHECK(cone.warnings().empty());
    CHECK(!Measures::need_energy(scene));
    FakeEngine engine(model, {}, plan);
    const auto row = cone.sample(engine, {true, true});
    CHECK(row[4] == *row[0] + *row[1] + *row[2] + *row[3]);
    CHECK(!row[5].has_value());  // no step, no problem
    // The same file with only the method changed runs too.
    model.method = Method::Penalty;
    scene.method.kind = "penalty";
    const Measures penalty(scene, model);
    CHECK(penalty.columns().size() == 11);
    REQUIRE(penalty.warnings().size() == 1);
    CHECK(has(penalty.warnings()[0], "\"solver\" has no columns"));
    CHECK(penalty.sample(engine, {true, true}).size() == 11);
}

TEST_CASE("cone run: solver.csv has every step, a solver measure sums them, the summary tells of them") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Scene scene = cone_scene();
    scene.measures = {measure("solver", 0.05), measure("energy", 0.25)};
    Simulation simulation(scene, options_for(dir.file("run")), cone_factories(plan));
    CHECK(simulation.run().exit_code == 0);
    auto solver = csv(dir.file("run/solver.csv"));
    REQUIRE(solver["step"].size() == 1000);
    double sum = 0, most = 0;
    for (std::size_t k = 0; k < 1000; ++k) {
        const ConeReport report = fake_report(plan, static_cast<std::int64_t>(k) + 1);
        CHECK(solver["step"][k] == static_cast<double>(report.step));
        CHECK(solver["time"][k] == static_cast<double>(report.step) * 1e-3);
        CHECK(solver["contacts"][k] == static_cast<double>(report.contacts));
        CHECK(solver["iterations"][k] == static_cast<double>(report.iterations));
        CHECK(solver["residual"][k] == report.residual);
        CHECK(solver["converged"][k] == 1);
        sum += solver["iterations"][k];
        most = std::max(most, solver["iterations"][k]);
    }
    auto series = csv(dir.file("run/series.csv"));
    REQUIRE(series["step"].size() == 21);  // 0, 0.05 … 1
    CHECK(std::isnan(series["solver.contacts"][0]));
    for (std::size_t row = 1; row < 21; ++row) {
        const auto first = solver["iterations"].begin() + static_cast<std::ptrdiff_t>(50 * (row - 1));
        CHECK(series["solver.iterations"][row] == std::accumulate(first, first + 50, 0.0));
        CHECK(series["solver.contacts"][row] == solver["contacts"][50 * row - 1]);
        CHECK(series["solver.residual"][row] == solver["residual"][50 * (row - 1)]);  // the fake's residual falls
    }
    const ConeTotals& totals = simulation.summary().cone;
    CHECK(totals ==
          ConeTotals{1000, 0, fake_report(plan, 1000).contacts, static_cast<std::int64_t>(sum), static_cast<std::int64_t>(most), 1e-6});
    const std::string summary = read_file(dir.file("run/summary.json"));
    CHECK(has(summary, "\"method\": \"cone\""));
    CHECK(has(summary, "\"steps_not_converged\": 0"));
    CHECK(has(summary, "\"output/solver\""));
    CHECK(simulation.summary().warnings.empty());
    CHECK(!simulation.summary().energy_tracked);
    CHECK(has(describe_file(dir.file("run")), "1000 steps"));
}

TEST_CASE("penalty run: no solver.csv") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Simulation(fake_scene(), options_for(dir.file("run")), fake_factories(plan)).run();
    CHECK(!std::filesystem::exists(dir.file("run/solver.csv")));
    CHECK(!has(read_file(dir.file("run/summary.json")), "\"cone\": {"));
}

TEST_CASE("cone run: a restart goes on with solver.csv and with sums over steps, and drops what is later") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Scene scene = cone_scene();
    scene.output.every = 0;
    scene.measures = {measure("solver", 0.07)};
    Simulation whole(scene, options_for(dir.file("whole")), cone_factories(plan));
    whole.run();
    RunOptions options = options_for(dir.file("run"));
    options.until = 0.33;  // between two rows
    Simulation(scene, options, cone_factories(plan)).run();
    std::filesystem::copy_file(dir.file("run/checkpoint.h5"), dir.file("run/early.h5"));
    options.restart = dir.file("run/checkpoint.h5");
    options.until = 0.6;
    Simulation(scene, options, cone_factories(plan)).run();
    options.restart = dir.file("run/early.h5");
    options.until = 1.0;
    Simulation rest(scene, options, cone_factories(plan));
    CHECK(rest.run().exit_code == 0);
    CHECK(read_file(dir.file("run/solver.csv")) == read_file(dir.file("whole/solver.csv")));
    CHECK(read_file(dir.file("run/series.csv")) == read_file(dir.file("whole/series.csv")));
    CHECK(rest.summary().cone == whole.summary().cone);
    // Elsewhere: the steps from there on, with totals of all.
    options.directory = dir.file("new");
    options.restart = dir.file("run/early.h5");
    Simulation elsewhere(scene, options, cone_factories(plan));
    elsewhere.run();
    auto solver = csv(dir.file("new/solver.csv"));
    CHECK(solver["step"].front() == 331);
    CHECK(solver["step"].size() == 670);
    CHECK(elsewhere.summary().cone == whole.summary().cone);
}

TEST_CASE("cone run: a full disk loses no line of solver.csv") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Scene scene = cone_scene();
    scene.output.every = 0;
    scene.time.step = 1e-5;  // 1e5 lines of some 40 bytes: past the limit, which the checkpoint and the first frame are far below
    scene.measures = {measure("solver", 0.01)};  // ends batches, so that the checkpoint need hold 1000 lines only
    Simulation(scene, options_for(dir.file("whole")), cone_factories(plan)).run();
    RunOptions options = options_for(dir.file("run"));
    RunResult result;
    {
        Simulation simulation(scene, options, cone_factories(plan));
        const FileSizeLimit limit(2000000);
        result = simulation.run();
    }
    CHECK(result.exit_code == 1);
    CHECK(has(result.message, "solver.csv"));
    const Checkpoint checkpoint = read_checkpoint(dir.file("run/checkpoint.h5"));
    CHECK(!checkpoint.solver_lines.empty());
    options.restart = dir.file("run/checkpoint.h5");
    CHECK(Simulation(scene, options, cone_factories(plan)).run().exit_code == 0);
    CHECK(read_file(dir.file("run/series.csv")) == read_file(dir.file("whole/series.csv")));
    CHECK((read_file(dir.file("run/solver.csv")) == read_file(dir.file("whole/solver.csv"))));
}

TEST_CASE("cone run: steps that do not converge are told of once and counted, also over a restart") {
    const TemporaryDirectory dir;
    FakePlan plan;
    plan.not_converged_from = 30;  // steps 30, 33, … 999: 324 of them, the worst the first
    std::ostringstream terminal;
    RunOptions options = options_for(dir.file("run"));
    options.terminal = &terminal;
    options.until = 0.5;
    Simulation first(cone_scene(), options, cone_factories(plan));
    CHECK(first.run().exit_code == 0);
    CHECK(first.summary().cone.not_converged == 157);
    CHECK(has(terminal.str(), "step 30 did not converge within method.iterations = 1000 (residual 0.000333 m/s)"));
    options.restart = dir.file("run/checkpoint.h5");
    options.until = 1.0;
    Simulation second(cone_scene(), options, cone_factories(plan));
    second.run();
    CHECK(second.summary().cone.not_converged == 324);
    REQUIRE(second.summary().warnings.size() == 1);
    CHECK(has(second.summary().warnings[0], "324 of 1000 steps did not converge"));
    CHECK(has(second.summary().warnings[0], "largest residual 0.000333 m/s, "));
    CHECK(terminal.str().find("step 30 did") == terminal.str().rfind("step 30 did"));
    CHECK(!has(terminal.str(), "step 501"));
    CHECK(has(read_file(dir.file("run/log.txt")), "157 of 500 steps"));
    CHECK(has(read_file(dir.file("run/summary.json")), "\"steps_not_converged\": 324"));
}

TEST_CASE("cone run: the steps before a fault are in solver.csv") {
    const TemporaryDirectory dir;
    FakePlan plan;
    plan.fault = FaultKind::NotFinite;
    plan.fault_at = 345;
    CHECK(Simulation(cone_scene(), options_for(dir.file("run")), cone_factories(plan)).run().exit_code == 1);
    CHECK(csv(dir.file("run/solver.csv"))["step"].back() == 345);
}

TEST_CASE("compounds: a run counts bodies without members") {
    const TemporaryDirectory dir;
    FakePlan plan = linkage_plan();
    Scene scene = cone_scene();
    scene.measures = {measure("body", 0, "crank"), measure("joint", 0, "hinge")};
    Simulation simulation(scene, options_for(dir.file("run")), linkage_factories(plan));
    CHECK(simulation.run().exit_code == 0);
    const Summary& s = simulation.summary();
    CHECK(s.counters.bodies == 4);
    CHECK(s.members == 1);
    CHECK(s.joints == 2);
    CHECK(s.counters.removed == 0);
    CHECK(s.particle_steps == 4000);
    CHECK(read_checkpoint(dir.file("run/checkpoint.h5")).bodies == 4);
    const std::string info = describe_file(dir.file("run"));
    CHECK(has(info, "bodies   4 at first, 4 at last"));
    CHECK(has(info, "members  1 "));
}

TEST_CASE("check: bodies, members, joints and degrees of freedom; no stable step under the cone method") {
    BuiltModel built;
    built.model = linkage();
    const std::string text = check_report(cone_scene(), built);
    CHECK(has(text, "bodies        4, 2 of them named\n"));
    CHECK(has(text, "2 compounds, of 1 members"));
    CHECK(has(text, "2 named: crank, load"));
    CHECK(has(text, "radius        0.01 to 0.05 m"));  // compounds are not seen
    const double spheres = 2 * 2500 * 4.18879020478639098e-6;
    CHECK(has(text, "mass          " + std::to_string(4.5 + spheres).substr(0, 6)));  // without the member's
    CHECK(has(text, "joints        2: 2 bodies joined, 8 rows, 1 driven"));
    CHECK(has(text, "4 degrees of freedom"));  // 2 x 6 - 5 - 3: a crank on a hinge, a load on a ball
    CHECK(has(text, "method        cone"));
    CHECK(has(text, "solver        apgd (auto), coulomb, at most 1000 iterations to 1e-2 gravity times step\n"));
    CHECK(!has(text, "stable step"));
    CHECK(has(text, "9 contact points"));  // three a sphere
    built.model.method = Method::Penalty;
    CHECK(has(check_report(cone_scene(), built), "stable step"));
    CHECK(!has(check_report(cone_scene(), built), "solver "));
}

TEST_CASE("check: rows of joints are 6 less the freedoms that each kind leaves two bodies") {
    const std::pair<JointKind, int> freedoms[] = {
        {JointKind::Fixed, 0},       {JointKind::Revolute, 1},          {JointKind::Prismatic, 1},
        {JointKind::Cylindrical, 2}, {JointKind::Universal, 2},         {JointKind::Spherical, 3},
        {JointKind::PointOnLine, 4}, {JointKind::RevoluteSpherical, 4},  // a rod: turn and cone of its hinge's plane, spin, and ball
        {JointKind::Distance, 5},    {JointKind::PointOnPlane, 5},      {JointKind::Free, 6},
    };
    for (const auto& [kind, freedom] : freedoms) CHECK(rows_of(kind) == 6 - freedom);
    CHECK(rows_of(JointKind::Gear) == 1);
    CHECK(rows_of(JointKind::Rack) == 1);
}

TEST_CASE("faults: bodies by their names, members by their compound; remedies of the method") {
    Model model = linkage();
    Fault fault;
    fault.kind = FaultKind::Overlap;
    fault.body = 2;
    fault.other = 3;
    fault.step = 0;
    CHECK(has(fault_message(fault, model), "at the start"));
    fault.step = 50;
    CHECK(has(fault_message(fault, model), "body 2 (\"crank\") and body 3 (\"crank\")"));
    CHECK(has(fault_message(fault, model), "method.iterations"));
    CHECK(!has(fault_message(fault, model), "young"));
    CHECK(has(overlap_remedy(model), "method.iterations"));
    model.bodies.name.clear();
    CHECK(has(fault_message(fault, model), "body 2 and body 3 (part of compound 2)"));
    model.method = Method::Penalty;
    CHECK(has(fault_message(fault, model), "raise the materials' young"));
}

TEST_CASE("faults: a joined body that leaves is named with its joint, and why the run ends though others would be removed") {
    Model model = linkage();
    Fault fault;
    fault.kind = FaultKind::Left;
    fault.body = static_cast<std::uint32_t>(model.joints[0].a);
    model.domain.leave = Leave::Remove;
    CHECK(has(fault_message(fault, model), "held by joint \"" + model.joints[0].name + "\""));
    CHECK(has(fault_message(fault, model), "A mechanism cannot lose a body"));
    CHECK(!has(fault_message(fault, model), "set domain.leave"));
    model.domain.leave = Leave::Stop;
    CHECK(has(fault_message(fault, model), "set domain.leave = \"remove\""));
}

TEST_CASE("scenes: a restart may not change joints, named bodies, the method, or walls that bodies carry") {
    const std::string before =
        "[method]\nkind = \"cone\"\n[[body]]\nname = \"arm\"\n[[wall]]\nname = \"floor\"\nbody = \"\"\n[[wall]]\nname = \"bucket\"\nmass = "
        "2\nside = \"inside\"\n[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\n[[measure]]\nkind = \"joint\"\n";
    const auto changed = [&before](const std::string& part, const std::string& by) {
        std::string now = before;
        REQUIRE(now.find(part) != std::string::npos);
        now.replace(now.find(part), part.size(), by);
        return changed_settings(before, now);
    };
    CHECK(changed("revolute", "fixed") == std::vector<std::string>{"joint[1].kind: \"revolute\" in the checkpoint, \"fixed\" now"});
    CHECK(changed("cone", "penalty").size() == 1);
    CHECK(changed("arm", "leg").size() == 1);
    CHECK(changed("[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\n", "").size() == 2);
    CHECK(changed("mass = 2", "mass = 3") == std::vector<std::string>{"carried wall[1].mass: 2 in the checkpoint, 3 now"});
    CHECK(changed("mass = 2\n", "").size() == 2);  // its name and its mass
    CHECK(changed("body = \"\"", "body = \"arm\"").size() >= 2);
    // Walls that nobody carries come and go, before carried ones too; the surface of a carried one may change.
    CHECK(changed("[[wall]]\nname = \"floor\"\nbody = \"\"\n", "").empty());
    CHECK(changed("[[wall]]\nname = \"floor\"", "[[wall]]\nname = \"roof\"\n[[wall]]\nname = \"floor\"").empty());
    CHECK(changed("inside", "outside").empty());
    CHECK(changed("kind = \"joint\"", "kind = \"solver\"").empty());
}
