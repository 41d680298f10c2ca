// Revolute-spherical composite (Haug 1989, sec. 9.4): a massless rod with a hinge about z_A at A and a ball at B, |d| = length > 0 and
// z_A . d = 0. Two rows.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct RevoluteSpherical {
    static constexpr JointKind kind = JointKind::RevoluteSpherical;
    static constexpr int rows = 2;
    static constexpr bool travels = false;
    SCREE_HD static void place(const JointPlace& at, Row* row) {
        row[0] = points_apart(at);
        row[0].value -= at.length;
        row[1] = point_along_axis(at, Z);
    }
};

}  // namespace scree
