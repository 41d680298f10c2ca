#include "engine/penalty/joined_bodies.hpp"

#include <algorithm>

#include "engine/state/unwrapped.hpp"

namespace scree::SCREE_FLAVOR {

JointRun::JointRun(const Model& model) : system(model), id(system.ids()) {
    std::vector<std::uint8_t> by_joined;
    bool any = false;
    for (const Wall& wall : model.walls) {
        const bool is =
            wall.body >= 0 && std::binary_search(system.ids().begin(), system.ids().end(), static_cast<std::uint32_t>(wall.body));
        by_joined.push_back(is ? 1 : 0);
        any = any || is;
    }
    if (any) carried.assign(by_joined);
}

FlagWords read_joined(State& state, Workspace& work) {
    JointRun& run = *work.joints;
    run.body.resize(run.id.size());
    JoinedBody* out = run.body.data();
    const std::uint32_t* id = run.id.data();
    const Slot* slot = work.slot_of_id.data();
    const FlagWords* words = work.flags.words.data();
    const BodyView body = state.bodies.view();
    const Unwrapped place = unwrapped(state, work);
    for_each(
        work.exec, "penalty/read_joined", run.id.size(), SCREE_LAMBDA(Index k)->void {
            const Slot i = slot[id[k]];
            out[k] = {place(body, i), body.velocity[i], body.angular_velocity[i], body.force[i], body.torque[i], body.orientation[i], i,
                      *words};
        });
    run.seen = run.body.host();
    return run.seen.empty() ? work.flags.read() : run.seen[0].words;
}

void place_joined(JointRun& run) {
    std::vector<JointBody>& to = run.system.bodies();
    for (std::size_t k = 0; k < to.size(); ++k) {
        to[k].position = run.seen[k].position;
        to[k].orientation = run.seen[k].orientation;
        to[k].now = {run.seen[k].velocity, run.seen[k].angular_velocity};
    }
}

void add_to_joined(const std::vector<CentreWrench>& wrenches, State& state, Workspace& work) {
    JointRun& run = *work.joints;
    run.wrench.assign(wrenches);
    const CentreWrench* wrench = run.wrench.data();
    const std::uint32_t* id = run.id.data();
    const Slot* slot = work.slot_of_id.data();
    const BodyView body = state.bodies.view();
    for_each(
        work.exec, "penalty/add_joints", run.id.size(), SCREE_LAMBDA(Index k)->void {
            const Index i = slot[id[k]];
            body.force.set(i, body.force[i] + wrench[k].force);
            body.torque.set(i, body.torque[i] + wrench[k].torque);
        });
}

}  // namespace scree::SCREE_FLAVOR
