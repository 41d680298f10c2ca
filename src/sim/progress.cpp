#include "sim/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

#include "output/json.hpp"

namespace scree {
namespace {

constexpr double kRedrawn = 0.2, kJsonLine = 1, kLine = 60;  // seconds between two lines
constexpr double kRecent = 30;                               // seconds that rates are taken over
constexpr double kLong = 0.1;                                // seconds after which a person asks what takes so long

double percent_of(const ProgressState& p) {
    return p.end_step > 0 ? 100.0 * static_cast<double>(p.step) / static_cast<double>(p.end_step) : 100.0;
}

}  // namespace

std::string format_duration(double seconds) {
    if (!std::isfinite(seconds) || seconds > 1e9) return "a very long time";
    const auto s = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
    if (s >= 3600) return fmt::format("{} h {:02d} min", s / 3600, s / 60 % 60);
    if (s >= 60) return fmt::format("{} min {:02d} s", s / 60, s % 60);
    return fmt::format("{} s", s);
}

ProgressRate rate_between(const ProgressState& from, const ProgressState& to) {
    ProgressRate rate;
    const double seconds = to.wall_seconds - from.wall_seconds;
    const auto steps = static_cast<double>(to.step - from.step);
    if (seconds > 0) rate.body_steps = (to.particle_steps - from.particle_steps) / seconds;
    if (seconds > 0 && steps > 0) rate.seconds_left = seconds / steps * static_cast<double>(to.end_step - to.step);
    if (to.rebuilds > from.rebuilds) rate.steps_per_list = steps / static_cast<double>(to.rebuilds - from.rebuilds);
    return rate;
}

std::string progress_line(const ProgressState& p, const ProgressRate& rate, const std::string& doing, int width) {
    std::vector<std::string> parts = {fmt::format("{:5.1f} %", percent_of(p)), fmt::format("t = {:.6g} s of {:.6g} s", p.time, p.end_time)};
    if (rate.seconds_left >= 0) parts.push_back(format_duration(rate.seconds_left) + " left");
    if (!doing.empty()) parts.push_back(doing);
    if (rate.body_steps > 0) parts.push_back(fmt::format("{:.3g} M body-steps/s", rate.body_steps * 1e-6));
    if (rate.steps_per_list > 0) parts.push_back(fmt::format("list every {:.3g} steps", rate.steps_per_list));
    std::string line = parts.front();
    for (std::size_t k = 1; k < parts.size(); ++k) {
        if (width > 0 && line.size() + 2 + parts[k].size() > static_cast<std::size_t>(width)) break;
        line += "  " + parts[k];
    }
    return line;
}

std::string progress_json(const ProgressState& p, const ProgressRate& rate, const std::string& doing) {
    const std::string left = rate.seconds_left >= 0 ? fmt::format("{:.6g}", rate.seconds_left) : "null";
    return fmt::format(
        "{{\"event\": \"progress\", \"percent\": {:.6g}, \"step\": {}, \"first_step\": {}, \"end_step\": {}, \"time\": {:.17g}, "
        "\"end_time\": {:.17g}, \"bodies\": {}, \"body_steps_per_second\": {:.6g}, \"seconds_left\": {}, "
        "\"steps_per_list\": {:.6g}, \"wall_seconds\": {:.6g}, \"doing\": {}}}",
        percent_of(p), p.step, p.first_step, p.end_step, p.time, p.end_time, p.bodies, rate.body_steps, left, rate.steps_per_list,
        p.wall_seconds, json_string(doing.empty() ? "stepping" : doing));
}

ProgressRate Progress::rate_now(const ProgressState& state) {
    if (past_.empty()) {
        ProgressState start = state;
        start.step = start.first_step, start.particle_steps = 0, start.wall_seconds = 0;
        past_.push_back(start);
    }
    // What is older goes, but for one that the span begins with.
    while (past_.size() > 1 && past_[1].wall_seconds < state.wall_seconds - kRecent) past_.pop_front();
    return rate_between(past_.front(), state);
}

void Progress::rewrite(const std::string& line) {
    *out_ << '\r' << line << "\x1b[K" << std::flush;  // clear what is left of a longer line
    line_open_ = true;
}

void Progress::update(const ProgressState& state) {
    if (style_ == ProgressStyle::None) return;
    last_ = state;
    const double interval = style_ == ProgressStyle::Rewrite ? kRedrawn : style_ == ProgressStyle::Json ? kJsonLine : kLine;
    if (last_shown_ ? state.wall_seconds - *last_shown_ < interval : style_ == ProgressStyle::Lines && state.wall_seconds < interval)
        return;
    const ProgressRate rate = rate_now(state);
    if (past_.back().wall_seconds < state.wall_seconds - 0.05 * kRecent || past_.size() == 1) past_.push_back(state);
    last_shown_ = state.wall_seconds;
    if (style_ == ProgressStyle::Rewrite) {
        rewrite(progress_line(state, rate, doing_, width_ ? width_() - 1 : 0));
    } else if (style_ == ProgressStyle::Json) {
        *out_ << progress_json(state, rate, doing_) << std::endl;
    } else {
        *out_ << progress_line(state, rate, doing_) << std::endl;
    }
}

void Progress::doing(const std::string& what) {
    if (style_ == ProgressStyle::None || what == doing_) return;
    if (!doing_.empty()) took_[doing_] = since_.seconds();
    doing_ = what;
    since_ = WallClock();
    const auto before = took_.find(what);
    if (what.empty() || style_ != ProgressStyle::Rewrite || (before != took_.end() && before->second < kLong)) return;
    const int width = width_ ? width_() - 1 : 0;
    if (last_.end_step > 0) {
        rewrite(progress_line(last_, rate_now(last_), doing_, width));
    } else {
        rewrite(width > 0 ? doing_.substr(0, static_cast<std::size_t>(width)) : doing_);
    }
}

void Progress::say(const std::string& kind, const std::string& text) {
    if (out_ == nullptr) return;
    clear();
    if (style_ == ProgressStyle::Json) {
        *out_ << "{\"event\": " << json_string(kind) << ", \"text\": " << json_string(text) << '}' << std::endl;
    } else {
        *out_ << kind << ": " << text << std::endl;
    }
}

void Progress::end(const ProgressState& state, const std::string& reason, const std::string& message, int exit_code) {
    clear();
    if (style_ != ProgressStyle::Json) return;
    last_ = state;
    ProgressState start = state;
    start.step = start.first_step, start.particle_steps = 0, start.wall_seconds = 0;
    *out_ << progress_json(state, rate_between(start, state), "ending") << '\n'
          << "{\"event\": \"end\", \"reason\": " << json_string(reason) << ", \"message\": " << json_string(message)
          << ", \"exit_code\": " << exit_code << '}' << std::endl;
}

void Progress::clear() {
    if (line_open_) *out_ << "\r\x1b[K" << std::flush;
    line_open_ = false;
}

}  // namespace scree
