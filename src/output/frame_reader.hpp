// Reads what the frame writer wrote: state.h5 of a run, or the one frame of fault.h5, with the shapes and walls they refer to.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/held_bond.hpp"
#include "output/frame_geometry.hpp"
#include "output/hdf5_file.hpp"
#include "output/xdmf.hpp"

namespace scree {

class FrameReader {
public:
    /// Throws Error where the file is missing, cut short or not one with frames.
    explicit FrameReader(const std::string& path) : FrameReader(path, {}, false) {}
    /// The same of a file that a run is writing, up to the first frame that cannot be read. `known` are frames() of this file as it was
    /// read before (take_frames() of that reader): what has been read of them is not read again, so that a file that grows is followed in a
    /// time that does not grow with it. They become frames() without being copied; they stay where they are where the file no longer holds
    /// the last of them, or where this throws.
    FrameReader(const std::string& path, std::vector<FrameEntry>&& known) : FrameReader(path, std::move(known), true) {}

    const std::vector<FrameEntry>& frames() const { return frames_; }
    /// The list of frames for the next reader of the file; this one has none any more.
    std::vector<FrameEntry> take_frames() { return std::move(frames_); }
    /// Of a file that a run is writing: which frame cannot be read, why, and how many are left out with it; empty where all can. While the
    /// run goes on that may only be one that is not whole yet, once it has ended the file is damaged.
    const std::string& damage() const { return damage_; }
    /// Reads frame `i` of frames(); velocities that it does not hold (FrameEntry says) are 0. Throws Error where its arrays do not fit
    /// together.
    Snapshot read(std::size_t i) const;
    /// Contacts of frame `i`; empty where none were written. Overlap ratios are not stored; torque, kind, area and volume only where the
    /// run has polyhedra.
    std::vector<ContactRecord> contacts(std::size_t i) const;
    /// Bonds of frame `i` that hold; empty where none were written.
    std::vector<HeldBond> bonds(std::size_t i) const;
    /// Have they couples beside their forces?
    bool couples(std::size_t i) const { return frames_.at(i).contacts && file_.exists(frames_.at(i).group + "/contacts/torque"); }

    const std::vector<ShapeFaces>& shapes() const { return shapes_; }
    const WallSets& wall_sets() const { return wall_sets_; }
    /// Walls of frame `i` in their first place; read(i).walls says where they are then.
    const std::vector<WallSurface>& walls(std::size_t i) const;

private:
    FrameReader(const std::string& path, std::vector<FrameEntry>&& known, bool growing);
    FrameEntry read_entry(const std::string& name) const;
    /// Is it still in the file, with its step and time?
    bool holds(const FrameEntry& entry) const;
    void read_parts(const std::string& group, FrameEntry& entry) const;

    Hdf5File file_;
    std::vector<FrameEntry> frames_;
    std::string damage_;
    std::vector<ShapeFaces> shapes_;
    WallSets wall_sets_;
};

/// May a run still be writing frames in this directory? One that has ended leaves a summary behind its last frame; one that left none
/// counts as dead once it has written nothing for ten minutes.
bool frames_may_grow(const std::string& directory);

}  // namespace scree
