// Legacy VTK files as bodies, ASCII and binary, and the messages for those that are damaged.
#include <bit>
#include <cstdint>
#include <limits>

#include "unit/setup/files_of_others.hpp"

using namespace scree;

namespace {

/// Numbers as binary files have them: the highest byte first.
template <class T>
std::string big_endian(const std::vector<double>& numbers) {
    std::string bytes;
    for (const double number : numbers) {
        const T value = static_cast<T>(number);
        const char* first = reinterpret_cast<const char*>(&value);
        std::string own(first, sizeof value);
        if (std::endian::native == std::endian::little) own.assign(own.rbegin(), own.rend());
        bytes += own;
    }
    return bytes;
}

const std::string kAscii =
    "# vtk DataFile Version 3.0\n# a title, of any text\nASCII\nDATASET POLYDATA\n"
    "POINTS 2 float\n0.5 0.25 0.125 1\n2 3\n"
    "VERTICES 2 4\n1 0 1 1\n"
    "CELL_DATA 2\nSCALARS radius float\nLOOKUP_TABLE default\n9 9\n"
    "POINT_DATA 2\nSCALARS Radius double 1\nLOOKUP_TABLE default\n0.5 0.25\n"
    "VECTORS v float\n1 2 3 4 5 6\nNORMALS n float\nnan 0 0 0 0 0\n"
    "FIELD FieldData 3\nstress%20tensor 9 2 float\n0 1 2 3 4 5 6 7 8\n0 1 2 3 4 5 6 7 inf\n"
    "type 1 2 int\n2 1\nomega 3 2 double\n-1 -2 -3\n-4 -5 -6\n";

/// The same in the form of version 5.1, binary, with the bodies the other way round and numbered.
std::string binary_file() {
    const auto f32 = [](const std::vector<double>& numbers) { return big_endian<float>(numbers) + "\n"; };
    const auto f64 = [](const std::vector<double>& numbers) { return big_endian<double>(numbers) + "\n"; };
    const auto i32 = [](const std::vector<double>& numbers) { return big_endian<std::int32_t>(numbers) + "\n"; };
    const auto i64 = [](const std::vector<double>& numbers) { return big_endian<std::int64_t>(numbers) + "\n"; };
    return "# vtk DataFile Version 5.1\nvtk output\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
           "FIELD FieldData 1\nTIME 1 1 double\n" +
           f64({1.5}) + "POINTS 2 double\n" + f64({1, 2, 3, 0.5, 0.25, 0.125}) + "METADATA\nINFORMATION 0\n\n" +
           "CELLS 3 2\nOFFSETS vtktypeint64\n" + i64({0, 1, 2}) + "CONNECTIVITY vtktypeint64\n" + i64({0, 1}) + "CELL_TYPES 2\n" +
           i32({1, 1}) + "POINT_DATA 2\nCOLOR_SCALARS colour 3\n" + std::string(6, '\n') + "\nSCALARS diameter float\nLOOKUP_TABLE mine\n" +
           f32({0.5, 1}) + "LOOKUP_TABLE mine 2\n" + std::string(8, '\xff') + "\nVECTORS velocity float\n" + f32({4, 5, 6, 1, 2, 3}) +
           "METADATA\nCOMPONENT_NAMES\nPOINTS\nVECTORS\nz\n\nTENSORS t double\n" + f64(std::vector<double>(18, 0)) +
           "FIELD FieldData 5\nflag 1 2 bit\n\x80\nid 1 2 vtkIdType\n" + i32({-1, -2}) +
           "METADATA\nINFORMATION 0\n\ntype 1 2 unsigned_char\n" + big_endian<std::uint8_t>({1, 2}) + "\nangular_velocity 3 2 float\n" +
           f32({-4, -5, -6, -1, -2, -3}) + "other 1 2 short\n" + big_endian<std::int16_t>({7, -7}) + "\n";
}

void check_two(const Placed& placed) {
    CHECK(placed.position == std::vector<Vec3>{{0.5, 0.25, 0.125}, {1, 2, 3}});
    CHECK(placed.radius == std::vector<double>{0.5, 0.25});
    CHECK(placed.velocity == std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}});
    CHECK(placed.angular_velocity == std::vector<Vec3>{{-1, -2, -3}, {-4, -5, -6}});
    CHECK(placed.material == std::vector<std::int32_t>{1, 0});
}

const Reading kTyped{.types = {"glass", "steel"}};

}  // namespace

TEST_CASE("VTK files in text and binary are the same bodies") {
    check_two(placed_from(kAscii, kTyped));
    check_two(placed_from(binary_file(), kTyped));
    // Ids -1 and -2 have put the second point first.
    CHECK(placed_from(binary_file()).material.empty());
    CHECK(placed_from(binary_file(), {.dimensions = 2}).position == std::vector<Vec3>{{0.5, 0.25, 0}, {1, 2, 0}});
    CHECK(placed_from(kAscii, {.scale = 2}).radius == std::vector<double>{1, 0.5});
}

TEST_CASE("points alone take what the scene gives") {
    const std::string points = kAscii.substr(0, kAscii.find("VERTICES"));
    const Placed placed = placed_from(points, {.radius = 0.125});
    CHECK(placed.position.size() == 2);
    CHECK(placed.radius == std::vector<double>{0.125, 0.125});
    CHECK(placed.velocity[0] == Vec3{7, 8, 9});
    CHECK(contains(refusal(points), "bodies: an array radius or diameter is needed, or a shape, in [[bodies]]"));
    CHECK(contains(refusal(points, {.types = {"glass"}, .radius = 1}), "bodies: the file has no types of bodies"));
}

TEST_CASE("damaged VTK files in text are refused") {
    const auto with_ascii = [](const std::string& was, const std::string& now) { return refusal(with(kAscii, was, now), kTyped); };
    CHECK(contains(with_ascii("ASCII\n", "TEXT\n"), "bodies:3: the third line of a VTK file is ASCII or BINARY"));
    CHECK(contains(with_ascii("POLYDATA", "STRUCTURED_POINTS"), "bodies:4: a dataset STRUCTURED_POINTS has no bodies: POLYDATA or"));
    CHECK(contains(with_ascii("POINTS 2 float", "POINTS 2"), "bodies:5: the line has the form POINTS n type"));
    CHECK(contains(with_ascii("POINTS 2", "POINTS -2"), "bodies:5: \"-2\" is not a number of points"));
    CHECK(contains(with_ascii("POINTS 2", "POINTS 1000000000000000000"), "bodies:8: \"VERTICES\" is not a finite number: tuple 3 of"));
    CHECK(contains(with_ascii("POINTS 2 float", "POINTS 2 half"), "bodies:5: \"half\" is not a type of numbers"));
    CHECK(contains(with_ascii("POINTS 2 float\n0.5 0.25 0.125 1\n2 3\n", ""), "bodies:11: POINT_DATA of 2 points, but POINTS above are 0"));
    CHECK(contains(with_ascii("0.5 0.25 0.125", "0.5 nan 0.125"), "bodies:6: \"nan\" is not a finite number: tuple 1 of 2 of POINTS"));
    CHECK(contains(with_ascii("VERTICES 2 4", "VERTICES 2 3"), "bodies:9: \"1\" is not a keyword of legacy VTK files"));
    CHECK(contains(with_ascii("POINT_DATA 2", "POINT_DATA 3"), "bodies:14: POINT_DATA of 3 points, but POINTS above are 2"));
    CHECK(contains(with_ascii("LOOKUP_TABLE default\n0.5", "0.5"), "SCALARS Radius need a line LOOKUP_TABLE name"));
    CHECK(contains(with_ascii("0.5 0.25\nVECTORS", "0.5 -0.25\nVECTORS"), "bodies: point 1: radius -0.25 m must be positive"));
    CHECK(
        contains(with_ascii("0.5 0.25\nVECTORS", "0.5\nVECTORS"), "bodies:18: \"VECTORS\" is not a finite number: tuple 2 of 2 of Radius"));
    CHECK(contains(with_ascii("VECTORS v float", "SCALARS v float\nLOOKUP_TABLE default"),
                   "array \"v\" has 1 components where 3 are needed"));
    CHECK(contains(with_ascii("type 1 2 int\n2 1", "type 1 1 int\n2"), "array \"type\" has 1 tuples, but there are 2 points"));
    CHECK(contains(with_ascii("type 1 2 int\n2 1", "type 1 2 int\n2 3"), "bodies: point 1: type 3 has no material"));
    CHECK(
        contains(with_ascii("type 1 2 int\n2 1", "type 1 2 string\na\nb"), "\"string\" is not a type of numbers: write the file without"));
    CHECK(contains(with_ascii("FieldData 3", "FieldData 1000000000000000000"), "3 of 1000000000000000000 arrays of FIELD are there"));
    CHECK(contains(refusal(kAscii.substr(0, kAscii.size() - 4), kTyped), "1 of 2 tuples of omega are there: the file seems to be cut off"));
    CHECK(contains(refusal("# vtk DataFile Version 3.0\n"), "bodies:1: the third line of a VTK file is ASCII or BINARY"));
    CHECK(contains(refusal("# vtk DataFile Version 3.0\n\nASCII\n"), "bodies: the file has no POINTS"));
    CHECK(contains(refusal("# vtk DataFile Version 3.0\n\nASCII\nPOINTS 0 float\n"), "holds no bodies"));
    CHECK(contains(refusal("# vtk DataFile Version 3.0\n\nASCII\nSCALARS a float\n"), "bodies:4: SCALARS stands before POINT_DATA"));
    CHECK(contains(refusal("# vtk DataFile Version 3.0\n\nASCII\nFIELD a 1\nb 0 1000000000000000000 int\n"), "the file has no POINTS"));
}

TEST_CASE("damaged binary VTK files are refused") {
    const std::string whole = binary_file();
    const auto with_binary = [&](const std::string& was, const std::string& now) { return refusal(with(whole, was, now), kTyped); };
    CHECK(contains(with_binary("POINTS 2", "POINTS 1000000000000000000"),
                   "bytes are left where POINTS has 1000000000000000000 tuples of 3 double: the file seems to be cut off"));
    CHECK(contains(with_binary("flag 1 2 bit", "flag 4000000000000000000 2 bit"), "the file seems to be cut off"));
    CHECK(contains(with_binary("flag 1 2 bit", "id 1 2 bit"), "id is of type bit, which is no type of such numbers"));
    CHECK(contains(with_binary("VECTORS velocity float", "VECTORS velocity char"), "a byte 0x00 where a keyword is expected"));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(contains(with_binary(big_endian<double>({0.5, 0.25, 0.125}), big_endian<double>({0.5, nan, 0.125})),
                   "POINTS of point 1 is not a finite number"));
    // Wherever the file ends there is a message, or all that is needed was there.
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        const std::string part = whole.substr(0, size);
        std::size_t bodies = 0;
        const std::string message = error_of([&] { bodies = placed_from(part, kTyped).position.size(); });
        CHECK((bodies == 2) == message.empty());
        if (size < whole.find("other 1 2")) CHECK_FALSE(message.empty());
    }
}
