// Bodies without contact, and a ball on a plane, against the textbook.
#include <doctest/doctest.h>

#include "systems.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double g = 9.81;
constexpr double r = 5e-3;

double ball_mass() {
    return density * 4.0 / 3.0 * pi * r * r * r;
}

/// A ball at rest on the plane z = 0 under gravity `down`, with the overlap at which the plane bears it.
Model ball_on_plane(Law law, double mu, Vec3 gravity) {
    Model m = empty_model(law, 0.3, mu);
    m.gravity = gravity;
    m.walls = {plane_wall("floor", {0, 0, 0}, {0, 0, 1})};
    const double weight = ball_mass() * -gravity.z, k_n = law_table(m).front().k_n;
    const double delta = law == Law::Linear ? weight / k_n : std::pow(weight / (k_n * std::sqrt(r)), 2.0 / 3.0);
    add_sphere(m, {0, 0, r - delta}, r);
    set_step(m, 0.5);
    return m;
}

/// Share of inertia about the contact that is translation: 1 / (1 + 2/5 r^2 / l^2), 5/7 for the lever arm l = r.
double rolling_share(const Model& m) {
    const double l = m.bodies.position[0].z;
    return 1 / (1 + 0.4 * r * r / (l * l));
}

}  // namespace

TEST_CASE("free fall keeps its digits at tiny steps") {
    // dt = 5e-7 s: each step adds 5e-6 m/s to 9 m/s, where velocities in float would be off by percents.
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    m.gravity = {0, 0, -g};
    m.dt = 5e-7;
    add_sphere(m, {0, 0, 100}, r, {3, 0, -9});
    const auto engine = engine_of(m);
    const std::int64_t steps = 400000;
    for (std::int64_t done = 0; done < steps; done += 100000) engine->advance(100000);
    const Snapshot s = engine->snapshot();
    const double t = static_cast<double>(steps) * m.dt;
    CHECK(s.time == doctest::Approx(t).epsilon(1e-15));
    // The scheme is exact for constant acceleration. Each addition errs by 9e-16 at most, and may do so the same way each time: 4e-10.
    CHECK(std::fabs(s.velocity[0].z - (-9 - g * t)) < 1e-9);
    CHECK(std::fabs(s.position[0].x - 3 * t) < 1e-9);
    // Near 100 an addition errs by 7e-15 at most, at random: some 1e-11; the velocity's error adds t / 2 of its own.
    CHECK(std::fabs(s.position[0].z - (100 - 9 * t - 0.5 * g * t * t)) < 1e-9);
    CHECK(engine->counters().step == steps);
}

TEST_CASE("slow spin turns by omega t") {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    m.track_orientation = true;
    m.dt = 5e-7;
    const Vec3 omega{1e-3, -2e-3, 2e-3};
    add_sphere(m, {0, 0, 0}, r, {}, omega);
    add_sphere(m, {1, 0, 0}, r, {}, {0, 0, 20});
    const auto engine = engine_of(m);
    engine->advance(200000);
    const Snapshot s = engine->snapshot();
    const Quat slow = rotation_by(0.1 * omega), fast = rotation_by({0, 0, 2});
    // Each step turns by 1.5e-9 rad, known to 1e-16 of it; products round at 1e-16 of each component.
    CHECK(std::fabs(s.orientation[0].x - slow.x) < 1e-9 * std::fabs(slow.x));
    CHECK(std::fabs(s.orientation[0].y - slow.y) < 1e-9 * std::fabs(slow.y));
    CHECK(std::fabs(s.orientation[0].z - slow.z) < 1e-9 * std::fabs(slow.z));
    CHECK(std::fabs(s.orientation[1].w - fast.w) < 1e-9);
    CHECK(std::fabs(s.orientation[1].z - fast.z) < 1e-9);
    CHECK(s.angular_velocity[0] == omega);
}

TEST_CASE("a projectile flies a parabola, at any step") {
    for (const double dt : {1e-3, 1.7e-4}) {
        Model m = empty_model(Law::Linear, 0.5, 0.5);
        m.gravity = {1, 0, -g};
        m.dt = dt;
        add_sphere(m, {0, 0, 0}, r, {3, 4, 5});
        const auto engine = engine_of(m);
        engine->advance(1000);
        const double t = 1000 * dt;
        const Vec3 x = t * Vec3{3, 4, 5} + 0.5 * t * t * Vec3{1, 0, -g};
        // A thousand roundings of some 1e-16 each.
        CHECK(norm(engine->snapshot().position[0] - x) < 1e-12);
        CHECK(engine->contacts().empty());
    }
}

TEST_CASE("a sliding ball ends up rolling with 5/7 of its speed") {
    for (const Law law : {Law::Linear, Law::Hertz}) {
        Model m = ball_on_plane(law, 0.3, {0, 0, -g});
        const double v0 = 0.5;
        m.bodies.velocity[0] = {v0, 0, 0};
        const auto engine = engine_of(m);
        // Sliding lasts 2/7 v0 / (mu g) = 0.049 s.
        const double t_slide = 2.0 / 7.0 * v0 / (0.3 * g);
        engine->advance(static_cast<std::int64_t>(0.5 * t_slide / m.dt));
        Snapshot s = engine->snapshot();
        // While it slides, friction is mu m g. The law's first touches take some steps: 1e-3.
        CHECK(s.velocity[0].x == doctest::Approx(v0 - 0.3 * g * s.time).epsilon(1e-3));
        CHECK(s.angular_velocity[0].y == doctest::Approx(2.5 * 0.3 * g * s.time / r).epsilon(2e-3));
        engine->advance(static_cast<std::int64_t>(1.5 * t_slide / m.dt));
        s = engine->snapshot();
        // Angular momentum about the track is conserved. What is left of the tangential spring's swing, and the lever arm's change by
        // friction-free bobbing, are below 1e-3; 5/7 itself holds up to the overlap, 2e-4 to 2e-3 of the radius.
        CHECK(s.velocity[0].x == doctest::Approx(v0 * rolling_share(m)).epsilon(1e-3));
        CHECK(s.velocity[0].x == doctest::Approx(v0 * 5 / 7).epsilon(3e-3));
        CHECK(s.angular_velocity[0].y * m.bodies.position[0].z == doctest::Approx(s.velocity[0].x).epsilon(1e-3));
        CHECK(std::fabs(s.velocity[0].y) < 1e-12);
    }
}

TEST_CASE("a ball on an incline rolls below the limit and slips above it") {
    const double mu = 0.2, limit = std::atan(3.5 * mu);
    for (const Law law : {Law::Linear, Law::Hertz}) {
        for (const double theta : {0.5 * limit, 0.9 * limit, 1.15 * limit, 1.6 * limit}) {
            Model m = ball_on_plane(law, mu, {g * std::sin(theta), 0, -g * std::cos(theta)});
            const auto engine = engine_of(m);
            const auto quarter = static_cast<std::int64_t>(0.05 / m.dt);
            engine->advance(quarter);  // the tangential spring's first swing dies out
            const Snapshot a = engine->snapshot();
            engine->advance(quarter);
            const Snapshot b = engine->snapshot();
            const double t = b.time - a.time;
            const double acceleration = (b.velocity[0].x - a.velocity[0].x) / t;
            const double spinning = (b.angular_velocity[0].y - a.angular_velocity[0].y) / t;
            CAPTURE(static_cast<int>(law));
            CAPTURE(theta / limit);
            const double l = m.bodies.position[0].z;
            // Remains of the swing over the time of measurement: below 1e-3.
            if (theta < limit) {
                CHECK(acceleration == doctest::Approx(rolling_share(m) * g * std::sin(theta)).epsilon(1e-3));
                CHECK(spinning * l == doctest::Approx(acceleration).epsilon(1e-3));
            } else {
                CHECK(acceleration == doctest::Approx(g * (std::sin(theta) - mu * std::cos(theta))).epsilon(1e-3));
                CHECK(spinning == doctest::Approx(2.5 * mu * g * std::cos(theta) * l / (r * r)).epsilon(1e-3));
            }
        }
    }
}
