#include "sim/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace scree {

std::string format_duration(double seconds) {
    if (!std::isfinite(seconds) || seconds > 1e9) return "a very long time";
    const auto s = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
    if (s >= 3600) return fmt::format("{} h {:02d} min", s / 3600, s / 60 % 60);
    if (s >= 60) return fmt::format("{} min {:02d} s", s / 60, s % 60);
    return fmt::format("{} s", s);
}

std::string progress_line(const ProgressState& p) {
    const double done = static_cast<double>(p.step - p.first_step);
    const double percent = p.end_step > 0 ? 100.0 * static_cast<double>(p.step) / static_cast<double>(p.end_step) : 100.0;
    const double speed = p.wall_seconds > 0 ? p.particle_steps / p.wall_seconds : 0.0;
    std::string line =
        fmt::format("{:5.1f} %  t = {:.6g} s of {:.6g} s  {:.3g} M particle-steps/s", percent, p.time, p.end_time, speed * 1e-6);
    if (done > 0) line += "  " + format_duration(p.wall_seconds / done * static_cast<double>(p.end_step - p.step)) + " left";
    return line;
}

void Progress::update(const ProgressState& state) {
    if (style_ == ProgressStyle::None) return;
    const double interval = style_ == ProgressStyle::Rewrite ? 0.2 : 60.0;
    if (state.wall_seconds - last_shown_ < interval) return;
    last_shown_ = state.wall_seconds;
    if (style_ == ProgressStyle::Rewrite) {
        *out_ << '\r' << progress_line(state) << "\x1b[K" << std::flush;  // clear what is left of a longer line
        line_open_ = true;
    } else {
        *out_ << progress_line(state) << std::endl;
    }
}

void Progress::clear() {
    if (line_open_) *out_ << "\r\x1b[K" << std::flush;
    line_open_ = false;
}

}  // namespace scree
