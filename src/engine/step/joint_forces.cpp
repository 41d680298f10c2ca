#include "engine/step/joint_forces.hpp"

#include "engine/step/fields.hpp"

namespace scree::SCREE_FLAVOR {

void load_joints(const Model& model, Workspace& work) {
    work.joints.reset();
    if (!model.joints.empty()) work.joints = std::make_shared<JointRun>(model);
}

void joint_forces(const Model& model, State& state, Workspace& work, double time, double kick) {
    if ((work.flags.word.at(1) & gating_flags) != 0) return;
    JointRun& run = *work.joints;
    const std::vector<JoinedBody> now = fetch_joined(state, work);
    const std::vector<JointBody>& bodies = run.system.bodies();
    std::vector<Wrench> external;
    for (std::size_t k = 0; k < now.size(); ++k) {
        external.push_back({now[k].force + (1.0 / bodies[k].inverse_mass) * model.gravity, now[k].torque});
    }
    RespondSettings settings;
    settings.kick = kick;
    settings.tolerance = model.cone.joint_tolerance;
    run.response = scree::respond(run.system, external, time, model.dt, settings);
    run.time = time;
    run.kick = kick;
    std::vector<CentreWrench> wrenches;
    for (const Wrench& w : run.response.wrench) wrenches.push_back({w.force, w.torque});
    add_to_joined(wrenches, state, work);
}

std::vector<JointState> joint_states(const Workspace& work) {
    if (!work.joints) return {};
    const JointRun& run = *work.joints;
    return run.system.states(run.response.bilateral, run.response.bounded, run.kick);
}

void save_joints(const Workspace& work, EngineState& out) {
    if (!work.joints) return;
    JointRun& run = *work.joints;
    put(out, "joint.times", std::vector<double>{run.time, run.kick});
    put(out, "joint.system", run.system.save());
    put(out, "joint.bilateral", run.response.bilateral);
    put(out, "joint.bounded", run.response.bounded);
    // Of mid-step: what the last solve saw.
    std::vector<double> twists;
    for (const JointBody& b : run.system.bodies()) {
        const Vec3 v = b.now.velocity, w = b.now.angular;
        twists.insert(twists.end(), {v.x, v.y, v.z, w.x, w.y, w.z});
    }
    put(out, "joint.twists", twists);
}

void restore_joints(const Model& model, const EngineState& saved, State& state, Workspace& work) {
    if (!work.joints) return;
    JointRun& run = *work.joints;
    std::vector<JointBody>& bodies = run.system.bodies();
    const std::vector<double> times = take<double>(saved, "joint.times"), twists = take<double>(saved, "joint.twists");
    if (times.size() != 2 || twists.size() != 6 * bodies.size()) throw Error("the checkpoint holds other joints than the scene");
    fetch_joined(state, work);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const double* t = twists.data() + 6 * k;
        bodies[k].now = {{t[0], t[1], t[2]}, {t[3], t[4], t[5]}};
    }
    run.system.load(take<double>(saved, "joint.system"));
    run.time = times[0];
    run.kick = times[1];
    // The rows again, as the last solve had them: what is said of joints is said of these.
    run.system.evaluate(run.time, model.dt);
    run.response.bilateral = take<double>(saved, "joint.bilateral");
    run.response.bounded = take<double>(saved, "joint.bounded");
    if (run.response.bilateral.size() != run.system.bilateral().size() || run.response.bounded.size() != run.system.bounded().size())
        throw Error("the checkpoint holds other joints than the scene");
}

}  // namespace scree::SCREE_FLAVOR
