// Whole runs with a fake engine: what is written when, restarts, faults, signals, failing disks, refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <thread>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/checkpoint.hpp"
#include "output/frame_reader.hpp"
#include "unit/output/temporary_directory.hpp"
#include "unit/sim/fake_engine.hpp"

using namespace scree;

namespace {

SceneMeasure energy_every(double every) {
    SceneMeasure m;
    m.kind = "energy";
    m.name = "energy";
    m.every = every;
    return m;
}

RunOptions options_for(const std::string& directory) {
    RunOptions options;
    options.directory = directory;
    options.version = "test";
    options.engine.threads = 1;
    return options;
}

std::vector<std::int64_t> frame_steps(const std::string& directory) {
    std::vector<std::int64_t> steps;
    const FrameReader reader(directory + "/state.h5");
    for (const FrameEntry& frame : reader.frames()) steps.push_back(frame.step);
    return steps;
}

std::size_t count_lines(const std::string& path) {
    const std::string text = read_file(path);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("run: frames, series, checkpoint, log and summary of a whole run") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Scene scene = fake_scene();
    scene.output.every = 0.3;
    scene.measures = {energy_every(0.25)};
    Simulation simulation(scene, options_for(dir.file("run")), fake_factories(plan));
    const RunResult result = simulation.run();
    CHECK(result.exit_code == 0);
    CHECK(result.reason == "done");
    CHECK(result.message.empty());
    const std::string run = dir.file("run");
    CHECK(frame_steps(run) == std::vector<std::int64_t>{0, 300, 600, 900, 1000});  // the end has a frame of its own
    CHECK(count_lines(run + "/series.csv") == 1 + 5);                              // header; 0, 0.25, 0.5, 0.75, 1
    CHECK(read_file(run + "/scene.toml") == scene.resolved);
    CHECK(read_checkpoint(run + "/checkpoint.h5").step == 1000);
    const std::string summary = read_file(run + "/summary.json");
    CHECK(has(summary, "\"exit_reason\": \"done\""));
    CHECK(has(summary, "\"steps\": 1000"));
    CHECK(has(summary, "\"motion/advance\": 0.25"));
    CHECK(has(summary, "\"frames\": 5"));
    CHECK(has(read_file(run + "/log.txt"), "steps 0 to 1000"));
    CHECK(simulation.summary().particle_steps == 3000);
    // Semi-implicit Euler in free fall: v = -g t, z = z0 - g dt^2 n (n + 1) / 2; 1e-12 covers 1000 roundings.
    const Snapshot end = FrameReader(run + "/state.h5").read(4);
    CHECK(std::abs(end.velocity[0].z + 9.81) < 1e-12);
    CHECK(std::abs(end.position[0].z - (1 - 9.81e-6 * 1000 * 1001 / 2)) < 1e-12);
}

TEST_CASE("run: without a schedule there is a first and a last frame") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Scene scene = fake_scene();
    scene.output.every = 0;
    scene.measures = {energy_every(0)};
    CHECK(Simulation(scene, options_for(dir.file("run")), fake_factories(plan)).run().exit_code == 0);
    CHECK(frame_steps(dir.file("run")) == std::vector<std::int64_t>{0, 1000});
    CHECK(count_lines(dir.file("run/series.csv")) == 3);
}

TEST_CASE("run: output never changes the trajectory, --until and --steps end it") {
    const TemporaryDirectory dir;
    std::vector<std::uint64_t> hashes;
    for (const double every : {0.0, 0.1, 0.0073}) {
        FakePlan plan;
        Scene scene = fake_scene();
        scene.output.every = every;
        Simulation simulation(scene, options_for(dir.file(std::to_string(every))), fake_factories(plan));
        simulation.run();
        hashes.push_back(simulation.summary().state_hash);
    }
    CHECK(hashes[0] == hashes[1]);
    CHECK(hashes[0] == hashes[2]);
    FakePlan plan;
    RunOptions options = options_for(dir.file("steps"));
    options.steps = 7;
    Simulation by_steps(fake_scene(), options, fake_factories(plan));
    by_steps.run();
    CHECK(by_steps.summary().counters.step == 7);
    options = options_for(dir.file("until"));
    options.until = 0.5;
    Simulation by_time(fake_scene(), options, fake_factories(plan));
    by_time.run();
    CHECK(by_time.summary().counters.step == 500);
}

TEST_CASE("restart: a new directory, and the same one, end in the same state") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Scene scene = fake_scene();
    scene.measures = {energy_every(0.05)};
    Simulation whole(scene, options_for(dir.file("whole")), fake_factories(plan));
    whole.run();

    RunOptions half = options_for(dir.file("half"));
    half.until = 0.5;
    Simulation(scene, half, fake_factories(plan)).run();
    RunOptions rest = options_for(dir.file("rest"));
    rest.restart = dir.file("half/checkpoint.h5");
    Simulation elsewhere(scene, rest, fake_factories(plan));
    CHECK(elsewhere.run().exit_code == 0);
    CHECK(elsewhere.summary().state_hash == whole.summary().state_hash);
    CHECK(elsewhere.summary().steps_this_run == 500);
    CHECK(frame_steps(dir.file("rest")).front() == 500);

    rest.directory = dir.file("half");
    Simulation same_place(scene, rest, fake_factories(plan));
    CHECK(same_place.run().exit_code == 0);
    CHECK(same_place.summary().state_hash == whole.summary().state_hash);
    CHECK(frame_steps(dir.file("half")) == frame_steps(dir.file("whole")));
    CHECK(read_file(dir.file("half/series.csv")) == read_file(dir.file("whole/series.csv")));
    CHECK(read_file(dir.file("half/state.xdmf")) == read_file(dir.file("whole/state.xdmf")));
    CHECK(has(read_file(dir.file("half/log.txt")), "restarted from"));
}

TEST_CASE("restart: frames and rows later than the checkpoint are dropped first") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Scene scene = fake_scene();
    scene.measures = {energy_every(0.05)};
    RunOptions options = options_for(dir.file("run"));
    options.until = 0.45;
    Simulation(scene, options, fake_factories(plan)).run();
    std::filesystem::copy_file(dir.file("run/checkpoint.h5"), dir.file("run/early.h5"));
    options.restart = dir.file("run/checkpoint.h5");
    options.until = 1.0;
    Simulation(scene, options, fake_factories(plan)).run();
    options.restart = dir.file("run/early.h5");
    Simulation(scene, options, fake_factories(plan)).run();
    CHECK(frame_steps(dir.file("run")) == std::vector<std::int64_t>{0, 100, 200, 300, 400, 450, 500, 600, 700, 800, 900, 1000});
    CHECK(count_lines(dir.file("run/series.csv")) == 1 + 21);
}

TEST_CASE("restart: other measures need a new directory, and the refusal changes nothing") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Scene scene = fake_scene();
    scene.measures = {energy_every(0.1)};
    Simulation(scene, options_for(dir.file("run")), fake_factories(plan)).run();
    RunOptions options = options_for(dir.file("run"));
    options.until = 0.5;
    options.overwrite = true;
    Simulation(scene, options, fake_factories(plan)).run();
    std::filesystem::copy_file(dir.file("run/checkpoint.h5"), dir.file("run/half.h5"));
    options = options_for(dir.file("run"));
    options.restart = dir.file("run/half.h5");
    Simulation(scene, options, fake_factories(plan)).run();
    const std::string frames = read_file(dir.file("run/state.h5")), copy = read_file(dir.file("run/scene.toml"));
    scene.measures[0].name = "other";
    scene.resolved += "\n[[measure]]\nkind = \"energy\"\n";
    CHECK(has(message_of<Error>([&] { Simulation(scene, options, fake_factories(plan)); }), "measured other quantities"));
    CHECK(read_file(dir.file("run/state.h5")) == frames);
    CHECK(read_file(dir.file("run/scene.toml")) == copy);
    options.directory = dir.file("elsewhere");
    CHECK(Simulation(scene, options, fake_factories(plan)).run().exit_code == 0);
}

TEST_CASE("restart: other scenes, precisions, ends and files are refused") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Simulation(fake_scene(), options_for(dir.file("run")), fake_factories(plan)).run();
    RunOptions options = options_for(dir.file("new"));
    options.restart = dir.file("run/checkpoint.h5");
    const auto refusal = [&](const Scene& scene) { return message_of<Error>([&] { Simulation(scene, options, fake_factories(plan)); }); };

    Scene other = fake_scene();
    other.resolved.replace(other.resolved.find("young = 1e7"), 11, "young = 2e7");
    CHECK(has(refusal(other), "material.glass.young: 1e7 in the checkpoint, 2e7 now"));
    other = fake_scene();
    other.time.end = 0.5;
    CHECK(has(refusal(other), "raise time.end"));
    options.engine.precision = Precision::Mixed;
    CHECK(has(refusal(fake_scene()), "--precision double"));
    options.engine.precision = Precision::Double;
    options.restart = dir.file("run/state.h5");
    CHECK(has(refusal(fake_scene()), "not a checkpoint"));
    options.restart = dir.file("run/checkpoint.h5");
    options.directory = dir.file("run");
    options.overwrite = true;
    CHECK(has(refusal(fake_scene()), "--overwrite would remove"));
    CHECK(std::filesystem::exists(dir.file("run/checkpoint.h5")));
    CHECK(!std::filesystem::exists(dir.file("new")));  // a refusal leaves nothing behind
}

TEST_CASE("run directory: refused when used, replaced with overwrite") {
    const TemporaryDirectory dir;
    FakePlan plan;
    RunOptions options = options_for(dir.file("run"));
    Simulation(fake_scene(), options, fake_factories(plan)).run();
    CHECK(has(message_of<Error>([&] { Simulation(fake_scene(), options, fake_factories(plan)); }), "not empty"));
    options.overwrite = true;
    options.until = 0.2;
    CHECK(Simulation(fake_scene(), options, fake_factories(plan)).run().exit_code == 0);
    CHECK(frame_steps(dir.file("run")) == std::vector<std::int64_t>{0, 100, 200});
}

TEST_CASE("run directory: too little space is refused before the first step") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Scene scene = fake_scene();
    scene.output.every = 1e-17;
    scene.time.step = 2e-15;  // 5e14 frames of a few hundred bytes: more than any disk
    CHECK(has(message_of<Error>([&] { Simulation(scene, options_for(dir.file("run")), fake_factories(plan)); }), "too little space"));
    CHECK(plan.batches.empty());
}

TEST_CASE("signals: an interrupted run writes a checkpoint, exits 130, and goes on to the same state") {
    const TemporaryDirectory dir;
    FakePlan plain, interrupted;
    Scene scene = fake_scene();
    scene.measures = {energy_every(0.05)};
    Simulation whole(scene, options_for(dir.file("whole")), fake_factories(plain));
    whole.run();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
        const std::string run = dir.file("run" + std::to_string(signal));
        interrupted.after_step = [signal](std::int64_t step) {
            if (step == 333) raise(signal);
        };
        const RunResult result = Simulation(scene, options_for(run), fake_factories(interrupted)).run();
        CHECK(result.exit_code == 130);
        CHECK(has(result.message, "--restart"));
        CHECK(has(read_file(run + "/summary.json"), "\"exit_reason\": \"interrupted\""));
        const std::int64_t stopped = read_checkpoint(run + "/checkpoint.h5").step;
        CHECK(stopped >= 333);
        CHECK(stopped < 1000);
        RunOptions options = options_for(run);
        options.restart = run + "/checkpoint.h5";
        Simulation rest(scene, options, fake_factories(plain));
        CHECK(rest.run().exit_code == 0);
        CHECK(rest.summary().state_hash == whole.summary().state_hash);
        CHECK(read_file(run + "/series.csv") == read_file(dir.file("whole/series.csv")));
        CHECK(frame_steps(run) == frame_steps(dir.file("whole")));
    }
}

TEST_CASE("faults: fault.h5 and a message, the last checkpoint stays") {
    const TemporaryDirectory dir;
    FakePlan plan;
    RunOptions options = options_for(dir.file("run"));
    options.until = 0.2;
    Simulation(fake_scene(), options, fake_factories(plan)).run();
    const std::string before = read_file(dir.file("run/checkpoint.h5"));
    for (const FaultKind kind : {FaultKind::Overlap, FaultKind::NotFinite, FaultKind::Left}) {
        plan.fault = kind;
        plan.fault_at = 345;
        options.restart = dir.file("run/checkpoint.h5");
        options.until = 1.0;
        const RunResult result = Simulation(fake_scene(), options, fake_factories(plan)).run();
        CHECK(result.exit_code == 1);
        CHECK(has(result.message, "body 1"));
        CHECK(has(result.message, "fault.h5"));
        CHECK(read_file(dir.file("run/checkpoint.h5")) == before);
        CHECK(read_checkpoint(dir.file("run/fault.h5")).step == 345);
        CHECK(FrameReader(dir.file("run/fault.h5")).read(0).step == 345);
        CHECK(has(read_file(dir.file("run/summary.json")), "\"exit_code\": 1"));
        CHECK(has(read_file(dir.file("run/log.txt")), "body 1"));
        options.restart = dir.file("run/fault.h5");
        CHECK(has(message_of<Error>([&] { Simulation(fake_scene(), options, fake_factories(plan)); }), "state found at a fault"));
    }
}

TEST_CASE("warnings: once to the terminal, the log and the summary, also over a restart") {
    const TemporaryDirectory dir;
    FakePlan plan;
    plan.warn_from = 10;
    std::ostringstream terminal;
    RunOptions options = options_for(dir.file("run"));
    options.terminal = &terminal;
    options.until = 0.5;
    Simulation first(fake_scene(), options, fake_factories(plan));
    first.run();
    REQUIRE(first.summary().warnings.size() == 1);
    CHECK(has(first.summary().warnings[0], "method.overlap_warning = 0.05"));
    CHECK(terminal.str().find("warning: ") == terminal.str().rfind("warning: "));
    options.restart = dir.file("run/checkpoint.h5");
    options.until = 1.0;
    Simulation second(fake_scene(), options, fake_factories(plan));
    second.run();
    CHECK(second.summary().warnings == first.summary().warnings);
    const std::string log = read_file(dir.file("run/log.txt"));
    CHECK(log.find("overlap_warning") == log.rfind("overlap_warning"));
}

TEST_CASE("steps of hard particles that leave collisions are told of once, when the first does") {
    const TemporaryDirectory dir;
    FakePlan plan;
    plan.unfinished_from = 10;
    std::ostringstream terminal;
    plan.after_step = [&](std::int64_t step) {
        if (step <= 10) CHECK(terminal.str().empty());
    };
    RunOptions options = options_for(dir.file("run"));
    options.terminal = &terminal;
    Simulation run(fake_scene(), options, fake_factories(plan));
    run.run();
    CHECK(has(terminal.str(), "rounds with collisions left for the next"));
    CHECK(terminal.str().find("warning: ") == terminal.str().rfind("warning: "));
}

TEST_CASE("a full disk stops the run cleanly, with the frames written so far and a checkpoint where one fits") {
    const TemporaryDirectory dir;
    FakePlan plan;
    RunOptions options = options_for(dir.file("run"));
    Scene scene = fake_scene();
    scene.output.every = 4e-3;
    RunResult result;
    {
        Simulation simulation(scene, options, fake_factories(plan));
        const FileSizeLimit limit(1500000);  // the claim for a frame is a megabyte; some frames fit, then none
        result = simulation.run();
    }
    CHECK(result.exit_code == 1);
    CHECK(result.reason == "failed");
    CHECK(has(result.message, "state.h5"));
    CHECK(has(result.message, "checkpoint.h5"));
    const std::vector<std::int64_t> frames = frame_steps(dir.file("run"));
    CHECK(frames.size() > 1);
    CHECK(frames.size() < 251);
    const Checkpoint checkpoint = read_checkpoint(dir.file("run/checkpoint.h5"));
    CHECK(checkpoint.step == frames.back() + 4);
    CHECK(has(read_file(dir.file("run/summary.json")), "\"exit_reason\": \"failed\""));
    // With space again, the run goes on and misses no frame.
    options.restart = dir.file("run/checkpoint.h5");
    CHECK(Simulation(scene, options, fake_factories(plan)).run().exit_code == 0);
    CHECK(frame_steps(dir.file("run")).size() == 251);
}

TEST_CASE("checkpoints come by wall time, and change nothing") {
    const TemporaryDirectory dir;
    FakePlan plan;
    Scene scene = fake_scene();
    scene.output.checkpoint_every = 1e-9;  // after every batch
    Simulation often(scene, options_for(dir.file("often")), fake_factories(plan));
    often.run();
    scene.output.checkpoint_every = 0;
    Simulation once(scene, options_for(dir.file("once")), fake_factories(plan));
    once.run();
    CHECK(often.summary().state_hash == once.summary().state_hash);
    const std::string log = read_file(dir.file("once/log.txt"));
    CHECK(log.find("checkpoint at") == log.rfind("checkpoint at"));
    const std::string many = read_file(dir.file("often/log.txt"));
    CHECK(many.find("checkpoint at") != many.rfind("checkpoint at"));
}

TEST_CASE("batches stay short when steps are slow") {
    const TemporaryDirectory dir;
    FakePlan plan;
    plan.after_step = [](std::int64_t) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    RunOptions options = options_for(dir.file("run"));
    options.steps = 60;
    Scene scene = fake_scene();
    scene.output.every = 0;
    Simulation(scene, options, fake_factories(plan)).run();
    // 0.2 s / 20 ms = 10 steps; 15 allows for a clock that is off by half.
    CHECK(*std::max_element(plan.batches.begin(), plan.batches.end()) <= 15);
    CHECK(*std::max_element(plan.batches.begin(), plan.batches.end()) >= 4);
}

TEST_CASE("defaults: run directory after the scene, at least one thread") {
    CHECK(default_run_directory("scenes/silo.toml") == "runs/silo");
    CHECK(available_threads() >= 1);
}

TEST_CASE("a failure in the middle of a batch leaves the last checkpoint as it was") {
    const TemporaryDirectory dir;
    FakePlan plan;
    RunOptions options = options_for(dir.file("run"));
    Scene scene = fake_scene();
    CHECK(Simulation(scene, options, fake_factories(plan)).run().exit_code == 0);
    const std::string before = read_file(dir.file("run/checkpoint.h5"));
    scene.time.end *= 2;
    options.restart = dir.file("run/checkpoint.h5");
    plan.after_step = [](std::int64_t) { throw RunError("out of memory"); };
    const RunResult result = Simulation(scene, options, fake_factories(plan)).run();
    CHECK(result.exit_code == 1);
    CHECK(has(result.message, "out of memory"));
    CHECK(has(result.message, "unchanged"));
    CHECK(read_file(dir.file("run/checkpoint.h5")) == before);
}
