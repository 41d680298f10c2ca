// Mechanisms in motion against solutions of their reduced equations: order of the step, energy, precession, redundant loops.
#include <doctest/doctest.h>

#include <functional>

#include "mechanism.hpp"

using namespace scree;
using namespace mechanism;

namespace {

constexpr double g = 9.81;

struct Phase {
    double angle, rate;
};

/// theta'' = f(theta) by Runge and Kutta's fourth-order method; error 1e-12 at these steps.
Phase integrate(Phase s, double until, const std::function<double(double)>& f) {
    const int steps = static_cast<int>(until * 20000);
    const double h = until / steps;
    for (int n = 0; n < steps; ++n) {
        const Phase k1{s.rate, f(s.angle)};
        const Phase k2{s.rate + h / 2 * k1.rate, f(s.angle + h / 2 * k1.angle)};
        const Phase k3{s.rate + h / 2 * k2.rate, f(s.angle + h / 2 * k2.angle)};
        const Phase k4{s.rate + h * k3.rate, f(s.angle + h * k3.angle)};
        s.angle += h / 6 * (k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle);
        s.rate += h / 6 * (k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate);
    }
    return s;
}

constexpr double arm = 0.8, mass = 2;
constexpr Vec3 moments{0.05, 0.3, 0.33};

/// A body that hangs from a hinge about y, turned out by an angle; its first axis along the arm.
Model pendulum(double angle, JointKind kind = JointKind::Revolute) {
    Model model;
    model.gravity = {0, 0, -g};
    const Quat turn = rotation_by({0, pi / 2 - angle, 0});  // x to -z and out
    add_body(model, mass, moments, rotate(turn, {arm, 0, 0}), turn);
    add_joint(model, kind, Joint::ground, 0, {}, Vec3{0, 1, 0});
    return model;
}
double angle_of(const Leapfrog& run) {
    const Vec3 x = const_cast<Leapfrog&>(run).joints.bodies()[0].position;
    return std::atan2(x.x, -x.z);
}

}  // namespace

TEST_CASE("a pendulum follows its equation to second order in place, velocity and reaction") {
    const double start = 2.5, inertia = moments.y + mass * arm * arm, until = 2;
    const auto f = [&](double angle) { return -mass * g * arm / inertia * std::sin(angle); };
    const Phase exact = integrate({start, 0}, until, f);
    const double tension = mass * (g * std::cos(exact.angle) + arm * exact.rate * exact.rate);
    double error[3][3];
    for (int k = 0; k < 3; ++k) {
        Leapfrog run(pendulum(start), 4e-3 / (1 << k));
        run.run(until);
        const Vec3 out = normalized(run.joints.bodies()[0].position);
        error[k][0] = std::fabs(angle_of(run) - exact.angle);
        error[k][1] = std::fabs(-run.twist(0).angular.y - exact.rate);
        error[k][2] = std::fabs(dot(run.states()[0].force, out) - tension);  // on the ground, outwards
        CHECK(run.worst_miss() < 1e-10);
        CHECK(run.states()[0].violation < 1e-9);
        CHECK(run.states()[0].angle == doctest::Approx(start - angle_of(run)).epsilon(1e-9));
    }
    for (int what = 0; what < 3; ++what) {
        for (int k = 0; k < 2; ++k) {
            const double order = std::log2(error[k][what] / error[k + 1][what]);
            CAPTURE(what);
            CHECK(order == doctest::Approx(2).epsilon(0.05));  // of order two but for the next term
        }
    }
    CHECK(error[2][0] < 1e-4);
}

TEST_CASE("the first half kick holds the joint where the pendulum starts with speed") {
    // Tangential speed v: the reaction at the start is m v^2 / l + m g, to rounding; a wrong first kick would give a half or a quarter.
    Model model = pendulum(0);
    const double w = 3;
    model.bodies.angular_velocity[0] = {0, -w, 0};
    model.bodies.velocity[0] = {w * arm, 0, 0};
    Leapfrog run(model, 1e-4);
    CHECK(-run.states()[0].force.z == doctest::Approx(mass * (g + w * w * arm)).epsilon(1e-6));  // (w dt)^2
}

TEST_CASE("energy of a double pendulum does not drift") {
    Model model;
    model.gravity = {0, 0, -g};
    add_body(model, 1, {0.01, 0.08, 0.09}, {0.5, 0, 0});
    add_body(model, 0.5, {0.02, 0.05, 0.06}, {1.5, 0, 0});
    SUBCASE("in a plane") {
        add_joint(model, JointKind::Revolute, Joint::ground, 0, {}, Vec3{0, 1, 0});
        add_joint(model, JointKind::Revolute, 0, 1, {1, 0, 0}, Vec3{0, 1, 0});
    }
    SUBCASE("in space") {
        add_joint(model, JointKind::Spherical, Joint::ground, 0, {}, Vec3{0, 1, 0});
        add_joint(model, JointKind::Universal, 0, 1, {1, 0.1, 0}, Vec3{0, 1, 0.3});
        model.bodies.angular_velocity[0] = {0, 0, 2};
        model.bodies.velocity[0] = {0, 1, 0};
        model.bodies.angular_velocity[1] = {0, 0, 2};
        model.bodies.velocity[1] = {0, 3, 0};
    }
    double worst[2][2];  // by step and by half of the run
    for (int k = 0; k < 2; ++k) {
        Leapfrog run(model, 1e-3 / (1 << k));
        const double start = run.energy();
        for (int half = 0; half < 2; ++half) {
            worst[k][half] = 0;
            while (run.time() < 5 * (half + 1) - 1e-9) {
                run.advance();
                worst[k][half] = std::max(worst[k][half], std::fabs(run.energy() - start));
            }
        }
        CHECK(run.worst_miss() < 1e-10);
        for (const JointState& joint : run.states()) CHECK(joint.violation < 1e-9);
    }
    // Chaotic, so that halves differ; a drift would make the second half as large again, and more at each step after.
    const double swing = 1.5 * g;  // potential energy of a metre
    CHECK(worst[0][0] < 1e-3 * swing);
    CHECK(worst[0][1] < 3 * worst[0][0]);
    CHECK(worst[1][1] < 0.5 * worst[0][1]);
}

TEST_CASE("a heavy top precesses steadily") {
    // Omega (I3 w3 - I1' Omega cos tilt) = m g l, w3 the spin about its axis (Goldstein, Classical Mechanics, sec. 5.7).
    const double m = 1.5, l = 0.3, i1 = 0.02, i3 = 0.03, tilt = pi / 3, precession = 1.7;
    const double about_tip = i1 + m * l * l;
    const double w3 = (m * g * l / precession + about_tip * precession * std::cos(tilt)) / i3;
    const Vec3 axis{std::sin(tilt), 0, std::cos(tilt)};
    const Vec3 w = Vec3{0, 0, precession} + (w3 - precession * std::cos(tilt)) * axis;
    double error[2];
    for (int k = 0; k < 2; ++k) {
        Model model;
        model.gravity = {0, 0, -g};
        add_body(model, m, {i1, i1, i3}, l * axis, z_along(axis), cross(w, l * axis), w);
        add_joint(model, JointKind::Spherical, Joint::ground, 0, {}, Vec3{0, 0, 1});
        Leapfrog run(model, 2e-4 / (1 << k));  // one substep of the free turn each (model/rotation.hpp)
        run.run(1);
        const Vec3 x = run.joints.bodies()[0].position;
        error[k] = std::fabs(std::atan2(x.y, x.x) - precession);
        CHECK(x.z / l == doctest::Approx(std::cos(tilt)).epsilon(1e-4));
    }
    CHECK(error[0] < 1e-3);
    CHECK(std::log2(error[0] / error[1]) == doctest::Approx(2).epsilon(0.1));
}

TEST_CASE("a parallelogram on three cranks, with seven rows too many, follows its equation") {
    const double l = 0.5, crank = 0.4, coupler = 2, start = 1.2, until = 3, inertia = 0.02;
    Model model;
    model.gravity = {0, 0, -g};
    const Vec3 out{l * std::sin(start), 0, -l * std::cos(start)};
    const Quat turn = rotation_by({0, -start, 0});
    add_body(model, coupler, {0.1, 0.2, 0.2}, out);
    for (int k = 0; k < 3; ++k) {
        const Vec3 pivot{-0.7 + 0.7 * k, 0.1 * k, 0};
        const std::int32_t id = add_body(model, crank, {inertia, inertia, 0.01}, pivot + 0.5 * out, turn);
        add_joint(model, JointKind::Revolute, Joint::ground, id, pivot, Vec3{0, 1, 0});
        add_joint(model, JointKind::Revolute, id, 0, pivot + out, Vec3{0, 1, 0});
    }
    const double moved = 3 * (inertia + crank * l * l / 4) + coupler * l * l;
    const double weight = 3 * crank * l / 2 + coupler * l;
    const Phase exact = integrate({start, 0}, until, [&](double angle) { return -weight * g / moved * std::sin(angle); });
    double error[2];
    for (int k = 0; k < 2; ++k) {
        Leapfrog run(model, 2e-3 / (1 << k));
        run.run(until);
        error[k] = std::fabs(std::asin(run.joints.bodies()[0].position.x / l) - exact.angle);
        CHECK(run.worst_miss() < 1e-10);
        for (const JointState& joint : run.states()) CHECK(joint.violation < 1e-9);
    }
    CHECK(error[1] < 1e-4);
    CHECK(std::log2(error[0] / error[1]) == doctest::Approx(2).epsilon(0.1));
}

TEST_CASE("Bricard's mechanism moves and keeps its energy") {
    // Six bars along edges of a cube, one of them the ground, hinges across both neighbours: mobile only by its symmetry (Bricard 1897),
    // one row too many. Bars of 1 m and 10 kg as in the IFToMM benchmark (Gonzalez et al. 2006).
    const Vec3 corner[6] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
    Model model;
    model.gravity = {0, -g, 0};
    for (int k = 0; k < 5; ++k) {
        const Vec3 from = corner[k], to = corner[k + 1];
        add_body(model, 10, {10.0 / 12, 10.0 / 12, 1e-3}, 0.5 * (from + to), z_along(to - from));
    }
    for (int k = 0; k < 6; ++k) {
        const Vec3 before = corner[k] - corner[(k + 5) % 6], after = corner[(k + 1) % 6] - corner[k];
        add_joint(model, JointKind::Revolute, k == 0 ? Joint::ground : k - 1, k == 5 ? Joint::ground : k, corner[k], cross(before, after));
    }
    double worst[2];
    for (int k = 0; k < 2; ++k) {
        Leapfrog run(model, 2e-3 / (1 << k));
        const double start = run.energy();
        double farthest = worst[k] = 0;
        while (run.time() < 6 - 1e-9) {
            run.advance();
            worst[k] = std::max(worst[k], std::fabs(run.energy() - start));
            farthest = std::max(farthest, norm(run.joints.bodies()[2].position - model.bodies.position[2]));
        }
        CHECK(farthest > 0.5);
        CHECK(run.worst_miss() < 1e-10);
    }
    CHECK(worst[0] < 1e-3 * 50 * g);  // of the energy of all bars a metre up
    CHECK(std::log2(worst[0] / worst[1]) == doctest::Approx(2).epsilon(0.2));
}
