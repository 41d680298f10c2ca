// What a file says of bodies, whatever its format: columns of numbers by their meaning. Readers fill them, place_file places what they
// hold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "scene/scene.hpp"
#include "setup/placement/text_rows.hpp"

namespace scree {

/// What a column means. Type counts materials from 1, Material the scene's from 0, Shape those of BodyColumns::shapes.
enum class Column {
    X,
    Y,
    Z,
    Radius,
    Diameter,
    Vx,
    Vy,
    Vz,
    Wx,
    Wy,
    Wz,
    Qw,
    Qx,
    Qy,
    Qz,
    Angle,
    Id,
    Type,
    Material,
    Shape,
    Mass,
    Density,
    Count
};
inline constexpr std::size_t kColumns = static_cast<std::size_t>(Column::Count);

/// A name in a file and what it means.
using ColumnName = std::pair<std::string_view, Column>;

struct BodyColumns {
    /// Who wrote the file. Of other programs bodies come in the order of their ids, and columns without a meaning here are skipped.
    enum class Writer { User, Scree, Other };

    SourcePlace head;                                    // the file, and the line that names the columns
    std::array<std::vector<double>, kColumns> values{};  // lengths in the file's unit; of each column as many as bodies, or none
    std::vector<int> row{};                              // of each body: its line, or the number of its `item`
    std::vector<std::string> shapes{};                   // names; empty: a sphere
    Writer writer{Writer::Other};
    const char* item{nullptr};  // "point", "particle": what a body has stands in several places of the file; none: in one line

    std::vector<double>& of(Column c) { return values[static_cast<std::size_t>(c)]; }
    const std::vector<double>& of(Column c) const { return values[static_cast<std::size_t>(c)]; }
    bool has(Column c) const { return !of(c).empty(); }
    /// The number of body k, or `otherwise` where the file has no such column.
    double number(Column c, std::size_t k, double otherwise) const { return has(c) ? of(c)[k] : otherwise; }
    std::size_t size() const { return row.size(); }
    /// An error of body k, with its line or point.
    Error fault(std::size_t k, const std::string& message) const;
};

/// Puts the bodies in the order of their ids, where there are any. Throws scree::Error where an id stands twice.
void order_by_id(BodyColumns& bodies);

/// A field as a number of `what`, 0 or more; otherwise scree::Error at `place`.
std::int64_t count_or_throw(std::string_view field, const char* what, const SourcePlace& place);

/// Text with a line per body and named columns (see place_file), or radius x y z without names. Names of materials are those of `scene`.
BodyColumns read_text_bodies(TextRows& rows, const Scene& scene);

/// The last frame of a text dump of LAMMPS or LIGGGHTS: ITEM: TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS, ATOMS. Positions are x y z, xu yu zu,
/// or scaled, xs ys zs or xsu ysu zsu, which go through the bounds of the box, tilted or not.
BodyColumns read_lammps_dump(TextRows& rows, bool planar);

/// A data file of LAMMPS or LIGGGHTS of atom_style sphere: sections Atoms and, where there is one, Velocities.
BodyColumns read_lammps_data(TextRows& rows);

/// VTK's XML files of points with arrays of point data (PolyData, UnstructuredGrid), in one or several pieces, or a file that names such
/// files: a collection (.pvd), of which those of the last time are read, or that of a parallel run (.pvtp, .pvtu).
BodyColumns read_vtk_xml(const std::string& path, std::string text);

/// The last frame of a GSD file of HOOMD's schema. Where no frame has diameters these are HOOMD's own, 1, unless bodies are `sized`
/// otherwise.
BodyColumns read_gsd(const std::string& path, std::string_view bytes, bool sized);

/// A legacy VTK file, ASCII or binary, of points with arrays of point data: POLYDATA or UNSTRUCTURED_GRID. `path` is for messages.
BodyColumns read_vtk(const std::string& path, std::string_view text);

}  // namespace scree
