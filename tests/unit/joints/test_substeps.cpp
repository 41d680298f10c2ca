// Parts of a step as wrenches: one part is the plain response, many bring bodies where as many steps do, in one drift of the whole step.
#include <doctest/doctest.h>

#include "engine/joints/substeps.hpp"
#include "mechanism.hpp"

using namespace scree;
using namespace mechanism;

namespace {

constexpr double g = 9.81;

/// Two bodies with three moments each on a ball and a universal joint, in motion about every axis.
Model tumbler() {
    Model model;
    model.gravity = {0, 0, -g};
    add_body(model, 1, {0.004, 0.008, 0.01}, {0.2, 0, 0}, rotation_by({0.1, 0.2, 0}), {0, 0.6, 0}, {1, 0, 3});
    add_body(model, 0.5, {0.001, 0.002, 0.0025}, {0.5, 0.1, 0}, {}, {0.3, 1.5, 0}, {2, -1, 3});
    add_joint(model, JointKind::Spherical, Joint::ground, 0, {}, Vec3{0, 0, 1});
    add_joint(model, JointKind::Universal, 0, 1, {0.4, 0.05, 0}, Vec3{0, 1, 0.5});
    return model;
}

std::vector<Wrench> weights(JointSystem& joints) {
    std::vector<Wrench> out;
    for (const JointBody& body : joints.bodies()) out.push_back({Vec3{0, 0, -g} / body.inverse_mass, {}});
    return out;
}

/// Kicks and drifts bodies as the engine does with these wrenches.
void take_step(JointSystem& joints, const std::vector<Wrench>& wrench, double kick, double dt) {
    const std::vector<Wrench> external = weights(joints);
    for (std::size_t k = 0; k < wrench.size(); ++k) {
        JointBody& body = joints.bodies()[k];
        body.now.velocity += kick * body.inverse_mass * (external[k].force + wrench[k].force);
        const Vec3 L =
            angular_momentum_of(body.orientation, body.now.angular, body.moments) + kick * (external[k].torque + wrench[k].torque);
        body.position += dt * body.now.velocity;
        body.orientation = rotated_freely(body.orientation, L, body.moments, dt);
        body.now.angular = angular_velocity_of(body.orientation, L, body.moments);
    }
}

/// Steps of dt in `count` parts each.
void run_parts(JointSystem& joints, int steps, double dt, int count) {
    SubstepMemory memory;
    for (int n = 0; n < steps; ++n) {
        const double kick = n == 0 ? dt / 2 : dt;
        const std::vector<Wrench> wrench = substeps(joints, weights(joints), {n * dt, dt, count, kick, 1e-13}, memory);
        CHECK(memory.miss <= 1e-13);
        take_step(joints, wrench, kick, dt);
    }
}

}  // namespace

TEST_CASE("one part of a step is the response to the step") {
    // At a start too, where half a step's kick acts. The same but for the way from places back to wrenches: rounding of places over dt^2.
    JointSystem parts(tumbler()), plain(tumbler());
    const double dt = 5e-3;
    SubstepMemory memory;
    for (int n = 0; n < 40; ++n) {
        const double kick = n == 0 ? dt / 2 : dt;
        const std::vector<Wrench> wrench = substeps(parts, weights(parts), {n * dt, dt, 1, kick, 1e-13}, memory);
        RespondSettings settings;
        settings.kick = kick;
        settings.tolerance = 1e-13;
        const JointResponse expected = respond(plain, weights(plain), n * dt, dt, settings);
        for (std::size_t k = 0; k < wrench.size(); ++k) {
            CHECK(norm(wrench[k].force - expected.wrench[k].force) < 1e-7);  // of some 10 N
            CHECK(norm(wrench[k].torque - expected.wrench[k].torque) < 1e-8);
        }
        take_step(parts, wrench, kick, dt);
        take_step(plain, expected.wrench, kick, dt);
        for (std::size_t k = 0; k < wrench.size(); ++k) {
            CHECK(norm(parts.bodies()[k].position - plain.bodies()[k].position) < 1e-11);
            CHECK(norm(parts.bodies()[k].now.velocity - plain.bodies()[k].now.velocity) < 1e-9);
        }
    }
}

TEST_CASE("parts bring bodies where as many whole steps do, in one drift, and leave them where they are") {
    const double dt = 0.02;
    for (const int count : {2, 3, 8}) {
        CAPTURE(count);
        JointSystem parts(tumbler()), steps(tumbler());
        run_parts(parts, 20, dt, count);
        run_parts(steps, 20 * count, dt / count, 1);
        for (std::size_t k = 0; k < 2; ++k) {
            const JointBody &a = parts.bodies()[k], &b = steps.bodies()[k];
            CHECK(norm(a.position - b.position) < 1e-11);  // joints are kept to 1e-13 a part, of half a metre, over 160 parts
            const Quat between = a.orientation * conjugate(b.orientation);
            CHECK(norm(Vec3{between.x, between.y, between.z}) < 1e-10);
        }
        // Found, not moved: a second call with the same memory gives the same wrenches.
        SubstepMemory one, two;
        const std::vector<Wrench> x = substeps(parts, weights(parts), {0.4, dt, count, dt, 1e-13}, one);
        const std::vector<Wrench> y = substeps(parts, weights(parts), {0.4, dt, count, dt, 1e-13}, two);
        for (std::size_t k = 0; k < x.size(); ++k) {
            CHECK(x[k].force == y[k].force);
            CHECK(x[k].torque == y[k].torque);
        }
    }
}

TEST_CASE("stops give back what a start put behind them at a bounded speed, against what presses on them") {
    // 0.2 of the mechanism's size (its arm of 0.5 m) or 0.2 rad a second; then the weight lies on the stop, but for the hop of that speed.
    const double dt = 2e-3, behind = 0.05, l = 0.5, m = 2;
    for (const int count : {0, 1, 8}) {  // 0: the plain response
        for (const bool turns : {false, true}) {
            CAPTURE(count);
            CAPTURE(turns);
            Model model;
            model.gravity = {0, 0, -g};
            const double about = 0.02, size = turns ? 1 : l, fastest = 0.2 * size;
            add_body(model, m, {0.01, about, 0.03}, {l, 0, 0});
            Joint& joint = add_joint(model, turns ? JointKind::Revolute : JointKind::Prismatic, Joint::ground, 0, {},
                                     turns ? Vec3{0, -1, 0} : Vec3{0, 0, 1});
            (turns ? joint.angle_limits : joint.travel_limits).low = behind;
            JointSystem joints(model);
            SubstepMemory memory;
            const double inertia = turns ? about + m * l * l : m, pull = turns ? g * l * m / inertia : g;
            double at = 0, most = 0;
            bool back = false;
            for (int n = 0; n < 500; ++n) {
                const double kick = n == 0 ? dt / 2 : dt;
                std::vector<Wrench> wrench;
                if (count > 0) {
                    wrench = substeps(joints, weights(joints), {n * dt, dt, count, kick, 1e-12}, memory);
                } else {
                    RespondSettings settings;
                    settings.kick = kick;
                    settings.tolerance = 1e-12;
                    wrench = respond(joints, weights(joints), n * dt, dt, settings).wrench;
                }
                take_step(joints, wrench, kick, dt);
                const Vec3 x = joints.bodies()[0].position;
                const double now = turns ? std::atan2(x.z, x.x) : x.z;
                CHECK(now - at < fastest * dt * (1 + 1e-6));  // rounding of places over the way of a step
                // The last step on the way back ends anywhere at the stop.
                if (at < behind - 2 * fastest * dt) CHECK(now - at == doctest::Approx(fastest * dt).epsilon(1e-6));
                back = back || now >= behind - 1e-9;
                if (back) {
                    CHECK(now > behind - 1e-9);
                    most = std::max(most, now);
                }
                at = now;
            }
            CHECK(back);
            // No higher than that speed carries it.
            CHECK(most - behind <= 0.5 * fastest * fastest / (0.9 * pull));
            CHECK(at == doctest::Approx(behind).epsilon(1e-6));
            CHECK(norm(joints.bodies()[0].now.velocity) < 1e-6);
        }
    }
}
