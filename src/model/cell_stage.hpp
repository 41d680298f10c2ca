// How a periodic cell is driven: by strain rates or stresses along its axes, and by a shear.
#pragma once

#include <cstdint>
#include <limits>

#include "model/time_function.hpp"

namespace scree {

enum class CellDrive : std::int32_t { Held, Rate, Stress };

/// Components of a driven cell: its three lengths, and the shear.
inline constexpr int kCellShear = 3, kCellComponents = 4;

struct CellComponent {
    CellDrive by{CellDrive::Held};
    TimeFunction value;       // strain rate, of a length above 0 where it grows [1/s], or stress, above 0 where it is pressed [Pa]
    double gain{0};           // of a stress [1/(s Pa)]; 0: from the stiffness of the contacts
    double integral_time{0};  // [s]; 0: from contacts

    bool steady() const { return value.amplitude == 0 && value.value.empty(); }
};

/// What holds up to a time.
struct CellStage {
    double to{std::numeric_limits<double>::infinity()};  // [s]
    CellComponent of[kCellComponents];
    double max_rate{0};  // of components driven by stress [1/s]; 0: where the inertial number is 0.005

    bool by_stress() const {
        for (const CellComponent& c : of)
            if (c.by == CellDrive::Stress) return true;
        return false;
    }
    /// The largest stress that it asks for [Pa].
    double largest_stress() const {
        double largest = 0;
        for (const CellComponent& c : of)
            if (c.by == CellDrive::Stress) largest = std::fmax(largest, largest_of(c.value));
        return largest;
    }
};

}  // namespace scree
