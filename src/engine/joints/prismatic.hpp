// Prismatic joint, translational in Haug 1989, sec. 9.4: p_B on the z axis of A, x_A . d = y_A . d = 0, and axes of B along those of A,
// x_A . z_B = y_A . z_B = x_B . y_A = 0. Five rows, the travel along z free.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Prismatic {
    static constexpr JointKind kind = JointKind::Prismatic;
    static constexpr int rows = 5;
    static constexpr bool travels = true;
    SCREE_HD static void place(const JointPlace& at, Row* row) {
        row[0] = point_along_axis(at, X);
        row[1] = point_along_axis(at, Y);
        row[2] = axes_across(at, X, Z);
        row[3] = axes_across(at, Y, Z);
        row[4] = axes_across(at, Y, X);
    }
};

}  // namespace scree
