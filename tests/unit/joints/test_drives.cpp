// Motors, stops, springs, gears and racks, against the equations of one degree of freedom that they leave.
#include <doctest/doctest.h>

#include "mechanism.hpp"

using namespace scree;
using namespace mechanism;

namespace {

constexpr double g = 9.81;

TimeFunction steady(double value) {
    TimeFunction f;
    f.constant = value;
    return f;
}

/// A rotor about z at its centre, without weight.
Model rotor(double inertia) {
    Model model;
    model.gravity = {};
    add_body(model, 3, {inertia, 0.8 * inertia, inertia}, {1, 2, 3});
    add_joint(model, JointKind::Revolute, Joint::ground, 0, {1, 2, 3}, Vec3{0, 0, 1});
    return model;
}
/// A slider along the vertical.
Model slider(double mass) {
    Model model;
    model.gravity = {0, 0, -g};
    add_body(model, mass, {1, 1.1, 1.2}, {1, 2, 3});
    add_joint(model, JointKind::Prismatic, Joint::ground, 0, {1, 2, 3}, Vec3{0, 0, 1});
    return model;
}

}  // namespace

TEST_CASE("a speed motor turns a heavy pendulum evenly, over many turns, with the torque of its weight") {
    Model model;
    model.gravity = {0, 0, -g};
    const double m = 2, l = 0.5, speed = 4;
    add_body(model, m, {0.1, 0.2, 0.25}, {l, 0, 0});
    Joint& joint = add_joint(model, JointKind::Revolute, Joint::ground, 0, {}, Vec3{0, 1, 0});
    joint.angle_motor = {Drive::Speed, steady(speed)};
    Leapfrog run(model, 1e-3);
    for (double until : {1.0, 5.0, 10.0}) {  // 0.6 to 6.4 turns
        run.run(until);
        const JointState state = run.states()[0];
        CHECK(state.angle == doctest::Approx(speed * until).epsilon(1e-9));  // tolerance of corrections
        // About +y a body at angle a stands at (l cos a, 0, -l sin a): weight turns it by m g l cos a. The turn is discrete: (w dt)^2.
        CHECK(state.motor == doctest::Approx(-m * g * l * std::cos(state.angle)).epsilon(2e-5).scale(m * g * l));
    }
    const Vec3 x = run.joints.bodies()[0].position;
    CHECK(x.x == doctest::Approx(l * std::cos(speed * 10)).epsilon(1e-8));
}

TEST_CASE("position motors follow their function at the end of every step") {
    Model model = rotor(0.2);
    TimeFunction wave;
    wave.amplitude = 5;
    wave.frequency = 0.7;
    SUBCASE("turn") {
        model.joints[0].angle_motor = {Drive::Position, wave};
        Leapfrog run(model, 1e-3);
        for (int n = 0; n < 2000; ++n) {
            run.advance();
            const JointState state = run.states()[0];
            REQUIRE(state.angle == doctest::Approx(value_at(wave, run.time())).epsilon(1e-9).scale(5));
        }
        // Torque is inertia times acceleration, of a central difference: (w dt)^2 / 12 of it.
        const double w2 = std::pow(2 * pi * 0.7, 2);
        CHECK(run.states()[0].motor == doctest::Approx(-0.2 * w2 * value_at(wave, run.time())).epsilon(1e-5).scale(0.2 * w2 * 5));
    }
    SUBCASE("travel") {
        Model along = slider(2);
        wave.time = {0, 0.5, 1};
        wave.value = {0, 0, 1};
        along.joints[0].travel_motor = {Drive::Position, wave};
        Leapfrog run(along, 1e-3);
        run.run(0.8);
        CHECK(run.states()[0].travel == doctest::Approx(value_at(wave, 0.8)).epsilon(1e-9));
    }
}

TEST_CASE("a bounded motor gives its most until it is up to speed, then what is needed") {
    const double inertia = 0.5, most = 2, speed = 3, up = inertia * speed / most;
    Model model = rotor(inertia);
    model.joints[0].angle_motor = {Drive::Speed, steady(speed), most};
    Leapfrog run(model, 1e-3);
    run.run(0.5);
    CHECK(run.states()[0].motor == doctest::Approx(most).epsilon(1e-12));
    CHECK(run.states()[0].angle == doctest::Approx(0.5 * most / inertia * 0.25).epsilon(1e-9));
    run.run(2);
    CHECK(std::fabs(run.states()[0].motor) < 1e-9 * most);
    // The step in which the speed is reached takes the mean: the angle is off by less than rate dt / 8.
    CHECK(run.states()[0].angle == doctest::Approx(0.5 * speed * up + speed * (2 - up)).epsilon(1e-3 * speed / 8));
    CHECK(run.twist(0).angular.z == doctest::Approx(speed).epsilon(1e-9));
}

TEST_CASE("a motor too weak for its load gives way") {
    Model model = slider(2);
    model.joints[0].travel_motor = {Drive::Speed, steady(0), 15};  // weighs 19.62 N
    Leapfrog run(model, 1e-3);
    run.run(1);
    CHECK(run.states()[0].travel == doctest::Approx(-0.5 * (g - 7.5)).epsilon(1e-9));
    CHECK(run.states()[0].motor == doctest::Approx(15).epsilon(1e-12));
}

TEST_CASE("prescribed efforts accelerate as Newton says") {
    Model model = rotor(0.5);
    TimeFunction wave = steady(1);
    wave.amplitude = 3;
    wave.frequency = 0.4;
    model.joints[0].angle_motor = {Drive::Effort, wave};
    Leapfrog run(model, 1e-3);
    run.run(2);
    const double w = 2 * pi * 0.4;
    const double exact = (0.5 * 4 + 3 / w * (2 - std::sin(2 * w) / w)) / 0.5;
    CHECK(run.states()[0].angle == doctest::Approx(exact).epsilon(1e-5));  // (w dt)^2
    CHECK(run.states()[0].motor == doctest::Approx(value_at(wave, 2)).epsilon(1e-14));
    CHECK(run.states()[0].torque.z == doctest::Approx(-value_at(wave, 2)).epsilon(1e-9));  // on the ground
}

TEST_CASE("stops catch what comes and bear its weight") {
    Model model = slider(2);
    SUBCASE("low") {
        model.joints[0].travel_limits.low = -0.4;
    }
    SUBCASE("high") {
        model.gravity.z = g;
        model.joints[0].travel_limits.high = 0.4;
    }
    const double sign = model.gravity.z > 0 ? 1 : -1;
    Leapfrog run(model, 1e-3);
    for (int n = 0; n < 1000; ++n) {
        run.advance();
        REQUIRE(sign * run.states()[0].travel < 0.4 + 1e-12);
        if (run.time() < 0.28) REQUIRE(run.states()[0].force.z == doctest::Approx(0).epsilon(1e-9));  // falls freely for 0.2856 s
    }
    CHECK(sign * run.states()[0].travel == doctest::Approx(0.4).epsilon(1e-12));
    CHECK(run.states()[0].force.z == doctest::Approx(sign * 2 * g).epsilon(1e-9));
    CHECK(norm(run.twist(0).velocity) < 1e-9);
}

TEST_CASE("stops of an angle past a full turn") {
    Model model = rotor(0.5);
    model.joints[0].angle_limits = {-1, 9};
    model.bodies.angular_velocity[0] = {0, 0, 6};
    Leapfrog run(model, 1e-3);
    run.run(1.2);
    CHECK(run.states()[0].angle == doctest::Approx(7.2).epsilon(1e-9));
    run.run(2);
    CHECK(run.states()[0].angle == doctest::Approx(9).epsilon(1e-12));
}

TEST_CASE("spring oscillators have their frequency") {
    // Leapfrog's frequency is high by (w dt)^2 / 24: over w t = 30 rad at w dt = 0.01 a phase of 1e-4.
    const double k = 40, start = 0.3, until = 3;
    Model model;
    double w = 0;
    SUBCASE("torsion") {
        model = rotor(0.4);
        model.joints[0].angle_spring = {k, 0, -start, 0};
        w = std::sqrt(k / 0.4);
        Leapfrog run(model, 0.01 / w);
        run.run(until);
        CHECK(run.states()[0].angle == doctest::Approx(start * (std::cos(w * run.time()) - 1)).epsilon(2e-4).scale(start));
    }
    SUBCASE("slider with weight and preload") {
        model = slider(0.4);
        const double preload = 0.4 * g;  // bears the weight
        model.joints[0].travel_spring = {k, 0, start, preload};
        w = std::sqrt(k / 0.4);
        Leapfrog run(model, 0.01 / w);
        run.run(until);
        CHECK(run.states()[0].travel == doctest::Approx(start * (1 - std::cos(w * run.time()))).epsilon(2e-4).scale(start));
    }
    SUBCASE("two bodies and a line between points") {
        model.gravity = {};
        add_body(model, 1, {0.1, 0.2, 0.3}, {0, 0, 0});
        add_body(model, 3, {0.1, 0.2, 0.3}, {1.3, 0, 0});
        Joint& joint = add_joint(model, JointKind::Free, 0, 1, {0.1, 0, 0});
        joint.frame_b.shift = {-0.2, 0, 0};  // points 1 m apart
        joint.travel_spring = {k, 0, 1 - start, 0};
        w = std::sqrt(k / 0.75);
        Leapfrog run(model, 0.01 / w);
        run.run(until);
        CHECK(run.states()[0].travel == doctest::Approx(1 - start * (1 - std::cos(w * run.time()))).epsilon(2e-4).scale(start));
    }
}

TEST_CASE("a damped oscillator decays to second order") {
    const double k = 40, c = 1.5, m = 0.4, start = 0.3, until = 1;
    const double decay = c / (2 * m), w = std::sqrt(k / m - decay * decay);
    double error[3];
    for (int i = 0; i < 3; ++i) {
        Model model = slider(m);
        model.gravity = {};
        model.joints[0].travel_spring = {k, c, -start, 0};
        Leapfrog run(model, 4e-3 / (1 << i));
        run.run(until);
        const double exact = start * std::exp(-decay * until) * (std::cos(w * until) + decay / w * std::sin(w * until)) - start;
        error[i] = std::fabs(run.states()[0].travel - exact);
    }
    CHECK(error[0] < 1e-4);
    for (int i = 0; i < 2; ++i) CHECK(std::log2(error[i] / error[i + 1]) == doctest::Approx(2).epsilon(0.15));
}

TEST_CASE("dampers that a step cannot resolve stop motion without blowing up") {
    for (const int dampers : {1, 3}) {
        Model model = slider(0.4);
        model.gravity = {};
        model.bodies.velocity[0] = {0, 0, 1};
        model.joints[0].travel_spring.damping = 4e4;  // c dt / m = 100
        for (int k = 1; k < dampers; ++k) {
            add_joint(model, JointKind::Free, Joint::ground, 0, {1, 2, 2}, Vec3{0, 0, 1}).travel_spring.damping = 4e4;
            model.joints.back().frame_b.shift = {0, 0, 0.5};
        }
        Leapfrog run(model, 1e-3);
        run.run(0.1);
        CAPTURE(dampers);
        CHECK(norm(run.twist(0).velocity) < 1e-6);
        CHECK(std::fabs(run.states()[0].travel) < 5e-3);  // some steps' way
    }
}

TEST_CASE("a gear keeps its ratio and adds up the inertias") {
    // ratio theta_1 + theta_2 = const: torque on 1 sees I1 + ratio^2 I2.
    const double i1 = 0.5, i2 = 0.1, ratio = 2.5, torque = 3;
    Model model;
    model.gravity = {};
    add_body(model, 3, {i1, i1, i1}, {0, 0, 0});
    add_body(model, 1, {0.2, 0.3, i2}, {1, 0, 0});
    add_joint(model, JointKind::Revolute, Joint::ground, 0, {0, 0, 0}, Vec3{0, 0, 1}).angle_motor = {Drive::Effort, steady(torque)};
    add_joint(model, JointKind::Revolute, Joint::ground, 1, {1, 0, 0}, Vec3{0, 0, 1});
    Joint gear;
    gear.kind = JointKind::Gear;
    gear.first = 0;
    gear.second = 1;
    gear.ratio = ratio;
    model.joints.push_back(gear);
    Leapfrog run(model, 1e-3);
    run.run(3);
    const std::vector<JointState> states = run.states();
    const double turned = 0.5 * torque / (i1 + ratio * ratio * i2) * 9;  // 12 rad
    CHECK(states[0].angle == doctest::Approx(turned).epsilon(1e-9));
    CHECK(states[1].angle == doctest::Approx(-ratio * turned).epsilon(1e-9));
    CHECK(states[2].violation < 1e-9);
    CHECK(states[2].torque.z == doctest::Approx(-torque + i1 * 2 * turned / 9).epsilon(1e-9));  // of the gear on the first wheel
}

TEST_CASE("a planet on a moving carrier") {
    // Sun held to the ground by a motor at rest, carrier driven: relative to the carrier the sun turns by -phi, the planet by
    // ratio phi; in the world by (1 + ratio) phi.
    const double ratio = 3, speed = 2;
    Model model;
    model.gravity = {};
    add_body(model, 1, {0.1, 0.1, 0.1}, {0, 0, 0});    // sun
    add_body(model, 2, {0.3, 0.3, 0.3}, {0.5, 0, 0});  // carrier
    add_body(model, 1, {0.1, 0.1, 0.1}, {1, 0, 0});    // planet
    add_joint(model, JointKind::Fixed, Joint::ground, 0, {});
    add_joint(model, JointKind::Revolute, Joint::ground, 1, {}, Vec3{0, 0, 1}).angle_motor = {Drive::Speed, steady(speed)};
    add_joint(model, JointKind::Revolute, 1, 0, {}, Vec3{0, 0, 1});
    add_joint(model, JointKind::Revolute, 1, 2, {1, 0, 0}, Vec3{0, 0, 1});
    Joint gear;
    gear.kind = JointKind::Gear;
    gear.first = 2;
    gear.second = 3;
    gear.ratio = ratio;
    model.joints.push_back(gear);
    Leapfrog run(model, 1e-3);
    run.run(4);
    const std::vector<JointState> states = run.states();
    CHECK(states[2].angle == doctest::Approx(-8).epsilon(1e-9));
    CHECK(states[3].angle == doctest::Approx(24).epsilon(1e-9));
    CHECK(run.twist(2).angular.z == doctest::Approx(speed * (1 + ratio)).epsilon(1e-8));
}

TEST_CASE("a rack travels with its pinion") {
    const double inertia = 0.5, m = 2, ratio = 0.3, torque = 3;
    Model model;
    model.gravity = {};
    add_body(model, 3, {inertia, inertia, inertia}, {});
    add_body(model, m, {0.2, 0.3, 0.4}, {0, -0.3, 0});
    add_joint(model, JointKind::Revolute, Joint::ground, 0, {}, Vec3{0, 0, 1}).angle_motor = {Drive::Effort, steady(torque)};
    add_joint(model, JointKind::Prismatic, Joint::ground, 1, {0, -0.3, 0}, Vec3{1, 0, 0});
    Joint rack;
    rack.kind = JointKind::Rack;
    rack.first = 0;
    rack.second = 1;
    rack.ratio = ratio;
    model.joints.push_back(rack);
    Leapfrog run(model, 1e-3);
    run.run(2);
    const double turned = 0.5 * torque / (inertia + m * ratio * ratio) * 4;
    CHECK(run.states()[0].angle == doctest::Approx(turned).epsilon(1e-9));
    CHECK(run.states()[1].travel == doctest::Approx(ratio * turned).epsilon(1e-9));
    CHECK(run.states()[2].violation < 1e-9);
}

TEST_CASE("bearing and guide of a pinion and its rack bear what the teeth push") {
    // A pinion at rest at the origin is driven by a torque about z; the rack, below it, is pushed along x by F = m ratio alpha at the pitch
    // point (0, -ratio, 0), 0.05 above its own line. The bearing holds the pinion against -F; the guide's line is 0.05 below the teeth and
    // bears their torque, 0.05 F about z. Whichever of the two bodies of a joint is the base.
    const double inertia = 0.5, m = 2, ratio = 0.3, torque = 3, below = 0.05;
    const double alpha = torque / (inertia + m * ratio * ratio), push = m * ratio * alpha;
    for (const bool pinion_is_a : {false, true}) {
        for (const bool rack_is_a : {false, true}) {
            CAPTURE(pinion_is_a);
            CAPTURE(rack_is_a);
            Model model;
            model.gravity = {};
            add_body(model, 3, {inertia, inertia, inertia}, {});
            add_body(model, m, {0.2, 0.3, 0.4}, {0, -ratio - below, 0});
            const Vec3 x{1, 0, 0}, z{0, 0, 1};
            const double turned = pinion_is_a ? -1 : 1, gone = rack_is_a ? -1 : 1;
            (pinion_is_a ? add_joint(model, JointKind::Revolute, 0, Joint::ground, {}, z)
                         : add_joint(model, JointKind::Revolute, Joint::ground, 0, {}, z))
                .angle_motor = {Drive::Effort, steady(turned * torque)};
            const Vec3 line{0, -ratio - below, 0};
            if (rack_is_a) {
                add_joint(model, JointKind::Prismatic, 1, Joint::ground, line, x);
            } else {
                add_joint(model, JointKind::Prismatic, Joint::ground, 1, line, x);
            }
            Joint rack;
            rack.kind = JointKind::Rack;
            rack.first = 0;
            rack.second = 1;
            rack.ratio = turned * gone * ratio;
            model.joints.push_back(rack);
            const double dt = 1e-4;
            Leapfrog run(model, dt);
            run.run(0.01);
            const auto states = run.states();
            // The rack has gone 5 alpha ratio 1e-5, the pinion has turned as little; bearings see it at 1e-4 of the load.
            CHECK(gone * states[1].travel == doctest::Approx(0.5 * ratio * alpha * 1e-4).epsilon(1e-6));
            // Joints report what acts on their body A.
            CHECK(states[0].force.x == doctest::Approx(pinion_is_a ? push : -push).epsilon(1e-6));
            CHECK(std::fabs(states[0].force.y) < 1e-6 * push);
            CHECK(states[1].force.x == doctest::Approx(0.0).scale(push).epsilon(1e-6));
            CHECK(states[1].torque.z == doctest::Approx(rack_is_a ? below * push : -below * push).epsilon(1e-3));
            // And the rack what acts on the pinion.
            CHECK(states[2].force.x == doctest::Approx(-push).epsilon(1e-6));
            CHECK(states[2].torque.z == doctest::Approx(-ratio * push).epsilon(1e-3));
        }
    }
}
