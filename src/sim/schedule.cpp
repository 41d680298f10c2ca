#include "sim/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

std::int64_t steps_to(double time, double dt) {
    // k * every / dt carries a rounding error of a few 1e-16 of itself: 1e-6 of a step covers it up to 1e9 steps, and shifts no event
    // visibly.
    constexpr double tiny = 1e-6;
    constexpr double most = 9e18;  // below the largest 64-bit number
    const double steps = std::ceil(time / dt - tiny);
    return steps < most ? std::max<std::int64_t>(0, static_cast<std::int64_t>(steps)) : Schedule::never;
}

std::int64_t Schedule::step_of(std::int64_t k) const {
    return steps_to(static_cast<double>(k) * every_, dt_);
}

std::int64_t Schedule::next_after(std::int64_t step) const {
    if (!(every_ > 0)) return never;
    if (step < 0) return 0;
    // Numbers of events far below a step would pass 64 bits.
    if (every_ <= dt_) return step + 1;
    // Start a little low and walk up: rounding may put the guess one event off.
    auto k = std::max<std::int64_t>(0, static_cast<std::int64_t>(static_cast<double>(step) * dt_ / every_) - 1);
    while (step_of(k) <= step) ++k;
    return step_of(k);
}

}  // namespace scree
