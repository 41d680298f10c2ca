// A point on a plane: p_B in the x-y plane of A, z_A . d = 0. One row.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct PointOnPlane {
    static constexpr JointKind kind = JointKind::PointOnPlane;
    static constexpr int rows = 1;
    static constexpr bool travels = false;
    SCREE_HD static void place(const JointPlace& at, Row* row) { row[0] = point_along_axis(at, Z); }
};

}  // namespace scree
