// Frames of a run as files for other programs. In: state.h5 of a run directory (or any file with frames); out: files in a folder.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/frame_reader.hpp"

namespace scree {

/// What was written.
struct Exported {
    std::vector<std::string> files;
    std::size_t frames{0};
};

/// How the one frame of a glTF file is chosen and coloured, as pictures are (render/render_run.hpp).
struct GltfOptions {
    std::string time;    // [s]; empty: the last frame
    std::string colour;  // empty: speed, or none where the frame holds no velocities
    std::string map;     // empty: as suits the field
    std::optional<std::pair<double, double>> range;
    std::vector<std::string> materials;  // names by number
    bool nodes{false};                   // a node for each body, instead of instances
};

struct ExportOptions {
    bool compress{false};  // deflate the arrays of vtk and vtkhdf
    GltfOptions gltf;
    bool overwrite{false};  // replace an earlier export of this kind
};

/// ParaView: frame_NNNNNN.vtp (XML polydata, raw or deflated appended arrays) for each frame, with spheres as points and polyhedra as their
/// faces (compounds by their members, which name them as owner), and frames.pvd, which lists them with their times. With shapes also
/// bodies_NNNNNN.vtp: all bodies as points at their centres, with orientations. Walls with triangles or cylinders and planes, contacts as
/// points and as lines ("chains"), and bonds have files of the same kind; where frames have contacts, triangles of walls have the force,
/// pressure and shear that they bear.
Exported export_vtk(const FrameReader& reader, const std::string& directory, bool compress = false);

/// ParaView 5.12 or VTK 9.3 and later: the same as one VTKHDF file over time for each kind: bodies, surfaces, walls, planes, contacts,
/// chains, bonds.
Exported export_vtkhdf(const FrameReader& reader, const std::string& directory, bool compress = false);

/// Spreadsheets: frame_NNNNNN.csv for each frame, one row per body, and frames.csv with number, step, time and bodies of each frame.
/// Bodies of a run with polyhedra have the number of their shape, -1 for spheres; shapes.csv names the shapes. In a run with compounds
/// their members are rows too, with the id of their compound as owner, -1 for all others; a compound's radius is 0.
/// Frames with contacts have contacts_NNNNNN.csv, one row per contact.
Exported export_csv(const FrameReader& reader, const std::string& directory);

/// OVITO: one file bodies.dump in the text format of LAMMPS' "dump custom", all frames one after another. Types are materials, from 1.
/// Orientations stand as quaternions, and ellipsoids with their diameters. The format knows no polyhedra: they appear as the spheres that
/// bound them. Of compounds only the members are written, with the id of their compound, from 1, as `mol` (0 for all others).
Exported export_lammps(const FrameReader& reader, const std::string& directory);

/// HOOMD, OVITO, freud: one file run.gsd of GSD's schema "hoomd", all frames, in single precision. Types are shapes and materials; shapes
/// stand as type_shapes. The box has its middle at the origin, as the schema wants: places are less log/origin, which is 0 along axes
/// without periods.
Exported export_gsd(const FrameReader& reader, const std::string& directory);

/// Viewers and Blender: one frame as frame_NNNNNN.glb. Makes `directory` where it is missing.
Exported export_gltf(const FrameReader& reader, const std::string& directory, const GltfOptions& options);

/// Names of the formats.
const std::vector<std::string>& export_formats();

/// Where an export goes by default: a folder named after its kind in the run directory, or beside the file.
std::string default_export_directory(const std::string& run, const std::string& to);

/// Makes `directory`, and the folders above it. Throws Error.
void make_export_directory(const std::string& directory);

/// `run` is a run directory or a file with frames; `to` is one of export_formats(). Makes `directory` where it is missing. Where it holds
/// files of the names that this kind writes, it is refused without `overwrite`; with it, those that are not written anew are removed at
/// the end, except frames of glTF, of which each is an export of its own.
/// Throws Error for wrong input and RunError where a file cannot be written.
Exported export_run(const std::string& run, const std::string& to, const std::string& directory, const ExportOptions& options = {});

}  // namespace scree
