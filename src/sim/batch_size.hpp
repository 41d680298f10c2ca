// How many steps to ask of the engine at once: about 0.2 s of wall time, so that signals and progress are looked at often enough.
// It never steers the trajectory: a batch is only a number of equal steps.
#pragma once

#include <algorithm>
#include <cstdint>

namespace scree {

class BatchSize {
public:
    std::int64_t steps() const { return steps_; }

    /// Learns from a batch of `done` steps that took `seconds`.
    void record(std::int64_t done, double seconds) {
        if (done < 1) return;
        constexpr double target = 0.2;  // [s]: feels immediate, and costs a thousandth of it at most
        const double wanted = seconds > 0 ? target * static_cast<double>(done) / seconds : 1e15;
        // Growth by 4 at a time: the first steps, with a rebuild in them, say little.
        const double most = 4.0 * static_cast<double>(std::max(steps_, done));
        steps_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min({wanted, most, 1e15})));
    }

private:
    std::int64_t steps_{1};
};

}  // namespace scree
