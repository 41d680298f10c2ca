// Bodies and meshes from files, and the messages for files that are not right.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "scene/files_of.hpp"
#include "setup/placement/placement.hpp"
#include "setup/placement/text_rows.hpp"
#include "setup/walls.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

Placed read(const std::string& name, const std::string& text, bool with_shape = false) {
    const TemporaryFile file(name, text);
    Scene scene = plain_scene();
    scene.materials.push_back({"steel", 7800, 1e8, 0.3, 0.7, 0.2, {}});
    SceneBodies group = plain_group();
    group.placement.kind = ScenePlacement::Kind::File;
    group.placement.file = file.path();
    group.velocity = {7, 8, 9};
    if (!with_shape) group.shape = "";
    std::optional<Sizes> sizes;
    if (with_shape) sizes.emplace(equal_size(1e-3), 1, SourcePlace{});
    return place_file(scene, group, sizes);
}

std::string failure(const std::string& text, bool with_shape = false) {
    return error_of([&] { read("bodies.csv", text, with_shape); });
}

TriangleMesh mesh(const std::string& name, const std::string& content, double scale = 1.0, Vec3 offset = {}) {
    const TemporaryFile file(name, content);
    return read_mesh(file.path(), scale, offset, {"s.toml", 3, 1});
}

double area(const TriangleMesh& m) {
    double sum = 0.0;
    for (const auto& t : m.triangles) {
        const Vec3 a = m.vertices[static_cast<std::size_t>(t[0])];
        sum += 0.5 * norm(cross(m.vertices[static_cast<std::size_t>(t[1])] - a, m.vertices[static_cast<std::size_t>(t[2])] - a));
    }
    return sum;
}

const char* const kAsciiStl =
    "solid two\n"
    " facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 2 0 0\n   vertex 0 2 0\n  endloop\n endfacet\n"
    " facet normal 0 0 1\n  outer loop\n   vertex 2 0 0\n   vertex 2 2 0\n   vertex 0 2 0\n  endloop\n endfacet\n"
    "endsolid two\n";

std::string binary_stl() {
    std::string bytes(80, ' ');
    const auto put = [&bytes](const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); };
    const std::uint32_t count = 2;
    put(&count, 4);
    const float triangles[2][12] = {{0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0}, {0, 0, 1, 2, 0, 0, 2, 2, 0, 0, 2, 0}};
    for (const auto& t : triangles) {
        put(t, sizeof t);
        bytes.append(2, '\0');
    }
    return bytes;
}

}  // namespace

TEST_CASE("columns without names are radius x y z, with a header or not") {
    for (const char* header : {"", "Radius[m] PosX[m] PosY[m] PosZ[m]\n", "# a comment\n\nr x y z\r\n", "\xEF\xBB\xBFradius\tx\ty\tz\n"}) {
        const Placed placed = read("p.txt", std::string(header) + " 0.002 -0.5 1e-3 +3\n\n0.003\t4 5 6\r\n");
        REQUIRE(placed.position.size() == 2);
        CHECK(placed.radius == std::vector<double>{0.002, 0.003});
        CHECK(placed.position[0] == Vec3{-0.5, 1e-3, 3});
        CHECK(placed.position[1] == Vec3{4, 5, 6});
        CHECK(placed.velocity[1] == Vec3{7, 8, 9});
        CHECK(placed.material.empty());
    }
}

TEST_CASE("CSV with named columns in any order") {
    const Placed placed =
        read("p.csv", "id, Material, z, y, x, d, vx, wz\n0, steel, 3, 2, 1, 0.5, -1, 4\n1, glass, 6, 5, 4, 0.25, -2, 5\n");
    REQUIRE(placed.position.size() == 2);
    CHECK(placed.position[1] == Vec3{4, 5, 6});
    CHECK(placed.radius == std::vector<double>{0.25, 0.125});
    CHECK(placed.velocity[0] == Vec3{-1, 8, 9});
    CHECK(placed.angular_velocity[1] == Vec3{0, 0, 5});
    CHECK(placed.material == std::vector<std::int32_t>{1, 0});
    CHECK(read("p.csv", "x,y,z\n1,2,3\n", true).radius == std::vector<double>{1e-3});
    const Placed quoted = read("p.csv", "\"X [m]\", \"y\",z,\"r\",\"material\"\n\"1\",2, \"3\" ,0.5,\"steel\"\n");
    CHECK(quoted.position[0] == Vec3{1, 2, 3});
    CHECK(quoted.material == std::vector<std::int32_t>{1});
}

TEST_CASE("frames of periodic scenes have columns that are not read") {
    const Placed placed = read("p.csv", "id,x,y,z,radius,mass,material,periods_x,periods_y,periods_z,liquid\n0,1,2,3,0.5,7,1,0,-1,2,0\n");
    CHECK(placed.position[0] == Vec3{1, 2, 3});
    CHECK(placed.mass == std::vector<double>{7});
    CHECK(placed.material == std::vector<std::int32_t>{1});
    CHECK(placed.principal);
}

TEST_CASE("errors in body files name file and line") {
    CHECK(contains(failure("x,y,z,r\n1,2,3,4\n\n1,2,oops,4\n"), "bodies.csv:4:5: \"oops\" is not a finite number"));
    CHECK(contains(failure("x,y,z,r\n1,2,3\n"), "bodies.csv:2: 3 fields where 4 are named"));
    CHECK(contains(failure("x,y,z,r\n1,2,3,-4\n"), "bodies.csv:2: radius -4 m must be positive"));
    CHECK(contains(failure("x,y,z,r\n1,2,3,1e300\n"), "bodies.csv:2: radius 1e+300 m is past the range"));
    CHECK(contains(failure("x,y,z,r\n1,2,3,1e-80\n"), "bodies.csv:2: radius 1e-80 m is past the range"));
    CHECK(contains(failure(std::string("x,y,z,r\n1,2,\0\x1b,4\n", 16)), "bodies.csv:2:5: a byte 0x00 is not text"));
    CHECK(contains(failure("x,y,z,r,material\n1,2,3,4,\"wood, \"\n"), "bodies.csv:2: unknown material \"wood, \": there is"));
    CHECK(contains(failure("x,y,z,r\n1,2,nan,4\n"), "bodies.csv:2:5: \"nan\" is not a finite number"));
    CHECK(contains(failure("x,y,z,r,colour\n"), "bodies.csv:1: unknown column \"colour\""));
    CHECK(contains(failure("x,y,z,r,x\n"), "stands twice"));
    CHECK(contains(failure("x,z,r\n"), "columns x, y and z are needed"));
    CHECK(contains(failure("x,y,z\n1,2,3\n"), "a column radius or diameter is needed"));
    CHECK(contains(failure("x,y,z,r\n1,2,3,4\n", true), "leave one out"));
    CHECK(contains(failure("x,y,z,r,material\n1,2,3,4,wood\n"), "bodies.csv:2: unknown material \"wood\": there is \"glass\", \"steel\""));
    CHECK(contains(failure("1,2,3,4\n"), "must name the columns"));
    CHECK(contains(failure("1 2 3\n"), "3 columns without names"));
    CHECK(contains(failure(""), "holds no bodies"));
    CHECK(contains(failure("x,y,z,r\n"), "holds no bodies"));
    Scene scene = plain_scene();
    SceneBodies group = plain_group();
    group.placement.file = "/no/such/file.csv";
    group.placement.file_place = {"scene.toml", 22, 10};
    CHECK(contains(error_of([&] { place_file(scene, group, std::nullopt); }),
                   "scene.toml:22:10: cannot read \"/no/such/file.csv\": No such file"));
}

TEST_CASE("a relative path starts at the scene's folder") {
    CHECK(resolved_path("/a/b", "c/d.csv") == "/a/b/c/d.csv");
    CHECK(resolved_path("/a/b", "/c/d.csv") == "/c/d.csv");
    CHECK(resolved_path("", "d.csv") == "d.csv");
}

TEST_CASE("STL in both forms, OBJ, PLY and rows give the same square") {
    const std::string obj = "o one\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4\n";
    const std::string ply =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
        "property list uchar int vertex_index\nend_header\n0 0 0\n2 0 0\n2 2 0\n0 2 0\n4 0 1 2 3\n";
    const std::string rows = "ax ay az bx by bz cx cy cz\n0 0 0 2 0 0 0 2 0\n2\t0\t0\t2\t2\t0\t0\t2\t0\n";
    for (const auto& [file, content] : {std::pair{"m.stl", std::string(kAsciiStl)}, std::pair{"m.STL", binary_stl()},
                                        std::pair{"m.obj", obj}, std::pair{"m.ply", ply}, std::pair{"m.txt", rows}}) {
        const std::string name = file;
        CAPTURE(name);
        const TriangleMesh m = mesh(name, content, 0.5, {1, 0, 7});
        CHECK(m.triangles.size() == 2);
        CHECK(area(m) == doctest::Approx(1.0).epsilon(1e-12));
        Aabb box;
        for (const Vec3& p : m.vertices) box.include(p);
        CHECK(norm(box.min - Vec3{1, 0, 7}) < 1e-12);
        CHECK(norm(box.max - Vec3{2, 1, 7}) < 1e-12);
    }
}

TEST_CASE("meshes of one file are joined") {
    const TriangleMesh m = mesh("m.obj", "o one\nv 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\no two\nv 0 0 1\nv 2 0 1\nv 0 2 1\nf 4 5 6\n");
    CHECK(m.triangles.size() == 2);
    CHECK(area(m) == doctest::Approx(4.0));
}

TEST_CASE("errors of mesh files") {
    CHECK(contains(error_of([] { read_mesh("/no/such.stl", 1, {}, {"s.toml", 3, 1}); }), "s.toml:3:1: cannot read \"/no/such.stl\""));
    CHECK(contains(error_of([] { mesh("m.stl", ""); }), "is empty"));
    CHECK(contains(error_of([] { mesh("m.obj", "this is no mesh\n"); }), "s.toml:3:1: "));
    CHECK(contains(error_of([] { mesh("m.xyzzy", "this is no mesh\n"); }), "as a mesh"));
    CHECK(contains(error_of([] { mesh("m.txt", "names only\n"); }), "holds no triangles"));
    CHECK(contains(error_of([] { mesh("m.txt", "0 0 0 1 0 0 0 1\n"); }), "m.txt:1: 8 numbers where nine are needed"));
    CHECK(contains(error_of([] { mesh("m.txt", "0 0 0 1 0 0 0 1 0\n0 0 0 1 0 zero 0 1 0\n"); }), "m.txt:2: \"zero\" is not"));
    CHECK(contains(error_of([] { mesh("m.stl", kAsciiStl, 0.0); }), "scale 0 must be positive"));
}

TEST_CASE("damaged PLY files are refused") {
    const std::string head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
    const std::string faces = "element face 1\nproperty list uchar int vertex_indices\nend_header\n", corners = "0 0 0\n1 0 0\n0 1 0\n";
    CHECK(mesh("m.ply", head + faces + corners + "3 0 1 2\n").triangles.size() == 1);
    const auto error = [](const std::string& content) { return error_of([&] { mesh("m.ply", content); }); };
    CHECK(contains(error("ply\nformat ascii 1.0\nelement vertex 3\nprop"), "m.ply:4: the header of a PLY file has no line \"prop\""));
    CHECK(contains(error(head), "m.ply: the header has no end_header: the file seems to be cut off"));
    CHECK(contains(error(head + faces + "0 0 0\n"), "m.ply: 1 of 3 of element \"vertex\" are there"));
    CHECK(contains(error(head + faces + corners + "3 0 1 3\n"), "m.ply:13: a face has the corner 3, but there are 3 vertices"));
    CHECK(contains(error(head + faces + corners + "3 0 1\n"), "m.ply:13: the row of element \"face\" ends early"));
    CHECK(contains(error(head + faces + corners + "-1 0 1\n"), "m.ply:13: \"-1\" is not a number of vertices or faces"));
    CHECK(contains(error("ply\nelement vertex 3\nproperty float x\nend_header\n"), "m.ply:4: the header has no line \"format\""));
    std::string binary = head + faces;
    binary.replace(binary.find("ascii"), 5, "binary_big_endian");
    CHECK(contains(error(binary + std::string(12, '\0')), "m.ply: 1 of 3 of element \"vertex\" are there"));
    const std::string whole = binary + std::string(36, '\0') + std::string("\3\0\0\0\0\0\0\0\1\0\0\0", 12);
    CHECK(mesh("m.ply", whole + '\2').triangles.size() == 1);
    CHECK(contains(error(whole), "m.ply: 0 of 1 of element \"face\" are there"));
    CHECK(contains(error(whole + '\5'), "m.ply: a face has the corner 5"));
}

TEST_CASE("a file that ends the import library's process is refused") {
    // Found by the fuzzer: the library counts other triangles than it foresaw as it cuts the faces, and aborts.
    const std::string content(
        "\160\154\171\012\146\157\162\155\141\164\040\142\151\156\141\162\171\137\154\151\164\164\154\145"
        "\137\145\156\144\151\141\156\040\061\056\060\012\145\154\145\155\145\156\164\040\166\145\162\164"
        "\145\170\040\064\012\160\162\157\160\145\162\164\171\040\146\154\157\141\164\040\170\012\160\162"
        "\157\160\145\162\164\171\040\146\154\157\141\164\040\171\012\160\162\157\160\145\162\164\171\040"
        "\146\154\157\141\164\040\172\012\145\154\145\155\145\156\164\040\146\141\143\145\040\064\012\160"
        "\162\157\160\145\162\164\171\040\154\151\163\164\040\165\143\150\141\162\040\151\156\164\040\166"
        "\145\162\164\145\170\137\151\156\144\151\143\145\163\012\145\156\144\137\150\145\141\144\145\162"
        "\012\000\000\000\000\000\000\000\000\000\000\000\000\000\000\200\077\000\000\000\000\061\054\171"
        "\004\000\000\000\040\061\000\000\000\000\000\000\000\000\000\000\200\077\000\000\000\000\000\000"
        "\000\000\000\000\000\000\004\002\170\061\054\171\004\000\000\000\040\061\065\040\040\040\060\146"
        "\060\060\040\000\200\077\003\000\000\000\000\061\040\061\002\000\000\000\001\000\000\000\012\003",
        264);
    CHECK(contains(error_of([&] { mesh("m.ply", content); }), "s.toml:3:1: cannot read"));
    CHECK(contains(error_of([&] { mesh("m.ply", content); }), "the import library fell over it"));
    // The next file is read as if nothing had been.
    CHECK(mesh("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").triangles.size() == 1);
}

TEST_CASE("damaged OFF files are refused") {
    const std::string corners = "0 0 0\n1 0 0\n0 1 0\n";
    CHECK(mesh("m.off", "OFF\n3 1 0\n" + corners + "3 0 1 2\n").triangles.size() == 1);
    const auto error = [](const std::string& content) { return error_of([&] { mesh("m.off", content); }); };
    CHECK(contains(error("OFF\n"), "m.off: the numbers of vertices and faces are missing"));
    CHECK(contains(error("OFF\n3 1 0\n0 0 0\n1 0 0\n"), "m.off: 2 of 3 vertices are there"));
    CHECK(contains(error("OFF\n3 1 0\n" + corners), "m.off: 0 of 1 faces are there"));
    CHECK(contains(error("OFF\n3 1 0\n" + corners + "3 0 1 3\n"), "m.off:6: a face has the corner 3"));
}

TEST_CASE("Collada files that claim what they cannot hold are refused") {
    const auto dae = [](const std::string& count, const std::string& indices) {
        return "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset><unit "
               "meter=\"1\"/><up_axis>Z_UP</up_axis></asset>\n<library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array "
               "id=\"pa\" count=\"" +
               count +
               "\">0 0 0 2 0 0 0 2 0</float_array><technique_common><accessor source=\"#pa\" count=\"3\" stride=\"3\"><param name=\"X\" "
               "type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
               "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n<triangles count=\"1\"><input "
               "semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>\n<p>" +
               indices +
               "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\"><node "
               "id=\"n\"><instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
               "url=\"#s\"/></scene></COLLADA>";
    };
    CHECK(area(mesh("m.dae", dae("9", "0 1 2"))) == doctest::Approx(2.0));
    const auto error = [&](const std::string& count, const std::string& indices) {
        return error_of([&] { mesh("m.dae", dae(count, indices)); });
    };
    CHECK(contains(error("9", "0 nan 2"), "m.dae:4:6: \"nan\" in <p> is not a number of a vertex"));
    CHECK(contains(error("9", "0 1 -2147483648"), "m.dae:4:8: \"-2147483648\" in <p>"));
    CHECK(contains(error("9", "0 1 4294967295"), "m.dae:4:8: \"4294967295\" in <p>"));
    CHECK(contains(error("4000000000", "0 1 2"), "m.dae:2:"));
    CHECK(contains(error("4000000000", "0 1 2"), "the count \"4000000000\" is not a number of things that a file of"));
}

TEST_CASE("a mesh is a file of data, not a device or a pipe") {
    for (const char* path : {"/dev/zero", "/dev/null"})
        CHECK(contains(error_of([&] { read_mesh(path, 1, {}, {"s.toml", 3, 1}); }), "it is a device; give a file"));
    CHECK(contains(error_of([] {
                       read_mesh("/", 1, {}, {"s.toml", 3, 1});
                   }),
                   "s.toml:3:1: cannot read \"/\": it is a folder; give a file"));
}
