// The space that hard particles have: what is periodic, what lies between walls, and its volume.
#pragma once

#include "model/model.hpp"

namespace scree {

struct HardBox {
    double low[3]{}, high[3]{};  // along a closed axis: ends of the period, or of the room between walls [m]
    bool periodic[3]{};
    bool walled[3]{};  // between two planes across the axis
    bool cut{false};   // a plane across no axis takes a part away
    int dimensions{3};

    bool closed(int axis) const { return periodic[axis] || walled[axis]; }
    bool closed() const;
    double length(int axis) const { return high[axis] - low[axis]; }
    /// [m3], of disks of unit thickness; 0 where an axis is open or a plane cuts the box.
    double volume() const;
    /// Of all walls across axes [m2]; 0 where there is no volume.
    double wall_area() const;
};

/// Of the periods of the model's domain and the planes of its walls.
HardBox hard_box(const Model& model);

}  // namespace scree
