// Exports hold the frames' numbers in the form the other program expects.
#include <doctest/doctest.h>

#include <cstring>
#include <sstream>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "exports/export.hpp"
#include "output/frame_writer.hpp"
#include "unit/output/sample_frames.hpp"
#include "unit/output/temporary_directory.hpp"

using namespace scree;

namespace {

struct SampleRun {
    SampleRun() {
        FrameWriter writer(dir.path);
        writer.write(sample_snapshot(3, 0));
        writer.write(sample_snapshot(2, 10));
    }
    TemporaryDirectory dir;
};

}  // namespace

TEST_CASE("export csv: one file per frame and a list of frames") {
    const SampleRun run;
    const Exported done = export_run(run.dir.path, "csv", run.dir.file("out"));
    CHECK(done.frames == 2);
    CHECK(done.files.size() == 3);
    std::istringstream text(read_file(run.dir.file("out/frame_000001.csv")));
    std::string line;
    std::getline(text, line);
    CHECK(line == "id,x,y,z,vx,vy,vz,wx,wy,wz,radius,mass,material");
    std::getline(text, line);
    const Snapshot s = sample_snapshot(2, 10);
    CHECK(line.rfind("0,", 0) == 0);
    CHECK(std::strtod(line.c_str() + 2, nullptr) == s.position[0].x);
    CHECK(read_file(run.dir.file("out/frames.csv")) == "frame,step,time,bodies\n0,0,0,3\n1,10,1,2\n");
}

TEST_CASE("export csv and vtk: contacts of the frames that have them") {
    const TemporaryDirectory dir;
    {
        FrameWriter writer(dir.path);
        const std::vector<ContactRecord> contacts = sample_contacts();
        writer.write(sample_snapshot(3, 0));
        writer.write(sample_snapshot(3, 10), &contacts);
    }
    CHECK(export_run(dir.path, "csv", dir.file("csv")).files.size() == 4);  // two frames, one with contacts, the list
    CHECK(read_file(dir.file("csv/contacts_000001.csv")) ==
          "a,b,wall,x,y,z,nx,ny,nz,overlap,fx,fy,fz\n"
          "0,2,-1,1,2,3,0,1,0,1.0000000000000001e-05,0,-4,0\n"
          "0,-1,1,1,2,3,0,1,0,1.0000000000000001e-05,0,-4,0\n");
    const Exported done = export_run(dir.path, "vtk", dir.file("vtk"));
    CHECK(done.files.size() == 7);  // two frames, contacts as points and as lines, three lists
    const std::string text = read_file(dir.file("vtk/contacts_000001.vtp"));
    CHECK(text.find("NumberOfPoints=\"2\" NumberOfVerts=\"2\"") != std::string::npos);
    // Where the offset of an array says: its length in bytes, then its numbers. A is pushed away from B by 4 N.
    const std::size_t element = text.find("Name=\"normal_force\""), at = text.find("offset=\"", element) + 8;
    const std::string start = "<AppendedData encoding=\"raw\">\n_";
    const std::size_t block = text.find(start) + start.size() + std::strtoull(text.c_str() + at, nullptr, 10);
    std::uint64_t bytes = 0;
    double push[2] = {};
    std::memcpy(&bytes, text.data() + block, sizeof bytes);
    std::memcpy(push, text.data() + block + sizeof bytes, sizeof push);
    CHECK(bytes == sizeof push);
    CHECK(push[0] == 4);
    CHECK(push[1] == 4);
    CHECK(read_file(dir.file("vtk/contacts.pvd")).find("contacts_000001.vtp") != std::string::npos);
}

TEST_CASE("export lammps: frames one after another, ids and types from 1") {
    const SampleRun run;
    export_run(run.dir.path, "lammps", run.dir.file("out"));
    std::istringstream text(read_file(run.dir.file("out/bodies.dump")));
    std::string line;
    for (const char* expected : {"ITEM: TIMESTEP", "0", "ITEM: NUMBER OF ATOMS", "3", "ITEM: BOX BOUNDS ff ff ff"}) {
        std::getline(text, line);
        CHECK(line == expected);
    }
    double low = 0, high = 0;
    text >> low >> high;
    CHECK(low == -0.001);      // x of body 0 less its radius
    CHECK(high == 2 + 0.003);  // x of body 2 and its radius
    for (int i = 0; i < 3; ++i) std::getline(text, line);
    std::getline(text, line);
    CHECK(line == "ITEM: ATOMS id type x y z vx vy vz omegax omegay omegaz radius mass");
    int id = 0, type = 0;
    text >> id >> type;
    CHECK(id == 1);
    CHECK(type == 1);
}

TEST_CASE("export vtk: appended blocks are where their offsets say") {
    const SampleRun run;
    export_run(run.dir.path, "vtk", run.dir.file("out"));
    const std::string list = read_file(run.dir.file("out/frames.pvd"));
    CHECK(list.find("timestep=\"1\" group=\"\" part=\"0\" file=\"frame_000001.vtp\"") != std::string::npos);
    const std::string text = read_file(run.dir.file("out/frame_000000.vtp"));
    const std::string mark = "Name=\"position\" type=\"Float64\" NumberOfComponents=\"3\" format=\"appended\" offset=\"";
    const std::size_t at = text.find(mark);
    REQUIRE(at != std::string::npos);
    const std::size_t offset = std::strtoul(text.c_str() + at + mark.size(), nullptr, 10);
    const std::string start = "<AppendedData encoding=\"raw\">\n_";
    const char* block = text.data() + text.find(start) + start.size() + offset;
    std::uint64_t size = 0;
    std::memcpy(&size, block, sizeof size);
    CHECK(size == 3 * sizeof(Vec3));
    Vec3 first;
    std::memcpy(&first, block + 8 + sizeof(Vec3), sizeof first);
    CHECK(same(first, sample_snapshot(3, 0).position[1]));
}

TEST_CASE("export: wrong input is named") {
    const SampleRun run;
    CHECK(message_of<Error>([&] { export_run(run.dir.file("none"), "csv", run.dir.file("out")); }).find("no such run") !=
          std::string::npos);
    CHECK(message_of<Error>([&] { export_run(run.dir.path, "pdf", run.dir.file("out")); }).find("vtk, vtkhdf, csv, lammps, gsd, gltf") !=
          std::string::npos);
}
