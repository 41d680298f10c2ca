// Rows of joints solved one by one with a contact: gears and racks that a ball strikes, against impulses on paper, and stops that a start
// has put behind.
#include <doctest/doctest.h>

#include <algorithm>

#include "joined.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double radius = 0.02, arm = 0.1, speed = 1;
const double ball = 4.0 / 3 * pi * density * radius * radius * radius;  // 0.084 kg
constexpr double wheel = 8e-4, other_wheel = 2e-4;                      // about z [kg m2]
constexpr Vec3 z{0, 0, 1};

Model cone_model(double restitution) {
    Model m = empty_model(Law::Hertz, restitution, 0);
    m.method = Method::Cone;
    m.cone.direct_joints = false;
    m.cone.tolerance = by_precision(1e-10, 1e-5);  // rates of 10 rad/s are rounded to 1e-6 in single precision
    m.cone.iterations = 20000;
    m.dt = 1e-3;
    return m;
}

std::int32_t body(Model& m, double mass, double about_z, Vec3 at) {
    return add_compound_entry(m, at, {}, mass, {0.7 * about_z, 0.9 * about_z, about_z}, 0.12);
}

void couple(Model& m, JointKind kind, double ratio) {
    Joint j;
    j.kind = kind;
    j.name = "coupling";
    j.first = 0;
    j.second = 1;
    j.ratio = ratio;
    m.joints.push_back(j);
}

/// A ball on body 0 at `offset`, and one that flies against it along y and meets it after some steps, in the middle of one.
void strike(Model& m, Vec3 offset) {
    m.bodies.radius[0] = norm(offset) + radius;
    m.shapes[0].inertia = m.shapes[0].inertia * (0.12 * 0.12 / (m.bodies.radius[0] * m.bodies.radius[0]));
    add_sphere(m, {}, radius);
    carry(m, m.bodies.size() - 1, 0, offset);
    add_sphere(m, m.bodies.position.back() - Vec3{0, 2 * radius + 10.3 * m.dt * speed, 0}, radius, {0, speed, 0});
    fill_owners(m.bodies);
}

struct Speeds {
    Vec3 velocity, angular;
};
/// Speeds after the blow: of the ball, and of the joined bodies by id.
struct After {
    double ball;
    std::vector<Speeds> joined;
};
After blow(const Model& m, std::size_t joined) {
    const auto engine = engine_of(m);
    std::int64_t contacts = 0;
    for (int n = 0; n < 20; ++n) {
        const BatchReport report = engine->advance(1);
        REQUIRE(report.fault.kind == FaultKind::None);
        REQUIRE(report.cone[0].converged);
        contacts += report.cone[0].contacts;
    }
    CHECK(contacts > 0);
    for (const JointState& j : engine->measure().joints) CHECK(j.violation < by_precision(1e-8, 1e-5));
    const Snapshot s = engine->snapshot();
    After out{s.velocity.back().y, {}};
    for (std::size_t k = 0; k < joined; ++k) out.joined.push_back({s.velocity[k], s.angular_velocity[k]});
    return out;
}

/// All ways to solve it; rows that stay unknowns and rows that are eliminated.
template <class Check>
void every_way(Model m, Check check) {
    for (const bool direct : {false, true}) {
        for (const ConeSolver solver : {ConeSolver::GaussSeidel, ConeSolver::Apgd, ConeSolver::BarzilaiBorwein, ConeSolver::Jacobi}) {
            CAPTURE(direct);
            CAPTURE(static_cast<int>(solver));
            m.cone.direct_joints = direct;
            m.cone.solver = solver;
            check(m);
        }
    }
}

// Residuals of 1e-10 m/s (1e-6 in mixed precision) at rows that hang together leave some hundred times that in speeds of 1 m/s and 10
// rad/s.
const double share = by_precision(1e-7, 2e-4);

}  // namespace

TEST_CASE("iterated joints: a ball strikes a wheel of a gear, which has the other's inertia times the ratio squared") {
    const double ratio = 2;
    for (const double e : {0.3, 1.0}) {
        Model m = cone_model(e);
        const std::int32_t first = body(m, 0.5, wheel, {}), second = body(m, 0.2, other_wheel, {0.3, 0, 0});
        m.joints = {joined(m, JointKind::Revolute, Joint::ground, first, {}, z),
                    joined(m, JointKind::Revolute, Joint::ground, second, {0.3, 0, 0}, z)};
        couple(m, JointKind::Gear, ratio);
        strike(m, {arm, 0, 0});
        // J (1/m + r^2 / I) = (1 + e) v with I = I_1 + ratio^2 I_2; r J = I w.
        const double I = wheel + ratio * ratio * other_wheel;
        const double J = (1 + e) * speed / (1 / ball + arm * arm / I), w = arm * J / I;
        every_way(m, [&](const Model& model) {
            const After now = blow(model, 2);
            CHECK(now.ball == doctest::Approx(speed - J / ball).epsilon(share));
            CHECK(now.joined[0].angular.z == doctest::Approx(w).epsilon(share));
            CHECK(now.joined[1].angular.z == doctest::Approx(-ratio * w).epsilon(share));
        });
    }
}

TEST_CASE("iterated joints: a ball strikes a pinion, which has the rack's mass times its radius squared") {
    const double pitch = 0.05, mass = 0.4, e = 0.6;
    Model m = cone_model(e);
    const std::int32_t pinion = body(m, 0.5, wheel, {}), rack = body(m, mass, 1e-3, {0, -pitch, 0});
    m.joints = {joined(m, JointKind::Revolute, Joint::ground, pinion, {}, z),
                joined(m, JointKind::Prismatic, Joint::ground, rack, {0, -pitch, 0}, {1, 0, 0})};
    couple(m, JointKind::Rack, pitch);
    strike(m, {arm, 0, 0});
    const double I = wheel + pitch * pitch * mass;
    const double J = (1 + e) * speed / (1 / ball + arm * arm / I), w = arm * J / I;
    every_way(m, [&](const Model& model) {
        const After now = blow(model, 2);
        CHECK(now.ball == doctest::Approx(speed - J / ball).epsilon(share));
        CHECK(now.joined[0].angular.z == doctest::Approx(w).epsilon(share));
        CHECK(now.joined[1].velocity.x == doctest::Approx(pitch * w).epsilon(share));
    });
}

TEST_CASE("iterated joints: couplings between two joints of four bodies, none of them held by the ground") {
    // One row on four bodies. A wheel on its bearer, and beside them a wheel on a bearer or a slide on a rail; each pair has one centre (or
    // line), so that pairs only turn (or travel) against each other. With the gradients g_k of the row and the impulse lambda of the
    // coupling, lambda sum_k g_k^2 / I_k = -g_0 r J / I_0; the wheel's pair goes off with J.
    const double e = 0.6, bearer = 5e-4, mass = 0.5, bearer_mass = 0.7;
    for (const bool rack : {false, true}) {
        CAPTURE(rack);
        const double ratio = rack ? 0.05 : 2, other_mass = 0.4, rail_mass = 0.9, other_bearer = 6e-4;
        Model m = cone_model(e);
        const Vec3 beside{0.4, -0.2, 0};
        const std::int32_t a = body(m, mass, wheel, {}), b = body(m, bearer_mass, bearer, {});
        const std::int32_t c = body(m, rail_mass, other_bearer, beside), d = body(m, other_mass, other_wheel, beside);
        m.joints = {joined(m, JointKind::Revolute, b, a, {}, z),
                    joined(m, rack ? JointKind::Prismatic : JointKind::Revolute, c, d, beside, rack ? Vec3{1, 0, 0} : z)};
        couple(m, rack ? JointKind::Rack : JointKind::Gear, ratio);
        strike(m, {arm, 0, 0});
        const double weight = rack ? -ratio : ratio;
        const double inverse_c = 1 / (rack ? rail_mass : other_bearer), inverse_d = 1 / (rack ? other_mass : other_wheel);
        const double sum = weight * weight * (1 / wheel + 1 / bearer) + inverse_c + inverse_d;
        const double held = 1 - weight * weight / (wheel * sum);  // share of its turn that the coupling leaves the wheel
        const double pair = 1 / (mass + bearer_mass);
        const double J = (1 + e) * speed / (1 / ball + pair + arm * arm / wheel * held), lambda = -weight * arm * J / (wheel * sum);
        every_way(m, [&](const Model& model) {
            const After now = blow(model, 4);
            CHECK(now.ball == doctest::Approx(speed - J / ball).epsilon(share));
            CHECK(now.joined[0].velocity.y == doctest::Approx(pair * J).epsilon(share));
            CHECK(now.joined[0].angular.z == doctest::Approx(arm * J / wheel * held).epsilon(share));
            CHECK(now.joined[1].angular.z == doctest::Approx(-weight * lambda / bearer).epsilon(share));
            const auto rate = [&](std::size_t k) { return rack ? now.joined[k].velocity.x : now.joined[k].angular.z; };
            CHECK(rate(2) == doctest::Approx(-lambda * inverse_c).epsilon(share));
            CHECK(rate(3) == doctest::Approx(lambda * inverse_d).epsilon(share));
        });
    }
}

TEST_CASE("stops give back what a start put behind them at a fifth of a radian, or of the mechanism's size, a second") {
    // However the step is taken: in parts, whole, row by row, or under the penalty method. Nothing holds the body once it is out, so it
    // goes on at that speed: never faster, and with no more energy than it has by it.
    const double dt = 0.01, behind = 0.1, about_hinge = wheel + 0.5 * arm * arm;
    enum Way { InParts, Whole, Iterated, Penalty };
    for (const Way way : {InParts, Whole, Iterated, Penalty}) {
        for (const bool turns : {true, false}) {
            for (const double sign : {1.0, -1.0}) {
                CAPTURE(static_cast<int>(way));
                CAPTURE(turns);
                CAPTURE(sign);
                Model m = cone_model(0.5);
                m.dt = dt;
                m.cone.direct_joints = way != Iterated;
                m.cone.joint_substeps = way == InParts ? 8 : 1;
                if (way == Penalty) m.method = Method::Penalty;
                const std::int32_t id = body(m, 0.5, wheel, {arm, 0, 0});
                m.joints = {joined(m, turns ? JointKind::Revolute : JointKind::Prismatic, Joint::ground, id, {}, z)};
                // The longest arm measures the mechanism.
                const double way_behind = turns ? behind : behind * arm, fastest = turns ? 0.2 : 0.2 * arm;
                Limits& limits = turns ? m.joints[0].angle_limits : m.joints[0].travel_limits;
                (sign > 0 ? limits.low : limits.high) = sign * way_behind;
                const auto engine = engine_of(m);
                double at = 0;
                // Parts and forces go by doubles, whole steps by the engine's numbers. Iterated joints are not corrected after the drift:
                // speeds are those of a chord, (0.2 dt)^2 = 4e-6, or the solver's tolerance.
                const double rounding = way == Iterated ? by_precision(1e-5, 1e-3) : (way == Whole ? by_precision(1e-9, 1e-5) : 1e-9);
                // Back after half a second, and as long again.
                for (int n = 1; n <= 100; ++n) {
                    REQUIRE(engine->advance(1).fault.kind == FaultKind::None);
                    const Snapshot s = engine->snapshot();
                    // Where it is by its body: what joints say in parts is of the step's first.
                    const Vec3 x = s.position[0];
                    const double now = turns ? std::atan2(x.y, x.x) : x.z;
                    REQUIRE(sign * (now - at) == doctest::Approx(fastest * dt).epsilon(rounding));
                    CHECK(norm(s.angular_velocity[0]) <= (turns ? fastest : 0) + rounding);
                    at = now;
                }
                CHECK(sign * at > way_behind);
                const double energy = engine->measure().energy.mechanical();
                // A chord's speed is that of its arc but for (0.2 dt)^2 / 12.
                CHECK(energy == doctest::Approx(0.5 * (turns ? about_hinge : 0.5) * fastest * fastest).epsilon(1e-6 + 2 * rounding));
            }
        }
    }
}
