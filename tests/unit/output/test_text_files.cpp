// series.csv, summary.json and the run directory: exact text, restarts, refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/json.hpp"
#include "output/run_directory.hpp"
#include "output/series.hpp"
#include "output/summary.hpp"
#include "unit/output/temporary_directory.hpp"

using namespace scree;

TEST_CASE("series: one header, blank cells, doubles that read back exactly") {
    const TemporaryDirectory dir;
    SeriesWriter writer(dir.file("series.csv"), {"a", "b,\"c\""});
    writer.add(0, 0, {1.0 / 3, std::nullopt});
    writer.add(10, 0.1, {std::nullopt, -2.5e-300});
    const std::string text = read_file(dir.file("series.csv"));
    CHECK(text == "step,time,a,\"b,\"\"c\"\"\"\n0,0,0.33333333333333331,\n10,0.10000000000000001,,-2.5e-300\n");
    CHECK(std::strtod("0.33333333333333331", nullptr) == 1.0 / 3);
}

TEST_CASE("series: a restart drops later rows and a line cut short") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("series.csv");
    write_text(path, "step,time,a\n0,0,1\n10,1,2\n20,2,3\n30,3,4\n40,4");
    SeriesWriter writer(path, {"a"}, 20);
    writer.add(30, 3, {5.0});
    CHECK(read_file(path) == "step,time,a\n0,0,1\n10,1,2\n20,2,3\n30,3,5\n");
}

TEST_CASE("series: other columns cannot be continued") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("series.csv");
    write_text(path, "step,time,a\n0,0,1\n");
    CHECK(message_of<Error>([&] { SeriesWriter(path, {"a", "b"}, 0); }).find("other quantities") != std::string::npos);
    CHECK(read_file(path) == "step,time,a\n0,0,1\n");
}

TEST_CASE("series: a full disk is an error") {
    const TemporaryDirectory dir;
    SeriesWriter writer(dir.file("series.csv"), {"a"});
    const FileSizeLimit limit(200);
    const std::string message = message_of<RunError>([&] {
        for (int i = 0; i < 100; ++i) writer.add(i, i, {1.0});
    });
    CHECK(message.find("series.csv") != std::string::npos);
}

TEST_CASE("JSON: strings are escaped, numbers stay numbers") {
    CHECK(json_string("a\"b\\c\nd\te\x01") == "\"a\\\"b\\\\c\\nd\\te\\u0001\"");
    CHECK(json_string("gr\xc3\xbc\xc3\x9f") == "\"gr\xc3\xbc\xc3\x9f\"");
    CHECK(json_string("\xff\xc3") == "\"\\ufffd\\ufffd\"");
    CHECK(json_string("\xe0\x80\x80") == "\"\\ufffd\\ufffd\\ufffd\"");
    JsonWriter json;
    json.add("x", 0.1);
    json.add("n", std::int64_t{-3});
    json.add("bad", std::numeric_limits<double>::quiet_NaN());
    json.begin_object("o");
    json.end_object();
    json.add("list", std::vector<std::string>{"p", "q"});
    CHECK(json.finish() == "{\n  \"x\": 0.1,\n  \"n\": -3,\n  \"bad\": null,\n  \"o\": {},\n  \"list\": [\"p\", \"q\"]\n}\n");
}

TEST_CASE("summary: hash as hexadecimal text, untracked energies as null") {
    Summary s;
    s.state_hash = 0xab;
    s.wall_seconds = 2;
    s.particle_steps = 10;
    s.warnings = {"step \"x\""};
    std::string text = summary_text(s);
    CHECK(text.find("\"state_hash\": \"00000000000000ab\"") != std::string::npos);
    CHECK(text.find("\"particle_steps_per_second\": 5") != std::string::npos);
    CHECK(text.find("\"dissipated_friction\": null") != std::string::npos);
    CHECK(text.find("\"restarted_from\": null") != std::string::npos);
    CHECK(text.find("\"step \\\"x\\\"\"") != std::string::npos);
    s.energy_tracked = true;
    CHECK(summary_text(s).find("\"dissipated_friction\": 0") != std::string::npos);
}

TEST_CASE("summary: under the cone method the solver's totals, and energies that it does not know as null") {
    Summary s;
    CHECK(summary_text(s).find("\"cone\": {") == std::string::npos);
    CHECK(summary_text(s).find("\"method\": \"penalty\"") != std::string::npos);
    CHECK(summary_text(s).find("\"members\"") == std::string::npos);
    s.cone_method = true;
    s.stable_step = 3;
    s.members = 4;
    s.joints = 2;
    s.cone = {8, 3, 120, 40, 9, 0.25};
    s.end.energy.kinetic_translation = 1;
    s.end.energy.kinetic_rotation = 2;
    s.end.energy.potential = -8;
    s.end.energy.removed = 16;
    s.end.energy.elastic_normal = 100;
    const std::string text = summary_text(s);
    for (const char* line : {"\"method\": \"cone\"", "\"steps\": 8", "\"contacts\": 120", "\"iterations_mean\": 5", "\"iterations_max\": 9",
                             "\"residual_max\": 0.25", "\"steps_not_converged\": 3", "\"stable_step\": null", "\"members\": 4",
                             "\"joints\": 2", "\"elastic_normal\": null", "\"elastic_tangential\": null", "\"dissipated_damping\": null",
                             "\"dissipated_friction\": null", "\"removed\": 16", "\"total\": 11"}) {
        CHECK_MESSAGE(text.find(line) != std::string::npos, line);
    }
}

TEST_CASE("run directory: made, refused when used, overwritten without touching foreign files") {
    const TemporaryDirectory dir;
    const std::string run = dir.file("runs/deep");
    RunLock lock;
    open_run_directory(run, Reuse::Refuse, lock);
    CHECK(std::filesystem::is_directory(run));
    open_run_directory(run, Reuse::Refuse, lock);  // still empty
    write_text(run + "/state.h5", "old");
    write_text(run + "/checkpoint.h5.tmp", "old");
    write_text(run + "/solver.csv", "old");
    write_text(run + "/notes.txt", "mine");
    CHECK(message_of<Error>([&] { open_run_directory(run, Reuse::Refuse, lock); }).find("--overwrite") != std::string::npos);
    CHECK(std::filesystem::exists(run + "/state.h5"));
    CHECK(own_file_bytes(run) == 9);  // three times "old"
    open_run_directory(run, Reuse::Continue, lock);
    CHECK(std::filesystem::exists(run + "/state.h5"));
    open_run_directory(run, Reuse::Overwrite, lock);
    CHECK(!std::filesystem::exists(run + "/state.h5"));
    CHECK(!std::filesystem::exists(run + "/checkpoint.h5.tmp"));
    CHECK(!std::filesystem::exists(run + "/solver.csv"));
    CHECK(read_file(run + "/notes.txt") == "mine");
    write_text(dir.file("plain"), "");
    lock.release();
    CHECK(message_of<Error>([&] { open_run_directory(dir.file("plain"), Reuse::Refuse, lock); }).find("is a file") != std::string::npos);
    CHECK(!message_of<Error>([&] { open_run_directory(dir.file("plain/below"), Reuse::Refuse, lock); }).empty());
}

TEST_CASE("run directory: one run at a time, and no file is left to say so") {
    const TemporaryDirectory dir;
    const std::string run = dir.file("run");
    RunLock first;
    open_run_directory(run, Reuse::Refuse, first);
    CHECK(std::filesystem::is_empty(run));
    for (const Reuse reuse : {Reuse::Refuse, Reuse::Overwrite, Reuse::Continue}) {
        RunLock second;
        CHECK(message_of<Error>([&] { check_run_directory(run, reuse, second); }).find("another run writes") != std::string::npos);
        CHECK(message_of<Error>([&] { open_run_directory(run, reuse, second); }).find("another run writes") != std::string::npos);
    }
    first.release();
    RunLock third;
    open_run_directory(run, Reuse::Refuse, third);
}

TEST_CASE("run directory: what a run reads is not overwritten, under whatever name") {
    const TemporaryDirectory dir;
    const std::string run = dir.file("run");
    std::filesystem::create_directory(run);
    write_text(run + "/scene.toml", "mine");
    write_text(run + "/mesh.stl", "mine");
    std::filesystem::create_symlink(run + "/scene.toml", dir.file("link.toml"));
    check_inputs_stay(run, {run + "/mesh.stl", dir.file("none"), ""});
    for (const std::string& name : {run + "/scene.toml", run + "/../run/scene.toml", dir.file("link.toml")}) {
        const std::string message = message_of<Error>([&] { check_inputs_stay(run, {name}); });
        CHECK(message.find("would replace " + run + "/scene.toml") != std::string::npos);
    }
}

TEST_CASE("run directory: too little space names both numbers") {
    const TemporaryDirectory dir;
    require_space(dir.path, 1);
    const std::string message = message_of<Error>([&] { require_space(dir.path, 5e17); });
    CHECK(message.find("500 PB") != std::string::npos);
    CHECK(message.find("free") != std::string::npos);
    CHECK(format_bytes(0) == "0 B");
    CHECK(format_bytes(1536) == "1.54 kB");
    CHECK(format_bytes(999999) == "1 MB");
}

TEST_CASE("atomic file: replaces, and keeps the old text where the new one does not fit") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("a.txt");
    write_file_atomically(path, "one", true);
    write_file_atomically(path, "two");
    CHECK(read_file(path) == "two");
    {
        const FileSizeLimit limit(100);
        CHECK(!message_of<RunError>([&] { write_file_atomically(path, std::string(1000, 'x')); }).empty());
    }
    CHECK(read_file(path) == "two");
    CHECK(!std::filesystem::exists(temporary_name(path)));
    write_file_atomically(path, "");
    CHECK(read_file(path).empty());
}
