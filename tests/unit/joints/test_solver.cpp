// The exact solution of bilateral rows, redundant, contradictory and many; bounded rows; checkpoints; wrong input.
#include <doctest/doctest.h>

#include <tuple>

#include "base/error.hpp"
#include "engine/joints/bilateral_solver.hpp"
#include "engine/joints/boxed_problem.hpp"
#include "mechanism.hpp"

using namespace scree;
using namespace mechanism;

namespace {

std::vector<Twist> random_twists(std::size_t n, std::uint64_t seed) {
    Rng rng(seed, 0);
    std::vector<Twist> v(n);
    for (Twist& t : v) t = {{rng.normal(), rng.normal(), rng.normal()}, {rng.normal(), rng.normal(), rng.normal()}};
    return v;
}

/// Largest |G v + bias| over the size of its terms.
double relative_residual(const JointSystem& joints, const std::vector<Twist>& v, bool with_bias) {
    double worst = 0, size = 0;
    for (const JointRow& row : joints.bilateral()) {
        const double bias = with_bias ? row.bias : 0;
        worst = std::max(worst, std::fabs(rate_of(row, v) + bias));
        for (int k = 0; k < row_terms; ++k) {
            const RowTerm t = term_of(row, k);
            if (t.body < 0) continue;
            const Twist& at = v[static_cast<std::size_t>(t.body)];
            size = std::max(size, norm(t.linear) * norm(at.velocity) + norm(t.angular) * norm(at.angular) + std::fabs(bias));
        }
    }
    return worst / size;
}

/// A door on this many hinges along the z axis.
Model door(int hinges) {
    Model model;
    model.gravity = {0, 0, -9.81};
    add_body(model, 20, {2, 1, 3}, {0.4, 0, 1});
    for (int k = 0; k < hinges; ++k) add_joint(model, JointKind::Revolute, Joint::ground, 0, {0, 0, 0.2 + 0.8 * k}, Vec3{0, 0, 1});
    return model;
}

/// A ladder of bars in a plane: loops of four bars, each with three rows too many.
Model ladder(int rungs) {
    Model model;
    const Vec3 y{0, 1, 0};
    std::int32_t left = Joint::ground, right = Joint::ground;
    for (int k = 0; k < rungs; ++k) {
        const double z = -k;
        const std::int32_t l = add_body(model, 1, {0.1, 0.1, 0.01}, {0, 0, z - 0.5}),
                           r = add_body(model, 1, {0.1, 0.1, 0.01}, {1, 0, z - 0.5});
        const std::int32_t rung = add_body(model, 1, {0.01, 0.1, 0.1}, {0.5, 0, z - 1});
        add_joint(model, JointKind::Revolute, left, l, {0, 0, z}, y);
        add_joint(model, JointKind::Revolute, right, r, {1, 0, z}, y);
        add_joint(model, JointKind::Revolute, l, rung, {0, 0, z - 1}, y);
        add_joint(model, JointKind::Revolute, r, rung, {1, 0, z - 1}, y);
        left = right = rung;
    }
    return model;
}

}  // namespace

TEST_CASE("projection meets all rows to rounding, moves nothing twice, and is the nearest in the metric of mass") {
    for (const auto& [name, model] :
         {std::pair<std::string, Model>{"one hinge", door(1)}, {"three hinges", door(3)}, {"ladder", ladder(40)}}) {
        CAPTURE(name);
        JointSystem joints(model);
        joints.evaluate(0, 1e-3);
        const std::vector<JointBody>& bodies = joints.bodies();
        const std::vector<Twist> start = random_twists(bodies.size(), 3);
        std::vector<Twist> v = start;
        std::vector<double> impulse(joints.bilateral().size(), 0.0);
        joints.project(v, false, &impulse);
        CHECK(relative_residual(joints, v, false) < 1e-13);
        // What was added is M^-1 G^T impulse.
        std::vector<Twist> pushed = start;
        for (std::size_t i = 0; i < impulse.size(); ++i) push(joints.bilateral()[i], joints.bodies(), impulse[i], pushed);
        double apart = 0;
        for (std::size_t k = 0; k < v.size(); ++k) {
            apart = std::max(apart, norm(v[k].velocity - pushed[k].velocity) + norm(v[k].angular - pushed[k].angular));
        }
        CHECK(apart < 1e-10);
        // The change is across every allowed twist: work with another projected one vanishes.
        std::vector<Twist> other = random_twists(bodies.size(), 4);
        joints.project(other, false, nullptr);
        double work = 0, size = 0;
        for (std::size_t i = 0; i < impulse.size(); ++i) {
            work += impulse[i] * rate_of(joints.bilateral()[i], other);
            size += std::fabs(impulse[i]);
        }
        CHECK(std::fabs(work) < 1e-13 * size);  // rates are zero to rounding
        std::vector<Twist> again = v;
        joints.project(again, false, nullptr);
        double moved = 0;
        for (std::size_t k = 0; k < v.size(); ++k) moved = std::max(moved, norm(v[k].velocity - again[k].velocity));
        CHECK(moved < 1e-13);
    }
}

TEST_CASE("inverses of blocks give the impulses and twists of the projection, and blocks share no body") {
    Model apart;  // three mechanisms, their joints mixed up
    for (const double x : {0.0, 5.0, 10.0}) add_body(apart, 1 + x, {0.2, 0.1, 0.3}, {x, 0, 0});
    for (const std::int32_t k : {2, 0, 1, 2}) add_joint(apart, JointKind::Spherical, Joint::ground, k, {5.0 * k + 0.3, 0.2, 0});
    for (const auto& [name, model, blocks] : {std::tuple<std::string, Model, std::size_t>{"one hinge", door(1), 1},
                                              {"three hinges", door(3), 1},
                                              {"ladder", ladder(6), 1},
                                              {"three mechanisms", apart, 3}}) {
        CAPTURE(name);
        JointSystem joints(model);
        joints.evaluate(0, 1e-3);
        const std::vector<JointRow>& rows = joints.bilateral();
        const RowBlocks& laid = joints.blocks();
        REQUIRE(laid.start.size() == blocks + 1);
        std::vector<double> inverse;
        joints.inverse(inverse);
        const std::vector<Twist> start = random_twists(joints.bodies().size(), 7);
        std::vector<Twist> expected = start, v = start;
        std::vector<double> impulse(rows.size(), 0.0), rate(rows.size());
        joints.project(expected, true, &impulse);
        for (std::size_t i = 0; i < rows.size(); ++i) rate[i] = rate_of(rows[i], start) + rows[i].bias;
        double largest = 0, off = 0, moved = 0;
        std::size_t entry = 0;
        for (std::size_t b = 0; b < blocks; ++b) {
            for (std::int32_t p = laid.start[b]; p < laid.start[b + 1]; ++p) {
                double sum = 0;
                for (std::int32_t q = laid.start[b]; q < laid.start[b + 1]; ++q)
                    sum -= inverse[entry++] * rate[static_cast<std::size_t>(laid.order[static_cast<std::size_t>(q)])];
                const auto row = static_cast<std::size_t>(laid.order[static_cast<std::size_t>(p)]);
                push(rows[row], joints.bodies(), sum, v);
                largest = std::max(largest, std::fabs(impulse[row]));
                off = std::max(off, std::fabs(sum - impulse[row]));
            }
        }
        CHECK(entry == inverse.size());
        for (std::size_t k = 0; k < v.size(); ++k)
            moved = std::max(moved, norm(v[k].velocity - expected[k].velocity) + norm(v[k].angular - expected[k].angular));
        // Rows that depend on each other: rounding of 1e-16 over the shift of 1e-10, in what moves nothing.
        CHECK(off < 1e-5 * largest);
        CHECK(moved < 1e-10);
        CHECK(relative_residual(joints, v, true) < 1e-10);
    }
}

TEST_CASE("redundant hinges share the weight evenly") {
    for (const int hinges : {2, 3}) {
        Leapfrog run(door(hinges), 1e-3);
        run.run(0.05);
        for (const JointState& joint : run.states()) {
            CHECK(joint.force.z ==
                  doctest::Approx(-20 * 9.81 / hinges).epsilon(1e-6));  // rounding of positions, 1e-16 m, over dt and the shift
            CHECK(joint.violation < 1e-12);
        }
        CHECK(run.twist(0).angular.z == doctest::Approx(0).epsilon(1e-9));
    }
}

TEST_CASE("contradictory joints are met in least squares, without large impulses") {
    // Two balls that hold one point of a body at two places 2 mm apart: it goes to the middle, the balls do not pull at each other.
    Model model;
    model.gravity = {};
    add_body(model, 1, {0.1, 0.1, 0.1}, {});
    add_joint(model, JointKind::Spherical, Joint::ground, 0, {}).frame_a.shift = {1e-3, 0, 0};
    add_joint(model, JointKind::Spherical, Joint::ground, 0, {}).frame_a.shift = {-1e-3, 5e-4, 0};
    JointSystem joints(model);
    const JointResponse response = respond(joints, {{}}, 0, 1e-2);
    CHECK(norm(response.wrench[0].force) == doctest::Approx(2.5e-4 / 1e-4).epsilon(1e-9));  // to the mean of the two, in one step
    for (double impulse : response.bilateral) CHECK(std::fabs(impulse) < 0.02);
}

TEST_CASE("a long chain with a heavy end is solved to rounding") {
    Model model;
    for (int k = 0; k < 300; ++k) {
        add_body(model, k == 299 ? 1e4 : 1, {0.1, 0.1, 0.1}, {k + 0.5, 0, 0});
        add_joint(model, JointKind::Spherical, k - 1, k, {static_cast<double>(k), 0, 0});
    }
    JointSystem joints(model);
    joints.evaluate(0, 1e-3);
    std::vector<Twist> v = random_twists(300, 5);
    joints.project(v, false, nullptr);
    CHECK(relative_residual(joints, v, false) < 1e-13);
}

TEST_CASE("bounded problems agree with their conditions, and with enumeration where small") {
    Rng rng(6, 0);
    for (int trial = 0; trial < 50; ++trial) {
        const Eigen::Index n = 1 + trial % 6;
        const Eigen::Index rank = std::max<Eigen::Index>(1, n - trial % 3);  // some singular
        Eigen::MatrixXd J(n, rank);
        for (Eigen::Index i = 0; i < n; ++i) {
            for (Eigen::Index k = 0; k < rank; ++k) J(i, k) = rng.normal();
        }
        BoxedProblem problem{J * J.transpose(), J * Eigen::VectorXd::NullaryExpr(rank, [&](Eigen::Index) { return rng.normal(); }),
                             Eigen::VectorXd::Zero(n), Eigen::VectorXd::Constant(n, trial % 2 == 0 ? 0.4 : 1e300)};
        Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
        CHECK(solve_boxed(problem, x) < 1e-12);
        const Eigen::VectorXd u = problem.W * x + problem.q;
        for (Eigen::Index i = 0; i < n; ++i) {
            CHECK(x[i] >= problem.low[i]);
            CHECK(x[i] <= problem.high[i]);
            if (x[i] > problem.low[i]) CHECK(u[i] < 1e-11);
            if (x[i] < problem.high[i]) CHECK(u[i] > -1e-11);
        }
    }
}

TEST_CASE("a system that was saved and loaded goes on with the same bits") {
    Model model = door(2);
    model.bodies.angular_velocity[0] = {0, 0, 5};
    model.bodies.velocity[0] = {0, 2, 0};
    model.joints[0].angle_spring = {0.3, 0.1, 0, 0};
    Leapfrog run(model, 1e-3);
    run.run(4);
    REQUIRE(run.states()[0].angle > 2 * pi);
    JointSystem loaded(model);
    loaded.load(run.joints.save());
    loaded.bodies() = run.joints.bodies();
    const std::vector<Wrench> weight{{{0, 0, -20 * 9.81}, {}}};
    const JointResponse a = respond(run.joints, weight, run.time(), 1e-3), b = respond(loaded, weight, run.time(), 1e-3);
    CHECK(a.bilateral == b.bilateral);
    CHECK(a.wrench[0].torque == b.wrench[0].torque);
    CHECK(run.joints.states(a.bilateral, a.bounded, 1e-3)[0].angle == loaded.states(b.bilateral, b.bounded, 1e-3)[0].angle);
    CHECK_THROWS_AS(loaded.load({1, 2, 3}), Error);
}

TEST_CASE("joints that join nothing are refused") {
    Model model = door(1);
    SUBCASE("one body") {
        model.joints[0].a = 0;
    }
    SUBCASE("no such body") {
        model.joints[0].b = 7;
    }
    SUBCASE("no such joint") {
        model.joints[0].kind = JointKind::Gear;
        model.joints[0].first = 0;
        model.joints[0].second = 4;
    }
    SUBCASE("a gear of gears") {
        Joint gear;
        gear.kind = JointKind::Gear;
        gear.first = 0;
        gear.second = 1;
        model.joints.push_back(gear);
    }
    CHECK_THROWS_AS(JointSystem{model}, Error);
}
