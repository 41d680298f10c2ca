// The XDMF 3 file beside state.h5: a temporal collection of point sets that ParaView and VisIt open.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scree {

/// What a frame in state.h5 holds, without its arrays.
struct FrameEntry {
    std::string group;  // "/frames/000012"
    std::int64_t step{0};
    double time{0};  // [s]
    std::size_t bodies{0};
    bool orientation{false};
    bool contacts{false};
};

/// Where state.h5 holds the numbers 0 … bodies - 1. XDMF 3 readers show no points without such a list; frames of equally many bodies share
/// it.
std::string points_path(std::size_t bodies);

/// The XDMF text of these frames; `hdf5_name` is relative to the XDMF file. Frames without bodies are left out.
std::string xdmf_text(const std::vector<FrameEntry>& frames, const std::string& hdf5_name);

}  // namespace scree
