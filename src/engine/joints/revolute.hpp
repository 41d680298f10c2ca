// Revolute joint (Haug 1989, sec. 9.4): p_B = p_A and z_B along z_A, as x_A . z_B = y_A . z_B = 0. Five rows, the turn about z free.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Revolute {
    static constexpr JointKind kind = JointKind::Revolute;
    static constexpr int rows = 5;
    static constexpr bool travels = false;
    SCREE_HD static void place(const JointPlace& at, Row* row) {
        points_together(at, row);
        row[3] = axes_across(at, X, Z);
        row[4] = axes_across(at, Y, Z);
    }
};

}  // namespace scree
