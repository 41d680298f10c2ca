// Compounds in the files of a run: members are seen and name their owner, a compound is a row without surface and without a sphere.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "output/atomic_file.hpp"
#include "exports/export.hpp"
#include "output/frame_reader.hpp"
#include "output/frame_writer.hpp"
#include "output/polyhedra_surface.hpp"
#include "unit/output/sample_polyhedra.hpp"
#include "unit/output/temporary_directory.hpp"

using namespace scree;

namespace {

/// Ids 0 … 3 as in sample_model(), then a compound (4) of a sphere (5) and a slab (6), and one without members (7); a wall is carried by 4.
Model compound_model() {
    Model model = sample_model();
    ConvexShape frame;
    frame.name = "hammer";
    frame.inertia = {0.1, 0.2, 0.2};
    model.shapes.push_back(frame);
    frame.name = "mass";
    model.shapes.push_back(frame);
    BodyTable& b = model.bodies;
    b.add_convex({1, 0, 0}, {}, 2, model.shapes[2], 0.3, 1, 2500);
    b.mass.back() = 5;
    b.add_sphere({1, 0, 0.1}, 0.05, 0, 2500);
    b.add_convex({1, 0, -0.1}, {}, 0, model.shapes[0], 0.1, 1, 2500);
    b.add_convex({2, 0, 0}, {}, 3, model.shapes[3], 1, 1, 2500);
    b.mass.back() = 7;
    b.owner = {-1, -1, -1, -1, -1, 4, 4, -1};
    b.offset.resize(8);
    b.offset_turn.resize(8);
    model.walls[2].body = 4;
    model.walls[2].active_to = 1e9;
    return model;
}

Snapshot compound_snapshot(const Model& model, std::int64_t step) {
    Snapshot s = sample_polyhedra(model, step);
    for (std::size_t i = 0; i < s.id.size(); ++i) s.id[i] = static_cast<std::uint32_t>(i);
    s.owner = model.bodies.owner;
    s.mass = model.bodies.mass;
    s.walls[2] = {rotation_by({0, 0.2, 0}), {0.1, 0, 0}};
    return s;
}

struct CompoundRun {
    CompoundRun() {
        FrameWriter writer(dir.path, frame_geometry(model));
        for (int k = 0; k < 2; ++k) writer.write(compound_snapshot(model, k));
    }
    Model model = compound_model();
    TemporaryDirectory dir;
};

std::vector<std::string> lines_of(const std::string& path) {
    std::istringstream text(read_file(path));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("compounds: rows of a frame, owners and shapes without faces are read back") {
    const CompoundRun run;
    const FrameReader reader(run.dir.file("state.h5"));
    REQUIRE(reader.frames().size() == 2);
    CHECK(reader.frames()[1].bodies == 8);
    CHECK(reader.frames()[1].members == 2);
    CHECK(reader.shapes() == frame_geometry(run.model).shapes);
    CHECK(reader.shapes()[2].compound());
    CHECK(reader.shapes()[2].triangles() == 0);
    const Snapshot found = reader.read(1), written = compound_snapshot(run.model, 1);
    CHECK(found.owner == written.owner);
    CHECK(found.mass == written.mass);
    // Only what is seen has a radius.
    for (std::size_t i = 0; i < 8; ++i) CHECK(found.radius[i] == (i == 4 || i == 7 ? 0.0 : written.radius[i]));
    CHECK(is_compound(reader.shapes(), found, 4));
    CHECK(!is_compound(reader.shapes(), found, 5));
    CHECK(!is_compound(reader.shapes(), found, 6));
}

TEST_CASE("compounds: surfaces are those of members, and a wall that a body carries moves with it") {
    const CompoundRun run;
    const FrameGeometry geometry = frame_geometry(run.model);
    const Snapshot s = compound_snapshot(run.model, 1);
    const PolyhedraSurface surface = polyhedra_surface(geometry.shapes, s, Faces::Triangles);
    std::vector<int> triangles(8);
    for (const std::uint32_t row : surface.face_body) ++triangles[row];
    CHECK(triangles == std::vector<int>{12, 0, 12, 20, 0, 0, 12, 0});
    CHECK(FrameReader(run.dir.file("state.h5")).frames()[1].surface.triangles == 56);
    const Hdf5File file(run.dir.file("state.h5"), Hdf5File::Mode::Read);
    const auto rod = file.read<Vec3T<float>>("/frames/000001/wall_points/rod");
    REQUIRE(rod.size() == geometry.walls[2].vertex.size());
    CHECK(rod[5] == cast<float>(placed(s.walls[2], geometry.walls[2].vertex[5])));
    const std::string xdmf = read_file(run.dir.file("state.xdmf"));
    CHECK(xdmf.find("state.h5:/frames/000001/owner<") != std::string::npos);
    CHECK(xdmf.find("wall_points/rod") != std::string::npos);
}

TEST_CASE("compounds: a frame takes no more than foretold") {
    const CompoundRun run;
    Model bare = run.model;
    bare.bodies.owner.clear();
    CHECK(frame_bytes(run.model, 8, 0) == frame_bytes(bare, 8, 0) + 8 * 4);
}

TEST_CASE("compounds: exports draw members alone; tables hold all") {
    const CompoundRun run;
    export_run(run.dir.path, "csv", run.dir.file("csv"));
    const auto table = lines_of(run.dir.file("csv/frame_000001.csv"));
    REQUIRE(table.size() == 9);
    CHECK(table[0] == "id,x,y,z,vx,vy,vz,wx,wy,wz,radius,mass,material,qw,qx,qy,qz,shape,shape_name,owner");
    CHECK(table[6].substr(table[6].rfind(',')) == ",4");   // the sphere of the compound
    CHECK(table[5].substr(table[5].rfind(',')) == ",-1");  // the compound
    CHECK(lines_of(run.dir.file("csv/frames.csv"))[1] == "0,0,0,6,2");

    export_run(run.dir.path, "lammps", run.dir.file("lammps"));
    const auto dump = lines_of(run.dir.file("lammps/bodies.dump"));
    REQUIRE(dump.size() == 2 * (9 + 6));
    CHECK(dump[3] == "6");
    CHECK(dump[8] == "ITEM: ATOMS id type x y z vx vy vz omegax omegay omegaz radius mass quatw quati quatj quatk mol");
    CHECK(dump[9 + 4].substr(0, 2) == "6 ");  // id 5, from 1
    CHECK(dump[9 + 4].substr(dump[9 + 4].rfind(' ')) == " 5");
    CHECK(dump[9].substr(dump[9].rfind(' ')) == " 0");

    export_run(run.dir.path, "vtk", run.dir.file("vtk"));
    const std::string vtk = read_file(run.dir.file("vtk/frame_000001.vtp"));
    // Two spheres as vertices; 6 + 6 + 8 + 6 faces of three polyhedra and a member.
    CHECK(vtk.find("NumberOfVerts=\"2\"") != std::string::npos);
    CHECK(vtk.find("NumberOfPolys=\"26\"") != std::string::npos);
    CHECK(vtk.find("NumberOfPoints=\"" + std::to_string(2 + 8 + 8 + 12 + 8) + "\"") != std::string::npos);
    std::size_t owners = 0;
    for (std::size_t at = vtk.find("Name=\"owner\""); at != std::string::npos; at = vtk.find("Name=\"owner\"", at + 1)) ++owners;
    CHECK(owners == 2);  // of points and of cells
}
