#include <doctest/doctest.h>

#include <cmath>

#include "base/rng.hpp"
#include "render/camera.hpp"

using namespace scree;

namespace {

constexpr PictureSize kSize{640, 480};
constexpr double kRound = 1e-9;  // of sums and a few products of numbers near 1000

Vec3 random_point(Rng& rng, double size) {
    return {rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)};
}

}  // namespace

TEST_CASE("a perspective camera sees a point where similar triangles put it") {
    Camera camera;
    camera.eye = {0, -5, 0};
    camera.at = {0, 0, 0};
    camera.field = 2 * std::atan(0.5);  // as high as far
    const Seen middle = project(camera, kSize, {0, 0, 0});
    CHECK(middle.x == doctest::Approx(320).epsilon(kRound));
    CHECK(middle.y == doctest::Approx(240).epsilon(kRound));
    CHECK(middle.depth == doctest::Approx(5).epsilon(kRound));
    // At depth 4 the height of 480 pixels is 4 m.
    const Seen point = project(camera, kSize, {1, -1, 0.5});
    CHECK(point.x == doctest::Approx(320 + 120 * 1).epsilon(kRound));
    CHECK(point.y == doctest::Approx(240 - 120 * 0.5).epsilon(kRound));
    CHECK(point.depth == doctest::Approx(4).epsilon(kRound));
    CHECK(camera.pixel(kSize) == doctest::Approx(5.0 / 480).epsilon(kRound));
}

TEST_CASE("an orthographic camera sees sizes as they are") {
    Camera camera;
    camera.eye = {3, 4, 10};
    camera.at = {3, 4, 0};
    camera.up = {0, 1, 0};
    camera.orthographic = true;
    camera.height = 2.4;
    for (const double depth : {0.0, 7.0}) {
        const Seen point = project(camera, kSize, {3.5, 4.25, depth});
        CHECK(point.x == doctest::Approx(320 + 0.5 * 200).epsilon(kRound));
        CHECK(point.y == doctest::Approx(240 - 0.25 * 200).epsilon(kRound));
    }
}

TEST_CASE("lines of sight lead back to the points that are seen along them") {
    Rng rng(1, 0);
    for (int round = 0; round < 200; ++round) {
        Camera camera;
        camera.eye = random_point(rng, 10);
        camera.at = random_point(rng, 1);
        camera.orthographic = round % 2 == 0;
        camera.height = 3;
        const Vec3 point = random_point(rng, 1);
        const Seen seen = project(camera, kSize, point);
        if (seen.depth < 0.5) continue;
        const SightLine line = sight_line(camera, kSize, seen.x, seen.y);
        CHECK(norm(line.direction) == doctest::Approx(1).epsilon(kRound));
        CHECK(norm(cross(point - line.origin, line.direction)) < 1e-8);
    }
}

TEST_CASE("a camera that looks along its upright still has three axes") {
    Camera camera;
    camera.eye = {0, 0, 4};
    const Camera::Axes a = camera.axes();
    CHECK(norm(cross(a.right, a.up) - a.back) < 1e-12);
}

TEST_CASE("fitting brings all balls inside the frame, and touches two sides") {
    Rng rng(2, 0);
    const Frame frame{0.05, 0.8, 0.1, 0.9};
    for (int round = 0; round < 60; ++round) {
        std::vector<Reach> balls;
        const Vec3 off = random_point(rng, 100);
        for (int k = 0; k < 30; ++k) balls.push_back({off + random_point(rng, 1), rng.uniform(0.0, 0.3)});
        Camera camera;
        camera.orthographic = round % 2 == 1;
        camera.eye = camera.at + viewer_direction(rng.uniform(0.0, 360.0), rng.uniform(-80.0, 80.0));
        fit(camera, kSize, balls, frame);
        const Camera::Axes a = camera.axes();
        // Of each side of the frame: how far the balls stay inside of its plane through the eye [m].
        double inside[4];
        std::fill(std::begin(inside), std::end(inside), 1e300);
        const double aspect = 640.0 / 480,
                     side[4] = {aspect * (frame.left - 0.5), aspect * (frame.right - 0.5), 0.5 - frame.bottom, 0.5 - frame.top};
        for (const Reach& ball : balls) {
            const Vec3 d = ball.centre - camera.eye;
            const double x[2] = {dot(d, a.right), dot(d, a.up)}, depth = -dot(d, a.back);
            CHECK(depth > ball.radius);
            for (int k = 0; k < 4; ++k) {
                const double sign = k % 2 == 0 ? 1 : -1;
                const double slope = camera.orthographic ? 0 : 2 * std::tan(0.5 * camera.field) * side[k],
                             shift = camera.orthographic ? camera.height * side[k] : 0;
                inside[k] = std::min(inside[k], sign * (x[k / 2] - slope * depth - shift) / std::sqrt(1 + slope * slope) - ball.radius);
            }
        }
        int touched = 0;
        for (const double gap : inside) {
            CHECK(gap > -1e-9);
            if (gap < 1e-9) ++touched;
        }
        CHECK(touched >= 2);
    }
}
