// What a run says of joints that contradict each other, with the engine itself.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "output/atomic_file.hpp"
#include "output/run_directory.hpp"
#include "scene/parse.hpp"
#include "sim/simulation.hpp"
#include "unit/output/temporary_directory.hpp"

using namespace scree;

namespace {

/// A beam on two hinges in one line, one row set more than it needs; each test adds what drives it.
const std::string beam = R"([time]
step = "2 ms"
end = "0.2 s"
[method]
kind = "cone"
[material.steel]
density = 7800
restitution = 0.2
friction = 0.3
[shape.beam]
kind = "box"
edges = [0.4, 0.05, 0.05]
[[body]]
name = "beam"
shape = "beam"
material = "steel"
[[joint]]
name = "left"
kind = "revolute"
between = ["ground", "beam"]
point = [-0.2, 0, 0]
axis = [1, 0, 0]
[[joint]]
name = "right"
kind = "revolute"
between = ["ground", "beam"]
point = [0.2, 0, 0]
axis = [1, 0, 0]
)";

std::string motor(const std::string& joint, const std::string& value) {
    const std::string after = "name = \"" + joint + "\"\n", line = "motor = { " + value + " }\n";
    std::string text = beam;
    return text.insert(text.find(after) + after.size(), line);
}

const std::string bolt = R"([[joint]]
name = "bolt"
kind = "fixed"
between = ["ground", "beam"]
point = [0, 0, 0]
)";

struct Outcome {
    std::vector<std::string> warnings;  // of the summary, those of joints
    std::string terminal;
    RunResult result;
};

Outcome run(const std::string& text, const TemporaryDirectory& dir, double until = 0.2, bool goes_on = false,
            Precision precision = Precision::Double) {
    std::ostringstream terminal;
    RunOptions options;
    options.directory = dir.file("run");
    options.version = "test";
    options.engine.device = Device::Cpu;
    options.engine.threads = 1;
    options.engine.precision = precision;
    options.terminal = &terminal;
    options.until = until;
    if (goes_on) options.restart = dir.file("run/checkpoint.h5");
    Simulation simulation(parse_scene_text(text, "beam.toml", dir.file("")), options);
    Outcome out;
    out.result = simulation.run();
    for (const std::string& w : simulation.summary().warnings) {
        if (w.rfind("joints are not kept", 0) == 0) out.warnings.push_back(w);
    }
    out.terminal = terminal.str();
    return out;
}

std::size_t times(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("joints: a run warns once of a motor that the others forbid, and names it") {
    // Two bolts hold the beam, the motor would turn it: least squares leave the bolts a third of the turn and the motor misses the rest.
    const std::string rivet = [] {
        std::string text = bolt;
        return text.replace(text.find("bolt"), 4, "rivet");
    }();
    for (const Precision precision : {Precision::Double, Precision::Mixed}) {
        const TemporaryDirectory dir;
        const std::string text = motor("right", "angle = { amplitude = 0.1, frequency = 2 }") + bolt + rivet;
        const Outcome first = run(text, dir, 0.1, false, precision);
        CHECK(first.result.exit_code == 0);
        REQUIRE(first.warnings.size() == 1);
        CHECK(has(first.warnings[0], "step 1 misses them by "));
        CHECK(has(first.warnings[0], "most of all joint \"right\": motors, stops or joints ask for what others forbid"));
        CHECK(times(first.terminal, "joints are not kept") == 1);
        CHECK(has(read_file(dir.file("run/log.txt")), "joints are not kept"));
        CHECK(has(read_file(dir.file("run/summary.json")), "joints are not kept"));
        // The run that goes on has it in its summary, and does not tell again.
        const Outcome second = run(text, dir, 0.2, true, precision);
        CHECK(second.warnings == first.warnings);
        CHECK(times(second.terminal, "joints are not kept") == 0);
    }
}

TEST_CASE("joints: a motor alone, two that agree, and rows too many are no reason to warn") {
    const std::string turn = "angle = { amplitude = 0.1, frequency = 2 }";
    std::string both = motor("right", turn);
    both.insert(both.find("name = \"left\"\n"), "motor = { " + turn + " }\n");
    // A motor with a bound gives way.
    const std::string weak = motor("right", "angle = { amplitude = 0.1, frequency = 2 }, most = \"1 N m\"") + bolt;
    for (const std::string& text : {beam, motor("left", turn), both, beam + bolt, weak}) {
        for (const Precision precision : {Precision::Double, Precision::Mixed}) {
            const TemporaryDirectory dir;
            const Outcome outcome = run(text, dir, 0.2, false, precision);
            CHECK(outcome.result.exit_code == 0);
            CHECK(outcome.warnings.empty());
            CHECK(times(outcome.terminal, "joints are not kept") == 0);
        }
    }
}
