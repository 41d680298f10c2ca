#include "model/motion.hpp"

#include <algorithm>

namespace scree {

namespace {

bool leaves(const Pose& pose) {
    return pose.turn.w != 1 || norm(pose.shift) != 0;
}

}  // namespace

MotionView view_of(const Motion& motion) {
    if (!motion.moves) {
        Motion still;
        still.moves = true;
        return view_of(still);
    }
    return {motion.from,
            motion.to,
            motion.velocity,
            motion.point,
            motion.axis,
            motion.rate,
            motion.harmonics.data(),
            motion.time.data(),
            motion.shift.data(),
            motion.angle.data(),
            static_cast<std::int32_t>(motion.harmonics.size()),
            static_cast<std::int32_t>(motion.time.size()),
            motion.surface,
            leaves(motion.first),
            motion.first};
}

Pose pose_at(const Motion& motion, double t) {
    return pose_at(view_of(motion), t);
}

RigidVelocity velocity_of(const Motion& motion, double t) {
    return velocity_of(view_of(motion), t);
}

bool moves(const Wall& wall) {
    return wall.motion.moves || wall.body >= 0;
}

bool turns(const Motion& motion) {
    if (!motion.moves) return false;
    if (motion.servo.on) return motion.servo.turns;
    const auto is_turned = [](double angle) { return angle != 0; };
    return motion.rate != 0 ||
           std::any_of(motion.harmonics.begin(), motion.harmonics.end(), [](const Harmonic& h) { return h.angle != 0; }) ||
           std::any_of(motion.angle.begin(), motion.angle.end(), is_turned);
}

}  // namespace scree
