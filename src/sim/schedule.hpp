// When things happen: event k of a schedule falls on the first step at or after k * every. A function of the step number alone, so a
// restart needs no memory of it and the size of batches cannot shift it.
#pragma once

#include <cstdint>
#include <limits>

namespace scree {

class Schedule {
public:
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    /// `every` [s], 0: never; `dt` [s] > 0.
    Schedule(double every, double dt) : every_(every), dt_(dt) {}

    /// Step of event k >= 0.
    std::int64_t step_of(std::int64_t k) const;
    /// The first step after `step` with an event; `never` without one.
    std::int64_t next_after(std::int64_t step) const;
    /// Whether an event falls on this step.
    bool due(std::int64_t step) const { return next_after(step - 1) == step; }

private:
    double every_, dt_;
};

/// The first step after `step` of looks at from + k every [s], k >= 0, of which no two are at one step.
std::int64_t next_look(double from, double every, double dt, std::int64_t step);

/// Number of steps that reach `time`: the least n with n * dt >= time, up to rounding.
std::int64_t steps_to(double time, double dt);

}  // namespace scree
