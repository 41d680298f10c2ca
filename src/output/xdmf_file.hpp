// state.xdmf of a run. Each frame is written over the closing lines, with one write: the cost of a frame does not grow with their number.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "output/xdmf.hpp"

namespace scree {

class XdmfFile {
public:
    /// `hdf5_name` is relative to the file at `path`.
    XdmfFile(std::string path, std::string hdf5_name) : path_(std::move(path)), hdf5_name_(std::move(hdf5_name)) {}

    /// Replaces the file by the text of all frames. Throws RunError; the old file then stays.
    void write(const std::vector<FrameEntry>& frames, const WallSets& walls);
    /// Adds the last of `frames`; all others are on file. Writes anew where the file is no longer as it was left, or where the first
    /// surface changes what holds the grids. Throws RunError; the file is then as before.
    void add_last(const std::vector<FrameEntry>& frames, const WallSets& walls);

private:
    std::string path_, hdf5_name_;
    XdmfGrids grids_{XdmfGrids::Bodies};
    std::uint64_t bytes_{0};  // of the file as it was left
};

}  // namespace scree
