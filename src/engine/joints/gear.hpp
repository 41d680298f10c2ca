// Gear: ratio theta_1 + theta_2 stays, theta the angles of two joints over full turns, ratio = teeth of the first over teeth of the second.
// One row on up to four bodies (a carrier of both joints takes part), so that planetary sets need nothing else.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Gear {
    static constexpr JointKind kind = JointKind::Gear;
    static constexpr bool second_travels = false;
    static double weight_of_first(double ratio) { return ratio; }
};

}  // namespace scree
