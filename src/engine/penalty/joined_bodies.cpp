#include "engine/penalty/joined_bodies.hpp"

namespace scree::SCREE_FLAVOR {

std::vector<JoinedBody> fetch_joined(State& state, Workspace& work) {
    JointRun& run = *work.joints;
    run.body.resize(run.id.size());
    JoinedBody* out = run.body.data();
    const std::uint32_t* id = run.id.data();
    const Slot* slot = work.slot_of_id.data();
    const BodyView body = state.bodies.view();
    for_each(
        work.exec, "penalty/fetch_joined", run.id.size(), SCREE_LAMBDA(Index k)->void {
            const Index i = slot[id[k]];
            out[k] = {body.position[i], body.velocity[i], body.angular_velocity[i], body.force[i], body.torque[i], body.orientation[i]};
        });
    const std::vector<JoinedBody> now = run.body.host();
    std::vector<JointBody>& to = run.system.bodies();
    for (std::size_t k = 0; k < to.size(); ++k) {
        to[k].position = now[k].position;
        to[k].orientation = now[k].orientation;
        to[k].now = {now[k].velocity, now[k].angular_velocity};
    }
    return now;
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
