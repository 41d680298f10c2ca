// Tells the person how far a run is: one line rewritten on a terminal, a line a minute elsewhere, or lines of JSON for programs.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/wall_clock.hpp"

namespace scree {

enum class ProgressStyle { None, Rewrite, Lines, Json };

/// Where a run is.
struct ProgressState {
    std::int64_t first_step{0}, step{0}, end_step{0};
    double time{0}, end_time{0};  // simulated [s]
    double particle_steps{0};     // bodies × steps since first_step
    double wall_seconds{0};
    std::int64_t bodies{0}, rebuilds{0};  // now; of the pair list since the very start
};

/// How fast it goes: over the last half a minute, or over this run where that is all there is.
struct ProgressRate {
    double body_steps{0};      // [1/s]
    double seconds_left{-1};   // below 0: not known
    double steps_per_list{0};  // steps from one making of the pair list to the next; 0: none was made
};

/// Over the span from an earlier state of a run to a later one.
ProgressRate rate_between(const ProgressState& from, const ProgressState& to);

/// "45.2 %  t = 2.26 s of 5 s  1 min 20 s left  12.3 M body-steps/s  list every 40 steps  writing a frame": as much of it as a width in
/// columns takes, the last first left out; 0: all.
std::string progress_line(const ProgressState& state, const ProgressRate& rate, const std::string& doing = "", int width = 0);

/// The same as one line of JSON, with all numbers.
std::string progress_json(const ProgressState& state, const ProgressRate& rate, const std::string& doing);

/// "1 h 03 min", "1 min 20 s", "7 s".
std::string format_duration(double seconds);

class Progress {
public:
    /// `out` may be null: then nothing is shown. `width` of the terminal, asked for with every line; none: no limit.
    Progress(std::ostream* out, ProgressStyle style, std::function<int()> width = {})
        : out_(out), style_(out ? style : ProgressStyle::None), width_(std::move(width)) {}
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Shows the state where enough wall time has passed since the last one shown.
    void update(const ProgressState& state);
    /// What the run does from now on besides stepping, as in "writing a frame"; shown at once on a terminal where it may take long: the
    /// first time, and where the last time took a tenth of a second or more. Empty: it goes on stepping.
    void doing(const std::string& what);
    /// A text of its own line, as in "warning: ..."; as JSON an object with `event` = kind.
    void say(const std::string& kind, const std::string& text);
    /// The run has ended: as JSON a last object, else the line goes.
    void end(const ProgressState& state, const std::string& reason, const std::string& message, int exit_code);
    /// Ends the rewritten line, so that other text may follow.
    void clear();

private:
    void rewrite(const std::string& line);
    ProgressRate rate_now(const ProgressState& state);

    std::ostream* out_;
    ProgressStyle style_;
    std::function<int()> width_;
    std::optional<double> last_shown_;  // [s] of wall time
    bool line_open_{false};
    std::deque<ProgressState> past_;  // a few of the last half a minute, the oldest first
    ProgressState last_;
    std::string doing_;
    WallClock since_;                     // when it began to do that
    std::map<std::string, double> took_;  // [s], the last time
};

}  // namespace scree
