#include "engine/joints/substeps.hpp"

#include <algorithm>

#include "engine/joints/bilateral_solver.hpp"
#include "engine/joints/joint_parts.hpp"
#include "engine/joints/respond.hpp"
#include "model/rotation.hpp"

namespace scree {

namespace {

constexpr int most_rounds = 30;        // each gains about two digits at a tenth of a radian a step
constexpr double turn_missed = 1e-15;  // [rad]

Vec3 momentum(const JointBody& body, Vec3 angular) {
    return angular_momentum_of(body.orientation, angular, body.moments);
}

Vec3 spin(const JointBody& body, Vec3 momentum) {
    return answer_of(body, {}, momentum).angular;
}

/// Moves a body by its twist; its angular momentum stays.
void drift(JointBody& body, double h) {
    const Vec3 L = momentum(body, body.now.angular);
    const Pose to = drifted(body, body.now, h);
    body.position = to.shift;
    body.orientation = to.turn;
    body.now.angular = spin(body, L);
}

/// The rotation vector from one orientation to another not far from it [rad].
Vec3 turn_between(Quat from, Quat to) {
    const Quat q = to * conjugate(from);
    const double sign = q.w < 0 ? -1.0 : 1.0;
    return (2 * sign) * Vec3{q.x, q.y, q.z};
}

/// The angular momentum by which `body` turns to `orientation` in one drift of dt, from a guess.
Vec3 momentum_to(const JointBody& body, Quat orientation, double dt, Vec3 L) {
    JointBody at = body;
    for (int round = 0; round < most_rounds; ++round) {
        at.now.angular = spin(body, L);
        const Vec3 missed = turn_between(drifted(at, at.now, dt).turn, orientation);
        L += momentum(body, (1 / dt) * missed);
        if (!(norm(missed) > turn_missed)) break;
    }
    return L;
}

}  // namespace

std::vector<Wrench> substeps(JointSystem& joints, const std::vector<Wrench>& external, const SubstepSettings& s, SubstepMemory& memory) {
    std::vector<JointBody>& bodies = joints.bodies();
    const std::vector<JointBody> start = bodies;
    const double h = s.dt / s.count;
    const bool at_start = s.kick < s.dt;
    // How long before the places at hand the twists hold.
    double lag = at_start ? 0 : s.dt / 2;
    if (!at_start && !memory.middle.empty()) {
        lag = h / 2;
        for (std::size_t k = 0; k < bodies.size(); ++k) bodies[k].now = memory.middle[k];
    }
    std::vector<Vec3> turned(bodies.size());  // integral of the angular momentum
    RespondSettings part;
    part.tolerance = s.tolerance;
    for (int n = 0; n < s.count; ++n) {
        part.kick = n == 0 ? lag + h / 2 : h;
        const JointResponse found = respond(joints, external, s.time + n * h, h, part);
        memory.miss = n == 0 ? found.miss : std::max(memory.miss, found.miss);
        if (n == 0) memory.shown = joints.states(found.bilateral, found.bounded, part.kick);
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            JointBody& body = bodies[k];
            const Twist gain = answer_of(body, external[k].force + found.wrench[k].force, external[k].torque + found.wrench[k].torque);
            body.now = {body.now.velocity + part.kick * gain.velocity, body.now.angular + part.kick * gain.angular};
            turned[k] += h * momentum(body, body.now.angular);
            drift(body, h);
        }
    }
    memory.middle.clear();
    std::vector<Wrench> out;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const JointBody& from = start[k];
        memory.middle.push_back(bodies[k].now);
        const Vec3 velocity = (1 / s.dt) * (bodies[k].position - from.position);
        const Vec3 L = momentum_to(from, bodies[k].orientation, s.dt, (1 / s.dt) * turned[k]);
        const double mass = 1 / from.inverse_mass;
        out.push_back({(mass / s.kick) * (velocity - from.now.velocity) - external[k].force,
                       (1 / s.kick) * (L - momentum(from, from.now.angular)) - external[k].torque});
    }
    bodies = start;
    return out;
}

}  // namespace scree
