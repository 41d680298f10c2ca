// The XDMF 3 file beside state.h5 that ParaView and VisIt open: a temporal collection of point sets, or, where there are polyhedra or walls
// of triangles, of three kinds of grids at each time: "bodies" (points), "polyhedra" (triangles), and one for each wall under its name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/frame_geometry.hpp"
#include "output/polyhedra_surface.hpp"

namespace scree {

/// A column of bodies.
struct ColumnEntry {
    std::string name;
    std::size_t components{1};
};

/// What a frame in state.h5 holds, without its arrays.
struct FrameEntry {
    std::string group;  // "/frames/000012"
    std::int64_t step{0};
    double time{0};          // [s]
    std::size_t bodies{0};   // rows: bodies, and the members of compounds
    std::size_t members{0};  // of them members
    bool orientation{false};
    bool shape{false};
    bool owner{false};
    std::vector<ColumnEntry> columns;  // beside those that every frame has
    bool contacts{false}, bonds{false};
    SurfaceSize surface;      // of the polyhedra
    std::string walls;        // group that holds the walls; empty: none
    bool walls_moved{false};  // poses of the walls are given
    bool single{false};       // places, motion and further columns in single precision
    bool velocity{true}, angular_velocity{true};
};

/// Where state.h5 holds the numbers 0 … bodies - 1. XDMF 3 readers show no points without such a list; frames of equally many bodies share
/// it.
std::string points_path(std::size_t bodies);

/// Where a frame holds the vertices of a wall that moves; `key` as in output/geometry_file.hpp.
std::string moved_wall_path(const std::string& frame, const std::string& key);

/// What stands at each time: the bodies alone, or a collection of bodies, polyhedra and walls.
enum class XdmfGrids { Bodies, BodiesAndSurfaces };
XdmfGrids xdmf_grids(const std::vector<FrameEntry>& frames, const WallSets& walls);

/// The text of one frame; empty where it has no bodies.
std::string xdmf_frame(const FrameEntry& frame, XdmfGrids grids, const WallSets& walls, const std::string& hdf5_name);

/// The lines behind the last frame.
inline constexpr const char* kXdmfEnd = "    </Grid>\n  </Domain>\n</Xdmf>\n";

/// The XDMF text of these frames; `hdf5_name` is relative to the XDMF file. Frames without bodies are left out.
std::string xdmf_text(const std::vector<FrameEntry>& frames, const WallSets& walls, const std::string& hdf5_name);

}  // namespace scree
