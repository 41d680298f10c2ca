// Tells the person how far a run is: one line rewritten on a terminal, a line a minute elsewhere.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace scree {

enum class ProgressStyle { None, Rewrite, Lines };

/// Where a run is; rates are averages over this run.
struct ProgressState {
    std::int64_t first_step{0}, step{0}, end_step{0};
    double time{0}, end_time{0};  // simulated [s]
    double particle_steps{0};     // bodies × steps since first_step
    double wall_seconds{0};
};

/// "45.2 %  t = 2.26 s of 5 s  12.3 M particle-steps/s  1 min 20 s left".
std::string progress_line(const ProgressState& state);

/// "1 h 03 min", "1 min 20 s", "7 s".
std::string format_duration(double seconds);

class Progress {
public:
    /// `out` may be null: then nothing is shown.
    Progress(std::ostream* out, ProgressStyle style) : out_(out), style_(out ? style : ProgressStyle::None) {}

    /// Shows the state where enough wall time has passed since the last one shown.
    void update(const ProgressState& state);
    /// Ends the rewritten line, so that other text may follow.
    void clear();

private:
    std::ostream* out_;
    ProgressStyle style_;
    double last_shown_{0};  // [s] of wall time
    bool line_open_{false};
};

}  // namespace scree
