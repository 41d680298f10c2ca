#include "output/xdmf_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/error.hpp"
#include "output/atomic_file.hpp"

namespace scree {
namespace {

/// Writes `text` at `offset`. Returns 0, or the system's error.
int write_at(int descriptor, std::string_view text, std::uint64_t offset) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::pwrite(descriptor, text.data() + done, text.size() - done, static_cast<off_t>(offset + done));
        if (n < 0 && errno != EINTR) return errno;
        if (n > 0) done += static_cast<std::size_t>(n);
    }
    return 0;
}

}  // namespace

void XdmfFile::write(const std::vector<FrameEntry>& frames, const WallSets& walls) {
    const std::string text = xdmf_text(frames, walls, hdf5_name_);
    write_file_atomically(path_, text);
    grids_ = xdmf_grids(frames, walls);
    bytes_ = text.size();
}

void XdmfFile::add_last(const std::vector<FrameEntry>& frames, const WallSets& walls) {
    if (grids_ == XdmfGrids::Bodies && frames.back().surface.triangles > 0) return write(frames, walls);
    const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0 || static_cast<std::uint64_t>(status.st_size) != bytes_) {
        if (descriptor >= 0) ::close(descriptor);
        return write(frames, walls);
    }
    const std::string grid = xdmf_frame(frames.back(), grids_, walls, hdf5_name_);
    const std::uint64_t end = bytes_ - std::strlen(kXdmfEnd);
    int error = grid.empty() ? 0 : write_at(descriptor, grid + kXdmfEnd, end);
    if (error == 0) {
        bytes_ += grid.size();
    } else {
        // The room of the closing lines was there before, so that they fit on a full disk too.
        write_at(descriptor, kXdmfEnd, end);
        if (::ftruncate(descriptor, static_cast<off_t>(bytes_)) != 0) error = errno;
    }
    if (::close(descriptor) != 0 && error == 0) error = errno;
    if (error != 0) throw RunError("cannot write " + path_ + ": " + std::strerror(error));
}

}  // namespace scree
