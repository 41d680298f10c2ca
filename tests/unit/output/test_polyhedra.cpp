// Polyhedra and walls in the files of a run: closed surfaces, the same geometry read back, and text that points to what is there.
#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/checkpoint.hpp"
#include "exports/export.hpp"
#include "output/frame_reader.hpp"
#include "output/frame_writer.hpp"
#include "output/polyhedra_surface.hpp"
#include "unit/output/sample_polyhedra.hpp"
#include "unit/output/temporary_directory.hpp"

using namespace scree;

namespace {

/// What the triangles (or polygons) of one body amount to.
struct BodySurface {
    std::map<std::pair<std::int32_t, std::int32_t>, int> edges;  // directed
    std::map<std::int32_t, int> points;
    int faces{0};
    double volume{0};  // by the divergence theorem over fans
    bool outward{true};
};

std::map<std::uint32_t, BodySurface> by_body(const PolyhedraSurface& surface, const Snapshot& s) {
    std::map<std::uint32_t, BodySurface> bodies;
    for (std::size_t f = 0; f < surface.faces(); ++f) {
        const std::uint32_t row = surface.face_body[f];
        BodySurface& body = bodies[row];
        ++body.faces;
        const auto begin = static_cast<std::size_t>(surface.face_start[f]), end = static_cast<std::size_t>(surface.face_start[f + 1]);
        const auto at = [&](std::size_t k) { return surface.point[static_cast<std::size_t>(surface.face_point[k])] - s.position[row]; };
        for (std::size_t k = begin; k < end; ++k) {
            const std::int32_t from = surface.face_point[k], to = surface.face_point[k + 1 < end ? k + 1 : begin];
            ++body.edges[{from, to}];
            ++body.points[from];
            CHECK(surface.point_body[static_cast<std::size_t>(from)] == row);
        }
        for (std::size_t k = begin + 2; k < end; ++k) {
            const double six_volumes = dot(at(begin), cross(at(k - 1), at(k)));
            body.volume += six_volumes / 6;
            body.outward = body.outward && six_volumes > 0;
        }
    }
    return bodies;
}

struct PolyhedraRun {
    PolyhedraRun() {
        FrameWriter writer(dir.path, frame_geometry(model));
        const auto contacts = sample_patches();
        for (int k = 0; k < 3; ++k) writer.write(sample_polyhedra(model, 5 * k), &contacts);
    }
    Model model = sample_model();
    TemporaryDirectory dir;
};

/// Values of an appended array of a .vtp file; `occurrence` counts arrays of the same name.
template <class T>
std::vector<T> appended(const std::string& text, const std::string& name, int occurrence = 0) {
    const std::string start = "<AppendedData encoding=\"raw\">\n_";
    const std::size_t base = text.find(start);
    REQUIRE(base != std::string::npos);
    std::size_t at = 0;
    for (int k = 0; k <= occurrence; ++k) {
        at = text.find("<DataArray Name=\"" + name + "\"", k == 0 ? 0 : at + 1);
        REQUIRE(at < base);
    }
    const std::string mark = "offset=\"";
    const std::size_t offset = std::strtoul(text.c_str() + text.find(mark, at) + mark.size(), nullptr, 10);
    const char* block = text.data() + base + start.size() + offset;
    std::uint64_t size = 0;
    std::memcpy(&size, block, sizeof size);
    std::vector<T> values(size / sizeof(T));
    std::memcpy(values.data(), block + 8, size);
    return values;
}

}  // namespace

TEST_CASE("polyhedra: surfaces are closed, face outwards and hold the volume of the shape") {
    const Model model = sample_model();
    const FrameGeometry geometry = frame_geometry(model);
    const Snapshot s = sample_polyhedra(model, 3);
    for (const Faces faces : {Faces::Whole, Faces::Triangles}) {
        const PolyhedraSurface surface = polyhedra_surface(geometry.shapes, s, faces);
        const auto bodies = by_body(surface, s);
        REQUIRE(bodies.size() == 3);  // without the sphere
        CHECK(bodies.count(1) == 0);
        for (const auto& [row, body] : bodies) {
            const ShapeFaces& shape = geometry.shapes[static_cast<std::size_t>(s.shape[row])];
            CHECK(body.outward);
            const double r = s.radius[row];
            CHECK(body.volume == doctest::Approx(shape.volume * r * r * r).epsilon(1e-12));
            for (const auto& [edge, count] : body.edges) {
                CHECK(count == 1);
                CHECK(body.edges.count({edge.second, edge.first}) == 1);
            }
            CHECK(body.points.size() == shape.vertex.size());
            CHECK(static_cast<int>(body.points.size()) - static_cast<int>(body.edges.size()) / 2 + body.faces == 2);  // Euler
            CHECK(static_cast<std::size_t>(body.faces) == (faces == Faces::Whole ? shape.faces() : shape.triangles()));
        }
    }
    const SurfaceSize size = surface_size(geometry.shapes, s.shape);
    CHECK(size.points == 8 + 8 + 12);
    CHECK(size.triangles == 12 + 12 + 20);
    Snapshot wrong = s;
    wrong.shape[0] = 7;
    CHECK(message_of<Error>([&] { polyhedra_surface(geometry.shapes, wrong, Faces::Whole); }).find("shape number 7") != std::string::npos);
}

TEST_CASE("polyhedra: cylinders become closed rods and open tubes that face the bodies") {
    Model model = sample_model();
    Wall tube;
    tube.cylinders.push_back({{0, 0, 0}, {0, 0, 1}, 1, std::numeric_limits<double>::infinity(), true});
    model.walls.push_back(tube);
    const FrameGeometry geometry = frame_geometry(model);
    CHECK(geometry.walls[0].triangle.empty());
    CHECK(geometry.walls[0].plane_normal.size() == 1);
    const auto volume_of = [](const WallSurface& wall) {
        double volume = 0;
        for (const auto& t : wall.triangle) {
            const auto at = [&](int k) { return wall.vertex[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])]; };
            volume += dot(at(0), cross(at(1), at(2))) / 6;
        }
        return volume;
    };
    const double section = 32 * std::sin(2 * 3.14159265358979323846 / 64);  // of a regular polygon with 64 corners on the unit circle
    CHECK(volume_of(geometry.walls[2]) == doctest::Approx(section * 0.1 * 0.1 * 0.5).epsilon(1e-12));
    // An endless tube reaches past everything else: the rod's end at z = 1, the lowest body at z = 0.03.
    const WallSurface& drawn = geometry.walls[3];
    double low = 0, high = 0;
    for (const Vec3& v : drawn.vertex) {
        low = std::min(low, v.z);
        high = std::max(high, v.z);
        CHECK(std::hypot(v.x, v.y) == doctest::Approx(1));
    }
    CHECK(low < 0.0);
    CHECK(high > 1.0);
    // Without caps, two thirds of the enclosed volume; negative, because normals point to the axis.
    CHECK(volume_of(drawn) == doctest::Approx(-section * (high - low) * 2 / 3).epsilon(1e-12));
}

TEST_CASE("polyhedra: shapes, walls, poses and patches are read back") {
    const PolyhedraRun run;
    const FrameGeometry geometry = frame_geometry(run.model);
    const FrameReader reader(run.dir.file("state.h5"));
    REQUIRE(reader.frames().size() == 3);
    CHECK(reader.shapes() == geometry.shapes);
    CHECK(reader.wall_sets().size() == 1);
    for (std::size_t i = 0; i < 3; ++i) {
        const Snapshot written = sample_polyhedra(run.model, 5 * static_cast<std::int64_t>(i)), found = reader.read(i);
        CHECK(same(found, written));
        CHECK(found.shape == written.shape);
        CHECK(reader.walls(i) == geometry.walls);
        REQUIRE(found.walls.size() == 3);
        CHECK(found.walls[1].turn == written.walls[1].turn);
        CHECK(found.walls[1].shift == written.walls[1].shift);
    }
    const auto contacts = reader.contacts(1);
    REQUIRE(contacts.size() == 2);
    CHECK(contacts[0].kind == ContactKind::FaceFace);
    CHECK(contacts[1].kind == ContactKind::None);
    CHECK(same(contacts[0].torque, {1, 2, -3}));
    CHECK(contacts[0].area == 1e-4);
    CHECK(contacts[0].volume == 2e-9);
}

TEST_CASE("polyhedra: every frame holds the triangles and moved walls to look at") {
    const PolyhedraRun run;
    const FrameGeometry geometry = frame_geometry(run.model);
    const Hdf5File file(run.dir.file("state.h5"), Hdf5File::Mode::Read);
    for (int k = 0; k < 3; ++k) {
        const std::string frame = "/frames/00000" + std::to_string(k);
        const Snapshot s = sample_polyhedra(run.model, 5 * k);
        const PolyhedraSurface surface = polyhedra_surface(geometry.shapes, s, Faces::Triangles);
        const auto points = file.read<Vec3T<float>>(frame + "/surface/points");
        REQUIRE(points.size() == surface.point.size());
        for (std::size_t i = 0; i < points.size(); ++i) CHECK(points[i] == cast<float>(surface.point[i]));
        const auto triangles = file.read<std::array<std::int32_t, 3>>(frame + "/surface/topology");
        REQUIRE(triangles.size() == surface.faces());
        CHECK(std::memcmp(triangles.data(), surface.face_point.data(), sizeof(triangles[0]) * triangles.size()) == 0);
        CHECK(file.read<std::uint32_t>(frame + "/surface/body").back() == s.id.back());
        CHECK(file.read<std::int32_t>(frame + "/surface/material").back() == s.material.back());
        CHECK(file.read<float>(frame + "/surface/speed").back() == static_cast<float>(norm(s.velocity.back())));
        const auto paddle = file.read<Vec3T<float>>(frame + "/wall_points/paddle");
        REQUIRE(paddle.size() == 4);
        CHECK(paddle[1] == cast<float>(rotate(s.walls[1].turn, {1, 0, 0}) + Vec3{0, 0, 0.5}));
        CHECK(!file.exists(frame + "/wall_points/rod"));
    }
}

TEST_CASE("polyhedra: frames share their triangles until a body leaves, and a restart keeps them") {
    const Model model = sample_model();
    const TemporaryDirectory dir;
    {
        FrameWriter writer(dir.path, frame_geometry(model));
        for (int k = 0; k < 3; ++k) writer.write(sample_polyhedra(model, k));
        Snapshot fewer = sample_polyhedra(model, 3);
        for (auto* column : {&fewer.shape, &fewer.material}) column->pop_back();
        for (auto* column : {&fewer.position, &fewer.velocity, &fewer.angular_velocity}) column->pop_back();
        for (auto* column : {&fewer.radius, &fewer.mass}) column->pop_back();
        fewer.id.pop_back();
        fewer.orientation.pop_back();
        writer.write(fewer);
    }
    CHECK(FrameReader(dir.file("state.h5")).frames()[3].surface.triangles == 24);
    FrameWriter writer(dir.path, 1, frame_geometry(model));
    writer.write(sample_polyhedra(model, 9));
    const FrameReader reader(dir.file("state.h5"));
    REQUIRE(reader.frames().size() == 3);
    CHECK(reader.wall_sets().size() == 1);  // the same walls are not written twice
    const Hdf5File file(dir.file("state.h5"), Hdf5File::Mode::Read);
    const auto first = file.read("/frames/000000/surface/topology");
    for (const char* frame : {"/frames/000001", "/frames/000002"}) {
        CHECK(file.read(std::string(frame) + "/surface/topology").bytes == first.bytes);
    }
}

TEST_CASE("polyhedra: a restart with other walls keeps those of earlier frames") {
    Model model = sample_model();
    const TemporaryDirectory dir;
    FrameWriter(dir.path, frame_geometry(model)).write(sample_polyhedra(model, 0));
    model.walls.erase(model.walls.begin() + 2);
    FrameWriter(dir.path, 0, frame_geometry(model)).write(sample_polyhedra(model, 1));
    const FrameReader reader(dir.file("state.h5"));
    CHECK(reader.wall_sets().size() == 2);
    CHECK(reader.walls(0).size() == 3);
    CHECK(reader.walls(1).size() == 2);
    CHECK(reader.read(1).walls.size() == 2);
    const std::string text = read_file(dir.file("state.xdmf"));
    CHECK(text.find("state.h5:/walls/rod/triangles") != std::string::npos);
    CHECK(text.find("state.h5:/walls_1/rod/triangles") == std::string::npos);
}

TEST_CASE("polyhedra: the XDMF file has grids of bodies, polyhedra and walls at each time") {
    const PolyhedraRun run;
    const std::string text = read_file(run.dir.file("state.xdmf"));
    const auto count = [&text](const std::string& part) {
        int n = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
        return n;
    };
    CHECK(count("CollectionType=\"Spatial\"") == 3);
    CHECK(count("<Grid Name=\"bodies\"") == 3);
    CHECK(count("<Grid Name=\"polyhedra\"") == 3);
    CHECK(count("<Grid Name=\"paddle\"") == 3);
    CHECK(count("<Grid Name=\"rod\"") == 2);  // it is gone by t = 1 s
    CHECK(count("<Grid Name=\"floor\"") == 0);
    CHECK(count("<Grid ") == count("</Grid>"));
    CHECK(count("<Topology TopologyType=\"Triangle\" NumberOfElements=\"44\">") == 3);
    CHECK(count("Dimensions=\"44 3\">state.h5:/frames/000002/surface/topology<") == 1);
    CHECK(count("Precision=\"4\" Dimensions=\"28 3\">state.h5:/frames/000002/surface/points<") == 1);
    CHECK(count("Precision=\"4\" Dimensions=\"4 3\">state.h5:/frames/000001/wall_points/paddle<") == 1);
    CHECK(count("Precision=\"8\" Dimensions=\"130 3\">state.h5:/walls/rod/vertices<") == 2);
    // Every array it names is in the file, with the extent it gives.
    const Hdf5File file(run.dir.file("state.h5"), Hdf5File::Mode::Read);
    for (std::size_t at = text.find("Dimensions=\""); at != std::string::npos; at = text.find("Dimensions=\"", at + 1)) {
        std::size_t rows = 0, columns = 1;
        std::istringstream(text.substr(at + 12, text.find('"', at + 12) - at - 12)) >> rows >> columns;
        const std::size_t from = text.find("state.h5:", at) + 9;
        const Hdf5Array array = file.read(text.substr(from, text.find('<', from) - from));
        CHECK(array.rows == rows);
        CHECK(array.columns == (columns == 0 ? 1 : columns));
    }
}

TEST_CASE("polyhedra: export to vtk has true faces, and walls where they are") {
    const PolyhedraRun run;
    const Exported done = export_run(run.dir.path, "vtk", run.dir.file("out"));
    CHECK(done.files.size() == 24);  // three frames, their bodies, walls, planes, contacts and chains, lists of these
    const Snapshot s = sample_polyhedra(run.model, 5);
    const std::string text = read_file(run.dir.file("out/frame_000001.vtp"));
    CHECK(text.find("NumberOfPoints=\"29\" NumberOfVerts=\"1\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"20\"") !=
          std::string::npos);
    CHECK(appended<Vec3>(text, "position")[0] == s.position[1]);  // the sphere
    const auto connectivity = appended<std::int64_t>(text, "connectivity", 1), ends = appended<std::int64_t>(text, "offsets", 1);
    CHECK(ends.size() == 6 + 6 + 8);
    CHECK(ends.back() == static_cast<std::int64_t>(connectivity.size()));
    CHECK(connectivity.size() == 24 + 24 + 36);
    CHECK(*std::min_element(connectivity.begin(), connectivity.end()) == 1);
    CHECK(*std::max_element(connectivity.begin(), connectivity.end()) == 28);
    const auto id = appended<std::uint32_t>(text, "id", 1);
    REQUIRE(id.size() == 21);
    CHECK(id[0] == s.id[1]);  // vertices come before polygons
    CHECK(id[1] == s.id[0]);
    CHECK(id[20] == s.id[3]);
    CHECK(appended<double>(text, "angular_speed")[1] == norm(s.angular_velocity[0]));

    const std::string walls = read_file(run.dir.file("out/walls_000001.vtp"));
    CHECK(walls.find("NumberOfPolys=\"258\"") != std::string::npos);  // two of the paddle, 2 * 64 and two caps of 64 of the rod
    CHECK(appended<Vec3>(walls, "position")[0] == s.walls[1].shift);
    CHECK(read_file(run.dir.file("out/walls_000002.vtp")).find("NumberOfPolys=\"2\"") != std::string::npos);
    CHECK(read_file(run.dir.file("out/walls.pvd")).find("file=\"walls_000002.vtp\"") != std::string::npos);
}

TEST_CASE("polyhedra: export to csv has orientations and shapes") {
    const PolyhedraRun run;
    export_run(run.dir.path, "csv", run.dir.file("out"));
    std::istringstream text(read_file(run.dir.file("out/frame_000000.csv")));
    std::string line;
    std::getline(text, line);
    CHECK(line == "id,x,y,z,vx,vy,vz,wx,wy,wz,radius,mass,material,qw,qx,qy,qz,shape,shape_name");
    for (const std::string_view shape : {",0,slab", ",-1,sphere", ",0,slab", ",1,nut"}) {
        std::getline(text, line);
        CHECK(line.ends_with(shape));
    }
    CHECK(read_file(run.dir.file("out/shapes.csv")).find("\n1,nut,12,8,") != std::string::npos);
}

TEST_CASE("polyhedra: fault.h5 has shapes and walls too") {
    const Model model = sample_model();
    const TemporaryDirectory dir;
    write_fault(dir.file("fault.h5"), {}, "overlap", sample_polyhedra(model, 1), sample_patches(), frame_geometry(model));
    const FrameReader reader(dir.file("fault.h5"));
    CHECK(reader.shapes().size() == 2);
    CHECK(reader.walls(0).size() == 3);
    CHECK(reader.frames()[0].surface.triangles == 44);
}

TEST_CASE("polyhedra: the size of a frame counts surfaces and moved walls") {
    const Model model = sample_model();
    Model spheres;
    for (int i = 0; i < 4; ++i) spheres.bodies.add_sphere({0, 0, 0}, 1, 0, 1);
    CHECK(frame_bytes(spheres, 4, 2) == 4 * 96 + 2 * 92);
    CHECK(frame_bytes(model, 4, 2) == 4 * (96 + 32 + 4) + 2 * (92 + 41) + (28 + 4) * 12 + 44 * 4);
    // A frame on file takes no more, but for headers.
    const TemporaryDirectory dir;
    FrameWriter writer(dir.path, frame_geometry(model));
    writer.write(sample_polyhedra(model, 0));
    const auto before = std::filesystem::file_size(dir.file("state.h5"));
    writer.write(sample_polyhedra(model, 1));
    CHECK(std::filesystem::file_size(dir.file("state.h5")) - before < 20000);
    // In a long run headers are foretold too: never too few, and at most twice as many.
    constexpr int frames = 50;
    for (int k = 2; k < frames; ++k) writer.write(sample_polyhedra(model, k));
    const auto bytes =
        static_cast<double>(std::filesystem::file_size(dir.file("state.h5")) + std::filesystem::file_size(dir.file("state.xdmf")));
    const double foretold = frames * (frame_bytes(model, 4, 0) + frame_header_bytes(model, 4, 0));
    CHECK(bytes < foretold);
    CHECK(foretold < 2 * bytes);
}

TEST_CASE("polyhedra: damaged shapes are named") {
    const PolyhedraRun run;
    {
        Hdf5File file(run.dir.file("state.h5"), Hdf5File::Mode::Append);
        file.remove("/shapes/001/face_vertex");
        file.write("/shapes/001/face_vertex", std::vector<std::int32_t>{0, 1, 99});
        file.close();
    }
    CHECK(message_of<Error>([&] { FrameReader(run.dir.file("state.h5")); }).find("/shapes/001") != std::string::npos);
}

TEST_CASE("plane: an arc is drawn from its beginning to its end, across the plane") {
    Model model;
    model.dimensions = 2;
    Wall bowl;
    Cylinder arc{{0.1, 0.2, -0.5}, {0, 0, 1}, 2, 1, true};
    arc.middle = {0, -1, 0};
    arc.half_angle = 1;
    bowl.cylinders.push_back(arc);
    model.walls.push_back(bowl);
    const FrameGeometry geometry = frame_geometry(model);
    const WallSurface& drawn = geometry.walls[0];
    double area = 0, lowest = 1e300, widest = 0;
    for (const Vec3& v : drawn.vertex) {
        CHECK(std::hypot(v.x - 0.1, v.y - 0.2) == doctest::Approx(2).epsilon(1e-14));
        CHECK(std::fabs(v.z) == 0.5);
        lowest = std::min(lowest, v.y);
        widest = std::max(widest, std::fabs(v.x - 0.1));
    }
    for (const auto& t : drawn.triangle) {
        const auto at = [&](int k) { return drawn.vertex[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])]; };
        area += 0.5 * norm(cross(at(1) - at(0), at(2) - at(0)));
    }
    CHECK(lowest == doctest::Approx(0.2 - 2).epsilon(2e-3));           // facets of a tenth of a radian
    CHECK(widest == doctest::Approx(2 * std::sin(1)).epsilon(1e-14));  // its ends
    CHECK(area == doctest::Approx(2 * 2 * 1.0).epsilon(2e-3));         // length 2 R half_angle, 1 m wide
}
