// The exact solution of bilateral rows, redundant, contradictory and many; bounded rows; checkpoints; wrong input.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

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
    for (const auto& [called, model] :
         {std::pair<std::string, Model>{"one hinge", door(1)}, {"three hinges", door(3)}, {"ladder", ladder(40)}}) {
        const auto& name = called;
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

namespace {

/// Bodies at random places, each on a ball joint with the one that `parent` names.
template <class Parent>
Model tree(int bodies, Parent parent) {
    Model model;
    Rng rng(11, 0);
    std::vector<Vec3> at;
    for (int k = 0; k < bodies; ++k) {
        const std::int32_t to = parent(k);
        const Vec3 from = to < 0 ? Vec3{} : at[static_cast<std::size_t>(to)];
        at.push_back(from + normalized(Vec3{rng.normal(), rng.normal(), rng.normal()}));
        add_body(model, 1 + rng.uniform(0, 1), {0.1, 0.2, 0.15}, at.back());
        add_joint(model, JointKind::Spherical, to, k, 0.5 * (from + at.back()));
    }
    return model;
}

Model chain(int links) {
    return tree(links, [](int k) { return k - 1; });
}

/// A net of n x n balls on ball joints with their neighbours, hung up by a corner.
Model net(int n) {
    Model model;
    for (int k = 0; k < n * n; ++k) add_body(model, 1, {0.1, 0.1, 0.1}, {double(k % n), double(k / n), 0});
    const auto join = [&](std::int32_t a, std::int32_t b) {
        add_joint(model, JointKind::Spherical, a, b,
                  0.5 * (model.bodies.position[static_cast<std::size_t>(a)] + model.bodies.position[static_cast<std::size_t>(b)]));
    };
    for (int k = 0; k < n * n; ++k) {
        if (k % n > 0) join(k - 1, k);
        if (k / n > 0) join(k - n, k);
    }
    add_joint(model, JointKind::Spherical, Joint::ground, 0, {-0.5, 0, 0});
    return model;
}

struct Cut {
    std::string name;
    Model model;
    BlockLimits limits;
    bool cut;
};

/// Mechanisms whose rows are one block, or are cut.
std::vector<Cut> cuts() {
    Model apart;  // three mechanisms, their joints mixed up
    for (const double x : {0.0, 5.0, 10.0}) add_body(apart, 1 + x, {0.2, 0.1, 0.3}, {x, 0, 0});
    for (const std::int32_t k : {2, 0, 1, 2}) add_joint(apart, JointKind::Spherical, Joint::ground, k, {5.0 * k + 0.3, 0.2, 0});
    Model loop = chain(150);
    add_joint(loop, JointKind::Spherical, Joint::ground, 149, loop.bodies.position[149]);
    Model both = chain(100);  // which is cut, and a door on three hinges, whose rows depend on each other
    add_body(both, 2, {0.2, 0.1, 0.3}, {100, 0, 0});
    for (int k = 0; k < 3; ++k) add_joint(both, JointKind::Revolute, Joint::ground, 100, {100, 0, 1.0 + k}, Vec3{0, 0, 1});
    Model uneven = chain(120);  // heavy and light by turns
    for (std::size_t k = 0; k < 120; k += 2) uneven.bodies.mass[k] *= 1e5;
    return {{"one hinge", door(1), {}, false},
            {"three hinges", door(3), {}, false},
            {"a short ladder", ladder(6), {}, false},
            {"three mechanisms", apart, {}, false},
            {"a short chain", chain(40), {}, false},
            {"a short chain, cut", chain(40), {6, 6}, true},
            {"a chain", chain(300), {}, true},
            {"a loop", loop, {}, true},
            {"a chain and a door", both, {}, true},
            {"heavy and light", uneven, {}, true},
            {"twigs", tree(255, [](int k) { return (k + 1) / 2 - 1; }), {}, true},
            {"spokes", tree(60, [](int k) { return k == 0 ? -1 : 0; }), {}, false},
            {"a net", net(12), {}, true},
            {"a ladder", ladder(40), {}, true}};
}

/// x = B r, as RowBlocks and RowInverse say it.
std::vector<double> applied(const RowBlocks& laid, const RowInverse& inverse, std::vector<double> r) {
    std::vector<double> x(r.size(), 0.0);
    const auto each = [&](const RowBlock& b, auto&& use) {
        for (std::int32_t c = 0; c < b.couples; ++c) {
            for (std::int32_t k = 0; k < b.count; ++k)
                use(static_cast<std::size_t>(laid.coupled[static_cast<std::size_t>(b.coupled + c)]), static_cast<std::size_t>(b.first + k),
                    inverse.values[static_cast<std::size_t>(b.value + std::int64_t{b.count} * (b.count + c) + k)]);
        }
    };
    for (const RowBlock& b : laid.block) each(b, [&](std::size_t to, std::size_t from, double w) { r[to] -= w * r[from]; });
    for (auto b = laid.block.rbegin(); b != laid.block.rend(); ++b) {
        for (std::int32_t i = 0; i < b->count; ++i) {
            for (std::int32_t j = 0; j < b->count; ++j)
                x[static_cast<std::size_t>(b->first + i)] +=
                    inverse.values[static_cast<std::size_t>(b->value + std::int64_t{j} * b->count + i)] *
                    r[static_cast<std::size_t>(b->first + j)];
        }
        each(*b, [&](std::size_t from, std::size_t to, double w) { x[to] -= w * x[from]; });
    }
    return x;
}

/// What RowInverse does to twists; returns the impulses of the rows.
std::vector<double> hold(JointSystem& joints, std::vector<Twist>& v) {
    const RowBlocks& laid = joints.blocks();
    RowInverse inverse;
    joints.inverse(inverse);
    const std::size_t n = joints.bilateral().size();
    std::vector<double> impulse(n, 0.0), r(n);
    for (int pass = 0; pass < inverse.passes; ++pass) {
        for (std::size_t p = 0; p < n; ++p) {
            const JointRow& row = joints.bilateral()[static_cast<std::size_t>(laid.order[p])];
            r[p] = -inverse.scale[p] * (rate_of(row, v) + row.bias);
        }
        std::vector<double> x = applied(laid, inverse, r);
        for (int k = 0; k < inverse.filters; ++k) {
            const std::vector<double> more = applied(laid, inverse, x);
            for (std::size_t p = 0; p < n; ++p) x[p] -= inverse.shift * more[p];
        }
        for (std::size_t p = 0; p < n; ++p) {
            const auto row = static_cast<std::size_t>(laid.order[p]);
            push(joints.bilateral()[row], joints.bodies(), inverse.scale[p] * x[p], v);
            impulse[row] += inverse.scale[p] * x[p];
        }
    }
    return impulse;
}

}  // namespace

TEST_CASE("rows are cut into blocks that depend on each other only as they say") {
    for (const Cut& cut : cuts()) {
        CAPTURE(cut.name);
        JointSystem joints(cut.model);
        joints.cut(cut.limits);
        const std::vector<JointRow>& rows = joints.bilateral();
        const RowBlocks& laid = joints.blocks();
        CHECK(laid.cut() == cut.cut);
        CHECK(laid.stage.back() == static_cast<std::int32_t>(rows.size()));
        std::vector<std::int32_t> all = laid.order;
        std::sort(all.begin(), all.end());
        for (std::size_t r = 0; r < rows.size(); ++r) REQUIRE(all[r] == static_cast<std::int32_t>(r));
        std::vector<std::size_t> block_of(rows.size());
        std::int32_t next = 0;
        for (std::size_t b = 0; b < laid.block.size(); ++b) {
            REQUIRE(laid.block[b].first == next);
            for (std::int32_t k = 0; k < laid.block[b].count; ++k) block_of[static_cast<std::size_t>(next++)] = b;
        }
        CHECK(next == laid.stage.back());
        const auto share_body = [&](std::size_t p, std::size_t q) {
            for (int k = 0; k < row_terms; ++k) {
                const std::int32_t body = term_of(rows[static_cast<std::size_t>(laid.order[p])], k).body;
                for (int l = 0; body >= 0 && l < row_terms; ++l) {
                    if (term_of(rows[static_cast<std::size_t>(laid.order[q])], l).body == body) return true;
                }
            }
            return false;
        };
        int told = 0, foreign = 0;
        for (std::size_t p = 0; p < rows.size(); ++p) {
            const RowBlock& b = laid.block[block_of[p]];
            const auto first = laid.coupled.begin() + b.coupled;
            for (std::size_t q = p + 1; q < rows.size(); ++q) {
                if (block_of[q] == block_of[p] || !share_body(p, q)) continue;
                const bool coupled = std::binary_search(first, first + b.couples, static_cast<std::int32_t>(q));
                const bool later = std::upper_bound(laid.stage.begin(), laid.stage.end(), static_cast<std::int32_t>(p)) !=
                                   std::upper_bound(laid.stage.begin(), laid.stage.end(), static_cast<std::int32_t>(q));
                (coupled && later ? told : foreign) += 1;
            }
        }
        CHECK(foreign == 0);
        CHECK((told > 0) == laid.cut());
    }
}

TEST_CASE("blocks of long chains and of trees stay small, and their number of stages grows with the logarithm of the rows") {
    for (const auto& [called, model, most] :
         {std::tuple{"a chain", chain(2000), 4u}, {"twigs", tree(2047, [](int k) { return (k + 1) / 2 - 1; }), 5u}}) {
        const auto& name = called;
        CAPTURE(name);
        const JointSystem joints(model);
        const RowBlocks& laid = joints.blocks();
        for (const RowBlock& block : laid.block) {
            CHECK(block.count <= 48);
            CHECK(block.couples <= 48);
        }
        CHECK(laid.stage.size() <= most + 1);
        CHECK(laid.values < 80 * static_cast<std::int64_t>(laid.order.size()));
    }
}

TEST_CASE("inverses of blocks give the impulses and twists of the projection, cut or not") {
    for (const Cut& cut : cuts()) {
        CAPTURE(cut.name);
        JointSystem joints(cut.model);
        joints.cut(cut.limits);
        joints.evaluate(0, 1e-3);
        const std::vector<Twist> start = random_twists(joints.bodies().size(), 7);
        std::vector<Twist> expected = start, v = start;
        std::vector<double> impulse(joints.bilateral().size(), 0.0);
        joints.project(expected, true, &impulse);
        const std::vector<double> found = hold(joints, v);
        double largest = 0, off = 0, moved = 0;
        for (std::size_t i = 0; i < impulse.size(); ++i) {
            largest = std::max(largest, std::fabs(impulse[i]));
            off = std::max(off, std::fabs(found[i] - impulse[i]));
        }
        for (std::size_t k = 0; k < v.size(); ++k)
            moved = std::max(moved, norm(v[k].velocity - expected[k].velocity) + norm(v[k].angular - expected[k].angular));
        // Rows that depend on each other: rounding of 1e-16 over the shift of 1e-10, in what moves nothing.
        CHECK(off < 1e-5 * largest);
        // Passes end at a residual of 1e-13, and the least eigenvalue of a long ladder that is not zero is some 1e-8.
        RowInverse inverse;
        joints.inverse(inverse);
        CHECK(moved < (inverse.passes > 1 ? 1e-13 / 1e-8 : 1e-10));
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
