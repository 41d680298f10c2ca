// Spherical joint (Haug 1989, sec. 9.4): p_B = p_A. Three rows, three turns free.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Spherical {
    static constexpr JointKind kind = JointKind::Spherical;
    static constexpr int rows = 3;
    static constexpr bool travels = false;
    SCREE_HD static void place(const JointPlace& at, Row* row) { points_together(at, row); }
};

}  // namespace scree
