// What files of VTK hold of one frame, whatever their format: points, cells and arrays by points and by cells, as a vtkPolyData has them.
// In: a frame; out: one piece for bodies, centres, surfaces, walls, contacts, chains and bonds each. Cells are counted vertices first, then
// lines, then polygons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/aabb.hpp"
#include "output/frame_reader.hpp"
#include "output/hdf5_file.hpp"

namespace scree {

/// An array with a row for each point or each cell.
struct VtkArray {
    std::string name, unit;  // unit empty: a bare number
    ElementType type{ElementType::Float64};
    std::size_t components{1}, rows{0};
    std::vector<std::byte> bytes;
};

/// Builds lists of arrays.
class VtkArrays {
public:
    template <class T>
    void add(const std::string& name, const std::string& unit, const std::vector<T>& values) {
        static_assert(sizeof(T) == ElementOf<T>::columns * element_bytes(ElementOf<T>::type));
        add(name, unit, ElementOf<T>::type, ElementOf<T>::columns, values.size(), values.data());
    }
    void add(const std::string& name, const std::string& unit, ElementType type, std::size_t components, std::size_t rows,
             const void* values);

    std::vector<VtkArray> list;
};

struct VtkPiece {
    double time{0};  // [s]
    std::vector<Vec3> points;
    std::vector<std::int64_t> vertex;                      // a point each
    std::vector<std::int64_t> line;                        // two points each
    std::vector<std::int64_t> polygon_point, polygon_end;  // loops, and where each ends
    VtkArrays point_data, cell_data;
    std::string scalars_of_points, vectors_of_points, scalars_of_cells;  // arrays that a viewer shows first

    std::size_t cells() const { return vertex.size() + line.size() / 2 + polygon_end.size(); }
};

/// Where each of `count` cells of `each` points ends in the list of their points.
std::vector<std::int64_t> ends_of_cells(std::size_t count, std::int64_t each);

/// One frame with what goes with it.
struct VtkFrame {
    const FrameReader& reader;
    std::size_t number;
    const FrameEntry& entry;
    Snapshot bodies;
    std::vector<ContactRecord> contacts;
    std::vector<HeldBond> bonds;
    Aabb region;  // as far as planes are drawn
};
VtkFrame read_vtk_frame(const FrameReader& reader, std::size_t number, const Aabb& region);

/// The box of bodies and walls in the first, the middle and the last frame: the same for all frames, so that planes stay as they are.
Aabb region_of_run(const FrameReader& reader);

/// One kind of pieces, in files of its own.
struct VtkKind {
    const char* stem;  // of the files of frames: "walls" of walls_000012.vtp
    const char* list;  // of the file that lists them, or holds all of them: "walls" of walls.pvd and walls.vtkhdf
    VtkPiece (*piece)(const VtkFrame& frame);
    bool (*of_run)(const FrameReader& reader);  // is there any in this run?
    bool (*of_frame)(const FrameEntry& entry);  // and in this frame?
    bool xml, hdf;                              // in which of the formats
};

/// Spheres as points and bodies with faces as these ("frame", XML); all bodies as points at their centres ("bodies"); surfaces of bodies
/// with faces ("surfaces", HDF); walls that are there; contacts as points, and as lines from centre to centre ("chains"); bonds.
const std::vector<VtkKind>& vtk_kinds();

}  // namespace scree
