// Universal joint (Haug 1989, sec. 9.4): p_B = p_A and x_B across y_A, the two arms of its cross. Four rows; A turns about y_A, B about
// x_B.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Universal {
    static constexpr JointKind kind = JointKind::Universal;
    static constexpr int rows = 4;
    static constexpr bool travels = false;
    SCREE_HD static void place(const JointPlace& at, Row* row) {
        points_together(at, row);
        row[3] = axes_across(at, Y, X);
    }
};

}  // namespace scree
