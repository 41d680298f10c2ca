// What joints do in one step where nothing touches, or where contacts are forces: the impulses that hold them, drive them and stop them.
#pragma once

#include <vector>

#include "engine/joints/joint_system.hpp"
#include "model/cone_settings.hpp"

namespace scree {

struct RespondSettings {
    double kick{0};  // time over which forces act before the drift [s]; 0: the step. Half a step at the start of a run
    double tolerance{ConeSettings{}.joint_tolerance};  // of positions after the drift, over JointSystem::size
};

struct JointResponse {
    std::vector<Wrench> wrench;              // of springs, motors, joints and stops on each of bodies(), torque about its centre
    std::vector<double> bilateral, bounded;  // impulses of the rows [N s] or [N m s]; act over the kick
    double miss{0};                          // of positions after the drift, over JointSystem::size
    int corrections{0};
};

/// Evaluates the joints at `time` and finds the wrenches with which v' = now + kick M^-1 (external + wrench) keeps them after a drift of
/// dt. external: force (gravity and contacts too) [N] and torque about the centre [N m] on each of bodies(). Angular momentum takes the
/// torque: L' = L + kick torque, w' = I^-1 L' at the places at hand. Cost linear in rows, but for bounded rows n: n solves and n^3.
JointResponse respond(JointSystem& joints, const std::vector<Wrench>& external, double time, double dt,
                      const RespondSettings& settings = {});

}  // namespace scree
