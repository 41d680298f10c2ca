// Colours of manifolds for Gauss–Seidel: both ways to them against a greedy search written plainly, on random problems, hubs, more pairs
// than colours, and a pile; blocks that hold each manifold once; and what they ask of a device.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <vector>

#include "base/rng.hpp"
#include "engine/cone/respond.hpp"
#include "engine/step/step.hpp"
#include "engine/step/storage.hpp"
#include "systems.hpp"

using namespace scree;
using namespace scree::SCREE_FLAVOR;
using namespace scree::test;

namespace {

struct Pair {
    Slot a, b;
    int points;
    std::uint32_t key;
};

/// A table of these pairs, with what colouring reads.
void fill_table(const std::vector<Pair>& pairs, ContactTable& table) {
    std::vector<Touch> touch;
    std::vector<std::uint32_t> key;
    std::vector<Origin> origin;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        for (int q = 0; q < pairs[p].points; ++q) {
            touch.push_back({pairs[p].a, pairs[p].b});
            key.push_back(pairs[p].key + static_cast<std::uint32_t>(q));
            origin.push_back({static_cast<std::int32_t>(p / 2), static_cast<std::uint8_t>(p % 2), static_cast<std::uint8_t>(q)});
        }
    }
    table.count = static_cast<Index>(touch.size());
    table.touch.assign(touch);
    table.key.assign(key);
    table.origin.assign(origin);
}

/// By the definition: pairs by key, each the first colour that neither body has.
std::vector<std::uint32_t> greedy(const std::vector<Pair>& pairs, Index bodies) {
    std::vector<std::size_t> order(pairs.size()), first(pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return pairs[x].key < pairs[y].key; });
    std::size_t rows = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        first[p] = rows;
        rows += static_cast<std::size_t>(pairs[p].points);
    }
    std::vector<std::uint32_t> bucket(rows, kInside);
    std::vector<std::set<int>> used(static_cast<std::size_t>(bodies));
    for (const std::size_t p : order) {
        std::set<int>& a = used[static_cast<std::size_t>(pairs[p].a)];
        std::set<int>& b = used[static_cast<std::size_t>(pairs[p].b < 0 ? pairs[p].a : pairs[p].b)];
        int colour = 0;
        while (a.count(colour) + b.count(colour) > 0) ++colour;
        if (colour >= most_colours) {
            bucket[first[p]] = kInSeries;
            continue;
        }
        bucket[first[p]] = static_cast<std::uint32_t>(colour * most_points + pairs[p].points - 1);
        a.insert(colour);
        b.insert(colour);
    }
    return bucket;
}

std::vector<std::uint32_t> coloured(const Exec& exec, bool in_rounds, ContactTable& table, Index bodies, ColourBuffers& buffers) {
    buffers.in_rounds = in_rounds;
    SortBuffers sort;
    colour_manifolds(exec, table, bodies, sort, buffers);
    for (;;) {
        std::vector<std::uint32_t> bucket = buffers.bucket.host();
        if (std::find(bucket.begin(), bucket.end(), std::uint32_t{kOpen}) == bucket.end()) return bucket;
        REQUIRE(in_rounds);
        colour_further(exec, table, bodies, buffers);
    }
}

/// Every way, thread number and order of visits; returns the rounds that it took and how many are in series.
struct Coloured {
    Index rounds;
    std::ptrdiff_t in_series;
};
Coloured check_colours(const std::vector<Pair>& pairs, Index bodies) {
    ContactTable table;
    fill_table(pairs, table);
    const std::vector<std::uint32_t> expected = greedy(pairs, bodies);
    ColourBuffers buffers;
    if (!on_device) CHECK(coloured(Exec{}, false, table, bodies, buffers) == expected);
    for (const bool shuffle : {false, true}) {
        Exec exec;
        exec.threads = shuffle ? 1 : 3;
        exec.shuffle = shuffle;
        CHECK(coloured(exec, true, table, bodies, buffers) == expected);
    }
    return {buffers.rounds, std::count(expected.begin(), expected.end(), std::uint32_t{kInSeries})};
}

/// Pairs of distinct bodies, some with walls; keys below `keys`, so that few make many equal ones.
std::vector<Pair> random_pairs(Rng& rng, Index bodies, std::size_t count, double keys) {
    std::vector<Pair> pairs;
    while (pairs.size() < count) {
        const auto a = static_cast<Slot>(rng.uniform(0, static_cast<double>(bodies)));
        const auto b = static_cast<Slot>(rng.uniform(-0.2, 1.0) * static_cast<double>(bodies));
        const auto points = 1 + static_cast<int>(rng.uniform(0, 4));
        pairs.push_back({a, b == a || b < 0 ? -1 : b, points, static_cast<std::uint32_t>(rng.uniform(0, keys))});
    }
    return pairs;
}

/// Cubes and spheres that fall on a plate in a box: more bodies lie on the plate than there are colours.
struct Pile {
    Model model;
    State state;
    Workspace work;
    StageTimers timers;

    /// lift: above where they begin to touch soon.
    explicit Pile(bool in_rounds, double rolling = 0, double lift = 0) {
        model = empty_model(Law::Hertz, 0.0, 0.5);
        model.method = Method::Cone;
        model.gravity = {0, 0, -9.81};
        model.dt = 2e-3;
        model.cone.solver = ConeSolver::GaussSeidel;
        model.cone.iterations = 20;
        PairProperties p = model.pairs(0, 0);
        p.rolling_friction = rolling;
        model.pairs.set(0, 0, p);
        model.shapes = {box_shape("cube", {1, 1, 1}), box_shape("plate", {0.7, 0.7, 0.1})};
        model.bodies.add_convex({0.36, 0.36, 0.051 + lift}, {}, 1, model.shapes[1], 0.5 * std::sqrt(0.99), 0, density, {});
        Rng rng(3, 1);
        for (int k = 0; k < 300; ++k) {
            const Vec3 at{0.06 + 0.115 * (k % 6) + 0.01 * rng.uniform(), 0.06 + 0.115 * (k / 6 % 6), 0.155 + lift + 0.104 * (k / 36)};
            if (k % 3 == 0) {
                add_sphere(model, at, 0.05);
            } else {
                model.bodies.add_convex(at, {}, 0, model.shapes[0], 0.05 * std::sqrt(3.0), 0, density, {});
            }
        }
        model.walls = {box_wall("box", {{0, 0, 0}, {0.72, 0.72, 9}})};
        work.exec.scratch = &work.scratch;
        work.cone = std::make_shared<ConeBuffers>();
        work.cone->bodies.sweep.colours.in_rounds = in_rounds;
        load_model(model, false, state, work);
        prepare(model, state, work, timers, true);
    }
    void advance(std::int64_t steps) {
        const BatchReport report = advance_steps(model, state, work, timers, steps, false);
        REQUIRE(report.fault.kind == FaultKind::None);
    }
    std::vector<Row4> positions() const { return state.bodies.position.rows.host(); }
};

bool same_bits(const std::vector<Row4>& a, const std::vector<Row4>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Row4)) == 0;
}

}  // namespace

TEST_CASE("colours of random pairs are those of a greedy search, one after the other and in rounds") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Rng rng(seed, 4);
        const auto bodies = static_cast<Index>(rng.uniform(1, 300));
        const auto count = static_cast<std::size_t>(rng.uniform(0, 6) * static_cast<double>(bodies));
        check_colours(random_pairs(rng, bodies, count, seed % 3 == 0 ? 20 : 4e9), bodies);
    }
    check_colours({}, 5);
}

TEST_CASE("where there are too few colours the rest is in series, and a body of thousands of pairs takes few rounds") {
    Rng rng(5, 4);
    // Twelve bodies with hundreds of pairs among them; one that all others touch, in a net of their own.
    CHECK(check_colours(random_pairs(rng, 12, 600, 4e9), 12).in_series > 100);
    constexpr Index others = 4000;
    std::vector<Pair> pairs = random_pairs(rng, others, 8000, 4e9);
    for (Slot k = 0; k < others; ++k)
        pairs.push_back({k % 2 == 0 ? Slot{others} : k, k % 2 == 0 ? k : Slot{others}, 2, static_cast<std::uint32_t>(rng.bits())});
    const Coloured hub = check_colours(pairs, others + 1);
    CHECK(hub.in_series == others - most_colours);
    CHECK(hub.rounds < 3 * most_colours);
}

TEST_CASE("a chain in the order of keys takes as many rounds as it has links") {
    std::vector<Pair> pairs;
    for (Slot k = 0; k < 500; ++k) pairs.push_back({k, k + 1, 1, static_cast<std::uint32_t>(k)});
    CHECK(check_colours(pairs, 501).rounds >= 500);
}

TEST_CASE("a pile goes the same way with colours in rounds, with blocks and without") {
    for (const double rolling : {0.0, 0.01}) {
        CAPTURE(rolling);
        Pile in_turn(false, rolling), in_rounds(true, rolling);
        for (Pile* pile : {&in_turn, &in_rounds}) pile->advance(150);
        CHECK(in_turn.work.cone->report.contacts > 800);
        CHECK(same_bits(in_turn.positions(), in_rounds.positions()));
        CHECK(in_turn.work.cone->bodies.sweep.in_series.size() > 0);
    }
}

TEST_CASE("blocks hold every row of the table once, and no two of their manifolds of one colour share a body") {
    Pile pile(true);
    pile.advance(150);
    const SweepBuffers& buffers = pile.work.cone->bodies.sweep;
    const ContactTable& table = pile.work.cone->table;
    const std::vector<Manifold> manifold = buffers.manifold.host(), in_series = buffers.in_series.host();
    const std::vector<SweepStart> start = buffers.start.host();
    const std::vector<SweepBlock> block = buffers.block.host();
    std::vector<int> seen(static_cast<std::size_t>(table.count), 0);
    const auto see = [&](const Manifold& m) {
        for (std::int32_t q = 0; q < m.count; ++q) ++seen[m.first + static_cast<std::size_t>(q)];
    };
    const auto first_of = [&](std::size_t c) { return start[c * most_points].block * lane_count; };
    for (std::size_t c = 0; c < most_colours; ++c) {
        std::set<Slot> bodies;
        for (Index m = first_of(c); m < first_of(c + 1); ++m) {
            const Manifold& own = manifold[static_cast<std::size_t>(m)];
            see(own);
            if (own.count == 0) continue;
            CHECK(own.count == block[static_cast<std::size_t>(m / lane_count)].points);
            CHECK(bodies.insert(own.a).second);
            if (own.b >= 0) CHECK(bodies.insert(own.b).second);
        }
    }
    for (const Manifold& m : in_series) see(m);
    CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    // What there is room for beyond them is empty.
    CHECK(std::all_of(manifold.begin() + first_of(most_colours), manifold.end(), [](const Manifold& m) { return m.count == 0; }));
    CHECK(std::all_of(block.begin() + first_of(most_colours) / lane_count, block.end(), [](const SweepBlock& b) { return b.points == 0; }));
}

TEST_CASE("what was expected of a layout changes no bit, too little of it or too much") {
    using Change = void (*)(SweepBuffers&);
    const Change changes[] = {
        [](SweepBuffers& buffers) { buffers.most.reset(); },
        [](SweepBuffers& buffers) { buffers.most = SweepSizes{}; },
        [](SweepBuffers& buffers) { buffers.most->colour[1] = 3; },
        [](SweepBuffers& buffers) { buffers.most->colour[most_colours - 1] = 0; },
        [](SweepBuffers& buffers) { buffers.most->blocks -= buffers.most->blocks / 2; },
        [](SweepBuffers& buffers) { buffers.most->values = buffers.most->values > 0 ? 100 : 0; },
        [](SweepBuffers& buffers) { buffers.most->series = 0; },
        [](SweepBuffers& buffers) { buffers.most->series = 1; },
        [](SweepBuffers& buffers) { buffers.colours.rounds = 1; },
        [](SweepBuffers& buffers) {
            for (Index& n : buffers.most->colour) n += 1000;
            buffers.most->blocks += 1000;
            buffers.most->series += buffers.most->series > 0 ? 1000 : 0;
        },
    };
    for (const double rolling : {0.0, 0.01}) {
        CAPTURE(rolling);
        Pile plain(true, rolling);
        plain.advance(100);
        const auto all = static_cast<std::int64_t>(std::size(changes));
        std::vector<std::unique_ptr<Pile>> changed;
        for (std::int64_t k = 0; k < all; ++k) {
            changed.push_back(std::make_unique<Pile>(true, rolling));
            changed.back()->advance(100);
        }
        plain.advance(40);
        for (std::int64_t k = 0; k < all; ++k) {
            CAPTURE(k);
            Pile& pile = *changed[static_cast<std::size_t>(k)];
            SweepBuffers& buffers = pile.work.cone->bodies.sweep;
            for (int step = 0; step < 40; ++step) {
                changes[k](buffers);
                pile.advance(1);
                REQUIRE(buffers.most);
            }
            CHECK(same_bits(pile.positions(), plain.positions()));
        }
    }
}

TEST_CASE("sweeps begin with a step that has no contacts") {
    for (const double rolling : {0.0, 0.01}) {
        CAPTURE(rolling);
        Pile in_turn(false, rolling, 0.05), in_rounds(true, rolling, 0.05);
        in_rounds.advance(10);
        REQUIRE(in_rounds.work.cone->report.contacts == 0);
        in_rounds.advance(60);
        in_turn.advance(70);
        CHECK(in_rounds.work.cone->report.contacts > 0);
        CHECK(same_bits(in_turn.positions(), in_rounds.positions()));
    }
}

TEST_CASE("laying out sweeps takes one look of the host where nothing is expected, else none, and no memory once warm") {
    for (const bool in_rounds : {true, false}) {
        if (on_device && !in_rounds) continue;
        CAPTURE(in_rounds);
        Pile pile(in_rounds);
        pile.advance(150);
        ConeBuffers& cone = *pile.work.cone;
        const auto cost = [&] {
            const Tally before = tally();
            lay_out_sweeps(pile.work.exec, cone.table, pile.state.bodies.count, pile.work.sort, cone.bodies.sweep);
            return tally() - before;
        };
        for (int k = 0; k < 3; ++k) cost();  // sorting swaps its arrays for others, which grow in turn
        for (const bool expected : {true, false}) {
            CAPTURE(expected);
            if (!expected) cone.bodies.sweep.most.reset();
            const Tally once = cost();
            CHECK(once.allocations == 0);
            CHECK(once.waits == (expected || !in_rounds ? 0 : 1));
            CHECK(once.writes == 0);
            CHECK(once.bytes_read < 1024);
            CHECK(cone.bodies.sweep.fit.at(0).misfit == 0);
        }
    }
}
