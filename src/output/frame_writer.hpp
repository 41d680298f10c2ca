// state.h5 and state.xdmf of a run. In: snapshots and contacts; out: one group /frames/NNNNNN per frame, and the groups of
// output/geometry_file.hpp. Compounds and their members are rows alike: `owner` is the id of a member's compound, -1 for all others, which
// are the bodies to count and to sum masses over; `radius` of a compound is 0, since only its members are seen. The file is opened and
// closed once per frame, so a killed run leaves every finished frame readable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/held_bond.hpp"
#include "output/frame_geometry.hpp"
#include "output/hdf5_file.hpp"
#include "output/polyhedra_surface.hpp"
#include "output/xdmf_file.hpp"

namespace scree {

/// What frames hold of what could be written.
struct FrameChoice {
    bool single{false};    // numbers in single precision, but for radii and masses
    bool compress{false};  // all arrays, not only those that hardly change along their rows
    bool velocity{true}, angular_velocity{true};
    bool surface{true};  // triangles of bodies with faces
};

/// What the frame before holds of what seldom changes: a frame that agrees in a column, or in what decides the triangles, shares its copy.
struct EarlierFrame {
    std::string group;    // "/frames/000012"; empty: none
    bool surface{false};  // it holds triangles
    std::vector<std::uint32_t> id;
    std::vector<double> radius, mass;
    std::vector<std::int32_t> material, shape, owner;

    bool same_triangles(const Snapshot& s) const { return surface && id == s.id && shape == s.shape && material == s.material; }
};

/// Writes the arrays of one frame under `group`: bodies, contacts and bonds if given, the surfaces of polyhedra, and where the walls are.
/// `walls` is the group that holds the walls. What is as in `earlier` is shared with it. Returns what the frame holds. Throws RunError.
FrameEntry write_frame(Hdf5File& file, const std::string& group, const Snapshot& snapshot, const std::vector<ContactRecord>* contacts,
                       const FrameGeometry& geometry = {}, const std::string& walls = "", const EarlierFrame& earlier = {},
                       const std::vector<HeldBond>* bonds = nullptr, const FrameChoice& choice = {});

/// How much a frame holds.
struct FrameSize {
    std::size_t bodies{0};
    std::size_t contacts{0};
    std::size_t bonds{0};
    bool orientation{false};
    bool shapes{false};    // the model has polyhedra
    bool couples{false};   // contacts have couples
    bool owner{false};     // the model has compounds
    std::size_t shown{0};  // numbers of a body in columns beside those that every frame has
    SurfaceSize surface;
    bool shared_triangles{false};  // with an earlier frame
    std::size_t moved_points{0};   // vertices of walls that move
    FrameChoice choice;
};

/// Bytes that one frame takes at most, apart from its headers.
double frame_bytes(const FrameSize& size);
/// The same for a frame of this model in a long run, when `bodies` are left; frames share their triangles then.
double frame_bytes(const Model& model, std::size_t bodies, std::size_t contacts, const FrameChoice& choice = {});
/// And what it takes beside its arrays: headers of groups and arrays in state.h5, lines of state.xdmf.
double frame_header_bytes(const Model& model, std::size_t bodies, std::size_t contacts);

class FrameWriter {
public:
    /// Starts a state.h5 without frames in `directory`. Throws RunError.
    explicit FrameWriter(const std::string& directory, FrameGeometry geometry = {}, const FrameChoice& choice = {});
    /// Goes on after the frames of an earlier run; frames later than `step` are removed. Throws Error where the file is damaged.
    FrameWriter(const std::string& directory, std::int64_t step, FrameGeometry geometry = {}, const FrameChoice& choice = {});

    /// Appends a frame, also to state.xdmf. Throws RunError; where the disk is full, before the file changes.
    void write(const Snapshot& snapshot, const std::vector<ContactRecord>* contacts = nullptr,
               const std::vector<HeldBond>* bonds = nullptr);

    /// Walls of later frames, in the order of snapshots.
    void change_walls(std::vector<WallSurface> walls);

    std::size_t count() const { return frames_.size(); }
    /// Step of the last frame, -1 without any.
    std::int64_t last_step() const { return frames_.empty() ? -1 : frames_.back().step; }

private:
    /// Looks for the walls of this run among those on file; true where they need not be written.
    bool find_walls();
    void add_walls(Hdf5File& file);

    std::string directory_;
    FrameGeometry geometry_;
    FrameChoice choice_;
    std::string walls_;   // group of the walls of this run, empty where it has none
    WallSets wall_sets_;  // of this run, and of earlier ones in the same file
    std::vector<FrameEntry> frames_;
    XdmfFile xdmf_;
    EarlierFrame last_;
};

}  // namespace scree
