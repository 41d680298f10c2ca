// Steps of mechanisms in parts under the cone method: what parts are worth, when a step is whole, and the same bits every way.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "hashes.hpp"
#include "joined.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double g = 9.81;

Model cone_model(double restitution, double dt, std::int64_t parts) {
    Model m = empty_model(Law::Hertz, restitution, 0);
    m.method = Method::Cone;
    m.cone.tolerance = by_precision(1e-10, 1e-6);
    m.cone.joint_substeps = parts;
    m.dt = dt;
    return m;
}

ConeReport step(Engine& engine) {
    const BatchReport report = engine.advance(1);
    REQUIRE(report.fault.kind == FaultKind::None);
    REQUIRE(report.cone.size() == 1);
    return report.cone[0];
}

/// Was the last step taken in parts? Then what goes from part to part is in the state.
bool in_parts(Engine& engine) {
    const EngineState state = engine.save();
    const StateField* middle = state.find("joint.middle");
    REQUIRE(middle != nullptr);
    return !middle->bytes.empty();
}

// A double pendulum in the plane y = 0: angles from hanging down, lengths from the hinge above to the centre and to the hinge below.
constexpr double m1 = 1, c1 = 0.2, l1 = 0.4, I1 = 0.02, m2 = 0.6, c2 = 0.15, I2 = 0.008;
using Phase = std::array<double, 4>;  // angles, then their rates
constexpr Phase at_start{1.2, 0.5, 0, 0};

Vec3 along(double angle) {
    return {std::sin(angle), 0, -std::cos(angle)};
}
Vec3 lower_centre(const Phase& s) {
    return l1 * along(s[0]) + c2 * along(s[1]);
}

Model double_pendulum(double dt, std::int64_t parts) {
    Model m = cone_model(0.5, dt, parts);
    m.gravity = {0, 0, -g};
    const std::int32_t upper = add_compound_entry(m, c1 * along(at_start[0]), turn({0, 1, 0}, -at_start[0]), m1, {0.02, I1, 0.001}, 0.3);
    const std::int32_t lower = add_compound_entry(m, lower_centre(at_start), turn({0, 1, 0}, -at_start[1]), m2, {0.008, I2, 0.001}, 0.2);
    m.joints = {joined(m, JointKind::Revolute, Joint::ground, upper, {}, {0, 1, 0}),
                joined(m, JointKind::Revolute, upper, lower, l1 * along(at_start[0]), {0, 1, 0})};
    return m;
}

/// Lagrange's equations of it, by Runge and Kutta's fourth-order method in steps of 1e-4 s, at most (5 1/s * 1e-4 s)^4: error below 1e-12.
Phase slope(const Phase& s) {
    const double c = std::cos(s[0] - s[1]), n = std::sin(s[0] - s[1]), k = m2 * l1 * c2;
    const double a11 = I1 + m1 * c1 * c1 + m2 * l1 * l1, a12 = k * c, a22 = I2 + m2 * c2 * c2;
    const double f1 = -k * n * s[3] * s[3] - (m1 * c1 + m2 * l1) * g * std::sin(s[0]);
    const double f2 = k * n * s[2] * s[2] - m2 * c2 * g * std::sin(s[1]);
    const double det = a11 * a22 - a12 * a12;
    return {s[2], s[3], (a22 * f1 - a12 * f2) / det, (a11 * f2 - a12 * f1) / det};
}
Phase exact_at(double time) {
    const int steps = static_cast<int>(std::lround(time / 1e-4));
    const double h = time / steps;
    Phase s = at_start;
    const auto gone = [](const Phase& from, double by, const Phase& rate) {
        Phase to;
        for (std::size_t i = 0; i < 4; ++i) to[i] = from[i] + by * rate[i];
        return to;
    };
    for (int n = 0; n < steps; ++n) {
        const Phase k1 = slope(s), k2 = slope(gone(s, h / 2, k1)), k3 = slope(gone(s, h / 2, k2)), k4 = slope(gone(s, h, k3));
        for (std::size_t i = 0; i < 4; ++i) s[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    return s;
}

/// Two bodies on ball and universal joints, three different moments each, thrown so that they turn about every axis.
Model tumbler(double dt, std::int64_t parts) {
    Model m = cone_model(0.5, dt, parts);
    m.gravity = {0, 0, -g};
    const std::int32_t a = add_compound_entry(m, {0.2, 0, 0}, turn({1, 2, 0}, 0.3), 1, {0.004, 0.008, 0.01}, 0.3, {0, 0.6, 0}, {1, 0, 3});
    const std::int32_t b = add_compound_entry(m, {0.5, 0.1, 0}, {}, 0.5, {0.001, 0.002, 0.0025}, 0.2, {0.3, 1.5, 0}, {2, -1, 3});
    m.joints = {joined(m, JointKind::Spherical, Joint::ground, a, {}), joined(m, JointKind::Universal, a, b, {0.4, 0.05, 0}, {0, 1, 0.5})};
    return m;
}

Snapshot after(const Model& m, double time) {
    const auto engine = engine_of(m);
    const BatchReport report = engine->advance(std::llround(time / m.dt));
    REQUIRE(report.fault.kind == FaultKind::None);
    // Joints hold as well as is asked for; in single precision as well as a twist of 5 m/s is rounded, in a step of 0.02 s over 0.4 m, some
    // times over.
    for (const ConeReport& r : report.cone) REQUIRE(r.joint_miss <= by_precision(m.cone.joint_tolerance, 1e-7));
    return engine->snapshot();
}

double farthest(const Snapshot& a, const Snapshot& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.position.size(); ++i) {
        most = std::max(most, norm(a.position[i] - b.position[i]));
        const Quat p = a.orientation[i], q = b.orientation[i];
        // Of a turn by a small angle the sine of its half, either sign of a quaternion being the same turn.
        const Quat between = p * conjugate(q);
        most = std::max(most, 2 * norm(Vec3{between.x, between.y, between.z}));
    }
    return most;
}

constexpr double bob_at = 0.2, ball_radius = 0.02;

/// A square of 0.2 m that faces up.
Wall quad_wall(const char* name, Vec3 at) {
    TriangleMesh mesh;
    mesh.vertices = {at + Vec3{-0.1, -0.1, 0}, at + Vec3{0.1, -0.1, 0}, at + Vec3{0.1, 0.1, 0}, at + Vec3{-0.1, 0.1, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh_wall(name, mesh);
}

/// An arm that turns about z at this speed, with a ball at its end that hits another one square after some tenths of a radian.
Model striker(double restitution, double speed, double dt) {
    Model m = cone_model(restitution, dt, 8);
    const double centre_at = 0.15, meets = 0.3;
    const std::int32_t arm =
        add_compound_entry(m, {centre_at, 0, 0}, {}, 0.3, {1e-3, 2e-3, 2.5e-3}, 0.08, {0, speed * centre_at, 0}, {0, 0, speed});
    add_sphere(m, {}, ball_radius);
    carry(m, 1, arm, {bob_at - centre_at, 0, 0});
    const Vec3 out{std::cos(meets), std::sin(meets), 0}, on{-std::sin(meets), std::cos(meets), 0};
    add_sphere(m, bob_at * out + 2 * ball_radius * on, ball_radius);
    fill_owners(m.bodies);
    m.joints = {joined(m, JointKind::Revolute, Joint::ground, arm, {}, {0, 0, 1})};
    return m;
}
/// Its moment of inertia about the hinge.
constexpr double arm_inertia = 2.5e-3 + 0.3 * 0.15 * 0.15;

/// A double pendulum with balls at its ends that swings through balls on the floor.
Model sweeper() {
    Model m = cone_model(0.3, 1e-3, 8);
    m.cone.tolerance = 1e-4;
    m.cone.iterations = 50;
    m.gravity = {0, 0, -g};
    PairProperties p;
    p.restitution = 0.3;
    p.friction = 0.4;
    m.pairs.set(0, 0, p);
    const std::int32_t a = add_clump(m, dumbbell(0.06, 0.015), {0.1, 0, 0.22}, {}, {0, 0.3, 0}, {0, 0, 3});
    const std::int32_t b = add_clump(m, cross_of(0.05, 0.02, 0.012), {0.24, 0, 0.22}, {}, {0, 0.7, 0}, {1, 0, 3});
    m.joints = {joined(m, JointKind::Spherical, Joint::ground, a, {0, 0, 0.22}),
                joined(m, JointKind::Universal, a, b, {0.18, 0, 0.22}, {0, 1, 0})};
    for (int k = 0; k < 12; ++k) add_sphere(m, {(k % 4 - 1.5) * 0.06, (k / 4 - 1) * 0.06, 0.02 + 1e-4 * k}, 0.02);
    fill_owners(m.bodies);
    m.walls = {box_wall("box", {{-0.5, -0.5, 0}, {0.5, 0.5, 2}})};
    return m;
}

}  // namespace

TEST_CASE("parts of a step: a double pendulum's places miss Lagrange's equations by the square of a part") {
    const double until = 1, dt = 0.02;
    const Phase exact = exact_at(until);
    double error[5];
    for (int k = 0; k < 5; ++k) {
        const std::int64_t parts = std::int64_t{1} << k;
        const Snapshot now = after(double_pendulum(dt, parts), until);
        error[k] = norm(now.position[1] - lower_centre(exact));
    }
    // Of second order; what is left is the next term, of fourth order, and is largest where parts are longest. A step of 0.02 s turns the
    // lower rod by a fifth of a radian.
    CHECK(std::log2(error[0] / error[1]) == doctest::Approx(2).epsilon(0.1));
    for (int k = 1; k < 4; ++k) CHECK(std::log2(error[k] / error[k + 1]) == doctest::Approx(2).epsilon(0.03));
    CHECK(error[0] > 1e-3);  // worth it
    CHECK(error[3] < error[0] / 50);
}

TEST_CASE("parts of a step: eight are two steps of four, and one is a step of the penalty method") {
    // The same sequence of parts but for the rounding of the forces that stand for them, and joints held to 1e-10 of their size a part.
    for (const auto& model : {&double_pendulum, &tumbler}) {
        const double until = 0.6;
        CHECK(farthest(after(model(0.02, 8), until), after(model(0.01, 4), until)) < 1e-9);
        // One part is no part, but the engine's own solve, in the precision of contacts. A joint that is missed by the tolerance t of 0.4 m
        // gives 0.4 m t / dt to a velocity: over the run 0.24 m t / dt, which grows ten times on the way. In single precision a twist of
        // 5 m/s is rounded by 3e-7 m/s, and joints are kept no better.
        Model whole = model(0.01, 1);
        whole.cone.joint_tolerance = by_precision(1e-13, 1e-10);
        Model penalty = whole;
        penalty.method = Method::Penalty;
        const auto engine = engine_of(penalty);
        engine->advance(std::llround(until / penalty.dt));
        CHECK(farthest(after(whole, until), engine->snapshot()) < by_precision(1e-10, 1e-6));
        CHECK(farthest(after(whole, until), after(model(0.01, 8), until)) > 1e-4);  // and parts are no whole steps
    }
}

TEST_CASE("parts of a step: whole while a contact's row holds a joined body, in parts before and after") {
    // Without friction the moment of momentum about the hinge stays, whatever the normal; a chord's speed is that of its arc but for
    // (w dt)^2 / 24. An elastic impact keeps the energy.
    const double w = 2, dt = 1e-3, ball = 4.0 / 3 * pi * density * ball_radius * ball_radius * ball_radius;
    for (const double e : {1.0, 0.5, 0.0}) {
        CAPTURE(e);
        const auto engine = engine_of(striker(e, w, dt));
        int phase = 0;  // 0: before, 1: touching, 2: apart again
        int steps[3]{};
        for (int n = 0; n < 400; ++n) {
            const bool touched = step(*engine).contacts > 0;
            REQUIRE(in_parts(*engine) == !touched);
            if (touched && phase == 0) phase = 1;
            if (!touched && phase == 1) phase = 2;
            REQUIRE(touched == (phase == 1));
            ++steps[phase];
        }
        CHECK(steps[0] > 130);  // 0.3 rad at 2 rad/s, less the reach
        CHECK(steps[1] > 0);
        const Snapshot s = engine->snapshot();
        const double turned = s.angular_velocity[0].z;
        const double L = arm_inertia * turned + ball * cross(s.position[2], s.velocity[2]).z;
        const double share = by_precision(1e-6, 1e-5);  // (w dt)^2 = 4e-6; impulses in single precision
        CHECK(L == doctest::Approx(arm_inertia * w).epsilon(share));
        const double energy = 0.5 * arm_inertia * turned * turned + 0.5 * ball * norm2(s.velocity[2]);
        // Square: the ball's normal is across the arm but for the angle of a step, whose square counts.
        const double at_rest = 0.5 * arm_inertia * w * w;
        const double lost = 0.5 * (1 - e * e) * bob_at * bob_at * w * w / (1 / ball + bob_at * bob_at / arm_inertia);
        CHECK(energy == doctest::Approx(at_rest - lost).epsilon(1e-4));
        if (e == 1.0) CHECK(energy == doctest::Approx(at_rest).epsilon(share));
        if (e > 0) CHECK(steps[2] > 150);
        CHECK(engine->measure().joints[0].violation < 1e-9);
    }
}

TEST_CASE("parts of a step: contacts of others leave a mechanism its parts, its own take them from every one") {
    Model m = striker(0, 2, 1e-3);
    m.gravity = {0, 0, -g};
    m.bodies.position[2] = {1, 0, 0};  // out of the way
    m.walls = {plane_wall("floor", {0, 0, -ball_radius}, {0, 0, 1})};
    Model lifted = m;
    lifted.walls[0].planes[0].point.z = -2 * ball_radius;
    lifted.bodies.position[2].z = -ball_radius;
    const auto one_part = [](Model model) {
        model.cone.joint_substeps = 1;
        return model;
    };
    // The arm's end lies on the floor: every step is whole.
    CHECK(hash_after(m, 100) == hash_after(one_part(m), 100));
    // The ball alone does.
    const auto engine = engine_of(lifted);
    for (int n = 0; n < 100; ++n) {
        CHECK(step(*engine).contacts == 1);
        CHECK(in_parts(*engine));
    }
    CHECK(engine->state_hash() != hash_after(one_part(lifted), 100));
}

TEST_CASE("parts of a step: what lies on a wall that a joined body carries takes them too, what lies on another's wall does not") {
    for (const bool on_joined : {true, false}) {
        Model m = cone_model(0, 1e-3, 8);
        m.gravity = {0, 0, -g};
        std::int32_t tray[2];
        for (int k = 0; k < 2; ++k) tray[k] = add_compound_entry(m, {2.0 * k, 0, -0.1}, {}, 1, {0.01, 0.01, 0.02}, 0.2);
        m.joints = {joined(m, JointKind::Fixed, Joint::ground, tray[0], {0, 0, -0.1})};
        // The other tray stands on a ball, and that on the floor.
        add_sphere(m, {2, 0, -0.1 - ball_radius}, ball_radius);
        carry(m, 2, tray[1], {0, 0, -ball_radius});
        add_sphere(m, {on_joined ? 0.0 : 2.0, 0, ball_radius}, ball_radius);
        fill_owners(m.bodies);
        m.walls = {plane_wall("floor", {0, 0, -0.1 - 2 * ball_radius}, {0, 0, 1})};
        for (int k = 0; k < 2; ++k) {
            m.walls.push_back(quad_wall("tray", {2.0 * k, 0, 0}));
            m.walls.back().body = tray[k];
        }
        const auto engine = engine_of(m);
        for (int n = 0; n < 50; ++n) {
            CHECK(step(*engine).contacts == 2);
            CHECK(in_parts(*engine) == !on_joined);
        }
    }
}

TEST_CASE("parts of a step: batches, threads and restarts change no bit") {
    const Model m = sweeper();
    constexpr std::int64_t steps = 1000, on = 100;  // on: steps after a restart
    const auto engine = engine_of(m);
    std::vector<bool> parted;
    std::vector<std::uint64_t> expected{engine->state_hash()};  // after each step
    for (std::int64_t n = 0; n < steps + on; ++n) {
        step(*engine);
        parted.push_back(in_parts(*engine));
        expected.push_back(engine->state_hash());
    }
    const auto count = std::count(parted.begin(), parted.end(), true);
    CHECK(count > 50);
    CHECK(count < steps - 50);
    CHECK(hash_after(m, steps) == expected[steps]);
    CHECK(hash_after(m, steps, 2, false, 37) == expected[steps]);
    CHECK(hash_after(m, steps, 1, true) == expected[steps]);
    // Cut at the start, in parts, in whole steps, and where one follows the other.
    std::vector<std::int64_t> cuts{0, 1, steps};
    for (const bool to_parts : {false, true}) {
        for (std::size_t n = 1; n < parted.size(); ++n) {
            if (parted[n] != to_parts || parted[n - 1] == to_parts) continue;
            cuts.insert(cuts.end(), {static_cast<std::int64_t>(n), static_cast<std::int64_t>(n) + 1, static_cast<std::int64_t>(n) + 4});
            break;
        }
    }
    CHECK(cuts.size() == 9);
    std::sort(cuts.begin(), cuts.end());
    const auto saved = engine_of(m), used = engine_of(m);
    for (const std::int64_t cut : cuts) {
        CAPTURE(cut);
        saved->advance(cut - saved->counters().step);
        const EngineState state = saved->save();
        const auto fresh = engine_of(m, 2);
        for (Engine* again : {fresh.get(), used.get()}) {  // also into an engine that has run on from elsewhere
            again->load(state);
            const std::vector<JointState> x = saved->measure().joints, y = again->measure().joints;
            REQUIRE(x.size() == y.size());
            for (std::size_t j = 0; j < x.size(); ++j) {
                CHECK(x[j].force == y[j].force);
                CHECK(x[j].torque == y[j].torque);
                CHECK(x[j].angle == y[j].angle);
                CHECK(x[j].violation == y[j].violation);
            }
            again->advance(on);
            CHECK(again->state_hash() == expected[static_cast<std::size_t>(cut + on)]);
        }
    }
}
