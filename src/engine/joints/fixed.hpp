// Fixed joint: p_B = p_A and axes of B along those of A, x_A . z_B = y_A . z_B = x_B . y_A = 0. Six rows, nothing free.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Fixed {
    static constexpr JointKind kind = JointKind::Fixed;
    static constexpr int rows = 6;
    static constexpr bool travels = false;
    SCREE_HD static void place(const JointPlace& at, Row* row) {
        points_together(at, row);
        row[3] = axes_across(at, X, Z);
        row[4] = axes_across(at, Y, Z);
        row[5] = axes_across(at, Y, X);
    }
};

}  // namespace scree
