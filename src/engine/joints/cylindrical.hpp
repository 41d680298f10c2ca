// Cylindrical joint (Haug 1989, sec. 9.4): p_B on the z axis of A and z_B along z_A, as x_A . d = y_A . d = x_A . z_B = y_A . z_B = 0.
// Four rows, travel along z and turn about it free.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Cylindrical {
    static constexpr JointKind kind = JointKind::Cylindrical;
    static constexpr int rows = 4;
    static constexpr bool travels = true;
    SCREE_HD static void place(const JointPlace& at, Row* row) {
        row[0] = point_along_axis(at, X);
        row[1] = point_along_axis(at, Y);
        row[2] = axes_across(at, X, Z);
        row[3] = axes_across(at, Y, Z);
    }
};

}  // namespace scree
