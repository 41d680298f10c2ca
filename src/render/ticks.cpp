#include "render/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Prefixes by the power of a thousand, from 10^-12 on.
constexpr const char* kPrefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
constexpr int kNone = 4;

/// The power of a thousand, -4 to 4, that brings a size to 1 … 1000.
int thousands(double size) {
    if (!(size > 0) || !std::isfinite(size)) return 0;
    return std::clamp(static_cast<int>(std::floor(std::log10(size * (1 + 1e-9)) / 3)), -4, 4);
}

/// Units whose first symbol takes prefixes as it stands, and is not raised to a power.
bool takes_prefix(const std::string& unit) {
    const std::string first = unit.substr(0, unit.find_first_of("/ "));
    return first == "m" || first == "N" || first == "J" || first == "Pa" || first == "W" || first == "s";
}

std::string power_of_ten(int exponent) {
    constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = "10";
    if (exponent < 0) text += "⁻";
    for (const char c : std::to_string(std::abs(exponent))) text += digits[c - '0'];
    return text;
}

}  // namespace

double round_step(double length, int most) {
    const double least = length / most;
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    }
    return 10 * power;
}

Scale scale_of(double low, double high, const std::string& unit, int most) {
    const double size = std::max(std::fabs(low), std::fabs(high));
    const int power = thousands(size);
    const bool bare = unit.empty() || unit == "1";
    Scale scale;
    double factor = 1;
    if (bare || !takes_prefix(unit)) {
        scale.unit = bare ? "" : unit;
        // Numbers of up to four digits stand as they are.
        if (size >= 1e4 || size < 1e-2) {
            factor = std::pow(1000.0, power);
            if (power != 0) scale.unit = power_of_ten(3 * power) + (bare ? "" : " " + unit);
        }
    } else {
        factor = std::pow(1000.0, power);
        scale.unit = kPrefixes[kNone + power] + unit;
    }
    const double step = round_step(high - low, most);
    const auto first = static_cast<long long>(std::ceil(low / step - 1e-6)), last = static_cast<long long>(std::floor(high / step + 1e-6));
    const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step / factor) + 1e-9)));
    for (long long k = first; k <= last; ++k) {
        const double value = static_cast<double>(k) * step;
        scale.ticks.push_back({std::clamp((value - low) / (high - low), 0.0, 1.0), fmt::format("{:.{}f}", value / factor, digits)});
    }
    return scale;
}

std::string length_text(double metres) {
    const int power = thousands(metres);
    return fmt::format("{:g} {}m", metres / std::pow(1000.0, power), kPrefixes[kNone + power]);
}

}  // namespace scree
