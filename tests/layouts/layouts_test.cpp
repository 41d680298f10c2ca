// The layouts that docs/layouts.md compares: each finds exactly the pairs of the definition, in any storage, with either stencil, in either
// walk, at any width of cells, again and again in the same memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include <omp.h>

#include "layouts/all.hpp"
#include "layouts/layout.hpp"

using namespace scree;
using namespace scree::layouts;

namespace {

using Pair = std::pair<Id, Id>;

/// By the definition, pair by pair.
std::vector<Pair> wanted_pairs(const Scene& scene, double diameter) {
    std::vector<Pair> pairs;
    for (Id a = 0; a < scene.position.size(); ++a) {
        for (Id b = a + 1; b < scene.position.size(); ++b) {
            if (norm2(scene.position[b] - scene.position[a]) <= diameter * diameter) pairs.emplace_back(a, b);
        }
    }
    return pairs;
}

struct Set {
    const char* name;
    Scene scene;
};

Set set_of(const char* name, std::vector<Vec3> points) {
    Set set{name, {}};
    set.scene.velocity.resize(points.size());
    set.scene.position = std::move(points);
    fit_box(set.scene);
    return set;
}

std::vector<Set> sets() {
    std::vector<Set> sets;
    sets.push_back(set_of("none", {}));
    sets.push_back(set_of("one", {{3, -1, 2}}));
    sets.push_back(set_of("two that touch exactly", {{0, 0, 0}, {1, 0, 0}}));
    sets.push_back(set_of("forty in one place", std::vector<Vec3>(40, Vec3{7, 7, 7})));
    std::vector<Vec3> lattice, far, clusters;
    for (int k = 0; k < 512; ++k) lattice.push_back({1.0 * (k % 8), 1.0 * (k / 8 % 8), 1.0 * (k / 64)});
    sets.push_back(set_of("a lattice that touches exactly", lattice));
    for (const Vec3 p : lattice) far.push_back(1.0 / 3 * p + Vec3{1e6, -1e6, 1e6});
    sets.push_back(set_of("a million diameters away", far));
    Rng rng(5, 6);
    for (int k = 0; k < 600; ++k) {
        const double centre = 9.0 * (k % 3);
        clusters.push_back({centre + 0.5 * rng.normal(), centre + 0.5 * rng.normal(), centre + 0.5 * rng.normal()});
    }
    sets.push_back(set_of("three crowds", clusters));
    sets.push_back({"dilute", make_scene(200, 0.1)});
    sets.push_back({"dense", make_scene(1500, 6)});
    sets.push_back({"packed", make_scene(1500, packed)});
    return sets;
}

template <Stencil stencil, Walk walk, class Particles, class Cells>
std::vector<Pair> found_pairs(const Search<Particles, Cells>& search, const Particles& particles, const Grid& grid) {
    std::vector<Pair> pairs;
    search.template for_each_pair<stencil, walk>(particles, grid, [&](Id a, Id b) { pairs.emplace_back(std::min(a, b), std::max(a, b)); });
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

template <class Particles, class Cells>
void check_search(const Search<Particles, Cells>& search, const Particles& particles, const Grid& grid, const std::vector<Pair>& wanted) {
    CHECK(found_pairs<Stencil::Full, Walk::Particles>(search, particles, grid) == wanted);
    CHECK(found_pairs<Stencil::Full, Walk::Cells>(search, particles, grid) == wanted);
    CHECK(found_pairs<Stencil::Half, Walk::Particles>(search, particles, grid) == wanted);
    CHECK(found_pairs<Stencil::Half, Walk::Cells>(search, particles, grid) == wanted);
}

constexpr double widths[] = {1.0 / 3, 0.5, 1, 1.5, 2};  // of a cell, in diameters

}  // namespace

TEST_CASE("layouts: every structure finds the pairs of the definition") {
    const std::vector<Set> all = sets();
    for_each_structure([&]<class Cells>() {
        for_each_storage([&]<class Particles>() {
            Search<Particles, Cells> search;  // one for all: room of one build serves the next
            for (const Set& set : all) {
                const std::vector<Pair> wanted = wanted_pairs(set.scene, 1);
                Particles particles;
                load(set.scene, particles);
                for (const double width : widths) {
                    CAPTURE(Cells::name);
                    CAPTURE(Particles::name);
                    CAPTURE(set.name);
                    CAPTURE(width);
                    const Grid grid(set.scene.lower, set.scene.upper, 1, width);
                    search.build(particles, grid);
                    check_search(search, particles, grid, wanted);
                }
            }
        });
    });
}

TEST_CASE("layouts: chosen by name, each gives number and sum of the pairs of the definition, sorted or not") {
    Scene scene = make_scene(1500, 6);
    const Grid grid(scene.lower, scene.upper, 1, 1);
    for (const bool sorted : {false, true}) {
        if (sorted) sort_by_cells(scene, grid);
        PairSum wanted;
        for (const auto& [a, b] : wanted_pairs(scene, 1)) wanted.add(a, b);
        for (const std::string& structure : structure_names()) {
            for (const std::string& storage : storage_names()) {
                CAPTURE(structure);
                const auto layout = make_layout(structure, storage);
                layout->load(scene);
                layout->build(grid);
                for (const Walk walk : {Walk::Particles, Walk::Cells}) {
                    CHECK(layout->search(grid, Stencil::Full, walk) == wanted);
                    CHECK(layout->search(grid, Stencil::Half, walk) == wanted);
                }
                layout->build_first(grid);
                CHECK(layout->search(grid, Stencil::Half, Walk::Particles) == wanted);
            }
        }
    }
    CHECK_THROWS(make_layout("csr", "no such storage"));
}

TEST_CASE("layouts: lists that are updated hold what lists built anew hold") {
    const Scene here = make_scene(3000, 6);
    const Grid grid(here.lower, here.upper, 1, 1);
    const auto layout = make_layout("vectors", "points");
    layout->load(here);
    layout->build(grid);
    for (const double time : {0.05, 0.3, 0.0}) {
        const Scene there = moved(here, time);
        PairSum wanted;
        for (const auto& [a, b] : wanted_pairs(there, 1)) wanted.add(a, b);
        layout->load(there);
        CHECK(layout->update(grid));
        CHECK(layout->search(grid, Stencil::Half, Walk::Particles) == wanted);
    }
    CHECK_FALSE(make_layout("csr", "points")->update(grid));
}

TEST_CASE("layouts: the sum of pairs tells sets apart that differ in who is whose partner") {
    PairSum a, b, c;
    a.add(1, 4);
    a.add(2, 3);
    b.add(1, 3);
    b.add(2, 4);
    c.add(3, 2);
    c.add(4, 1);
    CHECK_FALSE(a == b);
    CHECK(a == c);
}

TEST_CASE("layouts: packed particles have twelve neighbours and never crowd, random ones as many as asked for") {
    const Scene scene = make_scene(4 * 8 * 8 * 8, packed);
    std::vector<int> neighbours(scene.position.size(), 0);
    for (const auto& [a, b] : wanted_pairs(scene, 1)) {
        ++neighbours[a];
        ++neighbours[b];
        CHECK(norm(scene.position[b] - scene.position[a]) > 0.9);
    }
    for (Id i = 0; i < neighbours.size(); ++i) {
        const Vec3 p = scene.position[i];
        const double to_border = std::min(
            {p.x - scene.lower.x, p.y - scene.lower.y, p.z - scene.lower.z, scene.upper.x - p.x, scene.upper.y - p.y, scene.upper.z - p.z});
        if (to_border > 1) CHECK(neighbours[i] == 12);
    }
    // Random: six faces cut off 3/16 of a diameter over the edge each, to first order, from the ball about a particle, which on average
    // holds 6. The number of pairs scatters by about its root; 4 of those are allowed, and the second order.
    const Scene random = make_scene(8000, 6);
    const double edge = random.upper.x - random.lower.x;
    const double expected = 8000 * 6 / 2.0 * (1 - 9.0 / 8 / edge);
    CHECK(static_cast<double>(wanted_pairs(random, 1).size()) ==
          doctest::Approx(expected).epsilon(4 / std::sqrt(expected) + 1 / (edge * edge)));
}

TEST_CASE("layouts: running sums do not depend on who makes them") {
    const int threads = omp_get_max_threads();
    for (const std::size_t n : {0u, 1u, 2u, 7u, 1000u, 100003u}) {
        std::vector<std::uint32_t> counts(n), serial;
        Rng rng(3, n);
        for (std::uint32_t& c : counts) c = static_cast<std::uint32_t>(rng.bits() % 5);
        serial = counts;
        SerialPrefix::sum(serial);
        std::uint32_t sum = 0;
        for (std::size_t k = 0; k < n; ++k) CHECK_MESSAGE(serial[k] == (sum += counts[k]), k);
        for (const int t : {1, 2, 5}) {
            omp_set_num_threads(t);
            std::vector<std::uint32_t> parallel = counts;
            ParallelPrefix::sum(parallel);
            CHECK(parallel == serial);
        }
    }
    omp_set_num_threads(threads);
}

TEST_CASE("layouts: what a search reads is counted as by hand") {
    // Two particles in one cell, alone. Each: its own place, 24 bytes. Half stencil: its own cell, one more in its row and four rows of
    // three. In its own cell it meets two entries, of which one is tested in all.
    Scene scene = set_of("two", {{0, 0, 0}, {0.1, 0, 0}}).scene;
    const Grid grid(scene.lower, scene.upper, 1, 1);
    const double lookups_of_rows = 2 * 6, cells_looked_at = 2 * 14, numbers = 4 * 4, place = 24, own = 2 * 24;
    const auto count = [&](const char* structure, Stencil stencil) {
        const auto layout = make_layout(structure, "points");
        layout->load(scene);
        layout->build(grid);
        return layout->count(grid, stencil);
    };
    const QueryCount csr = count("csr", Stencil::Half);
    CHECK(csr.rows == lookups_of_rows);
    CHECK(csr.entries == 4);
    CHECK(csr.tested == 1);
    CHECK(csr.bytes == own + lookups_of_rows * 8 + numbers + place);
    CHECK(count("vectors", Stencil::Half).bytes == own + cells_looked_at * 16 + numbers + place);
    CHECK(count("linked", Stencil::Half).bytes == own + cells_looked_at * 4 + numbers + place);
    CHECK(count("fixed", Stencil::Half).bytes == own + cells_looked_at * 4 + numbers + place);
    CHECK(count("csr", Stencil::Full).bytes == own + 2 * 9 * 8 + numbers + place);
    // Both stencils compare the same pairs, the full one meets most of them twice.
    scene = make_scene(1000, 6);
    const Grid wide(scene.lower, scene.upper, 1, 1);
    const auto layout = make_layout("linked", "components");
    layout->load(scene);
    layout->build(wide);
    const QueryCount half = layout->count(wide, Stencil::Half), full = layout->count(wide, Stencil::Full);
    CHECK(half.tested == full.tested);
    CHECK(full.entries == 2 * full.tested + 1000);
}
