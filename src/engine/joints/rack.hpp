// Rack and pinion: s_2 - ratio theta_1 stays, s_2 the travel of the second joint, theta_1 the angle of the first, ratio the pinion's pitch
// radius [m/rad]. One row on up to four bodies; on pinion and rack alone, at the point of the pitch circle where they mesh, where both are
// held by one base.
#pragma once

#include "engine/joints/frames.hpp"

namespace scree {

struct Rack {
    static constexpr JointKind kind = JointKind::Rack;
    static constexpr bool second_travels = true;
    static double weight_of_first(double ratio) { return -ratio; }
};

/// Do these joints hold a pinion's centre, and a rack's line, against their bases?
inline bool meshes(JointKind coupling, JointKind pinion, JointKind rack) {
    const auto either = [](JointKind kind, JointKind one, JointKind other) { return kind == one || kind == other; };
    return coupling == Rack::kind && either(pinion, JointKind::Revolute, JointKind::Cylindrical) &&
           either(rack, JointKind::Prismatic, JointKind::Cylindrical);
}

}  // namespace scree
