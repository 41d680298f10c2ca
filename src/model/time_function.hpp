// Values that change over time: of motors, and of what shears and presses a cell.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/macros.hpp"

namespace scree {

/// A value over time: steady, harmonic, or a table, summed. value(t) = constant + amplitude sin(2 pi frequency t + phase) + table(t), the
/// table straight between its rows and steady before the first and after the last.
struct TimeFunction {
    double constant{0}, amplitude{0}, frequency{0}, phase{0};
    std::vector<double> time, value;
};

/// A TimeFunction as kernels read it.
struct FunctionView {
    double constant{0}, amplitude{0}, frequency{0}, phase{0};
    const double *time{nullptr}, *value{nullptr};
    std::int64_t rows{0};
};
inline FunctionView view_of(const TimeFunction& f) {
    return {f.constant, f.amplitude, f.frequency, f.phase, f.time.data(), f.value.data(), static_cast<std::int64_t>(f.time.size())};
}

/// The first row of the table after time t.
SCREE_HD std::int64_t row_after(const FunctionView& f, double t) {
    std::int64_t low = 0, high = f.rows;
    while (low < high) {
        const std::int64_t middle = (low + high) / 2;
        if (f.time[middle] > t) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

SCREE_HD double value_at(const FunctionView& f, double t) {
    double value = f.constant;
    if (f.amplitude != 0) value += f.amplitude * std::sin(2 * 3.141592653589793 * f.frequency * t + f.phase);
    if (f.rows == 0) return value;
    if (t <= f.time[0]) return value + f.value[0];
    if (t >= f.time[f.rows - 1]) return value + f.value[f.rows - 1];
    const std::int64_t k = row_after(f, t);
    const double share = (t - f.time[k - 1]) / (f.time[k] - f.time[k - 1]);
    return value + f.value[k - 1] + share * (f.value[k] - f.value[k - 1]);
}
inline double value_at(const TimeFunction& f, double t) {
    return value_at(view_of(f), t);
}

/// A bound of its magnitude.
inline double largest_of(const TimeFunction& f) {
    double largest = 0;
    for (const double v : f.value) largest = std::fmax(largest, std::fabs(v));
    return largest + std::fabs(f.constant) + std::fabs(f.amplitude);
}

}  // namespace scree
