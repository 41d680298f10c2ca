// Distance: |p_B - p_A| = length > 0, a massless rod between two balls. One row. (Haug 1989 squares the distance; the root has the force of
// the rod as its impulse.)
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Distance {
    static constexpr JointKind kind = JointKind::Distance;
    static constexpr int rows = 1;
    static constexpr bool travels = false;
    SCREE_HD static void place(const JointPlace& at, Row* row) {
        row[0] = points_apart(at);
        row[0].value -= at.length;
    }
};

}  // namespace scree
