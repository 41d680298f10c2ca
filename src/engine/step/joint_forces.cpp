#include "engine/step/joint_forces.hpp"

#include "engine/cone/respond.hpp"
#include "engine/step/fields.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr std::size_t shown_size = 10;  // numbers of a JointState

std::vector<double> flat(const std::vector<Twist>& twists) {
    std::vector<double> out;
    for (const Twist& t : twists) {
        const Vec3 v = t.velocity, w = t.angular;
        out.insert(out.end(), {v.x, v.y, v.z, w.x, w.y, w.z});
    }
    return out;
}

std::vector<Twist> twists_of(const std::vector<double>& flat) {
    std::vector<Twist> out;
    for (std::size_t k = 0; k + 6 <= flat.size(); k += 6) {
        const double* t = flat.data() + k;
        out.push_back({{t[0], t[1], t[2]}, {t[3], t[4], t[5]}});
    }
    return out;
}

}  // namespace

void load_joints(const Model& model, Workspace& work) {
    work.joints.reset();
    if (!model.joints.empty()) work.joints = std::make_shared<JointRun>(model);
}

void joint_forces(const Model& model, State& state, Workspace& work, double time, double kick) {
    if ((read_joined(state, work).up & gating_flags) != 0) return;
    JointRun& run = *work.joints;
    place_joined(run);
    const std::vector<JointBody>& bodies = run.system.bodies();
    std::vector<Wrench> external;
    for (std::size_t k = 0; k < bodies.size(); ++k)
        external.push_back({run.seen[k].force + (1.0 / bodies[k].inverse_mass) * model.gravity, run.seen[k].torque});
    RespondSettings settings;
    settings.kick = kick;
    settings.tolerance = model.cone.joint_tolerance;
    run.response = scree::respond(run.system, external, time, model.dt, settings);
    if (!(run.response.miss <= joints_lost)) {
        std::uint32_t* word = work.flags.pending();
        for_each(
            work.exec, "joints/apart", 1, SCREE_LAMBDA(Index)->void { *word |= kJointsApart; });
    }
    run.time = time;
    run.kick = kick;
    std::vector<CentreWrench> wrenches;
    wrenches.reserve(run.response.wrench.size());
    for (const Wrench& w : run.response.wrench) wrenches.push_back({w.force, w.torque});
    add_to_joined(wrenches, state, work);
}

std::vector<JointState> joint_states(const Workspace& work) {
    if (!work.joints) return {};
    tell_joints(work);
    const JointRun& run = *work.joints;
    if (!run.alone.shown.empty()) return run.alone.shown;
    return run.system.states(run.response.bilateral, run.response.bounded, run.kick);
}

void save_joints(const Workspace& work, EngineState& out) {
    if (!work.joints) return;
    tell_joints(work);
    JointRun& run = *work.joints;
    put(out, "joint.times", std::vector<double>{run.time, run.kick});
    put(out, "joint.system", run.system.save());
    put(out, "joint.bilateral", run.response.bilateral);
    put(out, "joint.bounded", run.response.bounded);
    // Of mid-step: what the last solve saw.
    std::vector<Twist> seen;
    for (const JointBody& b : run.system.bodies()) seen.push_back(b.now);
    put(out, "joint.twists", flat(seen));
    put(out, "joint.middle", flat(run.alone.middle));
    std::vector<double> shown;
    for (const JointState& j : run.alone.shown) {
        shown.insert(shown.end(),
                     {j.force.x, j.force.y, j.force.z, j.torque.x, j.torque.y, j.torque.z, j.angle, j.travel, j.motor, j.violation});
    }
    put(out, "joint.shown", shown);
}

void restore_joints(const Model& model, const EngineState& saved, State& state, Workspace& work) {
    if (!work.joints) return;
    JointRun& run = *work.joints;
    std::vector<JointBody>& bodies = run.system.bodies();
    const std::vector<double> times = take<double>(saved, "joint.times"), shown = take<double>(saved, "joint.shown");
    const std::vector<Twist> twists = twists_of(take<double>(saved, "joint.twists"));
    run.alone = {};
    run.alone.middle = twists_of(take<double>(saved, "joint.middle"));
    const bool alone = !run.alone.middle.empty();
    if (times.size() != 2 || twists.size() != bodies.size() || (alone && run.alone.middle.size() != bodies.size()) ||
        shown.size() != (alone ? shown_size * model.joints.size() : 0)) {
        throw Error("the checkpoint holds other joints than the scene");
    }
    read_joined(state, work);
    place_joined(run);
    run.told = true;
    for (std::size_t k = 0; k < bodies.size(); ++k) bodies[k].now = twists[k];
    run.system.load(take<double>(saved, "joint.system"));
    run.time = times[0];
    run.kick = times[1];
    for (std::size_t j = 0; j < shown.size(); j += shown_size) {
        const double* s = shown.data() + j;
        run.alone.shown.push_back({{s[0], s[1], s[2]}, {s[3], s[4], s[5]}, s[6], s[7], s[8], s[9]});
    }
    if (alone) return;  // rows, and what they did, are not asked for again
    // The rows again, as the last solve had them: what is said of joints is said of these.
    run.system.evaluate(run.time, model.dt);
    run.response.bilateral = take<double>(saved, "joint.bilateral");
    run.response.bounded = take<double>(saved, "joint.bounded");
    if (run.response.bilateral.size() != run.system.bilateral().size() || run.response.bounded.size() != run.system.bounded().size())
        throw Error("the checkpoint holds other joints than the scene");
}

}  // namespace scree::SCREE_FLAVOR
