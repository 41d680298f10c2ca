// Joined bodies between a flavor and the joint system, which is the same for all flavors: their states to the host, together with the
// flags, so that one wait tells both; wrenches back.
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
    Slot slot;
    FlagWords words;  // as they stood
};

/// The joints of a run, with what the last solve left.
struct JointRun {
    JointSystem system;
    JointResponse response;
    SubstepMemory alone;             // filled where the last step was taken in parts, without contacts
    double time{0}, kick{0}, dt{0};  // of the last solve [s]
    bool told{true};                 // what the last solve left is in `response`; else kernels have it (cone/respond.hpp)
    Array<std::uint32_t> id;         // of joined bodies, as JointSystem::ids
    Array<JoinedBody> body;          // as many
    std::vector<JoinedBody> seen;    // as many: what was read last
    Array<CentreWrench> wrench;      // as many, of joints
    Array<std::uint8_t> carried;     // of the model's walls: 1 where a joined body carries it; empty where none does
    explicit JointRun(const Model& model);
};

/// States of the joined bodies to JointRun::seen, and the flags. One wait.
FlagWords read_joined(State& state, Workspace& work);
/// What was seen of them into JointSystem::bodies.
void place_joined(JointRun& run);
/// Adds wrenches of joints, in the order of JointSystem::ids, to the forces of the bodies.
void add_to_joined(const std::vector<CentreWrench>& wrenches, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
