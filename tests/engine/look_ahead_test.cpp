// Lists that look for bodies ahead of where they are: they last as long as the way of a body says, miss no contact, and change no bit.
#include <doctest/doctest.h>

#include <set>
#include <stdexcept>

#include "engine/step/look_ahead.hpp"
#include "step_run.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;
using namespace scree::test;

namespace {

constexpr double radius = 1e-3;

/// Spheres of many sizes thrown about in a box, and cubes among them where asked for.
Model thrown(bool cubes) {
    Model m = empty_model(Law::Hertz, 0.8, 0.3);
    m.gravity = {0, 0, -9.81};
    const double wide = 24 * radius, high = 12 * radius;
    add_cloud(m, 300, {{0, 0, 0}, {wide, wide, high}}, 0.5 * radius, radius, 2.0, 20, 31);
    m.walls = {box_wall("box", {{0, 0, -1}, {wide, wide, 1}}),
               mesh_wall("floor", subdivided(box_mesh({{-0.1, -0.1, -0.1}, {0.2, 0.2, 0}}), 3))};
    if (cubes) {
        m.shapes.push_back(box_shape("cube", {radius, radius, radius}));
        for (int k = 0; k < 9; ++k) {
            const Vec3 at{(k % 3 + 0.5) * 0.3 * wide, (k / 3 + 0.5) * 0.3 * wide, high + radius};
            m.bodies.add_convex(at, {}, 0, m.shapes[0], 0.87 * radius, 0, density, {1, 0.5, -2});
        }
    }
    set_step(m, 0.5);
    return m;
}

constexpr double flight_speed = 0.9;

/// One body in flight past others that stand.
Model flight() {
    Model m = empty_model(Law::Hertz, 1, 0);
    add_sphere(m, {0, 0, 0}, radius, {flight_speed, 0, 0});
    for (int k = 1; k < 40; ++k) add_sphere(m, {0, 10 * k * radius, 0}, radius);
    m.dt = 7e-6;
    return m;
}

/// Pairs of spheres that touch, by slots, lower first: those listed, and all.
struct Touching {
    std::set<std::pair<Index, Index>> listed, all;
};

Touching touching(Run& run) {
    Touching t;
    const std::vector<Row4> rows = run.positions();
    const std::vector<Slot> a = run.state.lists[kSpheres].a.host(), b = run.state.lists[kSpheres].b.host();
    const auto touch = [&](Index i, Index j) {
        const Row4 &p = rows[static_cast<std::size_t>(i)], &q = rows[static_cast<std::size_t>(j)];
        const Vec3 d{p.value[0] - q.value[0], p.value[1] - q.value[1], p.value[2] - q.value[2]};
        return norm(d) < p.value[3] + q.value[3];
    };
    const auto n = static_cast<Index>(rows.size());
    for (Index i = 0; i < n; ++i) {
        for (Index j = i + 1; j < n; ++j) {
            if (touch(i, j)) t.all.insert({i, j});
        }
    }
    for (std::size_t p = 0; p < a.size(); ++p) {
        const Index i = std::min(a[p], b[p]), j = std::max(a[p], b[p]);
        if (touch(i, j)) t.listed.insert({i, j});
    }
    return t;
}

std::vector<Row4> by_id(const Run& run) {
    const std::vector<Row4> rows = run.positions();
    const std::vector<std::uint32_t> id = run.state.bodies.id.host();
    std::vector<Row4> sorted(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) sorted[id[k]] = rows[k];
    return sorted;
}

}  // namespace

TEST_CASE("a list that looks ahead of a body in flight lasts for its way to that place and beyond; each eighth is a trial") {
    Model m = flight();
    const double skin = 0.4 * radius;
    m.penalty.skin = skin;
    Run run(m, 1, 0);
    const double ways = 0.5 * skin / (flight_speed * m.dt);  // steps that half the skin takes: 31.7
    std::int64_t end = 0;
    for (int lists = 1; lists <= 26; ++lists) {
        const bool trial = lists > 1 && lists % 8 == 1;
        end += static_cast<std::int64_t>(std::ceil((trial ? 1.0 : 1.8) * ways));
        // The list is made in a drifted state: positions of step `step` + 1.
        run.advance(end - 2 - run.state.step);
        CHECK(run.state.rebuilds == lists);
        run.advance(2);
        CHECK(run.state.rebuilds == lists + 1);
    }
}

TEST_CASE("a skin that is chosen rests where lists last long enough") {
    Model m = flight();
    m.dt = 3.5e-6;
    const double least = 80 * flight_speed * m.dt / (0.5 * 1.8);  // the narrowest skin whose lists last 80 steps: 0.14 diameters
    Run run(m, 1, 0);
    run.advance(3000);
    const double skin = run.state.skin;
    const std::int64_t lists = run.state.rebuilds, steps = 6000;
    run.advance(steps);
    const std::int64_t made = run.state.rebuilds - lists;
    CHECK(run.state.skin == skin);
    CHECK(skin > 0.97 * least);  // lists last whole steps
    CHECK(skin < 1.25 * least);  // the factor by which it is widened
    CHECK(made > 24);            // three trials
    CHECK(made > steps / 220);
    CHECK(made < steps / 80 * 9 / 8 + 2);
}

TEST_CASE("a list that is a trial of looking ahead says nothing of the skin") {
    Model m = flight();
    m.dt = 3.5e-6;
    Run run(m, 1, 0);
    const double skin = run.state.skin;  // a list of it lasts 32 steps, or 58 if it looks ahead: enough for the one, too few for the other
    LookAhead& look = run.state.look;
    look.on = false;
    look.ended = 6;
    while (run.state.rebuilds < 3) run.advance(1);
    CHECK(look.on);
    CHECK(look.turned);
    const std::int64_t from = run.state.step;
    while (run.state.rebuilds < 4) run.advance(1);
    CHECK(run.state.step - from > 50);
    CHECK(run.state.step - from < 65);
    CHECK(run.state.skin == skin);
}

TEST_CASE("how far lists look ahead changes no bit") {
    for (const bool cubes : {false, true}) {
        Run from_ahead(thrown(cubes)), from_here(thrown(cubes));
        std::int64_t unlike = 0;
        for (int k = 0; k < 60; ++k) {
            from_here.state.look = {false};
            for (Run* run : {&from_ahead, &from_here}) run->advance(20);
            unlike += from_ahead.state.list_step != from_here.state.list_step ? 1 : 0;
        }
        CHECK(unlike > 30);
        CHECK(from_ahead.state.rebuilds > 8);
        CHECK(same_bits(by_id(from_ahead), by_id(from_here)));
    }
}

TEST_CASE("no contact is missed by a list that looks ahead") {
    Run run(thrown(false));
    std::size_t most = 0;
    for (int k = 0; k < 150; ++k) {
        run.advance(11);
        const Touching t = touching(run);
        CHECK(t.listed == t.all);
        most = std::max(most, t.all.size());
    }
    CHECK(most > 20);
}

TEST_CASE("where bodies are thrown back lists come to look where they are") {
    // Between two walls a little more than half the skin apart: a list that looks where the body is lasts, one that looks ahead ends when
    // the body has turned back.
    Model m = empty_model(Law::Hertz, 1, 0);
    const double skin = 0.8 * radius, gap = 0.27 * skin, v = 2;
    add_sphere(m, {0, 0, 0}, radius, {v, 0, 0});
    m.walls = {plane_wall("left", {-radius - gap, 0, 0}, {1, 0, 0}), plane_wall("right", {radius + gap, 0, 0}, {-1, 0, 0})};
    set_step(m, 0.5);
    m.penalty.skin = skin;
    Run run(m, 1, 0);
    run.advance(8000);
    CHECK(run.state.look.ended >= 8);
    const std::int64_t lists = run.state.rebuilds;
    run.advance(8000);
    CHECK(run.state.rebuilds - lists <= 4);
}

TEST_CASE("bodies are where they were when a list can not be made") {
    Run run(thrown(false));
    run.advance(100);
    const std::vector<Row4> before = run.positions();
    CHECK_THROWS_AS(with_bodies_ahead(run.model, run.state, run.work,
                                      [&] {
                                          CHECK(!same_bits(run.positions(), before));
                                          throw std::runtime_error("no room");
                                      }),
                    std::runtime_error);
    CHECK(same_bits(run.positions(), before));
}
