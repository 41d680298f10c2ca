// Spheres read, contacts computed, sorted and written.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "collide/collide_file.hpp"
#include "collide/contact_file.hpp"
#include "collide/sorted_pairs.hpp"
#include "collide/sphere_file.hpp"
#include "engine/collide.hpp"
#include "output/hdf5_file.hpp"
#include "sphere_sets.hpp"
#include "unit/output/temporary_directory.hpp"

using namespace scree;
using namespace scree::test;

namespace {

std::string file_with(const TemporaryDirectory& folder, const char* name, const std::string& text) {
    const std::string path = folder.file(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

std::string fault_of(const std::string& path) {
    try {
        (void)read_spheres(path);
    } catch (const Error& e) {
        return std::string(e.what()).substr(path.size());
    }
    return "no error";
}

std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("sphere file: columns are found by name, in any order, among others") {
    const TemporaryDirectory folder;
    const SphereTable t =
        read_spheres(file_with(folder, "a.csv", "# made by hand\r\nid, r ,z,\"y\",x\r\n7,0.5,3,2,1\r\n\r\n8,+1e-3,-3.25,2e3,0\r\n"));
    CHECK(t.x == std::vector<double>{1, 0});
    CHECK(t.y == std::vector<double>{2, 2000});
    CHECK(t.z == std::vector<double>{3, -3.25});
    CHECK(t.r == std::vector<double>{0.5, 1e-3});
    CHECK(read_spheres(file_with(folder, "b.csv", "x,y,z,r\n")).x.empty());
    CHECK(read_spheres(file_with(folder, "c.csv", "x,y,z,r\n1,2,3,4")).r == std::vector<double>{4});
}

TEST_CASE("sphere file: errors name line and column and what to change") {
    const TemporaryDirectory folder;
    const auto fault = [&](const std::string& text) { return fault_of(file_with(folder, "bad.csv", text)); };
    CHECK(fault("") == ": is empty; its first line must name the columns: x,y,z,r");
    CHECK(fault("1,2,3,4\n") == ":1:1: there is no column x; the first line must name x, y, z and r, as in x,y,z,r");
    CHECK(fault("x,y,z\n") == ":1:1: there is no column r; the first line must name x, y, z and r, as in x,y,z,r");
    CHECK(fault("x,y,z,r,x\n") == ":1:9: names column x twice");
    CHECK(fault("x,y,z,r\n1,2,3,4\n1,2,three,4\n") == ":3:5: z should be a number, not \"three\"");
    CHECK(fault("x,y,z,r\n1,2,,4\n") == ":2:5: z should be a number, not \"\"");
    CHECK(fault("x,y,z,r\n1,2,3\n") == ":2:1: has 3 fields; the first line names 4");
    CHECK(fault("x,y,z,r\n1,2,3,4,5\n") == ":2:1: has 5 fields; the first line names 4");
    CHECK(fault("x,y,z,r\n1,2,3,0\n") == ":2:7: r is 0; it must be above zero (1e-100 at least)");
    CHECK(fault("x,y,z,r\n1,nan,3,1\n") == ":2:3: y is nan; it must be finite, and within 1e100");
    CHECK(fault("x,y,z,r\n1e200,2,3,1\n") == ":2:1: x is 1e+200; it must be finite, and within 1e100");
    CHECK(fault("x,y,z,r\n1,2,1e999,1\n") == ":2:5: z is inf; it must be finite, and within 1e100");
    CHECK(fault("x,y,z,r\n1,2,3,1E-400\n") == ":2:7: r is 0; it must be above zero (1e-100 at least)");
    CHECK(fault("x,y,z,r\n1,+-2,3,1\n") == ":2:3: y should be a number, not \"+-2\"");
    CHECK(fault_of(folder.file("missing.csv")) == ": cannot be opened for reading");
}

TEST_CASE("sphere file: HDF5 arrays of double or float, of one length") {
    const TemporaryDirectory folder;
    const std::string path = folder.file("s.h5");
    const auto write = [&](const std::vector<float>& r) {
        Hdf5File file(path, Hdf5File::Mode::Create);
        file.write("/x", std::vector<double>{1, 2});
        file.write("/y", std::vector<double>{3, 4});
        file.write("/z", std::vector<double>{5, 6});
        file.write("/r", r);
        file.close();
    };
    write({0.5f, 0.25f});
    const SphereTable t = read_spheres(path);
    CHECK(t.x == std::vector<double>{1, 2});
    CHECK(t.z == std::vector<double>{5, 6});
    CHECK(t.r == std::vector<double>{0.5, 0.25});
    write({0.5f});
    CHECK(fault_of(path) == ": /r has 1 numbers, /x has 2");
    write({0.5f, -1.0f});
    CHECK(fault_of(path) == ": /r of body 1 is -1; it must be above zero (1e-100 at least)");
}

TEST_CASE("contact: points lie on both surfaces, along the line of centres, the distance apart") {
    SphereSet s{"", {}, {}, {}, {}};
    s.add({1, 2, 3}, 2);
    s.add({1, 5, 7}, 4);       // centres 5 apart: overlap 1
    s.add({1, 2.25, 3}, 0.5);  // inside the first
    s.add({1, 2, 3}, 0.25);    // at the centre of the first
    const Contact beside = contact_of(s.view(), 0, 1);
    // 3-4-5 triangle: normal (0, 0.6, 0.8).
    CHECK(norm(beside.normal - Vec3{0, 0.6, 0.8}) < 1e-15);
    CHECK(norm(beside.point_a - Vec3{1, 3.2, 4.6}) < 1e-14);
    CHECK(norm(beside.point_b - Vec3{1, 2.6, 3.8}) < 1e-14);
    CHECK(beside.distance == doctest::Approx(-1).epsilon(1e-15));
    const Contact inside = contact_of(s.view(), 0, 2);
    CHECK(inside.point_a == Vec3{1, 4, 3});
    CHECK(inside.point_b == Vec3{1, 1.75, 3});
    CHECK(inside.distance == -2.25);
    const Contact same = contact_of(s.view(), 0, 3);
    CHECK(same.normal == Vec3{1, 0, 0});
    CHECK(same.distance == -2.25);
}

TEST_CASE("sorted pairs: runs beside the output give the order that memory gives") {
    const TemporaryDirectory folder;
    Rng rng(4, 4);
    std::vector<std::uint32_t> a, b;
    std::vector<std::uint64_t> wanted;
    for (int k = 0; k < 300000; ++k) {
        a.push_back(static_cast<std::uint32_t>(rng.uniform(0, 1e5)));
        b.push_back(static_cast<std::uint32_t>(rng.uniform(0, 4e9)));
        wanted.push_back(static_cast<std::uint64_t>(a.back()) << 32 | b.back());
    }
    std::sort(wanted.begin(), wanted.end());
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{600'000}, std::size_t{100'000'000}}) {
        SortedPairs pairs(bytes, folder.file("runs"));
        for (std::size_t k = 0; k < a.size(); k += 1000) pairs.add(a.data() + k, b.data() + k, 1000);
        CHECK(pairs.size() == 300000);
        CHECK(pairs.runs() == (bytes == 600'000 ? 3 : 0));  // 75,000 keys each; the last is still in memory
        std::vector<std::uint64_t> got;
        pairs.each_block([&](const std::uint64_t* keys, std::size_t count) { got.insert(got.end(), keys, keys + count); });
        CHECK(got == wanted);
    }
    CHECK_FALSE(std::filesystem::exists(folder.file("runs")));
}

TEST_CASE("contact files: CSV and HDF5 hold the same contacts, and all digits of them") {
    const TemporaryDirectory folder;
    const SphereSet s = scattered("few", 300, 1, 0.05, 0.1);
    const std::vector<IdPair> pairs = pairs_by_definition(s);
    REQUIRE(pairs.size() > 100);
    std::string csv = "x,y,z,r\n";
    char line[200];
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g,%.17g\n", s.x[i], s.y[i], s.z[i], s.r[i]);
        csv += line;
    }
    CollideOptions options;
    options.input = file_with(folder, "in.csv", csv);
    options.output = folder.file("out.csv");
    const std::string report = collide_file(options);
    CHECK(report.find("\"contacts\": " + std::to_string(pairs.size()) + ",") != std::string::npos);
    options.output = folder.file("out.h5");
    (void)collide_file(options);
    const Hdf5File file(options.output, Hdf5File::Mode::Read);
    const auto a = file.read<std::uint32_t>("/a"), b = file.read<std::uint32_t>("/b");
    const auto point_a = file.read<Vec3>("/point_a"), point_b = file.read<Vec3>("/point_b"), normal = file.read<Vec3>("/normal");
    const auto distance = file.read<double>("/distance");
    std::istringstream text(text_of(folder.file("out.csv")));
    std::string row;
    std::getline(text, row);
    CHECK(row == "a,b,ax,ay,az,bx,by,bz,nx,ny,nz,distance");
    REQUIRE(a.size() == pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const Contact c = contact_of(s.view(), pairs[k].first, pairs[k].second);
        CHECK(IdPair{a[k], b[k]} == pairs[k]);
        CHECK(point_a[k] == c.point_a);
        CHECK(point_b[k] == c.point_b);
        CHECK(normal[k] == c.normal);
        CHECK(distance[k] == c.distance);
        REQUIRE(std::getline(text, row));
        for (char& mark : row) mark = mark == ',' ? ' ' : mark;
        std::istringstream fields(row);
        std::uint32_t ca = 0, cb = 0;
        double value[10] = {};
        fields >> ca >> cb;
        for (double& v : value) fields >> v;
        CHECK(IdPair{ca, cb} == pairs[k]);
        CHECK(value[0] == c.point_a.x);
        CHECK(value[5] == c.point_b.z);
        CHECK(value[7] == c.normal.y);
        CHECK(value[9] == c.distance);
    }
    CHECK_FALSE(std::getline(text, row));
}

TEST_CASE("contact files: a full disk is an error, and the old file stays") {
    const TemporaryDirectory folder;
    CollideOptions options;
    std::string csv = "x,y,z,r\n";
    for (int k = 0; k < 1500; ++k) csv += std::to_string(0.1 * k) + ",0,0,1\n";
    options.input = file_with(folder, "in.csv", csv);
    for (const char* name : {"out.csv", "out.h5"}) {
        options.output = file_with(folder, name, "old");
        {
            const FileSizeLimit limit(200'000);
            CHECK_THROWS_AS(collide_file(options), RunError);
        }
        CHECK(text_of(options.output) == "old");
        CHECK_FALSE(std::filesystem::exists(options.output + ".tmp"));
    }
}

TEST_CASE("sizes of memory have units") {
    CHECK(parse_bytes("4GB") == 4'000'000'000u);
    CHECK(parse_bytes("1.5 MiB") == 1'572'864u);
    CHECK(parse_bytes("1e9") == 1'000'000'000u);
    for (const char* bad : {"", "four", "4 gigs", "-1GB", "0", "GB"}) CHECK_THROWS_AS(parse_bytes(bad), Error);
}
