// Frames of a run as files for other programs. In: state.h5 of a run directory (or any file with frames); out: files in a folder.
#pragma once

#include <string>
#include <vector>

#include "output/frame_reader.hpp"

namespace scree {

/// What was written.
struct Exported {
    std::vector<std::string> files;
    std::size_t frames{0};
};

/// ParaView: frame_NNNNNN.vtp (XML polydata, raw appended arrays) for each frame, with spheres as points and polyhedra as their faces
/// (compounds by their members, which name them as owner), and frames.pvd, which lists them with their times. Where walls have triangles or
/// cylinders, walls_NNNNNN.vtp and walls.pvd too; where frames have contacts, contacts_NNNNNN.vtp and contacts.pvd, and triangles of walls
/// have the force, pressure and shear that they bear.
Exported export_vtk(const FrameReader& reader, const std::string& directory);

/// Spreadsheets: frame_NNNNNN.csv for each frame, one row per body, and frames.csv with number, step, time and bodies of each frame.
/// Bodies of a run with polyhedra have the number of their shape, -1 for spheres; shapes.csv names the shapes. In a run with compounds
/// their members are rows too, with the id of their compound as owner, -1 for all others; a compound's radius is 0.
/// Frames with contacts have contacts_NNNNNN.csv, one row per contact.
Exported export_csv(const FrameReader& reader, const std::string& directory);

/// OVITO: one file bodies.dump in the text format of LAMMPS' "dump custom", all frames one after another. Types are materials, from 1.
/// The format knows no polyhedra: they appear as the spheres that bound them. Of compounds only the members are written, with the id of
/// their compound, from 1, as `mol` (0 for all others).
Exported export_lammps(const FrameReader& reader, const std::string& directory);

/// Where an export goes by default: a folder named after its kind in the run directory, or beside the file.
std::string default_export_directory(const std::string& run, const std::string& to);

/// `run` is a run directory or a file with frames; `to` is "vtk", "csv" or "lammps". Makes `directory` where it is missing.
/// Throws Error for wrong input and RunError where a file cannot be written.
Exported export_run(const std::string& run, const std::string& to, const std::string& directory);

}  // namespace scree
