// Free joint: no rows. It carries springs, dampers, stops and motors along the line of its two points and about z_A.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Free {
    static constexpr JointKind kind = JointKind::Free;
    static constexpr int rows = 0;
    static constexpr bool travels = false;
    SCREE_HD static void place(const JointPlace&, Row*) {}
};

}  // namespace scree
