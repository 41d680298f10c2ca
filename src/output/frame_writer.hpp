// state.h5 and state.xdmf of a run. In: snapshots and contacts; out: one group /frames/NNNNNN per frame.
// The file is opened and closed once per frame, so a killed run leaves every finished frame readable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"
#include "output/hdf5_file.hpp"
#include "output/xdmf.hpp"

namespace scree {

/// Writes the arrays of one frame under `group`. Throws RunError.
void write_frame(Hdf5File& file, const std::string& group, const Snapshot& snapshot, const std::vector<ContactRecord>* contacts);

/// Bytes that one frame takes at most, apart from its headers.
double frame_bytes(std::size_t bodies, bool orientation, std::size_t contacts);

class FrameWriter {
public:
    /// Starts an empty state.h5 in `directory`. Throws RunError.
    explicit FrameWriter(const std::string& directory);
    /// Goes on after the frames of an earlier run; frames later than `step` are removed. Throws Error where the file is damaged.
    FrameWriter(const std::string& directory, std::int64_t step);

    /// Appends a frame and rewrites state.xdmf. Throws RunError; where the disk is full, before the file changes.
    void write(const Snapshot& snapshot, const std::vector<ContactRecord>* contacts = nullptr);

    std::size_t count() const { return frames_.size(); }
    /// Step of the last frame, -1 without any.
    std::int64_t last_step() const { return frames_.empty() ? -1 : frames_.back().step; }

private:
    void write_xdmf() const;

    std::string directory_;
    std::vector<FrameEntry> frames_;
};

}  // namespace scree
