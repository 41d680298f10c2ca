// Round numbers along a range, and numbers as people write them on axes.
#pragma once

#include <string>
#include <vector>

namespace scree {

struct Tick {
    double place{0};  // along the range, 0 to 1
    std::string label;
};

/// A range with round numbers on it, in a unit that makes them short.
struct Scale {
    std::vector<Tick> ticks;
    std::string unit;  // with a prefix or a power of ten, e.g. "mm/s" for "m/s"; empty for a bare number
};

/// The step of 1, 2 or 5 times a power of ten of which at most `most` fit in a length; length > 0.
double round_step(double length, int most);

/// Ticks from low to high, low < high, at most `most` + 1 of them, in the unit "m/s" or with a prefix or a power of ten. "1" is no unit.
Scale scale_of(double low, double high, const std::string& unit, int most);

/// A length with its unit: "20 mm", "1.5 µm".
std::string length_text(double metres);

}  // namespace scree
