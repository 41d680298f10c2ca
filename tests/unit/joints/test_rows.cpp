// Rows of each kind of joint: against central differences of their values, counts, what they hold at assembly, and what they leave free.
#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "engine/joints/joints.hpp"
#include "model/time_function.hpp"
#include "mechanism.hpp"

using namespace scree;
using namespace mechanism;

namespace {

Vec3 random_vector(Rng& rng) {
    return {rng.normal(), rng.normal(), rng.normal()};
}
Quat random_turn(Rng& rng) {
    return normalized(Quat{rng.normal(), rng.normal(), rng.normal(), rng.normal()});
}
Pose random_pose(Rng& rng) {
    return {random_turn(rng), random_vector(rng)};
}
Pose moved(const Pose& pose, Vec3 v, Vec3 w, double h) {
    return {rotation_by(h * w) * pose.turn, pose.shift + h * v};
}
double rate(const Gradient& g, Vec3 va, Vec3 wa, Vec3 vb, Vec3 wb) {
    return dot(g.linear_a, va) + dot(g.angular_a, wa) + dot(g.linear_b, vb) + dot(g.angular_b, wb);
}

/// The same angle within pi of another.
double near_to(double angle, double other) {
    return angle + 2 * pi * std::round((other - angle) / (2 * pi));
}

/// Free degrees of each kind: six less its rows.
template <class Kind>
constexpr int free_degrees = 6 - Kind::rows;

/// Rank of the rows with respect to the twist of B.
template <class Kind>
int rank_of(const JointPlace& at) {
    Row rows[most_rows];
    Kind::place(at, rows);
    Eigen::MatrixXd G(6, 6);
    G.setZero();
    for (int k = 0; k < Kind::rows; ++k) {
        const Gradient& g = rows[k].gradient;
        G.row(k) << g.linear_b.x, g.linear_b.y, g.linear_b.z, g.angular_b.x, g.angular_b.y, g.angular_b.z;
    }
    Eigen::FullPivLU<Eigen::MatrixXd> factors(G);
    factors.setThreshold(1e-9);
    return static_cast<int>(factors.rank());
}

}  // namespace

#define ALL_HOLDING \
    Spherical, Revolute, Prismatic, Cylindrical, Universal, Fixed, Distance, PointOnLine, PointOnPlane, RevoluteSpherical, Free

TEST_CASE_TEMPLATE("rows are the derivatives of their values", Kind, ALL_HOLDING) {
    Rng rng(11, static_cast<std::uint64_t>(Kind::kind));
    for (int trial = 0; trial < 50; ++trial) {
        Joint joint;
        joint.length = 0.7;
        joint.frame_a = random_pose(rng);
        joint.frame_b = random_pose(rng);
        const Pose a = random_pose(rng), b = random_pose(rng);
        const Vec3 va = random_vector(rng), wa = random_vector(rng), vb = random_vector(rng), wb = random_vector(rng);
        // Central differences: error h^2 times third derivatives, some 100 here, and rounding 1e-16 / h.
        const double h = 1e-5;
        const JointPlace at = place_joint(joint, a, b);
        const JointPlace after = place_joint(joint, moved(a, va, wa, h), moved(b, vb, wb, h));
        const JointPlace before = place_joint(joint, moved(a, va, wa, -h), moved(b, vb, wb, -h));
        Row now[most_rows], then[most_rows], past[most_rows];
        Kind::place(at, now);
        Kind::place(after, then);
        Kind::place(before, past);
        for (int k = 0; k < Kind::rows; ++k) {
            const double expected = (then[k].value - past[k].value) / (2 * h);
            CHECK(rate(now[k].gradient, va, wa, vb, wb) == doctest::Approx(expected).epsilon(1e-6).scale(1));
        }
        const double travelled = (travel_of(after, Kind::travels).value - travel_of(before, Kind::travels).value) / (2 * h);
        CHECK(rate(travel_of(at, Kind::travels).gradient, va, wa, vb, wb) == doctest::Approx(travelled).epsilon(1e-6).scale(1));
        // The angle changes fast where x_B stands nearly along z_A: its third derivative goes with the cube of the rate.
        const double ahead = near_to(turn_about_axis(after).value, turn_about_axis(before).value);
        const double turned = (ahead - turn_about_axis(before).value) / (2 * h);
        if (std::fabs(turned) < 20) {
            CHECK(rate(turn_about_axis(at).gradient, va, wa, vb, wb) == doctest::Approx(turned).epsilon(1e-6).scale(1));
        }
    }
}

TEST_CASE_TEMPLATE("frames that coincide meet every row, and rows are independent", Kind, ALL_HOLDING) {
    Rng rng(12, static_cast<std::uint64_t>(Kind::kind));
    for (int trial = 0; trial < 20; ++trial) {
        Joint joint;
        const Pose a = random_pose(rng), b = random_pose(rng), place = random_pose(rng);
        // The zero of a distance is a rod along x_A.
        const bool rod = Kind::kind == JointKind::Distance || Kind::kind == JointKind::RevoluteSpherical;
        joint.length = rod ? 0.7 : 0;
        joint.frame_a = {conjugate(a.turn) * place.turn, in_frame(a, place.shift)};
        joint.frame_b = {conjugate(b.turn) * place.turn, in_frame(b, place.shift + rotate(place.turn, {joint.length, 0, 0}))};
        const JointPlace at = place_joint(joint, a, b);
        Row rows[most_rows];
        Kind::place(at, rows);
        for (int k = 0; k < Kind::rows; ++k) CHECK(std::fabs(rows[k].value) < 1e-14);  // rounding of a few products of size one
        CHECK(rank_of<Kind>(at) == Kind::rows);
        CHECK(std::fabs(turn_about_axis(at).value) < 1e-14);
    }
}

TEST_CASE("each kind leaves the degrees that its name says") {
    CHECK(free_degrees<Spherical> == 3);
    CHECK(free_degrees<Revolute> == 1);
    CHECK(free_degrees<Prismatic> == 1);
    CHECK(free_degrees<Cylindrical> == 2);
    CHECK(free_degrees<Universal> == 2);
    CHECK(free_degrees<Fixed> == 0);
    CHECK(free_degrees<Distance> == 5);
    CHECK(free_degrees<PointOnLine> == 4);
    CHECK(free_degrees<PointOnPlane> == 5);
    CHECK(free_degrees<RevoluteSpherical> == 4);
    CHECK(free_degrees<Free> == 6);
    for (int k = 0; k <= static_cast<int>(JointKind::Rack); ++k) {
        const auto kind = static_cast<JointKind>(k);
        CHECK((holding_kind(kind) == nullptr) == (coupling_kind(kind) != nullptr));
    }
}

TEST_CASE("free degrees move without breaking the joint") {
    // B turned by 0.8 about and shifted by 0.3 along z of A (x, y for the plane), as far as each kind allows.
    const auto violation = [](JointKind kind, Vec3 shift, Vec3 turn) {
        Joint joint;
        joint.length = norm(shift);
        const JointPlace at = place_joint(joint, {}, {rotation_by(turn), shift});
        Row rows[most_rows];
        const HoldingKind* k = holding_kind(kind);
        k->place(at, rows);
        double worst = 0;
        for (int i = 0; i < k->rows; ++i) worst = std::max(worst, std::fabs(rows[i].value));
        return worst;
    };
    const Vec3 none{}, along{0, 0, 0.3}, across{0.3, 0.2, 0}, about{0, 0, 0.8}, any{0.5, -0.7, 0.3};
    CHECK(violation(JointKind::Spherical, none, any) < 1e-15);
    CHECK(violation(JointKind::Spherical, along, none) > 0.1);
    CHECK(violation(JointKind::Revolute, none, about) < 1e-15);
    CHECK(violation(JointKind::Revolute, none, {0.1, 0, 0}) > 0.05);
    CHECK(violation(JointKind::Prismatic, along, none) < 1e-15);
    CHECK(violation(JointKind::Prismatic, along, about) > 0.1);
    CHECK(violation(JointKind::Cylindrical, along, about) < 1e-15);
    CHECK(violation(JointKind::Cylindrical, across, about) > 0.1);
    CHECK(violation(JointKind::Universal, none, {0.8, 0, 0}) < 1e-15);
    CHECK(violation(JointKind::Universal, none, {0, 0.8, 0}) < 1e-15);
    CHECK(violation(JointKind::Universal, none, about) > 0.1);
    CHECK(violation(JointKind::Fixed, none, about) > 0.1);
    CHECK(violation(JointKind::Distance, across, any) < 1e-15);
    CHECK(violation(JointKind::PointOnLine, along, any) < 1e-15);
    CHECK(violation(JointKind::PointOnLine, across, any) > 0.1);
    CHECK(violation(JointKind::PointOnPlane, across, any) < 1e-15);
    CHECK(violation(JointKind::PointOnPlane, along, any) > 0.1);
    CHECK(violation(JointKind::RevoluteSpherical, across, any) < 1e-15);
    CHECK(violation(JointKind::RevoluteSpherical, along, any) > 0.1);
}

TEST_CASE("time functions") {
    TimeFunction f;
    f.constant = 2;
    f.amplitude = 0.5;
    f.frequency = 3;
    f.phase = 0.2;
    f.time = {1, 2, 4};
    f.value = {10, 20, 0};
    const auto wave = [](double t) { return 2 + 0.5 * std::sin(6 * pi * t + 0.2); };
    CHECK(value_at(f, 0.3) == doctest::Approx(wave(0.3) + 10).epsilon(1e-15));
    CHECK(value_at(f, 1.25) == doctest::Approx(wave(1.25) + 12.5).epsilon(1e-15));
    CHECK(value_at(f, 3) == doctest::Approx(wave(3) + 10).epsilon(1e-15));
    CHECK(value_at(f, 9) == doctest::Approx(wave(9)).epsilon(1e-15));
    CHECK(value_at(TimeFunction{}, 7.0) == 0);
}

TEST_CASE("joints keep their bodies from touching each other unless they collide") {
    Model model;
    // Compounds 0, 1, 2 with members 3, 4 (of 0), 5 (of 1), 6 (of 2); a sphere 7.
    for (int k = 0; k < 3; ++k) add_body(model, 1, {1, 1, 1}, {});
    for (int k = 0; k < 5; ++k) model.bodies.add_sphere({}, 0.1, 0, 1000);
    model.bodies.owner = {-1, -1, -1, 0, 0, 1, 2, -1};
    add_joint(model, JointKind::Revolute, 0, 1, {}, Vec3{0, 0, 1});
    add_joint(model, JointKind::Revolute, 1, 2, {}, Vec3{0, 0, 1}).collide = true;
    add_joint(model, JointKind::Revolute, 2, Joint::ground, {}, Vec3{0, 0, 1});
    add_joint(model, JointKind::Distance, 7, 2, {}, Vec3{0, 0, 1});
    using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;
    CHECK(pairs_without_contact(model) == Pairs{{3, 5}, {4, 5}, {6, 7}});
    CHECK(joined_without_contact(model, 5, 4));
    CHECK(joined_without_contact(model, 0, 1));
    CHECK(joined_without_contact(model, 6, 7));
    CHECK_FALSE(joined_without_contact(model, 5, 6));
    CHECK_FALSE(joined_without_contact(model, 3, 4));
    CHECK_FALSE(joined_without_contact(model, 3, -1));
    // A gear does so for the two that mesh: 1 and 7 turn on 2 here.
    Joint gear;
    gear.kind = JointKind::Gear;
    gear.first = 1;   // of 1 and 2
    gear.second = 3;  // of 7 and 2
    model.joints.push_back(gear);
    CHECK(pairs_without_contact(model) == Pairs{{3, 5}, {4, 5}, {5, 7}, {6, 7}});
}
