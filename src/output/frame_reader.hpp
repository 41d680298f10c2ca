// Reads what the frame writer wrote: state.h5 of a run, or the one frame of fault.h5.
#pragma once

#include <string>
#include <vector>

#include "engine/snapshot.hpp"
#include "output/hdf5_file.hpp"
#include "output/xdmf.hpp"

namespace scree {

class FrameReader {
public:
    /// Throws Error where the file is missing, cut short or not one with frames.
    explicit FrameReader(const std::string& path);

    const std::vector<FrameEntry>& frames() const { return frames_; }
    /// Reads frame `i` of frames(). Throws Error where its arrays do not fit together.
    Snapshot read(std::size_t i) const;
    /// Contacts of frame `i`; empty where none were written. Overlap ratios are not stored.
    std::vector<ContactRecord> contacts(std::size_t i) const;

private:
    Hdf5File file_;
    std::vector<FrameEntry> frames_;
};

}  // namespace scree
