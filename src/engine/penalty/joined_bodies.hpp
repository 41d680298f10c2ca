// Joined bodies between a flavor and the joint system, which is the same for all flavors: their states to the host, wrenches back.
#pragma once

#include <vector>

#include "engine/joints/joint_system.hpp"
#include "engine/joints/respond.hpp"
#include "engine/joints/substeps.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// One joined body as kernels give it.
struct JoinedBody {
    Vec3 position, velocity, angular_velocity, force, torque;
    Quat orientation;
};

/// The joints of a run, with what the last solve left.
struct JointRun {
    JointSystem system;
    JointResponse response;
    SubstepMemory alone;           // filled where the last step was taken in parts, without contacts
    double time{0}, kick{0};       // of the last solve [s]
    Array<std::uint32_t> id;       // of joined bodies, as JointSystem::ids
    Array<JoinedBody> body;        // as many
    Array<CentreWrench> wrench;    // as many, of joints
    Array<std::uint32_t> touched;  // as many
    explicit JointRun(const Model& model) : system(model), id(system.ids()) {}
};

/// States of the joined bodies, to the host and into JointSystem::bodies. Waits for the device.
std::vector<JoinedBody> fetch_joined(State& state, Workspace& work);
/// Adds wrenches of joints, in the order of JointSystem::ids, to the forces of the bodies.
void add_to_joined(const std::vector<CentreWrench>& wrenches, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
