// Mechanisms for tests: bodies given by mass and moments, and a leapfrog loop over them in the engine's order.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "engine/joints/frames.hpp"
#include "engine/joints/joint_system.hpp"
#include "engine/joints/respond.hpp"
#include "model/time_function.hpp"
#include "model/model.hpp"
#include "model/rotation.hpp"

namespace mechanism {

using scree::Vec3;
constexpr double pi = std::numbers::pi;

/// Appends a compound body without colliders; returns its id.
inline std::int32_t add_body(scree::Model& model, double mass, Vec3 moments, Vec3 at, scree::Quat turn = {}, Vec3 v = {}, Vec3 w = {}) {
    scree::ConvexShape shape;
    shape.inertia = moments / mass;
    model.shapes.push_back(shape);
    scree::BodyTable& bodies = model.bodies;
    bodies.position.push_back(at);
    bodies.orientation.push_back(turn);
    bodies.velocity.push_back(v);
    bodies.angular_velocity.push_back(w);
    bodies.mass.push_back(mass);
    bodies.radius.push_back(1);
    bodies.material.push_back(0);
    bodies.shape.push_back(static_cast<std::int32_t>(model.shapes.size()) - 1);
    return static_cast<std::int32_t>(bodies.size()) - 1;
}

/// A turn that takes the z axis to this direction.
inline scree::Quat z_along(Vec3 e) {
    e = scree::normalized(e);
    const Vec3 across = scree::cross({0, 0, 1}, e);
    const double angle = std::atan2(scree::norm(across), e.z);
    if (scree::norm(across) < 1e-14) return e.z > 0 ? scree::Quat{} : scree::Quat{0, 1, 0, 0};
    return scree::rotation_by(angle * scree::normalized(across));
}

/// Appends a joint whose frames stand at one place of the world, as the bodies are now; returns it.
inline scree::Joint& add_joint(scree::Model& model, scree::JointKind kind, std::int32_t a, std::int32_t b, Vec3 at, scree::Quat turn = {}) {
    const auto frame = [&](std::int32_t id) -> scree::Pose {
        if (id < 0) return {turn, at};
        const auto k = static_cast<std::size_t>(id);
        const scree::Quat back = scree::conjugate(model.bodies.orientation[k]);
        return {back * turn, scree::rotate(back, at - model.bodies.position[k])};
    };
    scree::Joint joint;
    joint.kind = kind;
    joint.name = "joint " + std::to_string(model.joints.size());
    joint.a = a;
    joint.b = b;
    joint.frame_a = frame(a);
    joint.frame_b = frame(b);
    model.joints.push_back(joint);
    return model.joints.back();
}
inline scree::Joint& add_joint(scree::Model& model, scree::JointKind kind, std::int32_t a, std::int32_t b, Vec3 at, Vec3 axis) {
    return add_joint(model, kind, a, b, at, z_along(axis));
}

/// Positions at the end of a step, velocities of mid-step, as the engine keeps them (motion/verlet.cpp).
class Leapfrog {
public:
    Leapfrog(const scree::Model& model, double step) : joints(model), dt(step), gravity_(model.gravity) {
        for (const scree::JointBody& body : joints.bodies()) L_.push_back(momentum(body));
        respond(0.5 * dt);
    }
    /// Completes the step with the second half of its kick and begins the next; the joints' responses are those of the places now.
    void advance() {
        kick(started_ ? dt : 0.5 * dt);
        started_ = true;
        for (std::size_t k = 0; k < joints.bodies().size(); ++k) {
            scree::JointBody& body = joints.bodies()[k];
            body.position += dt * body.now.velocity;
            const bool round = body.moments.x == body.moments.y && body.moments.y == body.moments.z;
            body.orientation = round ? scree::rotated_round(body.orientation, L_[k], body.moments.x, dt)
                                     : scree::rotated_freely(body.orientation, L_[k], body.moments, dt);
            body.now.angular = scree::angular_velocity_of(body.orientation, L_[k], body.moments);
        }
        ++steps_;
        respond(dt);
    }
    void run(double until) {
        while (time() < until - 0.5 * dt) advance();
    }
    double time() const { return static_cast<double>(steps_) * dt; }

    /// Twist at the time of the places: half a kick on.
    scree::Twist twist(std::size_t k) const {
        const scree::JointBody& body = body_of(k);
        const double h = started_ ? 0.5 * dt : 0;
        return {body.now.velocity + h * body.inverse_mass * total_[k].force,
                body.now.angular + scree::angular_velocity_of(body.orientation, h * total_[k].torque, body.moments)};
    }
    Vec3 acceleration(std::size_t k) const { return body_of(k).inverse_mass * total_[k].force; }
    /// Kinetic energy and that of gravity.
    double energy() const {
        double sum = 0;
        for (std::size_t k = 0; k < L_.size(); ++k) {
            const scree::JointBody& body = body_of(k);
            const scree::Twist v = twist(k);
            const Vec3 L = scree::angular_momentum_of(body.orientation, v.angular, body.moments);
            sum += 0.5 * scree::norm2(v.velocity) / body.inverse_mass + 0.5 * scree::dot(L, v.angular) -
                   scree::dot(gravity_, body.position) / body.inverse_mass;
        }
        return sum;
    }
    std::vector<scree::JointState> states() const { return joints.states(response.bilateral, response.bounded, started_ ? dt : 0.5 * dt); }
    double worst_miss() const { return worst_miss_; }

    scree::JointSystem joints;
    scree::JointResponse response;
    double dt;

private:
    const scree::JointBody& body_of(std::size_t k) const { return const_cast<scree::JointSystem&>(joints).bodies()[k]; }
    static Vec3 momentum(const scree::JointBody& body) {
        return scree::angular_momentum_of(body.orientation, body.now.angular, body.moments);
    }
    void respond(double kick_time) {
        std::vector<scree::Wrench> external;
        for (const scree::JointBody& body : joints.bodies()) external.push_back({gravity_ / body.inverse_mass, {}});
        scree::RespondSettings settings;
        settings.kick = kick_time;
        response = scree::respond(joints, external, time(), dt, settings);
        worst_miss_ = std::max(worst_miss_, response.miss);
        total_ = response.wrench;
        for (std::size_t k = 0; k < total_.size(); ++k) total_[k].force += external[k].force;
    }
    void kick(double h) {
        for (std::size_t k = 0; k < L_.size(); ++k) {
            scree::JointBody& body = joints.bodies()[k];
            body.now.velocity += h * body.inverse_mass * total_[k].force;
            L_[k] += h * total_[k].torque;
            body.now.angular = scree::angular_velocity_of(body.orientation, L_[k], body.moments);
        }
    }

    Vec3 gravity_;
    std::vector<Vec3> L_;
    std::vector<scree::Wrench> total_;
    std::int64_t steps_{0};
    bool started_{false};
    double worst_miss_{0};
};

}  // namespace mechanism
