// VTKHDF files over time: layout 2.0 of "VTKHDF file format" in VTK's documentation, for PolyData. Each kind of pieces is one file; what
// frames have goes one after the other into arrays that grow, and the group Steps says where each frame begins.
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "exports/export.hpp"
#include "exports/vtk_piece.hpp"
#include "output/atomic_file.hpp"
#include "output/run_directory.hpp"

namespace scree {
namespace {

/// An HDF5 file of arrays that grow row by row. Throws RunError where it cannot be written.
class GrowingFile {
public:
    GrowingFile(const std::string& path, bool compress) : path_(path), compress_(compress) {
        H5open();
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        file_ = checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    }
    ~GrowingFile() {
        if (file_ >= 0) close_arrays(), H5Fclose(file_);
    }
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    void close() {
        close_arrays();
        const hid_t file = std::exchange(file_, -1);
        const bool flushed = H5Fflush(file, H5F_SCOPE_LOCAL) >= 0, closed = H5Fclose(file) >= 0;
        checked(flushed && closed ? 0 : -1);
    }

    void make_group(const std::string& path) { H5Gclose(checked(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))); }

    void number_attribute(const std::string& path, const char* name, const std::vector<std::int64_t>& values) {
        const hsize_t size = values.size();
        const hid_t space = values.size() == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, nullptr);
        attribute(path, name, H5T_NATIVE_INT64, space, values.data());
        H5Sclose(space);
    }
    /// Plain characters of fixed length, which is what VTK looks for.
    void text_attribute(const std::string& path, const char* name, const std::string& text) {
        const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
        H5Tset_size(type, text.size());
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        attribute(path, name, type, space, text.data());
        H5Sclose(space);
        H5Tclose(type);
    }

    /// Adds rows to an array; the first time it is made.
    void append(const std::string& path, ElementType type, std::size_t columns, std::size_t rows, const void* values,
                const std::string& unit = "") {
        if (!arrays_.contains(path)) make(path, type, columns, unit);
        Array& array = arrays_.at(path);
        if (rows == 0) return;
        const hsize_t start[2] = {array.rows, 0}, count[2] = {rows, columns};
        const hsize_t size[2] = {array.rows + rows, columns};
        checked(H5Dset_extent(array.set, size));
        const hid_t space = checked(H5Dget_space(array.set)), memory = checked(H5Screate_simple(array.rank, count, nullptr));
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
        const herr_t failed = H5Dwrite(array.set, native_type(type), memory, space, H5P_DEFAULT, values);
        H5Sclose(memory);
        H5Sclose(space);
        checked(failed);
        array.rows += rows;
    }
    template <class T>
    void append(const std::string& path, const std::vector<T>& values) {
        append(path, ElementOf<T>::type, ElementOf<T>::columns, values.size(), values.data());
    }
    std::size_t rows(const std::string& path) const {
        const auto found = arrays_.find(path);
        return found == arrays_.end() ? 0 : found->second.rows;
    }

private:
    struct Array {
        hid_t set;
        int rank;
        std::size_t rows;
    };

    template <class T>
    T checked(T result) const {
        if (result < 0) throw RunError("cannot write " + path_ + ": the disk may be full, or the folder not writable");
        return result;
    }
    void attribute(const std::string& path, const char* name, hid_t type, hid_t space, const void* value) {
        const hid_t made = checked(H5Acreate_by_name(file_, path.c_str(), name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        const herr_t failed = H5Awrite(made, type, value);
        H5Aclose(made);
        checked(failed);
    }
    void make(const std::string& path, ElementType type, std::size_t columns, const std::string& unit) {
        constexpr hsize_t chunk_bytes = 1 << 18;
        const int rank = columns == 1 ? 1 : 2;
        const hsize_t none[2] = {0, columns}, most[2] = {H5S_UNLIMITED, columns};
        const hsize_t chunk[2] = {std::max<hsize_t>(16, path.find("/Steps/") != std::string::npos ? 256 : chunk_bytes / (columns * 8)),
                                  columns};
        const hid_t space = checked(H5Screate_simple(rank, none, most)), how = checked(H5Pcreate(H5P_DATASET_CREATE)),
                    links = checked(H5Pcreate(H5P_LINK_CREATE));
        H5Pset_chunk(how, rank, chunk);
        H5Pset_create_intermediate_group(links, 1);
        if (compress_) H5Pset_shuffle(how), H5Pset_deflate(how, 1);
        const hid_t set = H5Dcreate2(file_, path.c_str(), native_type(type), space, links, how, H5P_DEFAULT);
        H5Pclose(links);
        H5Pclose(how);
        H5Sclose(space);
        arrays_[path] = {checked(set), rank, 0};
        if (!unit.empty()) text_attribute(path, "unit", unit);
    }
    void close_arrays() {
        for (auto& [path, array] : arrays_) H5Dclose(array.set);
        arrays_.clear();
    }

    std::string path_;
    bool compress_;
    hid_t file_{-1};
    std::map<std::string, Array> arrays_;
};

constexpr const char* kTopologies[] = {"Vertices", "Lines", "Polygons", "Strips"};

/// One file of pieces over time.
class VtkHdfFile {
public:
    VtkHdfFile(const std::string& path, bool compress) : path_(path), temporary_(temporary_name(path)), file_(temporary_, compress) {
        file_.make_group("/VTKHDF");
        file_.number_attribute("/VTKHDF", "Version", {2, 0});
        file_.text_attribute("/VTKHDF", "Type", "PolyData");
        for (const char* group :
             {"/VTKHDF/PointData", "/VTKHDF/CellData", "/VTKHDF/Steps", "/VTKHDF/Steps/PointDataOffsets", "/VTKHDF/Steps/CellDataOffsets"})
            file_.make_group(group);
    }

    void add(const VtkPiece& piece) {
        file_.append("/VTKHDF/Steps/Values", std::vector<double>{piece.time});
        file_.append("/VTKHDF/Steps/PartOffsets", std::vector<std::int64_t>{static_cast<std::int64_t>(steps_)});
        file_.append("/VTKHDF/Steps/NumberOfParts", std::vector<std::int64_t>{1});
        file_.append("/VTKHDF/Steps/PointOffsets", std::vector<std::int64_t>{static_cast<std::int64_t>(file_.rows("/VTKHDF/Points"))});
        file_.append("/VTKHDF/Steps/CellOffsets", std::vector<std::array<std::int64_t, 4>>{cells_});
        file_.append("/VTKHDF/NumberOfPoints", std::vector<std::int64_t>{static_cast<std::int64_t>(piece.points.size())});
        file_.append("/VTKHDF/Points", piece.points);
        std::array<std::int64_t, 4> ids{};
        for (std::size_t t = 0; t < ids.size(); ++t) ids[t] = static_cast<std::int64_t>(file_.rows(topology(t) + "Connectivity"));
        file_.append("/VTKHDF/Steps/ConnectivityIdOffsets", std::vector<std::array<std::int64_t, 4>>{ids});
        add_cells(0, piece.vertex, ends_of_cells(piece.vertex.size(), 1));
        add_cells(1, piece.line, ends_of_cells(piece.line.size() / 2, 2));
        add_cells(2, piece.polygon_point, piece.polygon_end);
        add_cells(3, {}, {});
        add_data("PointData", piece.point_data, piece.points.size(), point_rows_);
        add_data("CellData", piece.cell_data, piece.cells(), cell_rows_);
        ++steps_;
    }

    void finish() {
        file_.number_attribute("/VTKHDF/Steps", "NSteps", {static_cast<std::int64_t>(steps_)});
        file_.close();
        publish_file(temporary_, path_);
    }

private:
    static std::string topology(std::size_t t) { return std::string("/VTKHDF/") + kTopologies[t] + "/"; }
    /// Offsets of a step are one more than its cells. Of steps without cells there are two, as if there were a cell: readers differ in
    /// whether they count steps without cells when they look for a later step's offsets, and so none is without.
    void add_cells(std::size_t t, const std::vector<std::int64_t>& points, const std::vector<std::int64_t>& ends) {
        std::vector<std::int64_t> offsets{0};
        offsets.insert(offsets.end(), ends.begin(), ends.end());
        if (ends.empty()) offsets.push_back(0);
        file_.append(topology(t) + "NumberOfCells", std::vector<std::int64_t>{static_cast<std::int64_t>(ends.size())});
        file_.append(topology(t) + "NumberOfConnectivityIds", std::vector<std::int64_t>{static_cast<std::int64_t>(points.size())});
        file_.append(topology(t) + "Offsets", offsets);
        file_.append(topology(t) + "Connectivity", points);
        cells_[t] += static_cast<std::int64_t>(offsets.size() - 1);
    }

    /// Every array needs rows in every step: those that a step lacks are not numbers, or -1.
    void add_data(const std::string& group, const VtkArrays& arrays, std::size_t rows, std::size_t& rows_before) {
        std::map<std::string, Known>& known = known_[group];
        for (const VtkArray& array : arrays.list) {
            if (known.emplace(array.name, Known{array.type, array.components, array.unit}).second) {
                fill(group, array.name, rows_before);
                for (std::size_t k = 0; k < steps_; ++k) add_offset(group, array.name, 0);
            }
        }
        for (const auto& [name, of] : known) {
            const std::string path = "/VTKHDF/" + group + "/" + name;
            add_offset(group, name, rows_before);
            const auto found =
                std::find_if(arrays.list.begin(), arrays.list.end(), [&wanted = name](const VtkArray& a) { return a.name == wanted; });
            if (found == arrays.list.end()) {
                fill(group, name, rows);
            } else {
                file_.append(path, of.type, of.components, rows, found->bytes.data(), of.unit);
            }
        }
        rows_before += rows;
    }
    void add_offset(const std::string& group, const std::string& name, std::size_t rows) {
        file_.append("/VTKHDF/Steps/" + group + "Offsets/" + name, std::vector<std::int64_t>{static_cast<std::int64_t>(rows)});
    }
    void fill(const std::string& group, const std::string& name, std::size_t rows) {
        const Known& of = known_[group].at(name);
        const std::size_t count = rows * of.components;
        const std::string path = "/VTKHDF/" + group + "/" + name;
        if (of.type == ElementType::Float64) {
            const std::vector<double> values(count, std::numeric_limits<double>::quiet_NaN());
            file_.append(path, of.type, of.components, rows, values.data(), of.unit);
        } else {
            const std::vector<std::int64_t> values(count, -1);  // all bits of any whole number
            file_.append(path, of.type, of.components, rows, values.data(), of.unit);
        }
    }

    struct Known {
        ElementType type;
        std::size_t components;
        std::string unit;
    };

    std::string path_, temporary_;
    GrowingFile file_;
    std::size_t steps_{0}, point_rows_{0}, cell_rows_{0};
    std::array<std::int64_t, 4> cells_{};
    std::map<std::string, std::map<std::string, Known>> known_;
};

}  // namespace

Exported export_vtkhdf(const FrameReader& reader, const std::string& directory, bool compress) {
    Exported done;
    std::vector<const VtkKind*> kinds;
    std::vector<std::unique_ptr<VtkHdfFile>> files;
    for (const VtkKind& kind : vtk_kinds()) {
        if (!kind.hdf || !kind.of_run(reader)) continue;
        kinds.push_back(&kind);
        done.files.push_back(run_file(directory, (std::string(kind.list) + ".vtkhdf").c_str()));
        files.push_back(std::make_unique<VtkHdfFile>(done.files.back(), compress));
    }
    const Aabb region = region_of_run(reader);
    for (std::size_t i = 0; i < reader.frames().size(); ++i) {
        const VtkFrame frame = read_vtk_frame(reader, i, region);
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            VtkPiece piece = kinds[k]->of_frame(frame.entry) ? kinds[k]->piece(frame) : VtkPiece{};
            piece.time = frame.bodies.time;
            files[k]->add(piece);
        }
    }
    for (const auto& file : files) file->finish();
    done.frames = reader.frames().size();
    return done;
}

}  // namespace scree
