// Pictures and films of runs: what `scree render` does.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/fields.hpp"
#include "render/world.hpp"

namespace scree {

inline constexpr int kSmallestSide = 16, kLargestSide = 16384;  // of pictures [pixels]

struct RenderOptions {
    std::vector<std::string> runs;  // run directories, or files with frames; several stand side by side
    std::string output;             // .png, .mp4, .webm, or a folder; empty: in the first run
    bool overwrite{false};
    std::string frames;  // "last", "first", "all", numbers as "a:b:step", or several of these as "0,8,-1"; empty: the last, of films all
    std::string time;    // "T" or "T0:T1" [s], in place of frames
    PictureSize size{1920, 1080};
    Quality quality;
    // Colours.
    std::string colour;  // empty: speed, or none where frames hold no velocities
    std::string map;     // empty: as suits the field
    std::optional<std::pair<double, double>> range;
    bool plain{false};  // neither legend nor text
    // Camera.
    std::optional<double> azimuth, elevation;  // [degrees]
    std::optional<Vec3> from, at, up;          // [m]
    std::optional<std::uint32_t> follow;       // id
    double orbit{0};                           // turns over all pictures
    std::int64_t pictures{0};                  // of an orbit about one frame
    bool orthographic{false};
    double field{28};  // angle of view over the height [degrees]
    double zoom{1};
    double pictures_per_second{25};
    // What is drawn.
    std::optional<double> body_size;
    bool bonds{false}, chains{false};
    std::string bond_colour{"damage"};
    std::vector<std::string> cuts, sections, hidden, transparent, solid;
    std::vector<std::vector<std::string>> materials;  // names, of each run; may be fewer
    std::function<void(std::size_t done, std::size_t all)> progress;
    std::function<void(const std::string& text)> warn;  // of pictures that show less than was hoped for, once each
};

struct Rendered {
    std::string path;  // a file, or a folder
    std::size_t pictures{0};
};

/// Throws Error for wrong input, before anything is written, and RunError where a file cannot be written.
Rendered render_runs(const RenderOptions& options);

/// One picture of a frame in memory: the bytes of a .png file. Of the options, runs, frames, time and output say nothing. Throws Error.
std::string render_frame(const FrameParts& frame, const RenderOptions& options);

/// Numbers of the frames that `frames` or `time` choose among those at `times`; what is empty chooses nothing, and both empty the last one.
/// Throws Error.
std::vector<std::size_t> chosen_frames(const std::string& frames, const std::string& time, const std::vector<double>& times);

}  // namespace scree
