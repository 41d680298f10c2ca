// VTK's XML files as bodies: every way in which arrays are stored, pieces and files that name others, and the messages for what is damaged.
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "scene/files_of.hpp"
#include "unit/setup/files_of_others.hpp"

using namespace scree;

namespace {

using Numbers = std::vector<double>;

std::string base64(const std::string& bytes) {
    const char* alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t bits = 0;
        const std::size_t here = std::min<std::size_t>(3, bytes.size() - at);
        for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < here ? static_cast<unsigned char>(bytes[at + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += k <= here ? alphabet[bits >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

std::string deflated(const std::string& bytes) {
    uLongf size = compressBound(bytes.size());
    std::string result(size, '\0');
    REQUIRE(compress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) == Z_OK);
    result.resize(size);
    return result;
}

/// How a file is written.
struct Form {
    enum Where { Ascii, Inline, InlineApart, Raw, Base64 } where{Ascii};
    bool big{false}, wide{false};  // order of bytes; UInt64 in headers
    std::size_t block{0};          // bytes in a compressed block; 0: not compressed
    const char* real{"Float64"};
    const char* whole{"Int32"};
};

class Writer {
public:
    explicit Writer(const Form& form) : form_(form) {}

    std::string array(const std::string& name, const std::string& type, std::size_t components, const Numbers& numbers) {
        std::string head =
            "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" + std::to_string(components) + "\" format=\"";
        if (form_.where == Form::Ascii) {
            head += "ascii\">\n  ";
            for (const double number : numbers) head += std::to_string(number) + "\n ";
            return head + "</DataArray>\n";
        }
        if (form_.where == Form::Inline || form_.where == Form::InlineApart)
            return head + "binary\"><InformationKey name=\"L2\">1</InformationKey>\n   " + stored(numbers, type) + "\n</DataArray>\n";
        head += "appended\" offset=\"" + std::to_string(appended_.size()) + "\"/>\n";
        appended_ += stored(numbers, type);
        return head;
    }
    /// A file of two bodies in one piece, or one in each of two, and an empty one.
    std::string file(const std::string& kind, bool pieces) {
        std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"" + kind + "\" version=\"1.0\" byte_order=\"" +
                           (form_.big ? "BigEndian" : "LittleEndian") + "\" header_type=\"" + (form_.wide ? "UInt64" : "UInt32") + "\"" +
                           (form_.block > 0 ? " compressor=\"vtkZLibDataCompressor\"" : "") + ">\n<" + kind + ">\n";
        text += piece(0, pieces ? 1 : 2);
        if (pieces) text += "<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"><Points/></Piece>\n";
        if (pieces) text += piece(1, 2);
        text += "</" + kind + ">\n";
        if (form_.where == Form::Raw || form_.where == Form::Base64)
            text += std::string("<AppendedData encoding=\"") + (form_.where == Form::Raw ? "raw" : "base64") + "\">\n _" + appended_ +
                    "\n</AppendedData>\n";
        return text + "</VTKFile>\n";
    }

private:
    std::string bytes_of(double number, const std::string& type) const {
        std::string bytes;
        const auto add = [&](auto value) { bytes.assign(reinterpret_cast<const char*>(&value), sizeof value); };
        if (type == "Float32") add(static_cast<float>(number));
        if (type == "Float64") add(number);
        if (type == "Int8") add(static_cast<std::int8_t>(number));
        if (type == "UInt8") add(static_cast<std::uint8_t>(number));
        if (type == "Int16") add(static_cast<std::int16_t>(number));
        if (type == "UInt16") add(static_cast<std::uint16_t>(number));
        if (type == "Int32") add(static_cast<std::int32_t>(number));
        if (type == "UInt32") add(static_cast<std::uint32_t>(number));
        if (type == "Int64") add(static_cast<std::int64_t>(number));
        if (type == "UInt64") add(static_cast<std::uint64_t>(number));
        if (form_.big == (std::endian::native == std::endian::little)) std::reverse(bytes.begin(), bytes.end());
        return bytes;
    }

    std::string stored(const Numbers& numbers, const std::string& type) const {
        const std::string of_header = form_.wide ? "UInt64" : "UInt32";
        std::string data, header;
        for (const double number : numbers) data += bytes_of(number, type);
        const auto note = [&](std::size_t number) { header += bytes_of(static_cast<double>(number), of_header); };
        const bool coded = form_.where != Form::Raw;
        if (form_.block == 0) {
            note(data.size());
            if (form_.where == Form::InlineApart) return base64(header) + base64(data);
            return coded ? base64(header + data) : header + data;
        }
        const std::size_t blocks = (data.size() + form_.block - 1) / form_.block;
        note(blocks);
        note(form_.block);
        note(data.size() % form_.block);
        std::string all;
        for (std::size_t k = 0; k < blocks; ++k) {
            const std::string block = deflated(data.substr(k * form_.block, form_.block));
            note(block.size());
            all += block;
        }
        return coded ? base64(header) + base64(all) : header + all;
    }

    std::string piece(std::size_t first, std::size_t end) {
        const auto part = [&](const Numbers& numbers, std::size_t components) {
            return Numbers(numbers.begin() + static_cast<std::ptrdiff_t>(first * components),
                           numbers.begin() + static_cast<std::ptrdiff_t>(end * components));
        };
        // One after the other, since arrays are appended in the order in which they are made.
        std::string text = "<Piece NumberOfPoints=\"" + std::to_string(end - first) + "\">\n<PointData Scalars=\"Radius\">\n";
        text += array("Radius", form_.real, 1, part({0.5, 0.25}, 1));
        text += "<Array type=\"String\" Name=\"names\"/>\n<DataArray type=\"String\" Name=\"label\" format=\"ascii\">x</DataArray>\n";
        text += array("velocity", form_.real, 3, part({1, 2, 3, 4, 5, 6}, 3));
        text += array("type", form_.whole, 1, part({2, 1}, 1));
        text += array("omega", form_.real, 3, part({-1, -2, -3, -4, -5, -6}, 3)) + "</PointData>\n<CellData>\n";
        text += array("radius", form_.real, 1, part({9, 9}, 1)) + "</CellData>\n<Points>\n";
        return text + array("Points", form_.real, 3, part({0.5, 0.25, 0.125, 1, 2, 3}, 3)) + "</Points>\n</Piece>\n";
    }

    Form form_;
    std::string appended_;
};

std::string file_of(const Form& form, bool pieces = false, const std::string& kind = "PolyData") {
    return Writer(form).file(kind, pieces);
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

TEST_CASE("VTK's XML files are the same bodies however their arrays are stored") {
    for (const Form::Where where : {Form::Ascii, Form::Inline, Form::InlineApart, Form::Raw, Form::Base64})
        for (const bool big : {false, true})
            for (const bool wide : {false, true})
                for (const std::size_t block : {std::size_t{0}, std::size_t{12}, std::size_t{24}, std::size_t{32768}})
                    for (const char* real : {"Float32", "Float64"})
                        for (const bool pieces : {false, true}) {
                            CAPTURE(where);
                            CAPTURE(big);
                            CAPTURE(wide);
                            CAPTURE(block);
                            CAPTURE(real);
                            CAPTURE(pieces);
                            const Form form{.where = where, .big = big, .wide = wide, .block = block, .real = real};
                            check_two(placed_from(file_of(form, pieces, big ? "UnstructuredGrid" : "PolyData"), kTyped));
                        }
}

TEST_CASE("VTK's XML files have numbers of any type") {
    for (const char* whole : {"Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Float32", "Float64"})
        for (const bool big : {false, true}) {
            CAPTURE(whole);
            check_two(placed_from(file_of({.where = Form::Raw, .big = big, .whole = whole}), kTyped));
        }
    const std::string signed_ids = with(file_of({.where = Form::Ascii}), "Name=\"type\"", "Name=\"id\"");
    CHECK(placed_from(signed_ids).position[0] == Vec3{1, 2, 3});
}

TEST_CASE("points of an XML file alone take what the scene gives") {
    const std::string points =
        "\xEF\xBB\xBF<VTKFile type='PolyData'><PolyData><Piece NumberOfPoints='1'><Points><DataArray type='Float32' "
        "NumberOfComponents='3'>1 2 "
        "3</DataArray></Points></Piece></PolyData></VTKFile>";
    const Placed placed = placed_from(points, {.radius = 0.125});
    CHECK(placed.position == std::vector<Vec3>{{1, 2, 3}});
    CHECK(placed.velocity[0] == Vec3{7, 8, 9});
    CHECK(contains(refusal(points), "bodies: an array radius or diameter is needed, or a shape, in [[bodies]]"));
    CHECK(placed_from(points, {.scale = 2, .dimensions = 2, .radius = 1}).position[0] == Vec3{2, 4, 0});
}

TEST_CASE("damaged XML files of VTK are refused") {
    const std::string ascii = file_of({.where = Form::Ascii});
    const auto with_ascii = [&](const std::string& was, const std::string& now) { return refusal(with(ascii, was, now), kTyped); };
    CHECK(contains(with_ascii("type=\"PolyData\"", "type=\"ImageData\""), "bodies:2: a dataset of type \"ImageData\" has no bodies"));
    CHECK(contains(with_ascii("VTKFile", "VtkFile"), "this is no well-formed XML"));
    CHECK(contains(refusal("<?xml version=\"1.0\"?>\n<html/>"), "bodies: an XML file without an element VTKFile is none of VTK's"));
    CHECK(contains(with_ascii("LittleEndian", "MiddleEndian"), "bodies:2: byte_order \"MiddleEndian\" is neither"));
    CHECK(contains(with_ascii("UInt32", "UInt16"), "bodies:2: header_type \"UInt16\" is neither UInt32 nor UInt64"));
    CHECK(contains(with_ascii("header_type", "compressor=\"vtkLZ4DataCompressor\" header_type"),
                   "bodies:2: data are compressed by vtkLZ4DataCompressor: write the file with vtkZLibDataCompressor, or without"));
    CHECK(contains(with_ascii("NumberOfPoints=\"2\"", ""), "bodies:4: \"\" is not a number of points"));
    CHECK(contains(with_ascii("NumberOfPoints=\"2\"", "NumberOfPoints=\"-2\""), "\"-2\" is not a number of points"));
    CHECK(contains(with_ascii("NumberOfPoints=\"2\"", "NumberOfPoints=\"4000000000\""),
                   "4000000000 points are more than bodies are counted"));
    CHECK(contains(with_ascii("NumberOfPoints=\"2\"", "NumberOfPoints=\"3\""), "has 6 numbers where 3 points have 9"));
    CHECK(contains(with_ascii("NumberOfPoints=\"2\"", "NumberOfPoints=\"1\""), "has more than the 3 numbers of 1 points"));
    CHECK(contains(with_ascii("NumberOfPoints=\"2\"", "NumberOfPoints=\"0\""), "holds no bodies"));
    CHECK(contains(with_ascii("Name=\"Points\" NumberOfComponents=\"3\"", "Name=\"Points\" NumberOfComponents=\"2\""),
                   "array \"points\" has 2 components where 3 are needed"));
    CHECK(contains(with_ascii("0.500000", "0.5x"), "\"0.5x\" is not a finite number: \"Radius\" of point 0"));
    CHECK(contains(with_ascii("0.250000", "inf"), "\"inf\" is not a finite number: \"Radius\" of point 1"));
    CHECK(contains(with_ascii("0.250000", "-0.25"), "bodies: point 1: radius -0.25 m must be positive"));
    CHECK(contains(with_ascii("type=\"Float64\"", "type=\"Float16\""), "bodies:6: \"Float16\" is not a type of numbers"));
    CHECK(
        contains(with_ascii("format=\"ascii\"", "format=\"hex\""), "the format \"hex\" of an array is none of ascii, binary and appended"));
    CHECK(contains(with_ascii("format=\"ascii\"", "format=\"appended\""), "\"\" is not a number of bytes") == false);
    CHECK(contains(with_ascii("format=\"ascii\"", "format=\"appended\""), "stands in AppendedData, which the file has not: it is cut off"));
    CHECK(contains(refusal(with(with(ascii, "<Points>", "<Dots>"), "</Points>", "</Dots>"), kTyped), "bodies:4: the piece has no Points"));
    CHECK(contains(refusal("<VTKFile type='PolyData'><PolyData/></VTKFile>"), "bodies:1: the PolyData has no Piece"));
    const std::string pieces = file_of({.where = Form::Ascii}, true);
    CHECK(contains(refusal(with(pieces, "Name=\"omega\"", "Name=\"spin\""), kTyped), "the parts of the file have other arrays"));
}

TEST_CASE("damaged binary data of XML files are refused") {
    const std::string raw = file_of({.where = Form::Raw}), coded = file_of({.where = Form::Base64}),
                      blocks = file_of({.where = Form::Raw, .block = 24}), inside = file_of({.where = Form::Inline});
    CHECK(contains(refusal(with(raw, "NumberOfPoints=\"2\"", "NumberOfPoints=\"3\""), kTyped),
                   "the data of \"points\" are 48 bytes, but 3 tuples of 3 Float64 are 72"));
    CHECK(contains(refusal(with(raw, "LittleEndian", "BigEndian"), kTyped), "the number of points, the type, header_type or byte_order"));
    CHECK(contains(refusal(with(raw, "UInt32", "UInt64"), kTyped), "the data of \"points\" end before 48 bytes that they announce"));
    CHECK(contains(refusal(with(raw, "\"raw\"", "\"hex\""), kTyped), "the encoding \"hex\" of AppendedData is neither raw nor base64"));
    CHECK(contains(refusal(with(raw, " _", " -"), kTyped), "the data of AppendedData begin with an underscore"));
    CHECK(contains(refusal(with(raw, "offset=\"0\"", "offset=\"99999\""), kTyped), "the offset 99999 of \"Radius\" is past the end"));
    CHECK(contains(refusal(with(raw, "offset=\"0\"", "offset=\"-1\""), kTyped), "\"-1\" is not a number of bytes"));
    CHECK(contains(refusal(with(coded, " _E", " _*"), kTyped), "a byte 0x2a in the data of \"Radius\" is not one of base64"));
    CHECK(contains(refusal(with(inside, "\n   ", "\n   A=B="), kTyped), "in the data of \"Radius\" is not one of base64"));
    CHECK(contains(refusal(with(blocks, "NumberOfPoints=\"2\"", "NumberOfPoints=\"1\""), kTyped),
                   "2 compressed blocks of 24 bytes and 0 in the last, are not the 24 bytes of 1 tuples"));
    CHECK(contains(refusal(with(blocks, "\x78\x9c", "\x78\x9d"), kTyped), "block 0 of the compressed data of"));
    // Wherever such a file ends, it is told that it does.
    for (const std::string& whole : {raw, coded, blocks, inside})
        for (std::size_t size = 8; size + 13 < whole.size(); ++size) {
            CAPTURE(size);
            CHECK_FALSE(refusal(whole.substr(0, size), kTyped).empty());
        }
    // Bytes that are other than they were are no bodies, or bodies.
    for (const std::string& whole : {coded, blocks, inside})
        for (std::size_t at = 0; at < whole.size(); at += 2)
            for (const char byte : {'\0', '1'}) {
                std::string damaged = whole;
                damaged[at] = byte;
                (void)refusal(damaged, kTyped);
            }
}

TEST_CASE("a collection is the files of its last time") {
    namespace fs = std::filesystem;
    const std::string ascii = file_of({.where = Form::Ascii}, true);
    const auto begin = ascii.find("<Piece"), second = ascii.rfind("<Piece"), end = ascii.find("</PolyData>");
    const std::string head = ascii.substr(0, begin), tail = ascii.substr(end);
    const TemporaryFile one("one.vtp", head + ascii.substr(begin, second - begin) + tail);
    const TemporaryFile two("two.vtp", head + ascii.substr(second, end - second) + tail);
    const auto name = [](const TemporaryFile& file) { return fs::path(file.path()).filename().string(); };
    const auto set = [](const std::string& time, const std::string& file) {
        return "<DataSet timestep=\"" + time + "\" part=\"0\" file=\"" + file + "\"/>\n";
    };
    const auto collection = [](const std::string& sets) {
        return "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\">\n<Collection>\n" + sets + "</Collection>\n</VTKFile>\n";
    };
    check_two(placed_from(collection(set("1e-1", name(one)) + set("0.1", name(two)) + set("0", "missing.vtp")), kTyped));
    CHECK(placed_from(collection(set("2", name(one)) + set("0.5", name(two)))).radius == std::vector<double>{0.5});
    const TemporaryFile parallel("all.pvtp", "<VTKFile type=\"PPolyData\"><PPolyData><Piece Source=\"" + name(one) +
                                                 "\"/><Piece Source=\"" + name(two) + "\"/></PPolyData></VTKFile>");
    check_two(placed_from(collection(set("0", name(parallel))), kTyped));

    // A restart needs all of them as they were.
    const TemporaryFile outer("outer.pvd", collection(set("0", name(parallel))));
    Scene scene = plain_scene();
    scene.bodies.push_back(plain_group());
    scene.bodies.back().placement.file = outer.path();
    std::vector<std::string> paths;
    for (const InputFile& file : files_of(scene))
        if (file.stays) paths.push_back(file.path);
    CHECK(paths == std::vector<std::string>{outer.path(), parallel.path(), one.path(), two.path()});

    CHECK(contains(refusal(collection("")), "bodies:2: the Collection names no files"));
    CHECK(contains(refusal(collection(set("0", "nowhere.vtp"))), "bodies:4: cannot read"));
    CHECK(contains(refusal(collection(set("x", name(one)))), "bodies:4: timestep \"x\" is not a finite number"));
    CHECK(contains(refusal(collection(set("0", ""))), "bodies:4: DataSet has no attribute file, which names a file"));
    CHECK(contains(refusal(collection(set("0", name(one)) + set("0", name(one)))), "stands twice at the last time"));
    CHECK(contains(error_of([&] { placed_from(collection(set("0", name(outer)))); }), "the Collection is itself named by another file"));
    const TemporaryFile cyclic("cyclic.pvtp",
                               "<VTKFile type=\"PPolyData\"><PPolyData><Piece Source=\"" + name(parallel) + "\"/></PPolyData></VTKFile>");
    CHECK(contains(error_of([&] { placed_from(collection(set("0", name(cyclic)))); }), "the PPolyData is itself named by another file"));
}

TEST_CASE("frames of Scree are read as they are") {
    std::string frame = with(with(file_of({.where = Form::Ascii}), "Radius\" N", "radius\" N"), "\"omega\"", "\"angular_velocity\"");
    const std::string more = Writer({.where = Form::Ascii}).array("id", "UInt32", 1, {7, 3}) +
                             Writer({.where = Form::Ascii}).array("mass", "Float64", 1, {1, 2}) +
                             Writer({.where = Form::Ascii}).array("material", "Int32", 1, {1, 0});
    frame = with(frame, "</PointData>", more + "</PointData>");
    const Placed placed = placed_from(frame);
    // Bodies keep their order, whatever their ids.
    CHECK(placed.position == std::vector<Vec3>{{0.5, 0.25, 0.125}, {1, 2, 3}});
    CHECK(placed.material == std::vector<std::int32_t>{1, 0});
    CHECK(contains(refusal(with(frame, "1.000000\n 0.000000", "2 0")), "bodies: point 0: material 2 is none of the scene's"));
    CHECK(contains(error_of([&] { placed_from(frame, {.scale = 2}); }), "a frame that scree exported is in SI units"));
    const std::string shape = Writer({.where = Form::Ascii}).array("shape", "Int32", 1, {-1, 0});
    CHECK(contains(refusal(with(frame, "</PointData>", shape + "</PointData>")),
                   "has the corners of polyhedra or compounds, which are no bodies: export the frame as csv"));
    CHECK(placed_from(with(frame, "</PointData>", with(shape, "0.000000", "-1") + "</PointData>")).radius.size() == 2);
}
