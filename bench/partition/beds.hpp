// Made-up beds whose bodies move along paths known as formulas: a body's place and cost at any time follow from its number, so that every
// process can make any body and no two differ. Lengths are radii of a body, time runs from 0 to 1.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace partition {

using Point = std::array<double, 3>;

/// A body as it is partitioned.
struct Body {
    Point place;
    double weight;  // cost of a step, in that of a lone sphere; whole numbers
    std::uint32_t id;
    std::int32_t owner;  // process that had it before the bodies were shared out anew
};

/// A bed: `bodies` bodies in [low, high); periodic along some axes.
struct Bed {
    virtual ~Bed() = default;
    /// The body `id` at a time in [0, 1], within the domain.
    virtual Body at(std::uint32_t id, double time) const = 0;
    Point low{}, high{};
    std::array<bool, 3> periodic{};
    std::uint32_t bodies{0};
};

/// Volume of space for each body of radius 1 in a dense bed: a solid fraction of 0.6.
inline constexpr double room = 4.18879 / 0.6;

/// "box", "drum", "hopper" or "heaps"; throws std::invalid_argument for another name.
std::unique_ptr<Bed> make_bed(const std::string& name, std::uint32_t bodies);

/// A number in [0, 1) for a body and a purpose.
double drawn(std::uint32_t id, std::uint32_t purpose);

/// The same, as 64 bits.
std::uint64_t mixed(std::uint64_t value);

}  // namespace partition
