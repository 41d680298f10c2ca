#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "exports/export.hpp"
#include "exports/vtk_piece.hpp"
#include "output/atomic_file.hpp"
#include "output/run_directory.hpp"

namespace scree {
namespace {

const char* vtk_type(ElementType type) {
    switch (type) {
        case ElementType::Float64:
            return "Float64";
        case ElementType::Float32:
            return "Float32";
        case ElementType::Int64:
            return "Int64";
        case ElementType::UInt32:
            return "UInt32";
        case ElementType::Int32:
            return "Int32";
        case ElementType::UInt8:
            return "UInt8";
    }
    return "Float64";
}

/// The appended part of a VTK XML file. A plain block is its length as UInt64, then the raw bytes; a deflated one is in parts of a
/// megabyte: their number, the bytes of each and those of the last (0: it is whole), their deflated lengths, then these.
class Appended {
public:
    explicit Appended(bool compress) : compress_(compress) {}

    /// Adds a block and returns the DataArray element that points to it.
    std::string add(const VtkArray& array) {
        const std::string element = fmt::format(R"(<DataArray Name="{}" type="{}" NumberOfComponents="{}" format="appended" offset="{}")",
                                                array.name, vtk_type(array.type), array.components, bytes_.size());
        const char* begin = reinterpret_cast<const char*>(array.bytes.data());
        compress_ ? add_deflated(begin, array.bytes.size()) : add_plain(begin, array.bytes.size());
        if (array.unit.empty()) return element + "/>\n";
        return element +
               fmt::format(">\n<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{}</InformationKey>\n</DataArray>\n",
                           array.unit);
    }
    template <class T>
    std::string add(const char* name, const std::vector<T>& values) {
        VtkArrays one;
        one.add(name, "", values);
        return add(one.list.front());
    }
    const std::string& bytes() const { return bytes_; }

private:
    void add_number(std::uint64_t number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }
    void add_plain(const char* begin, std::size_t size) {
        add_number(size);
        bytes_.append(begin, size);
    }
    void add_deflated(const char* begin, std::size_t size) {
        constexpr std::size_t part = std::size_t{1} << 20;
        std::vector<std::string> parts;
        for (std::size_t at = 0; at < size; at += part) {
            const std::size_t length = std::min(part, size - at);
            uLongf deflated = compressBound(static_cast<uLong>(length));
            std::string& out = parts.emplace_back(deflated, '\0');
            if (compress2(reinterpret_cast<Bytef*>(out.data()), &deflated, reinterpret_cast<const Bytef*>(begin + at),
                          static_cast<uLong>(length), 1) != Z_OK)
                throw RunError("zlib cannot deflate an array: there is not enough memory");
            out.resize(deflated);
        }
        for (const std::size_t number : {parts.size(), part, size % part}) add_number(number);
        for (const std::string& one : parts) add_number(one.size());
        for (const std::string& one : parts) bytes_ += one;
    }

    bool compress_;
    std::string bytes_;
};

std::string data_text(const char* element, const std::string& attributes, const VtkArrays& arrays, Appended& data) {
    if (arrays.list.empty()) return "";
    std::string text = fmt::format("<{}{}>\n", element, attributes);
    for (const VtkArray& array : arrays.list) text += data.add(array);
    return text + fmt::format("</{}>\n", element);
}

std::string shown_first(const char* attribute, const std::string& name) {
    return name.empty() ? "" : fmt::format(" {}=\"{}\"", attribute, name);
}

std::string vtp_text(const VtkPiece& piece, bool compress) {
    Appended data(compress);
    std::string text = fmt::format(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{}>\n",
        compress ? " compressor=\"vtkZLibDataCompressor\"" : "");
    text += fmt::format(
        "<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
        "format=\"ascii\">{:.17g}</DataArray>\n"
        "</FieldData>\n",
        piece.time);
    text +=
        fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
                    piece.points.size(), piece.vertex.size(), piece.line.size() / 2, piece.polygon_end.size());
    text += data_text("PointData", shown_first("Scalars", piece.scalars_of_points) + shown_first("Vectors", piece.vectors_of_points),
                      piece.point_data, data);
    text += data_text("CellData", shown_first("Scalars", piece.scalars_of_cells), piece.cell_data, data);
    text += "<Points>\n" + data.add("position", piece.points) + "</Points>\n";
    const auto cells = [&](const char* element, const std::vector<std::int64_t>& points, const std::vector<std::int64_t>& ends) {
        text += fmt::format("<{0}>\n{1}{2}</{0}>\n", element, data.add("connectivity", points), data.add("offsets", ends));
    };
    cells("Verts", piece.vertex, ends_of_cells(piece.vertex.size(), 1));
    if (!piece.line.empty()) cells("Lines", piece.line, ends_of_cells(piece.line.size() / 2, 2));
    if (!piece.polygon_end.empty()) cells("Polys", piece.polygon_point, piece.polygon_end);
    return text + "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_" + data.bytes() + "\n</AppendedData>\n</VTKFile>\n";
}

/// The list of one kind of files with their times.
class Collection {
public:
    void add(double time, const std::string& name) {
        text_ += fmt::format("<DataSet timestep=\"{:.17g}\" group=\"\" part=\"0\" file=\"{}\"/>\n", time, name);
    }
    std::string text() const {
        return "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n" +
               text_ + "</Collection>\n</VTKFile>\n";
    }

private:
    std::string text_;
};

}  // namespace

Exported export_vtk(const FrameReader& reader, const std::string& directory, bool compress) {
    Exported done;
    const auto write = [&](const std::string& name, const std::string& text) {
        done.files.push_back(run_file(directory, name.c_str()));
        write_file_atomically(done.files.back(), text);
    };
    std::vector<const VtkKind*> kinds;
    for (const VtkKind& kind : vtk_kinds()) {
        if (kind.xml && kind.of_run(reader)) kinds.push_back(&kind);
    }
    std::vector<Collection> lists(kinds.size());
    const Aabb region = region_of_run(reader);
    for (std::size_t i = 0; i < reader.frames().size(); ++i) {
        const VtkFrame frame = read_vtk_frame(reader, i, region);
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            if (!kinds[k]->of_frame(frame.entry)) continue;
            const std::string name = fmt::format("{}_{:06d}.vtp", kinds[k]->stem, i);
            VtkPiece piece = kinds[k]->piece(frame);
            piece.time = frame.bodies.time;
            write(name, vtp_text(piece, compress));
            lists[k].add(piece.time, name);
        }
    }
    for (std::size_t k = 0; k < kinds.size(); ++k) write(fmt::format("{}.pvd", kinds[k]->list), lists[k].text());
    done.frames = reader.frames().size();
    return done;
}

}  // namespace scree
