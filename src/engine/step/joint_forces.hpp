// Joints between the bodies of a flavor and the joint system, which is the same for all flavors: states of joined bodies to the host,
// wrenches of joints back. Where the model has joints, forces are stored and the host looks after each step.
#pragma once

#include <vector>

#include "engine/penalty/joined_bodies.hpp"

namespace scree::SCREE_FLAVOR {

/// Makes Workspace::joints, null where the model has none.
void load_joints(const Model& model, Workspace& work);

/// Adds the wrenches of joints at the positions at hand to the stored forces of the joined bodies, whose contacts are complete. time: of
/// these positions [s]; kick: for how long they act before the next drift [s]. Does nothing while a flag gates the step. Waits for the
/// device.
void joint_forces(const Model& model, State& state, Workspace& work, double time, double kick);

/// Joints as the last solve left them; empty where there are none.
std::vector<JointState> joint_states(const Workspace& work);

void save_joints(const Workspace& work, EngineState& out);
/// Bodies are loaded already. Throws scree::Error where the saved joints are others than the model's.
void restore_joints(const Model& model, const EngineState& saved, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
