// A point on a line: p_B on the z axis of A, x_A . d = y_A . d = 0. Two rows.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct PointOnLine {
    static constexpr JointKind kind = JointKind::PointOnLine;
    static constexpr int rows = 2;
    static constexpr bool travels = true;
    SCREE_HD static void place(const JointPlace& at, Row* row) {
        row[0] = point_along_axis(at, X);
        row[1] = point_along_axis(at, Y);
    }
};

}  // namespace scree
