// VTK's XML files of points (VTK User's Guide, "XML file formats"): pieces, each with Points and PointData, whose arrays DataArray
// describes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "scene/plain_file.hpp"
#include "scene/vtk/parts.hpp"
#include "scene/vtk/xml_file.hpp"
#include "setup/placement/body_columns.hpp"
#include "setup/placement/vtk_arrays.hpp"
#include "setup/placement/vtk_data.hpp"

namespace scree {

namespace {

/// Arrays of bodies that `scree export --to vtk` writes always.
constexpr std::array<std::string_view, 4> kOfScree{"id", "radius", "mass", "material"};  // velocities may be left out
/// Most points that are counted.
constexpr std::int64_t kMostPoints = std::numeric_limits<std::int32_t>::max();

/// The elements of a piece's point data with numbers, by their names.
using Arrays = std::vector<std::pair<std::string, pugi::xml_node>>;

VtkEncoding encoding_of(const VtkXmlFile& file) {
    const pugi::xml_node root = file.root();
    const SourcePlace here = file.place(root);
    const auto word = [&](const char* name, const char* otherwise) { return std::string(root.attribute(name).as_string(otherwise)); };
    const std::string order = word("byte_order", "LittleEndian"), header = word("header_type", "UInt32"),
                      compressor = word("compressor", "");
    if (order != "LittleEndian" && order != "BigEndian")
        throw Error(here, fmt::format("byte_order \"{}\" is neither LittleEndian nor BigEndian", order));
    if (header != "UInt32" && header != "UInt64") throw Error(here, fmt::format("header_type \"{}\" is neither UInt32 nor UInt64", header));
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
        throw Error(here, fmt::format("data are compressed by {}: write the file with vtkZLibDataCompressor, or without", compressor));
    VtkEncoding encoding;
    encoding.lowest_first = order == "LittleEndian";
    encoding.header_bytes = header == "UInt64" ? 8 : 4;
    encoding.compressed = !compressor.empty();
    const pugi::xml_node appended = root.child("AppendedData");
    if (!appended) return encoding;
    const std::string_view form = appended.attribute("encoding").value();
    if (form != "raw" && form != "base64")
        throw Error(file.place(appended), fmt::format("the encoding \"{}\" of AppendedData is neither raw nor base64", form));
    encoding.appended = file.appended();
    encoding.appended_base64 = form == "base64";
    return encoding;
}

void require_countable(std::int64_t points, const SourcePlace& here) {
    if (points > kMostPoints) throw Error(here, fmt::format("{} points are more than bodies are counted: at most {}", points, kMostPoints));
}

class PieceReader {
public:
    PieceReader(const VtkXmlFile& file, const VtkEncoding& encoding, BodyColumns& bodies)
        : file_(file), encoding_(encoding), bodies_(bodies) {}

    void read(pugi::xml_node piece) {
        const SourcePlace here = file_.place(piece);
        const std::int64_t points = count_or_throw(piece.attribute("NumberOfPoints").value(), "points", here);
        require_countable(points, here);
        points_ = static_cast<std::size_t>(points);
        if (points_ == 0) return;
        const pugi::xml_node places = piece.child("Points").child("DataArray");
        if (!places) throw Error(here, "the piece has no Points with an array, which are the centres of bodies");
        read_array("points", places, kVtkPlaces);
        Arrays arrays;
        for (const pugi::xml_node array : piece.child("PointData").children("DataArray"))
            arrays.emplace_back(array.attribute("Name").value(), array);
        read_arrays(arrays);
    }

private:
    static pugi::xml_node array_named(const Arrays& arrays, std::string_view name) {
        const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const auto& one) { return one.first == name; });
        return found == arrays.end() ? pugi::xml_node() : found->second;
    }

    void read_arrays(const Arrays& arrays) {
        const bool exported =
            std::all_of(kOfScree.begin(), kOfScree.end(), [&](std::string_view name) { return bool(array_named(arrays, name)); });
        bodies_.writer = exported ? BodyColumns::Writer::Scree : BodyColumns::Writer::Other;
        if (exported) require_spheres(array_named(arrays, "shape"));
        for (const auto& [name, array] : arrays) {
            const VtkMeaning* meaning = exported ? vtk_meaning_exported(name) : vtk_meaning(name);
            if (meaning != nullptr && !bodies_.has(meaning->columns[0])) read_array(name, array, *meaning);
        }
    }

    /// Of a polyhedron a frame has a point for each corner, of a compound one for each of its members.
    void require_spheres(pugi::xml_node shape) const {
        if (!shape) return;
        const std::vector<double> shapes = numbers_of("shape", shape, 1);
        if (std::any_of(shapes.begin(), shapes.end(), [](double number) { return number >= 0; }))
            throw Error(file_.place(shape),
                        "this frame of Scree has the corners of polyhedra or compounds, which are no bodies: export the "
                        "frame as csv, which keeps their places and shapes");
    }

    void read_array(const std::string& name, pugi::xml_node array, const VtkMeaning& meaning) {
        store_components(meaning, numbers_of(name, array, meaning.components), bodies_);
    }

    std::vector<double> numbers_of(const std::string& name, pugi::xml_node array, std::size_t components) const {
        const SourcePlace here = file_.place(array);
        const std::string given = array.attribute("NumberOfComponents").as_string("1");
        if (given != std::to_string(components))
            throw Error(here, fmt::format("array \"{}\" has {} components where {} are needed", name, given, components));
        const VtkType type = vtk_xml_type_named(array.attribute("type").value(), here);
        return read_vtk_data({fmt::format("\"{}\"", name), points_, components, type}, encoded(array), encoding_, here);
    }

    VtkEncoded encoded(pugi::xml_node array) const {
        const SourcePlace here = file_.place(array);
        const std::string_view form = array.attribute("format").as_string("ascii");
        VtkEncoded data{VtkEncoded::Form::Text, array.child_value(), 0};
        if (form == "ascii") return data;
        if (form == "binary") {
            data.form = VtkEncoded::Form::Inline;
            return data;
        }
        if (form != "appended") throw Error(here, fmt::format("the format \"{}\" of an array is none of ascii, binary and appended", form));
        if (!file_.has_appended()) throw Error(here, "the array stands in AppendedData, which the file has not: it is cut off");
        data.form = VtkEncoded::Form::Appended;
        data.offset = static_cast<std::uint64_t>(count_or_throw(array.attribute("offset").value(), "bytes", here));
        return data;
    }

    const VtkXmlFile& file_;
    const VtkEncoding& encoding_;
    BodyColumns& bodies_;
    std::size_t points_{0};
};

std::size_t points_of(const BodyColumns& bodies) {
    return bodies.of(Column::X).size();
}

/// Adds the bodies of a part, which has the same columns as those before.
void append(BodyColumns& all, BodyColumns part) {
    if (points_of(all) == 0) {
        all = std::move(part);
        return;
    }
    if (points_of(part) == 0) return;
    require_countable(static_cast<std::int64_t>(points_of(all) + points_of(part)), part.head);
    for (std::size_t c = 0; c < kColumns; ++c) {
        if (all.values[c].empty() != part.values[c].empty())
            throw Error(part.head,
                        "the parts of the file have other arrays than those before: each needs the same of radius or diameter, "
                        "velocity, angular_velocity, id, type and density");
        all.values[c].insert(all.values[c].end(), part.values[c].begin(), part.values[c].end());
    }
}

BodyColumns read_pieces(const VtkXmlFile& file) {
    const std::string kind(file.kind());
    const SourcePlace here = file.place(file.root());
    if (kind != "PolyData" && kind != "UnstructuredGrid")
        throw Error(here, fmt::format("a dataset of type \"{}\" has no bodies: PolyData and UnstructuredGrid are read, and what names such "
                                      "files: Collection, PPolyData and PUnstructuredGrid",
                                      kind));
    const VtkEncoding encoding = encoding_of(file);
    BodyColumns all{.head = here};
    bool any = false;
    for (const pugi::xml_node piece : file.root().child(kind.c_str()).children("Piece")) {
        BodyColumns one{.head = file.place(piece)};
        PieceReader(file, encoding, one).read(piece);
        append(all, std::move(one));
        any = true;
    }
    if (!any) throw Error(here, fmt::format("the {} has no Piece: the file is cut off or damaged", kind));
    return all;
}

/// Of a file, or of all that it names; a collection names no others.
BodyColumns read_part(const std::string& path, std::string text, bool of_collection, bool of_pieces) {
    const VtkXmlFile file(path, std::move(text));
    if (!is_collection(file) && !names_pieces(file)) return read_pieces(file);
    if (is_collection(file) ? of_collection || of_pieces : of_pieces)
        throw Error(file.place(file.root()),
                    fmt::format("the {} is itself named by another file of its kind: name one that holds points", file.kind()));
    BodyColumns all{.head = {path, 0, 0}};
    for (const VtkPart& part : parts_of(file))
        append(all,
               read_part(part.path, read_plain_file(part.path, kMostDataBytes, part.place), is_collection(file), !is_collection(file)));
    return all;
}

}  // namespace

BodyColumns read_vtk_xml(const std::string& path, std::string text) {
    BodyColumns bodies = read_part(path, std::move(text), false, false);
    bodies.head = {path, 0, 0};
    bodies.item = "point";
    bodies.row.resize(points_of(bodies));
    std::iota(bodies.row.begin(), bodies.row.end(), 0);
    return bodies;
}

}  // namespace scree
