// Frames written are frames read; the file survives restarts, full disks and foreign content with a clear message.
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/frame_reader.hpp"
#include "output/frame_writer.hpp"
#include "unit/output/sample_frames.hpp"
#include "unit/output/temporary_directory.hpp"

using namespace scree;

TEST_CASE("frames: what is written is read back, bit for bit") {
    const TemporaryDirectory dir;
    FrameWriter writer(dir.path);
    const auto contacts = sample_contacts();
    writer.write(sample_snapshot(5, 0, true), &contacts);
    writer.write(sample_snapshot(4, 10, true));
    writer.write(sample_snapshot(0, 20));
    CHECK(writer.count() == 3);
    CHECK(writer.last_step() == 20);

    const FrameReader reader(dir.file("state.h5"));
    REQUIRE(reader.frames().size() == 3);
    CHECK(same(reader.read(0), sample_snapshot(5, 0, true)));
    CHECK(same(reader.read(1), sample_snapshot(4, 10, true)));
    CHECK(same(reader.read(2), sample_snapshot(0, 20)));
    REQUIRE(reader.contacts(0).size() == 2);
    CHECK(reader.contacts(0)[0].b == 2);
    CHECK(reader.contacts(0)[1].wall == 1);
    CHECK(same(reader.contacts(0)[1].force, {0, -4, 0}));
    CHECK(reader.contacts(0)[1].overlap == 1e-5);
    CHECK(reader.contacts(1).empty());
}

TEST_CASE("frames: many bodies pass through the compressed columns") {
    const TemporaryDirectory dir;
    FrameWriter writer(dir.path);
    const Snapshot s = sample_snapshot(150000, 7);  // more than two chunks
    writer.write(s);
    CHECK(same(FrameReader(dir.file("state.h5")).read(0), s));
    // Ids, materials and radii repeat: they shrink to little beside the three vectors.
    CHECK(std::filesystem::file_size(dir.file("state.h5")) < 150000 * (72 + 12));
}

TEST_CASE("frames: the file is closed between frames, and readable while the run goes on") {
    const TemporaryDirectory dir;
    FrameWriter writer(dir.path);
    writer.write(sample_snapshot(3, 0));
    // The viewer is another process: it opens the file, says so, and holds it until told to end.
    int opened[2], done[2];
    REQUIRE(pipe(opened) == 0);
    REQUIRE(pipe(done) == 0);
    const pid_t viewer = fork();
    REQUIRE(viewer >= 0);
    char byte = 0;
    if (viewer == 0) {
        close(done[1]);
        const FrameReader reader(dir.file("state.h5"));
        bool ok = reader.frames().size() == 1 && write(opened[1], &byte, 1) == 1;
        ok = ok && read(done[0], &byte, 1) == 0 && same(reader.read(0), sample_snapshot(3, 0));
        _exit(ok ? 0 : 1);
    }
    close(done[0]);
    REQUIRE(read(opened[0], &byte, 1) == 1);
    writer.write(sample_snapshot(3, 1));
    close(done[1]);
    int status = -1;
    REQUIRE(waitpid(viewer, &status, 0) == viewer);
    CHECK(status == 0);
    close(opened[0]);
    close(opened[1]);
    CHECK(FrameReader(dir.file("state.h5")).frames().size() == 2);
}

TEST_CASE("frames: a file that grows is followed without copying what is known of it") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("state.h5");
    FrameWriter writer(dir.path);
    for (int step : {0, 10}) writer.write(sample_snapshot(3, step));
    std::vector<FrameEntry> known = FrameReader(path, {}).take_frames();
    REQUIRE(known.size() == 2);
    known.reserve(8);
    const FrameEntry* held = known.data();
    known[0].time = -1;  // what is known is not read again
    for (int step : {20, 30}) writer.write(sample_snapshot(3, step));
    FrameReader reader(path, std::move(known));
    REQUIRE(reader.frames().size() == 4);
    CHECK(reader.frames().data() == held);
    CHECK(reader.frames()[0].time == -1);
    CHECK(reader.frames()[3].step == 30);
    CHECK(same(reader.read(3), sample_snapshot(3, 30)));

    // Of another file nothing is taken, and the list stays where it is; so it does where the file cannot be read.
    known = reader.take_frames();
    known.back().step = 31;
    CHECK(FrameReader(path, std::move(known)).frames()[0].time == sample_snapshot(3, 0).time);
    CHECK(known.data() == held);
    known.back().step = 30;
    CHECK_THROWS_AS(FrameReader(dir.file("none.h5"), std::move(known)), Error);
    CHECK(known.size() == 4);
}

TEST_CASE("frames: the first that cannot be read is named, and left out with those after it where a run may be writing") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("state.h5");
    FrameWriter writer(dir.path);
    for (int step : {0, 10, 20, 30}) writer.write(sample_snapshot(3, step));
    CHECK(FrameReader(path, {}).damage().empty());
    {
        Hdf5File file(path, Hdf5File::Mode::Append);
        file.remove("/frames/000002/mass");
        file.close();
    }
    const FrameReader reader(path, {});
    CHECK(reader.frames().size() == 2);
    CHECK(reader.damage() ==
          path + ": /frames/000002 has no mass; the file is damaged; left out are this frame and those after it, 2 of 4");
    CHECK(message_of<Error>([&] { FrameReader{path}; }) == path + ": /frames/000002 has no mass; the file is damaged");
}

TEST_CASE("frames: a restart drops later frames and goes on numbering") {
    const TemporaryDirectory dir;
    {
        FrameWriter writer(dir.path);
        for (int k = 0; k < 4; ++k) writer.write(sample_snapshot(3, 10 * k));
    }
    FrameWriter writer(dir.path, 15);
    CHECK(writer.count() == 2);
    writer.write(sample_snapshot(3, 20));
    const FrameReader reader(dir.file("state.h5"));
    REQUIRE(reader.frames().size() == 3);
    CHECK(reader.frames()[2].group == "/frames/000002");
    CHECK(same(reader.read(2), sample_snapshot(3, 20)));
}

TEST_CASE("frames: the XDMF file names every frame relative to itself") {
    const TemporaryDirectory dir;
    FrameWriter writer(dir.path);
    writer.write(sample_snapshot(3, 0));
    writer.write(sample_snapshot(2, 5));
    writer.write(sample_snapshot(0, 6));
    const std::string text = read_file(dir.file("state.xdmf"));
    CHECK(text.find("CollectionType=\"Temporal\"") != std::string::npos);
    CHECK(text.find("Dimensions=\"3 3\">state.h5:/frames/000000/position<") != std::string::npos);
    CHECK(text.find("Dimensions=\"2\">state.h5:/points/2<") != std::string::npos);
    CHECK(text.find("<Time Value=\"0.5\"/>") != std::string::npos);
    CHECK(text.find("000002") == std::string::npos);  // no bodies, no grid
    CHECK(text.find(dir.path) == std::string::npos);
    CHECK(!std::filesystem::exists(dir.file("state.xdmf.tmp")));
}

TEST_CASE("frames: state.xdmf grows frame by frame to the text of all, and is made anew where it was changed") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("state.xdmf");
    FrameWriter writer(dir.path);
    const auto whole = [&] { return xdmf_text(FrameReader(dir.file("state.h5")).frames(), {}, "state.h5"); };
    for (int k = 0; k < 4; ++k) {
        writer.write(sample_snapshot(k == 2 ? 0 : 3, k));
        CHECK(read_file(path) == whole());
    }
    std::filesystem::remove(path);
    writer.write(sample_snapshot(3, 4));
    CHECK(read_file(path) == whole());
    write_text(path, "cut short");
    writer.write(sample_snapshot(3, 5));
    CHECK(read_file(path) == whole());
}

TEST_CASE("frames: a frame that does not fit into state.xdmf leaves it as it was") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("state.xdmf");
    FrameEntry frame;
    frame.group = "/frames/000000";
    frame.bodies = 3;
    XdmfFile file(path, "state.h5");
    file.write({frame}, {});
    const std::string before = read_file(path);
    {
        const FileSizeLimit limit(before.size() + 100);
        CHECK(message_of<RunError>([&] { file.add_last({frame, frame}, {}); }).find("File too large") != std::string::npos);
    }
    CHECK(read_file(path) == before);
    file.add_last({frame, frame}, {});
    CHECK(read_file(path) == xdmf_text({frame, frame}, {}, "state.h5"));
}

TEST_CASE("frames: a write that fails is an error that says why, and earlier frames stay") {
    const TemporaryDirectory dir;
    FrameWriter writer(dir.path);
    writer.write(sample_snapshot(10, 0));
    {
        const FileSizeLimit limit(20000);
        const std::string message = message_of<RunError>([&] { writer.write(sample_snapshot(100000, 1)); });
        CHECK(message.find("state.h5") != std::string::npos);
        CHECK(message.find("File too large") != std::string::npos);
    }
    CHECK(writer.count() == 1);
    {
        const FrameReader reader(dir.file("state.h5"));
        CHECK(reader.frames().size() == 1);
        CHECK(same(reader.read(0), sample_snapshot(10, 0)));
    }
    writer.write(sample_snapshot(10, 2));  // with space again, the run could go on
    CHECK(same(FrameReader(dir.file("state.h5")).read(1), sample_snapshot(10, 2)));
}

TEST_CASE("frames: files that are missing, foreign or cut short are named") {
    const TemporaryDirectory dir;
    CHECK(message_of<Error>([&] { FrameReader(dir.file("none.h5")); }).find("no such file") != std::string::npos);
    write_text(dir.file("foreign.h5"), "not HDF5 at all, but long enough to look at");
    CHECK(message_of<Error>([&] { FrameReader(dir.file("foreign.h5")); }).find("not a readable HDF5 file") != std::string::npos);
    {
        Hdf5File file(dir.file("other.h5"), Hdf5File::Mode::Create);
        file.make_group("/something");
        file.close();
    }
    CHECK(message_of<Error>([&] { FrameReader(dir.file("other.h5")); }).find("frames") != std::string::npos);
    FrameWriter writer(dir.path);
    writer.write(sample_snapshot(1000, 0));
    const auto size = std::filesystem::file_size(dir.file("state.h5"));
    std::filesystem::resize_file(dir.file("state.h5"), size / 2);
    CHECK(message_of<Error>([&] { FrameReader(dir.file("state.h5")); }).find("truncated") != std::string::npos);
}
