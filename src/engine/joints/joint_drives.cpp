// Motors, stops, springs and dampers of joints.
// Motors: a position motor asks for its value at the end of the drift; a speed motor for a change of the coordinate by dt times its value
// at mid-step, so that neither drifts and both are of second order. Unbounded ones are bilateral rows.
// Springs act as forces at the places at hand, stable for dt < 2 / frequency. Dampers take the rate at the end of the step, carried on from
// the two mid-steps before it, v* = 3/2 v_now - 1/2 v_before (as Adams & Bashforth do), which keeps second order; those are differences of
// the coordinate, since twists of mid-step and gradients of its end make an error of first order where a line turns. Stable for
// beta = c dt / m < 1, m the mass that the coordinate moves. Near that they are weakened, F = -c v* / (1 + (beta / 0.7)^4)^(1/4): an error
// of fourth order where the step resolves the damper, and stable where it does not.

#include <cmath>

#include "engine/joints/joint_parts.hpp"
#include "model/time_function.hpp"

namespace scree {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double damper_bound = 0.7;    // largest beta that acts; the scheme bears 1
constexpr double damper_watched = 0.1;  // weakened by 1e-4 at most below this
constexpr double stop_near = 0.05;      // rows of stops join this early: [rad], or over the mechanism's size
constexpr double stop_recovery = 0.2;   // fastest way back from behind a stop: [rad/s], or of the mechanism's size per second

}  // namespace

void JointSystem::Parts::drive(double time) {
    const auto motor = [&](std::size_t j, bool along) {
        const Motor& m = along ? joints[j].travel_motor : joints[j].angle_motor;
        if (m.drive != Drive::Position && m.drive != Drive::Speed) return;
        const Row& x = coordinates[j].of(along);
        const double target = m.drive == Drive::Position ? value_at(m.value, time + dt) : x.value + dt * value_at(m.value, time + 0.5 * dt);
        const bool bound = m.most < unbounded;
        const RowInfo info{RowRole::Motor, along, 1, target, static_cast<std::int32_t>(j), -1};
        (bound ? bounded : bilateral).push_back(row_of(j, x.gradient, 1, -m.most * dt, m.most * dt));
        (bound ? bounded_info : bilateral_info).push_back(info);
    };
    const auto stop = [&](std::size_t j, bool along, double sign, double end) {
        if (!std::isfinite(end)) return;
        const Row& x = coordinates[j].of(along);
        const double gap = sign * (x.value - end), rate = rate_now(j, x.gradient);
        if (gap > 2 * dt * std::fabs(rate) + stop_near * (along ? size : 1.0)) return;
        bounded.push_back(row_of(j, x.gradient, sign, 0, unbounded));
        // Behind the stop the way back is taken slowly: no energy from places that were wrong at the start.
        const double back = dt * stop_recovery * (along ? size : 1.0);
        bounded_info.push_back({RowRole::Stop, along, sign, gap < -back ? x.value + sign * back : end, static_cast<std::int32_t>(j), -1});
    };
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (links[j].holding == nullptr) continue;
        motor(j, false);
        motor(j, true);
        stop(j, false, 1, joints[j].angle_limits.low);
        stop(j, false, -1, joints[j].angle_limits.high);
        stop(j, true, 1, joints[j].travel_limits.low);
        stop(j, true, -1, joints[j].travel_limits.high);
    }
}

double JointSystem::Parts::damping_borne(std::size_t joint, const Gradient& g, double damping) {
    const JointRow row = row_of(joint, g, 1, 0, 0);
    pushed.assign(bodies.size(), {});
    push(row, bodies, 1, pushed);
    double beta = damping * dt * links[joint].crowd * rate_of(row, pushed);
    if (beta > damper_watched) {  // joints may give the coordinate more mass than its bodies have
        solver.project(bilateral, pushed, false, nullptr);
        beta = damping * dt * links[joint].crowd * rate_of(row, pushed);
    }
    const double excess = beta / damper_bound;
    return damping / std::sqrt(std::sqrt(1 + excess * excess * excess * excess));
}

void JointSystem::Parts::apply(double time) {
    applied.assign(bodies.size(), {});
    sprung.assign(2 * joints.size(), 0.0);
    const auto load = [&](std::int32_t body, double effort, Vec3 linear, Vec3 angular) {
        if (body < 0) return;
        Wrench& w = applied[static_cast<std::size_t>(body)];
        w.force += effort * linear;
        w.torque += effort * angular;
    };
    const auto use = [&](std::size_t j, bool along) {
        const Joint& joint = joints[j];
        const Spring& spring = along ? joint.travel_spring : joint.angle_spring;
        const Motor& m = along ? joint.travel_motor : joint.angle_motor;
        const Row& x = coordinates[j].of(along);
        const Gradient& g = x.gradient;
        double effort = m.drive == Drive::Effort ? value_at(m.value, time) : 0;
        this->effort[2 * j + (along ? 1 : 0)] = effort;
        if (spring.any()) {
            const double damping = spring.damping != 0 ? damping_borne(j, g, spring.damping) : 0;
            const RateHistory& rate = along ? travel_rate[j] : angle_rate[j];
            const double way = x.value - spring.rest;
            const double given = spring.preload - (spring.stiffness + spring.stiffening * std::fabs(way)) * way - damping * rate.ahead();
            sprung[2 * j + (along ? 1 : 0)] = given;
            effort += given;
        }
        if (effort == 0) return;
        load(links[j].a, effort, g.linear_a, g.angular_a);
        load(links[j].b, effort, g.linear_b, g.angular_b);
    };
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (links[j].holding == nullptr) continue;
        use(j, false);
        use(j, true);
    }
}

}  // namespace scree
