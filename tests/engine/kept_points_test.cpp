// What pairs keep from step to step under the cone method: points of bodies that hardly move, against a new search, and what the points
// start from where others are gone.
#include <doctest/doctest.h>

#include "contact_points_checks.hpp"
#include "engine/cone/carried_pushes.hpp"
#include "engine/cone/points/kept_points.hpp"
#include "hashes.hpp"

using namespace scree;
using namespace scree::test;
using namespace scree::test::touching;
using namespace scree::SCREE_FLAVOR;

namespace {

/// One pair's memory, on the host.
struct Memory {
    std::int32_t key[Points::most]{};
    KeptPoints kept{};
    void keep(const Points& found, const Placed& a, const Placed& b, const SeenPlace& place) {
        for (int q = 0; q < Points::most; ++q) key[q] = q < found.count ? found.key[q] : PointHistory::no_key;
        keep_points(found, a, b, place, kept);
    }
    PointsView view() {
        PointsView v{};
        for (int q = 0; q < Points::most; ++q) v.key[q] = key + q;
        return v;
    }
};

PlacedBody body_of(const Placed& p) {
    return {cast<double>(p.at), static_cast<double>(p.scale), 0, p.turn, p.scale};
}

struct TurnedPair {
    Quat turn_a, turn_b;
    Vec3 at_a, at_b;
    Placed a() const { return cube(at_a, turn_a); }
    Placed b() const { return cube(at_b, turn_b); }
    SeenPlace place() const { return place_seen(body_of(a()), b().at - a().at, turn_a, turn_b); }
};

/// Two cubes of edge 1, face over face, turned about the common normal and all over the world.
TurnedPair stacked(Rng& rng, double overlap) {
    const Quat world = random_turn(rng), about = rotation_by({0, 0, rng.uniform(0, 1)});
    const Vec3 way{rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), 1 - overlap};
    return {world, world * about, {}, rotate(world, way)};
}

double deepest_gap(const Points& c) {
    double least = 1e300;
    for (int q = 0; q < c.count; ++q) least = std::min(least, static_cast<double>(c.gap[q]));
    return least;
}

/// What a pair with points from … from + count - 1 remembers.
RememberedPoints remembered(const Points& c, const Vec3T<Real>* push, int from, int count) {
    RememberedPoints old{};
    for (int m = 0; m < 4; ++m) old.key[m] = m < count ? c.key[from + m] : PointHistory::no_key;
    for (int m = 0; m < count; ++m) {
        old.push[m] = push[from + m];
        old.torque += cross(c.point[from + m], push[from + m]);
    }
    return old;
}

Points square(double half, double height) {
    Points c;
    c.count = 4;
    for (int q = 0; q < 4; ++q) {
        c.normal[q] = {0, 0, 1};
        c.point[q] = {static_cast<Real>((q & 1) != 0 ? half : -half), static_cast<Real>((q & 2) != 0 ? half : -half),
                      static_cast<Real>(height)};
        c.key[q] = q;
    }
    return c;
}

}  // namespace

TEST_CASE("kept points: a pair that moved less than the limit has the gaps of a new search") {
    Rng rng(11, 0);
    const double envelope = 0.05;
    int same = 0;
    for (int k = 0; k < 200; ++k) {
        const TurnedPair before = stacked(rng, 1e-3);
        std::int32_t feature = -1;
        const Points found = convex_points<buffers>(before.a(), before.b(), static_cast<Real>(envelope), &feature);
        REQUIRE(found.count == 4);
        Memory memory;
        memory.keep(found, before.a(), before.b(), before.place());
        // Half the limit, in shift and in turn of either; the whole pair may fly and turn as it likes.
        const double way = 0.2 * static_cast<double>(still_within) * before.a().scale;
        const Quat fly = random_turn(rng);
        TurnedPair now = before;
        now.at_a = rotate(fly, before.at_a);
        now.turn_a = fly * before.turn_a;
        now.at_b = now.at_a + rotate(fly, before.at_b - before.at_a) + way * random_direction(rng);
        now.turn_b = rotation_by(0.3 * way * random_direction(rng)) * fly * before.turn_b;
        Points recalled;
        REQUIRE(recall_points(memory.kept, memory.view(), 0, body_of(now.a()), body_of(now.b()), now.b().at, now.place(),
                              static_cast<Real>(envelope), recalled));
        const Points anew = convex_points<buffers>(now.a(), now.b(), static_cast<Real>(envelope), &feature);
        REQUIRE(recalled.count == 4);
        // A new search may choose other corners of the common face: turned by 0.3 ways, they are at most that times half an edge deeper.
        CHECK(std::fabs(deepest_gap(recalled) - deepest_gap(anew)) < 0.15 * way);
        // The same corner's gap misses by a turn times a lag, both at most a few ways.
        for (int q = 0; q < anew.count; ++q) {
            for (int m = 0; m < recalled.count; ++m) {
                if (anew.key[q] != recalled.key[m]) continue;
                ++same;
                CHECK(std::fabs(static_cast<double>(anew.gap[q] - recalled.gap[m])) < 10 * way * way + (single ? 2e-6 : 1e-12));
            }
        }
    }
    CHECK(same > 400);  // of 800: the comparison is not empty
}

TEST_CASE("kept points: a pair that moved more, or parted, is searched anew") {
    Rng rng(12, 0);
    const TurnedPair before = stacked(rng, 1e-3);
    std::int32_t feature = -1;
    const Points found = convex_points<buffers>(before.a(), before.b(), Real(0.05), &feature);
    Memory memory;
    memory.keep(found, before.a(), before.b(), before.place());
    const double limit = static_cast<double>(still_within) * before.a().scale;
    Points out;
    const auto recalled = [&](const TurnedPair& p, double envelope) {
        return recall_points(memory.kept, memory.view(), 0, body_of(p.a()), body_of(p.b()), p.b().at, p.place(),
                             static_cast<Real>(envelope), out);
    };
    CHECK(recalled(before, 0.05));
    TurnedPair moved = before;
    moved.at_b += 1.1 * limit * rotate(before.turn_a, Vec3{1, 0, 0});
    CHECK_FALSE(recalled(moved, 0.05));
    TurnedPair turned = before;
    turned.turn_b = rotation_by(1.1 * limit * Vec3{0, 0, 1}) * before.turn_b;
    CHECK_FALSE(recalled(turned, 0.05));
    TurnedPair apart = before;
    apart.at_b += 0.5 * limit * rotate(before.turn_a, Vec3{0, 0, 1});
    CHECK(recalled(apart, 0.05));
    CHECK_FALSE(recalled(apart, 0.2 * limit));
}

TEST_CASE("carried pushes: points that stay keep theirs, those of points that are gone go on with force and torque") {
    const Points before = square(0.5, 0.2);
    const double close = single ? 1e-5 : 1e-13;
    const Vec3T<Real> push[4] = {{Real(0.1), 0, Real(1)}, {0, Real(0.2), Real(2)}, {0, 0, Real(3)}, {Real(-0.1), 0, Real(1.5)}};
    Vec3T<Real> now[4];
    SUBCASE("the same points") {
        carried_pushes(before, remembered(before, push, 0, 4), now);
        for (int q = 0; q < 4; ++q) CHECK(norm(now[q] - push[q]) < close);
    }
    SUBCASE("other corners of the same face") {
        Points after = square(0.45, 0.2);
        for (int q = 0; q < 4; ++q) after.key[q] = 10 + q;
        const RememberedPoints old = remembered(before, push, 0, 4);
        carried_pushes(after, old, now);
        Vec3T<Real> force{}, torque{}, whole{};
        for (int q = 0; q < 4; ++q) {
            force += now[q];
            torque += cross(after.point[q], now[q]);
            whole += push[q];
            CHECK(now[q].z > 0);
        }
        CHECK(norm(force - whole) < close);
        // Of the torque, the part that normal forces make; tangential ones are shared alike.
        CHECK(std::fabs(torque.x - old.torque.x) < 0.1 * norm(old.torque));
        CHECK(std::fabs(torque.y - old.torque.y) < 0.1 * norm(old.torque));
    }
    SUBCASE("normal pushes alone: the torque is kept as well") {
        Points after = square(0.45, 0.2);
        for (int q = 0; q < 4; ++q) after.key[q] = 10 + q;
        const Vec3T<Real> up[4] = {{0, 0, Real(1)}, {0, 0, Real(2)}, {0, 0, Real(3)}, {0, 0, Real(1.5)}};
        const RememberedPoints old = remembered(before, up, 0, 4);
        carried_pushes(after, old, now);
        Vec3T<Real> torque{};
        for (int q = 0; q < 4; ++q) torque += cross(after.point[q], now[q]);
        CHECK(norm(torque - old.torque) < close * 10);
    }
    SUBCASE("a pair that carried nothing starts from nothing") {
        const Vec3T<Real> none[4] = {};
        carried_pushes(before, remembered(before, none, 0, 4), now);
        for (int q = 0; q < 4; ++q) CHECK(norm(now[q]) == 0);
    }
    SUBCASE("one point takes all") {
        Points one = before;
        one.count = 1;
        one.key[0] = 77;
        carried_pushes(one, remembered(before, push, 0, 4), now);
        Vec3T<Real> whole{};
        for (const Vec3T<Real>& g : push) whole += g;
        CHECK(norm(now[0] - whole) < close);
    }
}

TEST_CASE("kept points: cubes that lie still lie where a search in every step leaves them") {
    // A stack of five on a floor for a second: the floor carries the weight, and no cube drifts by more than the solver's tolerance allows.
    Model m = empty_model(Law::Hertz, 0.0, 0.5);
    m.method = Method::Cone;
    m.gravity = {0, 0, -9.81};
    m.dt = 1e-3;
    m.cone.tolerance = by_precision(1e-8, 1e-5);
    m.cone.iterations = 2000;
    m.shapes.push_back(box_shape("cube", {1, 1, 1}));
    const double edge = 0.02;
    for (int k = 0; k < 5; ++k)
        m.bodies.add_convex({0.001 * k, 0, edge * (0.5 + k)}, rotation_by({0, 0, 0.1 * k}), 0, m.shapes[0], 0.5 * std::sqrt(3.0) * edge, 0,
                            density);
    m.walls = {plane_wall("floor", {}, {0, 0, 1})};
    const auto engine = engine_of(m);
    engine->advance(1000);
    const Snapshot s = engine->snapshot();
    double weight = 0;
    for (int k = 0; k < 5; ++k) {
        weight += 9.81 * s.mass[static_cast<std::size_t>(k)];
        // 1 s at the tolerance's speed.
        CHECK(norm(s.position[static_cast<std::size_t>(k)] - m.bodies.position[static_cast<std::size_t>(k)]) < by_precision(1e-6, 1e-4));
    }
    CHECK(engine->measure().walls[0].force.z == doctest::Approx(-weight).epsilon(by_precision(1e-5, 1e-2)));
}
