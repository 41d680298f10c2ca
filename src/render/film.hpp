// A film file from pictures, made by the program ffmpeg, which takes them one by one through a pipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "output/removed_on_signal.hpp"
#include "render/camera.hpp"

namespace scree {

/// Whether a name ends as films do that can be made: .mp4 (H.264) or .webm (VP9).
bool is_film_name(const std::string& path);

/// Where ffmpeg is, from PATH. Throws Error where it is not.
std::string find_ffmpeg();

class Film {
public:
    /// Starts ffmpeg. Throws Error where it is not there, RunError where it does not start.
    Film(const std::string& path, PictureSize size, double pictures_per_second);
    /// Stops ffmpeg, and leaves no file, unless the film was finished.
    ~Film();
    Film(const Film&) = delete;
    Film& operator=(const Film&) = delete;

    /// One picture: rows of blue, green, red and a byte without meaning. Throws RunError with what ffmpeg says where it gives up.
    void add(const std::uint8_t* rows, std::size_t row_bytes);
    /// Ends the film; only now the file is at its path. Throws RunError.
    void finish();

private:
    [[noreturn]] void gave_up();
    int wait();

    std::string path_, temporary_, messages_;
    PictureSize size_;
    int pipe_{-1};
    int process_{-1};
    std::unique_ptr<RemovedOnSignal> removed_;  // what is half written
};

}  // namespace scree
