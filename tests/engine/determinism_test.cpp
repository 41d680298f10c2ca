// The same bits whatever the threads, the order of loops, the skin, the search, the batches, what was looked at, and restarts.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "hashes.hpp"
#include "systems.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// A big sphere with hundreds of small ones on it, sizes 1:20, among others in a box, a tube, on rough ground and about a rod.
Model machine() {
    Model m = empty_model(Law::Hertz, 0.5, 0.4);
    m.gravity = {0, 0, -9.81};
    m.materials[0].young = 1e6;  // soft, for a long step
    const double R = 10e-3, r = 0.6e-3;
    const Vec3 centre{0.03, 0.03, 0.03}, v{0.1, 0, -0.3};
    add_sphere(m, centre, R, v, {5, 10, 0});
    for (int k = 0; k < 300; ++k) {  // evenly on the big sphere, all touching it
        const double z = 1 - (2 * k + 1) / 300.0, angle = 2.399963229728653 * k;
        const Vec3 out{std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z};
        add_sphere(m, centre + (R + 0.995 * r) * out, r, v - 0.05 * out);
    }
    add_cloud(m, 250, {{0, 0, 0}, {0.06, 0.06, 0.048}}, 0.5e-3, 2e-3, 0.4, 100, 4);
    Rng rng(8, 1);
    Wall tube;
    tube.name = "tube";
    tube.cylinders = {{{0.03, 0.03, 0.0}, {0, 0, 1}, 0.024, 0.03, true}, {{0.03, 0.0, 0.004}, {0, 1, 0}, 0.003, 0.06, false}};
    m.walls = {box_wall("box", {{0, 0, 0}, {0.06, 0.06, 0.1}}), tube,
               mesh_wall("ground", terrain_mesh(12, 12, 5e-3, [&rng](int, int) { return rng.uniform(0, 4e-3); }))};
    keep_clear(m);
    set_step(m, 1);
    return m;
}

/// Many equal spheres, so that every loop has several blocks.
Model crowd() {
    Model m = empty_model(Law::Linear, 0.5, 0.4);
    m.gravity = {0, 0, -9.81};
    Rng rng(9, 1);
    for (int k = 0; k < 3000; ++k) {
        const Vec3 jitter{rng.uniform(-1e-5, 1e-5), rng.uniform(-1e-5, 1e-5), rng.uniform(-1e-5, 1e-5)};
        add_sphere(m, Vec3{1e-3, 1e-3, 1e-3} + 1.99e-3 * Vec3{double(k % 15), double(k / 15 % 15), double(k / 225)} + jitter, 1e-3,
                   {0.1, -0.2, 0.3});
    }
    m.walls = {box_wall("box", {{0, 0, 0}, {0.03, 0.03, 1}})};
    set_step(m, 1);
    return m;
}

constexpr std::int64_t steps = 1200;

/// Continues in a fresh engine from what another saved after `first` steps.
std::uint64_t hash_after_restart(const Model& before, const Model& after, std::int64_t first, std::int64_t count) {
    const auto engine = engine_of(before);
    engine->advance(first);
    const EngineState saved = engine->save();
    const auto fresh = engine_of(after);
    fresh->load(saved);
    CHECK(fresh->state_hash() == engine->state_hash());
    CHECK(fresh->counters().step == first);
    fresh->advance(count - first);
    return fresh->state_hash();
}

bool same(const Measurement& a, const Measurement& b) {
    bool walls = a.walls.size() == b.walls.size();
    for (std::size_t w = 0; walls && w < a.walls.size(); ++w) {
        walls = a.walls[w].force == b.walls[w].force && a.walls[w].torque == b.walls[w].torque;
    }
    return walls && a.step == b.step && a.energy.total() == b.energy.total() && a.momentum == b.momentum &&
           a.angular_momentum == b.angular_momentum && a.contacts == b.contacts && a.wall_contacts == b.wall_contacts &&
           a.max_overlap == b.max_overlap;
}

/// Variants that must not change a model's result.
void check_variants(const Model& m, std::int64_t count) {
    const std::uint64_t expected = hash_after(m, count);
    CHECK(hash_after(m, count, 1, true) == expected);
    CHECK(hash_after(m, count, 1, false, 1) == expected);
    CHECK(hash_after(m, count, 1, false, 77) == expected);
    for (const double skin : {3e-5, 3e-4, 2e-3}) {
        Model other = m;
        other.penalty.skin = skin;
        CHECK(hash_after(other, count) == expected);
    }
    for (const Search search : {Search::BruteForce, Search::Grid, Search::Levels}) {
        Model other = m;
        other.penalty.search = search;
        CHECK(hash_after(other, count) == expected);
    }
}

}  // namespace

TEST_CASE("a polydisperse system among planes, cylinders and a mesh: every way of running it gives the same bits") {
    const Model m = machine();
    const auto engine = engine_of(m);
    std::size_t most = 0;
    bool plane = false, cylinder = false, mesh = false;
    for (int k = 0; k < 12; ++k) {
        std::size_t on_big = 0;
        for (const ContactRecord& r : engine->contacts()) {
            on_big += r.a == 0 ? 1 : 0;
            plane = plane || r.wall == 0;
            cylinder = cylinder || r.wall == 1;
            mesh = mesh || r.wall == 2;
        }
        most = std::max(most, on_big);
        engine->advance(steps / 12);
    }
    // The scene does what it is for.
    CHECK(most > 128);
    CHECK(plane);
    CHECK(cylinder);
    CHECK(mesh);
    CHECK(engine->counters().rebuilds > 5);
    check_variants(m, steps);
    // Fewer steps: where threads share processors with others they wait for each other.
    const std::uint64_t expected = hash_after(m, 200);
    CHECK(hash_after(m, 200, 2) == expected);
    CHECK(hash_after(m, 200, 4) == expected);
}

TEST_CASE("a linear law and many blocks: every number of threads gives the same bits") {
    const Model m = crowd();
    const auto one = engine_of(m, 1), two = engine_of(m, 2), four = engine_of(m, 4), shuffled = engine_of(m, 1, true);
    for (const auto& engine : {one.get(), two.get(), four.get(), shuffled.get()}) {
        engine->advance(200);
        CHECK(engine->counters().rebuilds > 1);
        CHECK(engine->state_hash() == one->state_hash());
        CHECK(same(engine->measure(), one->measure()));
    }
    CHECK(one->measure().contacts > 2000);
}

TEST_CASE("a fault in the middle of a long batch leaves the state that steps one by one leave") {
    Model m = crowd();
    m.bodies.velocity[1700] = {0, 0, -20};
    const auto slow = engine_of(m);
    BatchReport expected;
    std::int64_t done = 0;
    while (expected.fault.kind == FaultKind::None && done < 1000) {
        expected = slow->advance(1);
        done += expected.steps_done;
    }
    REQUIRE(expected.fault.kind == FaultKind::Overlap);
    CHECK(expected.fault.step > 10);
    for (const int threads : {1, 2, 4}) {
        const auto fast = engine_of(m, threads);
        const BatchReport report = fast->advance(1000);
        CHECK(report.fault.kind == FaultKind::Overlap);
        CHECK(report.fault.step == expected.fault.step);
        CHECK(report.fault.body == expected.fault.body);
        CHECK(report.fault.other == expected.fault.other);
        CHECK(report.fault.value == expected.fault.value);
        CHECK(report.steps_done == done);
        CHECK(fast->state_hash() == slow->state_hash());
    }
}

TEST_CASE("looking changes nothing") {
    const Model m = machine();
    const auto engine = engine_of(m);
    Region everywhere;
    everywhere.box = {{-1, -1, -1}, {1, 1, 1}};
    for (int k = 0; k < 30; ++k) {
        engine->advance(steps / 30);
        (void)engine->contacts();
        (void)engine->snapshot();
        (void)engine->measure();
        (void)engine->save();
        (void)engine->sum_in(everywhere);
        (void)engine->state_hash();
    }
    CHECK(engine->state_hash() == hash_after(m, steps));
    const auto tracked = engine_of(m, 1, false, true);
    tracked->advance(steps);
    CHECK(tracked->state_hash() == engine->state_hash());
}

TEST_CASE("a restart continues with the same bits") {
    const Model m = machine();
    const std::uint64_t expected = hash_after(m, steps);
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{1}, std::int64_t{500}, std::int64_t{733}, steps}) {
        CAPTURE(first);
        CHECK(hash_after_restart(m, m, first, steps) == expected);
    }
    Model other = m;
    other.penalty.skin = 1e-4;
    other.penalty.search = Search::BruteForce;
    CHECK(hash_after_restart(m, other, 700, steps) == expected);
}

TEST_CASE("a restart keeps measures, energy accounts and contacts") {
    Model m = machine();
    m.track_orientation = true;
    const auto engine = engine_of(m, 1, false, true);
    engine->advance(800);
    const auto fresh = engine_of(m, 1, false, true);
    fresh->load(engine->save());
    CHECK(same(fresh->measure(), engine->measure()));
    const std::vector<ContactRecord> a = engine->contacts(), b = fresh->contacts();
    REQUIRE(a.size() == b.size());
    bool equal = true;
    for (std::size_t k = 0; k < a.size(); ++k) {
        equal = equal && a[k].a == b[k].a && a[k].b == b[k].b && a[k].wall == b[k].wall && a[k].force == b[k].force &&
                a[k].overlap == b[k].overlap;
    }
    CHECK(equal);
    engine->advance(300);
    fresh->advance(300);
    CHECK(same(fresh->measure(), engine->measure()));
    CHECK(fresh->state_hash() == engine->state_hash());
    CHECK(fresh->counters().rebuilds > 0);
    // Into an engine that has run already, back to the earlier state.
    const EngineState late = engine->save();
    fresh->advance(100);
    fresh->load(late);
    CHECK(fresh->state_hash() == engine->state_hash());
}

TEST_CASE("a restart refuses what does not fit, and takes changed walls") {
    const Model m = machine();
    const auto engine = engine_of(m);
    engine->advance(100);
    const EngineState saved = engine->save();
    Model fewer = m;
    fewer.bodies.position.pop_back();
    fewer.bodies.velocity.pop_back();
    fewer.bodies.angular_velocity.pop_back();
    fewer.bodies.radius.pop_back();
    fewer.bodies.mass.pop_back();
    fewer.bodies.material.pop_back();
    CHECK_THROWS_AS(engine_of(fewer)->load(saved), Error);
    Model slower = m;
    slower.dt *= 2;
    CHECK_THROWS_AS(engine_of(slower)->load(saved), Error);
    CHECK_THROWS_AS(engine_of(m)->load(EngineState{}), Error);
    Model changed = m;
    changed.walls.erase(changed.walls.begin() + 1);
    std::swap(changed.walls[0], changed.walls[1]);
    const auto other = engine_of(changed);
    other->load(saved);
    CHECK(other->state_hash() == engine->state_hash());
    CHECK(other->advance(100).fault.kind == FaultKind::None);
    // The same walls in another order: all history finds its surface. Only the order of sums changes, so compare what the walls bear.
    Model reordered = m;
    std::swap(reordered.walls[0], reordered.walls[2]);
    const auto swapped = engine_of(reordered);
    swapped->load(saved);
    const Measurement a = engine->measure(), b = swapped->measure();
    CHECK(norm(a.walls[0].force - b.walls[2].force) <= 1e-12 * norm(a.walls[0].force));
    CHECK(norm(a.walls[2].force - b.walls[0].force) <= 1e-12 * norm(a.walls[2].force));
}

TEST_CASE("walls that come and go do so at their step, however the run is cut") {
    Model m = machine();
    m.walls[1].active_to = 333.5 * m.dt;  // exists for steps 0 … 333
    m.walls[2].active_from = 200 * m.dt;  // from step 200, or later its rounding forbids
    m.walls[2].active_to = 900 * m.dt;
    Wall lid = plane_wall("lid", {0, 0, 0.09}, {0, 0, -1});
    lid.active_from = 100 * m.dt;
    m.walls.push_back(lid);
    check_variants(m, steps);
    const std::uint64_t expected = hash_after(m, steps);
    for (const std::int64_t first : {std::int64_t{200}, std::int64_t{333}, std::int64_t{334}, std::int64_t{600}, std::int64_t{900}}) {
        CHECK(hash_after_restart(m, m, first, steps) == expected);
    }
    CHECK(expected != hash_after(machine(), steps));
}

TEST_CASE("a wall bears load only while it exists") {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    m.gravity = {0, 0, -9.81};
    add_sphere(m, {0, 0, 0.999e-3}, 1e-3);
    m.walls = {plane_wall("floor", {0, 0, 0}, {0, 0, 1})};
    m.dt = 1e-5;
    m.walls[0].active_to = 500 * m.dt;
    const auto engine = engine_of(m);
    engine->advance(500);
    CHECK(engine->contacts().size() == 1);
    const double held = engine->snapshot().velocity[0].z;
    engine->advance(1000);
    CHECK(engine->contacts().empty());
    // From the step that starts at t = 500 dt on it falls; its last contact force acts for half a step more.
    CHECK(engine->snapshot().velocity[0].z == doctest::Approx(held - 9.81 * 1000 * m.dt).epsilon(2e-3));
}

TEST_CASE("bodies that leave the domain are removed at fixed steps, however the run is cut") {
    Model m = machine();
    m.domain.box = {{0.005, -1, -1}, {1, 1, 0.046}};
    m.domain.leave = Leave::Remove;
    m.domain.check_every = 40;
    const auto engine = engine_of(m);
    engine->advance(steps);
    const RunCounters c = engine->counters();
    CHECK(c.removed > 5);
    CHECK(c.removed + c.bodies == static_cast<std::int64_t>(m.bodies.size()));
    const Snapshot s = engine->snapshot();
    CHECK(s.id.size() == static_cast<std::size_t>(c.bodies));
    CHECK(std::is_sorted(s.id.begin(), s.id.end()));
    for (std::size_t i = 0; i < s.id.size(); ++i) CHECK(s.radius[i] == m.bodies.radius[s.id[i]]);
    check_variants(m, steps);
    const std::uint64_t expected = hash_after(m, steps);
    for (const std::int64_t first : {std::int64_t{39}, std::int64_t{40}, std::int64_t{41}, std::int64_t{800}}) {
        CHECK(hash_after_restart(m, m, first, steps) == expected);
    }
}

TEST_CASE("a run that loses all its bodies goes on, and restarts") {
    Model m = empty_model(Law::Hertz, 0.5, 0.5);
    m.domain.box.max.x = 1;
    m.domain.leave = Leave::Remove;
    m.domain.check_every = 10;
    add_sphere(m, {0.99, 0, 0}, 1e-3, {100, 0, 0});
    const auto engine = engine_of(m);
    engine->advance(100);
    CHECK(engine->counters().removed == 1);
    CHECK(engine->counters().bodies == 0);
    CHECK(engine->snapshot().id.empty());
    const auto fresh = engine_of(m);
    CHECK_NOTHROW(fresh->load(engine->save()));
    CHECK(fresh->counters().bodies == 0);
    fresh->advance(10);
    CHECK(fresh->counters().step == 110);
    // A model without bodies from the start.
    const Model none = empty_model(Law::Hertz, 0.5, 0.5);
    const auto idle = engine_of(none);
    idle->advance(10);
    CHECK(idle->counters().step == 10);
    CHECK(idle->measure().mass == 0);
    CHECK_NOTHROW(engine_of(none)->load(idle->save()));
}

TEST_CASE("a body far away changes nothing for the others") {
    Model m = machine();
    m.walls[0] = plane_wall("floor", {0, 0, 0}, {0, 0, 1});
    const auto alone = engine_of(m);
    alone->advance(400);
    add_sphere(m, {1000, -500, 20}, 1e-3, {0, 0, 5});
    check_variants(m, 400);
    const auto engine = engine_of(m);
    engine->advance(400);
    const Snapshot a = alone->snapshot(), b = engine->snapshot();
    bool equal = true;
    for (std::size_t i = 0; i < a.id.size(); ++i) equal = equal && a.position[i] == b.position[i] && a.velocity[i] == b.velocity[i];
    CHECK(equal);
    CHECK(norm(b.velocity.back() - Vec3{0, 0, 5 - 9.81 * b.time}) < 1e-10);
}
