// Runs of cylinders and arcs that join end to end.
#include "model/surfaces/joined_cylinders.hpp"

#include <doctest/doctest.h>

#include <numbers>

using namespace scree;

namespace {

constexpr double pi = std::numbers::pi;

Wall tube(double from, double to, double sign = 1) {
    Wall w;
    w.cylinders = {{{sign > 0 ? from : to, 2, 3}, {sign, 0, 0}, 0.5, to - from, true}};
    return w;
}

Wall arc(double from, double to) {
    Wall w;
    Cylinder c{{1, 2, -1}, {0, 0, 1}, 0.5, 2, true};
    c.middle = {std::cos(0.5 * (from + to)), std::sin(0.5 * (from + to)), 0};
    c.half_angle = 0.5 * (to - from);
    w.cylinders = {c};
    return w;
}

Vec3 on_arc(double angle) {
    return {1 + 0.5 * std::cos(angle), 2 + 0.5 * std::sin(angle), 0};
}

std::size_t runs_of(const std::vector<Wall>& walls) {
    Model m;
    m.walls = walls;
    return joined_cylinders(m).runs.size();
}

}  // namespace

TEST_CASE("joined cylinders: tubes end to end in any order and sense are one") {
    Model m;
    m.walls = {tube(0.1, 0.3), tube(5, 6), tube(-1, 0, -1), tube(0, 0.1, -1), tube(0.3, 2)};
    const JoinedCylinders all = joined_cylinders(m);
    REQUIRE(all.runs.size() == 1);
    CHECK(all.runs[0].wall == 0);
    CHECK(all.cylinders[0].length == doctest::Approx(3).epsilon(1e-15));
    CHECK(norm(all.cylinders[0].point - Vec3{-1, 2, 3}) < 1e-15);
    CHECK(all.cylinders[1].length == 1);
    for (const std::size_t k : {2, 3, 4}) CHECK(all.cylinders[k].length == 0);
    CHECK(all.wall_at(0, {-0.5, 2, 2.5}) == 2);
    CHECK(all.wall_at(0, {0.05, 2.5, 3}) == 3);
    CHECK(all.wall_at(0, {0.2, 2.5, 3}) == 0);
    CHECK(all.wall_at(0, {1.9, 2.5, 3}) == 4);
    CHECK(all.wall_at(0, {9, 2.5, 3}) == 4);
    CHECK(all.wall_at(1, {-0.5, 2, 2.5}) == 1);
    // Led by one that runs the other way: parts follow its sense.
    m.walls = {tube(0, 1, -1), tube(1, 2)};
    const JoinedCylinders back = joined_cylinders(m);
    REQUIRE(back.runs.size() == 1);
    CHECK(norm(back.cylinders[0].point - Vec3{2, 2, 3}) < 1e-15);
    CHECK(back.wall_at(0, {0.5, 2, 2.5}) == 0);
    CHECK(back.wall_at(0, {1.5, 2, 2.5}) == 1);
}

TEST_CASE("joined cylinders: what does not go on stays apart") {
    CHECK(runs_of({tube(0, 1), tube(1, 2)}) == 1);
    CHECK(runs_of({tube(0, 1), tube(1.001, 2)}) == 0);
    CHECK(runs_of({tube(0, 1), tube(0.9, 2)}) == 0);
    CHECK(runs_of({tube(0, 1), tube(1, 2), tube(1, 3)}) == 0);  // which of the two?
    std::vector<Wall> walls = {tube(0, 1), tube(1, 2)};
    const auto changed = [&](auto change) {
        std::vector<Wall> now = walls;
        change(now[1]);
        return runs_of(now);
    };
    CHECK(changed([](Wall&) {}) == 1);
    CHECK(changed([](Wall& w) { w.material = 1; }) == 0);
    CHECK(changed([](Wall& w) { w.motion.moves = true; }) == 0);
    CHECK(changed([](Wall& w) { w.body = 3; }) == 0);
    CHECK(changed([](Wall& w) { w.active_from = 1; }) == 0);
    CHECK(changed([](Wall& w) { w.cylinders[0].radius = 0.5001; }) == 0);
    CHECK(changed([](Wall& w) { w.cylinders[0].inside = false; }) == 0);
    CHECK(changed([](Wall& w) { w.cylinders[0].point.z += 1e-3; }) == 0);
    CHECK(changed([](Wall& w) { w.cylinders[0].axis = {0, 0, 1}; }) == 0);
    CHECK(changed([](Wall& w) { w.planes.push_back({{0, 0, 0}, {0, 0, 1}}); }) == 0);
    CHECK(changed([](Wall& w) { w.cylinders[0].length = std::numeric_limits<double>::infinity(); }) == 0);
}

TEST_CASE("joined cylinders: arcs go on round their centre, and close") {
    Model m;
    m.walls = {arc(1, 1.5), arc(0.2, 1), arc(1.5, 4)};
    const JoinedCylinders all = joined_cylinders(m);
    REQUIRE(all.runs.size() == 1);
    CHECK(all.cylinders[0].half_angle == doctest::Approx(1.9).epsilon(1e-14));
    CHECK(norm(all.cylinders[0].middle - Vec3{std::cos(2.1), std::sin(2.1), 0}) < 1e-14);
    CHECK(all.wall_at(0, on_arc(0.5)) == 1);
    CHECK(all.wall_at(0, on_arc(1.2)) == 0);
    CHECK(all.wall_at(0, on_arc(3.9)) == 2);
    m.walls = {arc(0, 2), arc(2, 5), arc(5, 2 * pi)};
    const JoinedCylinders ring = joined_cylinders(m);
    REQUIRE(ring.runs.size() == 1);
    CHECK(ring.cylinders[0].half_angle == pi);
    for (const double angle : {0.1, 1.9, 2.1, 4.9, 5.1, 6.2}) {
        CHECK(ring.wall_at(0, on_arc(angle)) == (angle < 2 ? 0 : angle < 5 ? 1 : 2));
    }
}
