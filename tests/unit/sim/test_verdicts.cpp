// What tells whether a run went well: energies from rows, the record of speeds, the lines of the closing table.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sim/energy_watch.hpp"
#include "sim/findings.hpp"
#include "sim/speed_record.hpp"
#include "unit/output/temporary_directory.hpp"

using namespace scree;

namespace {

const Finding* find(const std::vector<Finding>& lines, const std::string& name) {
    for (const Finding& line : lines) {
        if (line.name == name) return &line;
    }
    return nullptr;
}

Summary plain_summary() {
    Summary s;
    s.dt = 1e-5, s.stable_step = 1e-4;
    s.start_bodies = 10, s.start_mass = 2;
    s.counters.bodies = 10, s.counters.step = 1000, s.counters.rebuilds = 10;
    s.end.mass = 2;
    s.wall_seconds = 10;
    s.stages = {{"contacts", 9, 1}, {"output/frames", 1, 1}};
    return s;
}

Verdict verdict(const Summary& s, const std::string& name) {
    const auto lines = findings_of(s, Model{});
    const Finding* line = find(lines, name);
    REQUIRE_MESSAGE(line != nullptr, name);
    CHECK(line->advice.empty() == (line->verdict == Verdict::Ok));
    return line->verdict;
}

}  // namespace

TEST_CASE("energy watch: work is taken off, cells without value are left out, and the error is over what moved") {
    EnergyWatch watch({"count.bodies", "e.kinetic_translation", "e.potential", "e.dissipated_friction", "e.total", "e.work_of_walls"});
    CHECK(!watch.error());
    watch.note({1.0, 0.0, 10.0, 0.0, 10.0, 0.0});
    CHECK(!watch.error());
    watch.note({1.0, {}, {}, {}, {}, {}});
    CHECK(!watch.error());
    watch.note({1.0, 4.0, 5.0, 1.0, 12.0, 2.5});  // 12 - 2.5 - 10 = -0.5
    watch.note({1.0, 0.0, 2.0, 3.0, 12.6, 2.5});  // 0.1
    const auto error = watch.error();
    REQUIRE(error);
    CHECK(error->samples == 3);
    CHECK(error->largest_change == doctest::Approx(0.5));
    CHECK(error->turned_over == doctest::Approx(8));  // the fall from 10 to 2 J
    CHECK(error->relative() == doctest::Approx(0.5 / 8));
    EnergyWatch none({"count.bodies", "streams.total"});
    none.note({1.0, 2.0});
    none.note({1.0, 3.0});
    CHECK(!none.error());
}

TEST_CASE("verdicts: each limit on both sides, with what to do") {
    Summary s = plain_summary();
    CHECK(verdict(s, "step") == Verdict::Ok);
    s.dt = 0.7e-4;
    CHECK(verdict(s, "step") == Verdict::Look);
    s.dt = 1.2e-4;
    CHECK(verdict(s, "step") == Verdict::Bad);
    s.overlap = {0.009, 1, 3, "body 1 and body 2"};
    CHECK(verdict(s, "overlap") == Verdict::Ok);
    s.overlap.ratio = 0.03;
    CHECK(verdict(s, "overlap") == Verdict::Look);
    s.overlap.ratio = 0.06;
    CHECK(verdict(s, "overlap") == Verdict::Bad);
    Model soft;
    soft.penalty.overlap_warning = 0.2;
    CHECK(find(findings_of(s, soft), "overlap")->verdict == Verdict::Ok);
    s.overlap.ratio = 0.21;
    CHECK(find(findings_of(s, soft), "overlap")->verdict == Verdict::Bad);
    CHECK(find(findings_of(s, Model{}), "overlap")->text.find("between body 1 and body 2") != std::string::npos);
    s.energy_error = EnergyError{0.02, 1, 5};
    CHECK(verdict(s, "energy") == Verdict::Look);
    s.energy_error->largest_change = 0.2;
    CHECK(verdict(s, "energy") == Verdict::Bad);
    s.energy_error->largest_change = 0.002;
    CHECK(verdict(s, "energy") == Verdict::Ok);
    CHECK(verdict(s, "lists") == Verdict::Ok);
    s.counters.rebuilds = 500;
    CHECK(verdict(s, "lists") == Verdict::Look);
    CHECK(verdict(s, "time") == Verdict::Ok);
    s.stages[1].seconds = 5;
    CHECK(verdict(s, "time") == Verdict::Look);
    s.stepping_speed = 1e6;
    CHECK(verdict(s, "speed") == Verdict::Ok);
    s.usual = {1.5e6, 4};
    CHECK(verdict(s, "speed") == Verdict::Ok);
    s.usual.speed = 2e6;
    CHECK(verdict(s, "speed") == Verdict::Look);
    CHECK(verdict(s, "warnings") == Verdict::Ok);
    s.warnings = {"so: and so"};
    s.repeated = {{"so: and so", 7}};
    CHECK(verdict(s, "warnings") == Verdict::Look);
    CHECK(find(findings_of(s, Model{}), "warnings")->text == "1; at 7 looks: so");
    s.cone_method = true, s.method = "cone";
    s.cone.steps = 1000, s.cone.not_converged = 5;
    CHECK(verdict(s, "solver") == Verdict::Look);
    s.cone.not_converged = 50;
    CHECK(verdict(s, "solver") == Verdict::Bad);
    CHECK(find(findings_of(s, Model{}), "step") == nullptr);
    CHECK(find(findings_of(s, Model{}), "end") == nullptr);
    s.exit_code = 1;
    CHECK(verdict(s, "end") == Verdict::Bad);
}

TEST_CASE("verdicts: bodies and mass balance") {
    Summary s = plain_summary();
    CHECK(find(findings_of(s, Model{}), "bodies")->text == "10 at the start + 0 in - 0 out = 10; mass kept");
    s.end.mass = 2.1;
    CHECK(verdict(s, "bodies") == Verdict::Bad);
    s.end.mass = 2;
    s.counters.bodies = 9;
    CHECK(verdict(s, "bodies") == Verdict::Bad);
    s.counters.removed = 1;
    s.end.mass = 1.8;
    CHECK(verdict(s, "bodies") == Verdict::Look);  // it left the domain
    s.removes = {{"sink", 1, 0.2, false, 0, 0}};
    CHECK(verdict(s, "bodies") == Verdict::Ok);
    s.inserts = {{"rain", 0, 0, 3, 5, {}}};
    CHECK(verdict(s, "bodies") == Verdict::Look);
}

TEST_CASE("numbers for people") {
    CHECK(short_number(12345678) == "12.3 M");
    CHECK(short_number(999) == "999");
    CHECK(grouped(1234567) == "1,234,567");
    CHECK(grouped(-1000) == "-1,000");
    CHECK(grouped(999) == "999");
}

TEST_CASE("speed record: the median of a kind from three runs on; broken files and lines do no harm") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("state/scree/speeds.csv");
    for (const double speed : {1e6, 3e6}) record_speed(path, "a; b", speed);
    CHECK(usual_speed(path, "a; b").runs == 0);
    record_speed(path, "a; b", 2e6);
    record_speed(path, "other", 9e6);
    CHECK(usual_speed(path, "a; b").runs == 3);
    CHECK(usual_speed(path, "a; b").speed == doctest::Approx(2e6));
    record_speed(path, "a; b", -1);
    record_speed(path, "a; b", std::nan(""));
    CHECK(usual_speed(path, "a; b").runs == 3);
    std::ofstream(path, std::ios::app) << "garbage\n2026-01-01,a; b,fast\n2026-01-01,a; b,4e6\n";
    CHECK(usual_speed(path, "a; b").runs == 4);
    CHECK(usual_speed(path, "a; b").speed == doctest::Approx(2.5e6));
    for (int k = 0; k < 30; ++k) record_speed(path, "a; b", 5e6);
    CHECK(usual_speed(path, "a; b").runs == 20);
    CHECK(usual_speed(path, "a; b").speed == doctest::Approx(5e6));
    // Nowhere to write: a folder in its place, or no path.
    std::filesystem::create_directories(dir.file("folder/speeds.csv"));
    record_speed(dir.file("folder/speeds.csv"), "a; b", 1e6);
    CHECK(std::filesystem::is_directory(dir.file("folder/speeds.csv")));
    CHECK(std::distance(std::filesystem::directory_iterator(dir.file("folder")), {}) == 1);
    record_speed("", "a; b", 1e6);
    record_speed("/proc/none/speeds.csv", "a; b", 1e6);
    CHECK(usual_speed("/proc/none/speeds.csv", "a; b").runs == 0);
}

TEST_CASE("speed record: where it lies, and how to do without") {
    const auto with = [](const char* state, const char* home, const char* none) {
        ::setenv("XDG_STATE_HOME", state, 1);
        ::setenv("HOME", home, 1);
        ::setenv("SCREE_NO_RECORD", none, 1);
        return speed_record_path();
    };
    const char* home_before = std::getenv("HOME");
    const std::string kept = home_before == nullptr ? "" : home_before;
    CHECK(with("/state", "/home/me", "") == "/state/scree/speeds.csv");
    CHECK(with("", "/home/me", "") == "/home/me/.local/state/scree/speeds.csv");
    CHECK(with("relative", "/home/me", "") == "/home/me/.local/state/scree/speeds.csv");  // as the base directory specification has it
    CHECK(with("/state", "/home/me", "1").empty());
    CHECK(with("", "", "").empty());
    ::setenv("HOME", kept.c_str(), 1);
    ::unsetenv("XDG_STATE_HOME");
    ::unsetenv("SCREE_NO_RECORD");
}
