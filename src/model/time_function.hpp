// Values of a TimeFunction (model/joint.hpp): steady, harmonic and table parts summed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "model/joint.hpp"

namespace scree {

inline double value_at(const TimeFunction& f, double t) {
    double value = f.constant;
    if (f.amplitude != 0) value += f.amplitude * std::sin(2 * std::numbers::pi * f.frequency * t + f.phase);
    if (f.time.empty()) return value;
    if (t <= f.time.front()) return value + f.value.front();
    if (t >= f.time.back()) return value + f.value.back();
    const std::size_t k = static_cast<std::size_t>(std::upper_bound(f.time.begin(), f.time.end(), t) - f.time.begin());
    const double share = (t - f.time[k - 1]) / (f.time[k] - f.time[k - 1]);
    return value + f.value[k - 1] + share * (f.value[k] - f.value[k - 1]);
}

/// Its derivative; at a row of the table that of the straight line that follows.
inline double rate_at(const TimeFunction& f, double t) {
    const double w = 2 * std::numbers::pi * f.frequency;
    const double rate = f.amplitude != 0 ? f.amplitude * w * std::cos(w * t + f.phase) : 0;
    if (f.time.empty() || t < f.time.front() || t >= f.time.back()) return rate;
    const std::size_t k = static_cast<std::size_t>(std::upper_bound(f.time.begin(), f.time.end(), t) - f.time.begin());
    return rate + (f.value[k] - f.value[k - 1]) / (f.time[k] - f.time[k - 1]);
}

}  // namespace scree
