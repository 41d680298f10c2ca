// A checkpoint read is the checkpoint written; a failed write leaves the old one; damage is noticed.
#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/checkpoint.hpp"
#include "output/seal.hpp"
#include "output/frame_reader.hpp"
#include "output/frame_writer.hpp"
#include "unit/output/sample_frames.hpp"
#include "unit/output/temporary_directory.hpp"

using namespace scree;

namespace {

StateField field(const std::string& name, StateField::Type type, std::size_t count, unsigned seed) {
    StateField f{name, type, {}};
    f.bytes.resize(count * StateField::size_of(type));
    for (std::size_t i = 0; i < f.bytes.size(); ++i) f.bytes[i] = static_cast<std::byte>((i * 131 + seed) & 0xff);
    return f;
}

Checkpoint sample_checkpoint(std::int64_t step, std::size_t bodies = 100) {
    Checkpoint c;
    c.version = "0.1.0";
    c.scene = "title = \"grüße, \\\"quoted\\\"\"\n";
    c.device = "cpu";
    c.precision = "double";
    c.dt = 1e-5 / 3;
    c.step = step;
    c.time = 0.1;
    c.bodies = static_cast<std::int64_t>(bodies);
    c.next_frame = 4;
    c.warnings = {"first", "second"};
    c.engine.fields = {field("position.x", StateField::Type::Float64, bodies, 1),
                       field("history/xi", StateField::Type::Float32, 7, 2),
                       field("history/key", StateField::Type::Int64, 7, 3),
                       field("b", StateField::Type::UInt32, bodies, 4),
                       field("a", StateField::Type::Int32, 1, 5),
                       field("flags", StateField::Type::UInt8, 3, 6),
                       field("empty", StateField::Type::Float64, 0, 7)};
    return c;
}

}  // namespace

TEST_CASE("checkpoint: every field comes back, bytes, types and order") {
    const TemporaryDirectory dir;
    const Checkpoint written = sample_checkpoint(12345);
    write_checkpoint(dir.file("checkpoint.h5"), written);
    const Checkpoint read = read_checkpoint(dir.file("checkpoint.h5"));
    CHECK(read.version == written.version);
    CHECK(read.scene == written.scene);
    CHECK(read.precision == written.precision);
    CHECK(read.dt == written.dt);
    CHECK(read.step == 12345);
    CHECK(read.time == written.time);
    CHECK(read.next_frame == 4);
    CHECK(read.warnings == written.warnings);
    REQUIRE(read.engine.fields.size() == written.engine.fields.size());
    for (std::size_t i = 0; i < read.engine.fields.size(); ++i) {
        CHECK(read.engine.fields[i].name == written.engine.fields[i].name);
        CHECK(read.engine.fields[i].type == written.engine.fields[i].type);
        CHECK(read.engine.fields[i].bytes == written.engine.fields[i].bytes);
    }
}

TEST_CASE("checkpoint: equal states give equal files") {
    const TemporaryDirectory dir;
    write_checkpoint(dir.file("a.h5"), sample_checkpoint(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 keeps times of objects in whole seconds, where it keeps them
    write_checkpoint(dir.file("b.h5"), sample_checkpoint(1));
    CHECK(read_file(dir.file("a.h5")) == read_file(dir.file("b.h5")));
}

TEST_CASE("checkpoint: totals of cone problems and unwritten lines come back; there are none under the penalty method") {
    const TemporaryDirectory dir;
    Checkpoint written = sample_checkpoint(7);
    ConeTotals run;
    run.add({5, 120, 30, 1.0 / 3, false});
    run.add({6, 100, 20, 1e-9, true});
    CHECK(run == ConeTotals{2, 1, 100, 50, 30, 1.0 / 3});
    CHECK(run.mean_iterations() == 25);
    written.cone = {{"solver", {1, 0, 100, 20, 20, 1e-9}}, {"", run}};
    written.solver_lines = "7,0.1,100,20,1e-09,1\n";
    write_checkpoint(dir.file("a.h5"), written);
    const Checkpoint read = read_checkpoint(dir.file("a.h5"));
    REQUIRE(read.cone.size() == 2);
    for (std::size_t k = 0; k < 2; ++k) {
        CHECK(read.cone[k].name == written.cone[k].name);
        CHECK(read.cone[k].totals == written.cone[k].totals);
    }
    CHECK(read.solver_lines == written.solver_lines);
    write_checkpoint(dir.file("b.h5"), sample_checkpoint(7));
    CHECK(read_checkpoint(dir.file("b.h5")).cone.empty());
}

TEST_CASE("checkpoint: a write that fails leaves the old one whole and no rest behind") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("checkpoint.h5");
    write_checkpoint(path, sample_checkpoint(1));
    {
        const FileSizeLimit limit(50000);
        const std::string message = message_of<RunError>([&] { write_checkpoint(path, sample_checkpoint(2, 100000)); });
        CHECK(message.find("File too large") != std::string::npos);
    }
    CHECK(read_checkpoint(path).step == 1);
    CHECK(!std::filesystem::exists(temporary_name(path)));
    // Later writes, with space again, succeed.
    write_checkpoint(path, sample_checkpoint(3));
    CHECK(read_checkpoint(path).step == 3);
}

TEST_CASE("checkpoint: a folder that is gone is an error, not a crash") {
    const TemporaryDirectory dir;
    CHECK(!message_of<RunError>([&] { write_checkpoint(dir.file("gone/checkpoint.h5"), sample_checkpoint(1)); }).empty());
}

TEST_CASE("checkpoint: truncated, foreign and damaged files are told apart") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("checkpoint.h5");
    write_checkpoint(path, sample_checkpoint(1, 5000));
    std::string bytes = read_file(path);

    write_text(dir.file("short.h5"), bytes.substr(0, bytes.size() * 2 / 3));
    CHECK(message_of<Error>([&] { read_checkpoint(dir.file("short.h5")); }).find("truncated") != std::string::npos);

    // One byte in the middle of the largest field.
    const Checkpoint whole = sample_checkpoint(1, 5000);
    const std::string needle(reinterpret_cast<const char*>(whole.engine.fields[0].bytes.data()), 64);
    const std::size_t at = bytes.find(needle);
    REQUIRE(at != std::string::npos);
    bytes[at + 20000] = static_cast<char>(bytes[at + 20000] ^ 1);
    write_text(dir.file("damaged.h5"), bytes);
    CHECK(message_of<Error>([&] { read_checkpoint(dir.file("damaged.h5")); }).find("damaged") != std::string::npos);

    FrameWriter writer(dir.path);
    CHECK(message_of<Error>([&] { read_checkpoint(dir.file("state.h5")); }).find("frames, not a checkpoint") != std::string::npos);
    CHECK(message_of<Error>([&] { read_checkpoint(dir.path); }).find("directory") != std::string::npos);
}

TEST_CASE("checkpoint: any changed byte, and any missing end, is refused before HDF5 sees it") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("checkpoint.h5");
    write_checkpoint(path, sample_checkpoint(1));
    const std::string bytes = read_file(path);
    REQUIRE(seal_of(path) == Seal::Whole);
    for (std::size_t at = 0; at < bytes.size() - seal_bytes; at += 97) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x40);
        write_text(path, changed);
        CHECK(seal_of(path) == Seal::Damaged);
    }
    for (std::size_t missing = 1; missing < 3 * seal_bytes; ++missing) {
        write_text(path, bytes.substr(0, bytes.size() - missing));
        CHECK(message_of<Error>([&] { read_checkpoint(path); }).find("truncated") != std::string::npos);
    }
}

TEST_CASE("checkpoint: a field that claims more than the file holds is damage, and takes no memory") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("checkpoint.h5");
    const Checkpoint whole = sample_checkpoint(1, 5000);
    write_checkpoint(path, whole);
    std::string bytes = read_file(path);
    const auto as_bytes = [](std::uint64_t n) { return std::string(reinterpret_cast<const char*>(&n), sizeof n); };
    const std::string rows = as_bytes(whole.engine.fields[0].count()), many = as_bytes(std::uint64_t{1} << 44);
    std::size_t found = 0;
    for (std::size_t at = bytes.find(rows); at != std::string::npos; at = bytes.find(rows, at + 8), ++found) bytes.replace(at, 8, many);
    REQUIRE(found > 0);
    // Sealed anew, as if it had been written so: what HDF5 reads is looked at too.
    write_text(path, bytes.substr(0, bytes.size() - seal_bytes));
    seal_file(path);
    CHECK(message_of<Error>([&] { read_checkpoint(path); }).find("damaged") != std::string::npos);
}

TEST_CASE("fault.h5 is a checkpoint and a frame in one") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("fault.h5");
    write_fault(path, sample_checkpoint(9), "overlap", sample_snapshot(4, 9), sample_contacts());
    CHECK(read_checkpoint(path).step == 9);
    const FrameReader reader(path);
    REQUIRE(reader.frames().size() == 1);
    CHECK(same(reader.read(0), sample_snapshot(4, 9)));
    CHECK(reader.contacts(0).size() == 2);
}
