// Layouts of cells and particles compared, with Google Benchmark: time to build and to search, pairs, bytes. Before a layout is timed it
// must find the pairs that all pairs give (up to 20,000 particles) or, above, that compressed rows with the full stencil give. Names:
// OPERATION/STRUCTURE/STORAGE/STENCIL/WALK/ORDER/cell:C/near:N/n:N, and prefix/serial|parallel/n:N. docs/layouts.md says what they mean.
#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include "common/machine.hpp"
#include "layouts/all.hpp"
#include "layouts/studies.hpp"

namespace {

using namespace scree::layouts;

constexpr double memory_limit = 6e9;     // bytes of one cell structure; others may need the machine too
constexpr Id all_pairs_at_most = 20000;  // particles, for the check
constexpr Id count_at_most = 1000000;    // particles: bytes and entries per particle hardly change from there on

/// What is kept from case to case while scene or layout stay the same.
struct Bench {
    std::tuple<Id, double, bool, double> scene_key{};
    std::optional<Grid> grid;
    Scene scene;
    PairSum expected;
    std::pair<std::string, std::string> layout_key;
    std::unique_ptr<Layout> layout;
    bool built{false};
    std::map<std::string, QueryCount> checked;  // cases that found the right pairs, by name, with what their search looks at

    void take_scene(const Case& c) {
        const std::tuple key(c.n, c.near, c.sorted, c.cell);
        if (grid && key == scene_key) return;
        drop_layout();
        scene = make_scene(c.n, c.near);
        grid.emplace(scene.lower, scene.upper, 1, c.cell);
        if (c.sorted) sort_by_cells(scene, *grid);
        scene_key = key;
        const Grid reference_grid(scene.lower, scene.upper, 1, 1);
        const auto reference = make_layout(c.n <= all_pairs_at_most ? "brute" : "csr", "points");
        reference->load(scene);
        reference->build(reference_grid);
        expected = reference->search(reference_grid, Stencil::Full, Walk::Particles);
    }
    /// Loaded with the scene, not built.
    void take_layout(const Case& c) {
        const std::pair key(c.structure, c.storage);
        if (layout && key == layout_key) return;
        drop_layout();
        auto wanted = make_layout(c.structure, c.storage);
        const double needs = wanted->needs(c.n, grid->cells());
        if (needs > memory_limit) throw std::length_error("would take " + std::to_string(static_cast<int>(needs / 1e9)) + " GB");
        wanted->load(scene);
        layout = std::move(wanted);
        layout_key = key;
    }
    void build_layout() {
        if (!built) layout->build(*grid);
        built = true;
    }
    void drop_layout() {
        layout.reset();
        built = false;
    }
    /// Builds, and searches a case once, the first time it comes.
    QueryCount check_once(const Case& c) {
        build_layout();
        if (const auto known = checked.find(c.name()); known != checked.end()) return known->second;
        check(layout->search(*grid, c.stencil, c.walk));
        QueryCount count;
        if (c.operation == "search" && c.n <= count_at_most) count = layout->count(*grid, c.stencil);
        return checked[c.name()] = count;
    }

    void check(const PairSum& found) const {
        if (!(found == expected))
            throw std::logic_error("wrong pairs: " + std::to_string(found.count) + ", not " + std::to_string(expected.count));
    }
};

Bench bench;

void time_build(benchmark::State& state, const Case& c) {
    Layout& layout = *bench.layout;
    bench.check_once(c);
    for (auto _ : state) c.operation == "first" ? layout.build_first(*bench.grid) : layout.build(*bench.grid);
    state.counters["bytes"] = layout.build_bytes() / c.n;
}

/// Particles go to and fro between two states; loading them is not timed.
void time_upkeep(benchmark::State& state, const Case& c) {
    Layout& layout = *bench.layout;
    const Scene there = moved(bench.scene, c.drift);
    bench.check_once(c);
    bool at_home = true;
    for (auto _ : state) {
        state.PauseTiming();
        layout.load(at_home ? there : bench.scene);
        at_home = !at_home;
        state.ResumeTiming();
        if (c.operation == "update") {
            layout.update(*bench.grid);
        } else {
            layout.build(*bench.grid);
        }
    }
    if (!at_home) {
        layout.load(bench.scene);
        c.operation == "update" ? (void)layout.update(*bench.grid) : layout.build(*bench.grid);
    }
    bench.check(layout.search(*bench.grid, Stencil::Half, c.walk));
    double crossed = 0;
    for (Id i = 0; i < c.n; ++i) crossed += bench.grid->cell(there.position[i]) != bench.grid->cell(bench.scene.position[i]);
    state.counters["left_their_cell"] = crossed / c.n;
    bench.drop_layout();  // updated lists are in another order than built ones
}

void time_search(benchmark::State& state, const Case& c) {
    const Layout& layout = *bench.layout;
    const QueryCount count = bench.check_once(c);
    PairSum found;
    for (auto _ : state) found = layout.search(*bench.grid, c.stencil, c.walk);
    bench.check(found);
    const double n = c.n;
    if (count.rows + count.entries > 0) {
        state.counters["bytes"] = count.bytes / n;
        state.counters["entries"] = static_cast<double>(count.entries) / n;
        state.counters["tested"] = static_cast<double>(count.tested) / n;
    }
    state.counters["pairs"] = static_cast<double>(found.count) / n;
}

/// Particles brought into the order of cells, which is known: what keeping them sorted costs, beside a build.
void time_reorder(benchmark::State& state, const Case& c) {
    for_each_storage([&]<class Particles>() {
        if (c.storage != Particles::name) return;
        Particles from, to;
        load(bench.scene, from);
        to.resize(c.n);
        Csr<SerialPrefix> cells;
        cells.build(from, *bench.grid);
        for (auto _ : state) {
            reorder(from, cells.order(), to);
            benchmark::DoNotOptimize(to);
            benchmark::ClobberMemory();
        }
    });
}

void time_case(benchmark::State& state, const Case& c) {
    try {
        bench.take_scene(c);
        bench.take_layout(c);
        if (c.operation == "reorder") {
            time_reorder(state, c);
        } else if (c.drift > 0) {
            time_upkeep(state, c);
        } else if (c.operation == "search") {
            time_search(state, c);
        } else {
            time_build(state, c);
        }
        if (bench.layout) state.counters["held"] = bench.layout->bytes() / c.n;
        state.counters["cells"] = bench.grid->cells();
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

/// Running sums in place, over and over: they wrap around, which costs the same.
template <class Prefix>
void time_prefix(benchmark::State& state, std::size_t n) {
    std::vector<std::uint32_t> counts(n, 1);
    for (auto _ : state) {
        Prefix::sum(counts);
        benchmark::DoNotOptimize(counts.data());
        benchmark::ClobberMemory();
    }
    state.counters["bytes"] = Prefix::bytes_each;
}

void register_one(const std::string& name, const std::function<void(benchmark::State&)>& work) {
    benchmark::RegisterBenchmark(name.c_str(), work)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime();
}

}  // namespace

int main(int argc, char** argv) {
    for (const Case& c : all_cases()) register_one(c.name(), [c](benchmark::State& state) { time_case(state, c); });
    for (const std::size_t n : {1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u}) {
        register_one("prefix/serial/n:" + std::to_string(n), [n](benchmark::State& state) { time_prefix<SerialPrefix>(state, n); });
        register_one("prefix/parallel/n:" + std::to_string(n), [n](benchmark::State& state) { time_prefix<ParallelPrefix>(state, n); });
    }
    benchmark::AddCustomContext("processor", scree::bench::processor_name());
    benchmark::AddCustomContext("vector_instructions", scree::bench::vector_instructions());
    benchmark::AddCustomContext("compiler", std::string("gcc ") + __VERSION__);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
