// One step of joined bodies that nothing touches, taken in equal parts: as accurate as that many steps, for the cost of their joints alone.
#pragma once

#include <vector>

#include "engine/joints/joint_system.hpp"

namespace scree {

struct SubstepSettings {
    double time{0};       // of the places at hand [s]
    double dt{0};         // of the whole step [s]
    int count{1};         // parts
    double kick{0};       // over which the wrenches found act before the drift [s]: dt, or half of it at the start of a run
    double tolerance{0};  // of positions after each part, over JointSystem::size
};

/// What goes from step to step.
struct SubstepMemory {
    std::vector<Twist> middle;      // of bodies() in the middle of the last part, angular velocity at the places at hand; empty: none yet
    std::vector<JointState> shown;  // joints at the start of the step
    double miss{0};                 // largest of a part, over JointSystem::size
};

/// Forces [N], and torques about the centre [N m], with which v' = now + kick M^-1 (external + these) drifts each of bodies() in one go to
/// where `count` parts, each solved by respond(), bring them. `external` is constant over the step. Twists `now` are those of the last
/// middle step, or where kick < dt those at hand. Leaves bodies() as they were; time of the joints is that of the last part.
std::vector<Wrench> substeps(JointSystem& joints, const std::vector<Wrench>& external, const SubstepSettings& settings,
                             SubstepMemory& memory);

}  // namespace scree
