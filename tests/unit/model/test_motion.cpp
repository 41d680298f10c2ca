// Prescribed motions against formulas and finite differences.
#include <doctest/doctest.h>

#include <cmath>

#include "model/motion.hpp"

using namespace scree;

namespace {

constexpr double pi = 3.14159265358979324;

Motion everything() {
    Motion m;
    m.moves = true;
    m.from = 0.2;
    m.to = 1.7;
    m.velocity = {0.3, -0.1, 0.05};
    m.point = {0.4, -0.2, 0.1};
    m.axis = normalized(Vec3{1, 2, -2});
    m.rate = 2.5;
    m.harmonics = {{{0.01, 0, -0.02}, 0.1, 3, 0.7}, {{0, 0.004, 0.001}, -0.02, 7.5, -0.3}};
    m.time = {0.1, 0.5, 0.9};
    m.shift = {{0, 0, 0}, {0.1, 0, 0}, {0.1, -0.3, 0.2}};
    m.angle = {0, 1, 0.5};
    return m;
}

double apart(const Pose& a, const Pose& b) {
    double worst = 0;
    for (const Vec3 x : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        worst = std::fmax(worst, norm(placed(a, x) - placed(b, x)));
    return worst;
}

}  // namespace

TEST_CASE("a wall without motion stays, to the bit") {
    const Pose p = pose_at(Motion{}, 12.5);
    CHECK(p.turn == Quat{});
    CHECK(p.shift == Vec3{});
    CHECK(velocity_at(velocity_of(Motion{}, 3.0), {1, 2, 3}) == Vec3{});
}

TEST_CASE("a point turns about the axis and is shifted") {
    Motion m;
    m.moves = true;
    m.point = {1, 0, 0};
    m.rate = pi;
    m.velocity = {0, 0, 2};
    const Pose p = pose_at(m, 0.5);  // a quarter turn about z through (1, 0, 0)
    CHECK(norm(placed(p, {2, 0, 0}) - Vec3{1, 1, 1}) < 1e-15);
    CHECK(norm(in_frame(p, {1, 1, 1}) - Vec3{2, 0, 0}) < 1e-15);
    const RigidVelocity v = velocity_of(m, 0.5);
    CHECK(norm(velocity_at(v, {1, 1, 1}) - Vec3{-pi, 0, 2}) < 1e-14);
    CHECK(norm(v.angular - Vec3{0, 0, pi}) < 1e-15);
}

TEST_CASE("velocities are the derivatives of the pose") {
    const Motion m = everything();
    const Vec3 x{0.3, 0.8, -0.5};
    const double h = 1e-5;
    // Not within h of a knee: from, to and the rows of the table, which count from `from`.
    for (const double t : {0.1, 0.21, 0.35, 0.5, 0.75, 1.0, 1.2, 1.6, 1.8}) {
        const Vec3 here = placed(pose_at(m, t), x);
        const Vec3 difference = (placed(pose_at(m, t + h), x) - placed(pose_at(m, t - h), x)) / (2 * h);
        CAPTURE(t);
        // The third derivative is about (2 pi 3)^3 0.1 = 670 /s3: times h^2 / 6, 1e-8.
        CHECK(norm(velocity_at(velocity_of(m, t), here) - difference) < 1e-7);
    }
}

TEST_CASE("a motion is continuous, and rests before and after") {
    const Motion m = everything();
    for (const double t : {0.2, 0.3, 0.7, 1.1, 1.7}) CHECK(apart(pose_at(m, t - 1e-9), pose_at(m, t + 1e-9)) < 1e-7);
    CHECK(apart(pose_at(m, 0), pose_at(m, 0.2)) == 0);
    CHECK(apart(pose_at(m, 0), Pose{}) == 0);
    CHECK(apart(pose_at(m, 1.7), pose_at(m, 100)) == 0);
    for (const double t : {0.0, 0.19999, 1.7, 5.0}) {
        CHECK(norm(velocity_of(m, t).velocity) == 0);
        CHECK(norm(velocity_of(m, t).angular) == 0);
    }
}

TEST_CASE("a table is met at its rows and constant beyond them") {
    Motion m = everything();
    m.velocity = {0, 0, 0};
    m.harmonics.clear();
    m.rate = 0;
    m.from = 0;
    m.to = 100;
    for (std::size_t k = 0; k < m.time.size(); ++k) {
        const Displacement d = displacement_at(view_of(m), m.time[k]);
        CHECK(norm(d.shift - m.shift[k]) < 1e-15);
        CHECK(d.angle == doctest::Approx(m.angle[k]));
    }
    CHECK(displacement_at(view_of(m), 0.7).angle == doctest::Approx(0.75));
    CHECK(displacement_at(view_of(m), 50).angle == 0.5);
    CHECK(displacement_at(view_of(m), 0).angle == 0);
    CHECK(norm(velocity_of(m, 50).angular) == 0);
}

TEST_CASE("which motions turn") {
    Motion m;
    m.rate = 1;
    CHECK(!turns(m));  // it does not move
    m.moves = true;
    CHECK(turns(m));
    m.rate = 0;
    m.velocity = {1, 0, 0};
    CHECK(!turns(m));
    m.angle = {0, 0.1};
    CHECK(turns(m));
}
