// What joints report, and what checkpoints keep of them.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "engine/joints/joint_parts.hpp"

namespace scree {

std::vector<JointState> JointSystem::states(const std::vector<double>& bilateral_impulse, const std::vector<double>& bounded_impulse,
                                            double dt) const {
    Parts& p = *parts_;
    const std::size_t count = p.joints.size();
    std::vector<JointState> state(count);
    p.poses_now();
    p.measure(p.miss, p.bounded_miss);
    // Wrenches about the centre of the body that is reported on; `at`: the joint whose frame A counts.
    std::vector<bool> driven(count, false);
    const auto add = [&](const JointRow& row, const RowInfo& info, double effort) {
        const auto j = static_cast<std::size_t>(row.joint);
        const bool coupled = info.role == RowRole::Coupled;
        const auto& link = p.links[j];
        const JointPlace& at = p.places[coupled ? static_cast<std::size_t>(p.joints[j].first) : j];
        const bool on_b = coupled && !link.meshes;  // term of the body that is reported on, and its centre
        const Vec3 force = effort * (on_b ? row.linear_b : row.linear_a);
        const Vec3 torque = effort * (on_b ? row.angular_b : row.angular_a);
        state[j].force += force;
        state[j].torque += torque + cross((coupled && !link.pinion_is_a ? at.centre_b : at.centre_a) - at.point_a, force);
        if (info.role == RowRole::Motor && !driven[j]) {
            state[j].motor = effort;
            driven[j] = true;
        }
    };
    for (std::size_t i = 0; i < p.bilateral.size(); ++i) {
        add(p.bilateral[i], p.bilateral_info[i], bilateral_impulse[i] / dt);
        const auto j = static_cast<std::size_t>(p.bilateral[i].joint);
        if (p.bilateral_info[i].role != RowRole::Motor) state[j].violation = std::max(state[j].violation, std::fabs(p.miss[i]));
    }
    for (std::size_t i = 0; i < p.bounded.size(); ++i) add(p.bounded[i], p.bounded_info[i], bounded_impulse[i] / dt);
    for (std::size_t j = 0; j < count; ++j) {
        const Joint& joint = p.joints[j];
        if (p.links[j].coupling != nullptr) {
            state[j].angle = p.moved[static_cast<std::size_t>(joint.first)].angle;
            state[j].travel = p.links[j].coupling->second_travels ? p.moved[static_cast<std::size_t>(joint.second)].travel
                                                                  : coupled_sum(p.measured[j], p.moved.data());
            continue;
        }
        state[j].angle = p.moved[j].angle;
        state[j].travel = p.moved[j].travel;
        if (!p.missed.empty()) state[j].violation = std::max(state[j].violation, p.missed[j]);
        for (const bool along : {true, false}) {
            const Motor& m = along ? joint.travel_motor : joint.angle_motor;
            const double effort = p.effort[2 * j + (along ? 1 : 0)], sprung = p.sprung[2 * j + (along ? 1 : 0)];
            if (effort + sprung != 0) {
                const JointRow row = p.row_of(j, p.coordinates[j].of(along).gradient, 1, 0, 0);
                add(row, {RowRole::Held, along, 1, 0, static_cast<std::int32_t>(j), -1}, effort + sprung);
            }
            if (m.drive != Drive::Effort) continue;
            if (!along || joint.angle_motor.drive == Drive::None) state[j].motor = effort;
        }
    }
    return state;
}

std::vector<double> JointSystem::save() const {
    const Parts& p = *parts_;
    std::vector<double> flat{p.last_time};
    for (std::size_t j = 0; j < p.joints.size(); ++j) {
        flat.insert(flat.end(), {p.angle[j], p.measured[j].coupled_at, p.missed.empty() ? 0.0 : p.missed[j]});
        for (const RateHistory& rate : {p.angle_rate[j], p.travel_rate[j]}) flat.insert(flat.end(), {rate.value, rate.now, rate.before});
    }
    return flat;
}

void JointSystem::load(const std::vector<double>& saved) {
    Parts& p = *parts_;
    constexpr std::size_t each = 9;
    if (saved.size() != 1 + each * p.joints.size()) {
        throw Error("the checkpoint holds other joints than the scene: restart with the joints it was written with");
    }
    p.last_time = saved[0];
    p.missed.assign(p.joints.size(), 0.0);
    for (std::size_t j = 0; j < p.joints.size(); ++j) {
        const double* from = saved.data() + 1 + each * j;
        p.angle[j] = from[0];
        p.measured[j].coupled_at = from[1];
        p.missed[j] = from[2];
        p.angle_rate[j] = {from[3], from[4], from[5]};
        p.travel_rate[j] = {from[6], from[7], from[8]};
    }
}

}  // namespace scree
