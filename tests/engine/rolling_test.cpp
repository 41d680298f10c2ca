// The couples against rolling of laws/rolling.hpp, by their formulas.
#include <doctest/doctest.h>

#include <initializer_list>

#include "base/rng.hpp"
#include "engine/laws/rolling.hpp"

namespace scree::SCREE_FLAVOR {
namespace {

using V = Vec3T<double>;

V random_vector(Rng& rng, double size) {
    return size * V{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
}

TEST_CASE("a constant couple is the limit along the turning, and stops it but never turns it round") {
    const double limit = 0.3, inertia = 2e-3, dt = 1e-4;
    RollingInput<double> in{};
    in.limit = limit;
    in.inertia = inertia;
    in.turning = {30, -40, 0};
    const RollingOutput<double> fast = constant_rolling(in, dt);
    CHECK(fast.couple.x == doctest::Approx(limit * 0.6));
    CHECK(fast.couple.y == doctest::Approx(-limit * 0.8));
    in.turning = {3e-3, 0, 0};  // limit * dt / inertia is 0.015
    const RollingOutput<double> slow = constant_rolling(in, dt);
    CHECK(in.turning.x - slow.couple.x * dt / inertia == doctest::Approx(0));
    in.turning = {};
    for (const double step : {dt, 0.0}) CHECK(norm2(constant_rolling(in, step).couple) == 0);
    in.turning = {30, 0, 0};
    CHECK(norm2(constant_rolling(in, 0.0).couple) == 0);
}

TEST_CASE("a rolling spring holds its couple to the limit, and in no step gives more than it takes") {
    Rng rng(11, 3);
    RollingInput<double> in{};
    const double dt = 1e-3;
    int slid = 0;
    for (int step = 0; step < 2000; ++step) {
        if (step % 100 == 0) {
            in.stiffness = 0.1 + rng.uniform();
            in.damping = step % 200 == 0 ? 0.0 : 0.05 * rng.uniform();
            in.roll = {};
        }
        in.limit = step % 37 == 0 ? 0.0 : 1e-3 + 4e-3 * rng.uniform();
        in.turning = random_vector(rng, 20);
        const RollingOutput<double> out = sprung_rolling(in, dt);
        CHECK(std::sqrt(norm2(out.couple)) <= in.limit * (1 + 1e-12));
        if (in.limit == 0) {
            CHECK(norm2(out.roll) == 0);
        } else {
            const double gained = 0.5 * in.stiffness * (norm2(out.roll) - norm2(in.roll));
            CHECK(dot(out.couple, in.turning) * dt >= gained - 1e-15);
            slid += std::sqrt(norm2(out.couple)) > in.limit * (1 - 1e-12) ? 1 : 0;
        }
        in.roll = out.roll;
    }
    CHECK(slid > 100);
    CHECK(slid < 1900);
}

TEST_CASE("the stiffness is 9/4 of the normal spring over the reach, of disks 3") {
    CHECK(rolling_stiffness(2e3, 5e-4, false) == doctest::Approx(2.25 * 2e3 * 25e-8));
    CHECK(rolling_stiffness(2e3, 5e-4, true) == doctest::Approx(3 * 2e3 * 25e-8));
}

TEST_CASE("the slider holds where the square of a couple is below what a float can hold") {
    RollingInput<float> in{};
    in.turning = {3e-3f, 4e-3f, 0};
    in.stiffness = 1e-18f;
    in.limit = 1e-25f;
    const RollingOutput<float> out = sprung_rolling(in, 1e-3f);  // the spring alone would give 5e-24 N m
    CHECK(out.couple.x == doctest::Approx(6e-26f).epsilon(1e-5));
    CHECK(out.couple.y == doctest::Approx(8e-26f).epsilon(1e-5));
    CHECK(out.roll.x * in.stiffness == doctest::Approx(out.couple.x).epsilon(1e-3));
}

TEST_CASE("twisting holds its couple to the limit, and its torsion gives no energy as the contact grows") {
    TwistingInput<double> in{30, 0.01, 2e-3, 0.5, 1e-3};
    const TwistingOutput<double> slides = sprung_twisting(in, 1e-4);
    CHECK(slides.couple == doctest::Approx(2e-3));
    CHECK(slides.couple * (in.turning - (slides.torsion - in.torsion) / 1e-4) >= 0);  // what the slider takes
    in.limit = 1;
    const TwistingOutput<double> holds = sprung_twisting(in, 1e-4);
    CHECK(holds.couple == doctest::Approx(0.5 * (0.01 + 3e-3) + 0.03));
    CHECK(holds.torsion == doctest::Approx(0.013));
    in.limit = 0;
    CHECK(sprung_twisting(in, 1e-4).torsion == 0);
    // Marshall's stiffness grows as a^3 with Hertz's law: the couple stays, and with it less energy than before.
    const TwistingShares<double> marshall{1, 0};
    for (const double grown : {1.0, 1.5, 4.0}) {
        const double kept = torsion_kept(marshall, 1e-6, grown * 1e-6, 1.0);
        CHECK(kept * grown * std::sqrt(grown) == doctest::Approx(1));
    }
    CHECK(torsion_kept(marshall, 1e-6, 0.5e-6, 1.0) == 1);
}

}  // namespace
}  // namespace scree::SCREE_FLAVOR
