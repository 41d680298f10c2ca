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

std::int64_t next_look(double from, double every, double dt, std::int64_t step) {
    every = std::max(every, dt);
    const double since = static_cast<double>(step) * dt - from;
    const auto at = [&](std::int64_t k) {
        const double t = (from + static_cast<double>(k) * every) / dt;
        return t < 9e15 ? static_cast<std::int64_t>(std::ceil(t - 1e-6)) : Schedule::never;
    };
    auto k = since > 0 ? static_cast<std::int64_t>(since / every) : 0;
    k = std::max<std::int64_t>(k - 1, 0);
    while (at(k) <= step) ++k;
    return at(k);
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
