#include <fmt/format.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "output/atomic_file.hpp"
#include "output/export.hpp"
#include "output/run_directory.hpp"

namespace scree {
namespace {

/// The appended part of a VTK XML file: each block is its length as UInt64, then the raw bytes.
class Appended {
public:
    /// Adds a block and returns the DataArray element that points to it.
    template <class T>
    std::string add(const char* name, const char* type, int components, const std::vector<T>& values) {
        const std::uint64_t size = values.size() * sizeof(T);
        const std::string element = fmt::format(R"(<DataArray Name="{}" type="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)",
                                                name, type, components, bytes_.size());
        bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
        if (size > 0) bytes_.append(reinterpret_cast<const char*>(values.data()), size);
        return element + "\n";
    }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

std::string vtp_text(const Snapshot& s) {
    const std::size_t n = s.id.size();
    // One vertex cell per body, so that ParaView shows the points as they are, without a filter.
    std::vector<std::int64_t> connectivity(n), offsets(n);
    std::iota(connectivity.begin(), connectivity.end(), 0);
    std::iota(offsets.begin(), offsets.end(), 1);

    Appended data;
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
    text += fmt::format(
        "<PolyData>\n<Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
        n);
    text += "<PointData Scalars=\"radius\" Vectors=\"velocity\">\n";
    text += data.add("id", "UInt32", 1, s.id);
    text += data.add("radius", "Float64", 1, s.radius);
    text += data.add("mass", "Float64", 1, s.mass);
    text += data.add("material", "Int32", 1, s.material);
    text += data.add("velocity", "Float64", 3, s.velocity);
    text += data.add("angular_velocity", "Float64", 3, s.angular_velocity);
    if (!s.orientation.empty()) text += data.add("orientation", "Float64", 4, s.orientation);
    text += "</PointData>\n<Points>\n" + data.add("position", "Float64", 3, s.position) + "</Points>\n<Verts>\n";
    text += data.add("connectivity", "Int64", 1, connectivity) + data.add("offsets", "Int64", 1, offsets);
    text += "</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_" + data.bytes() + "\n</AppendedData>\n</VTKFile>\n";
    return text;
}

}  // namespace

Exported export_vtk(const FrameReader& reader, const std::string& directory) {
    Exported done;
    std::string list = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
    for (std::size_t i = 0; i < reader.frames().size(); ++i) {
        const Snapshot snapshot = reader.read(i);
        const std::string name = fmt::format("frame_{:06d}.vtp", i);
        done.files.push_back(run_file(directory, name.c_str()));
        write_file_atomically(done.files.back(), vtp_text(snapshot));
        list += fmt::format("<DataSet timestep=\"{:.17g}\" group=\"\" part=\"0\" file=\"{}\"/>\n", snapshot.time, name);
    }
    list += "</Collection>\n</VTKFile>\n";
    done.files.push_back(run_file(directory, "frames.pvd"));
    write_file_atomically(done.files.back(), list);
    done.frames = reader.frames().size();
    return done;
}

}  // namespace scree
