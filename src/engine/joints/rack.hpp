// Rack and pinion: s_2 - ratio theta_1 stays, s_2 the travel of the second joint, theta_1 the angle of the first, ratio the pinion's pitch
// radius [m/rad]. One row on up to four bodies.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Rack {
    static constexpr JointKind kind = JointKind::Rack;
    static constexpr bool second_travels = true;
    static double weight_of_first(double ratio) { return -ratio; }
};

}  // namespace scree
