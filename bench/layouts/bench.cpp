// Layouts of cells and particles compared, with Google Benchmark: time to build and to search, pairs, bytes. Before a layout is timed it
// must find the pairs that all pairs give (up to 20,000 particles) or, above, that compressed rows with the full stencil give. Names:
// OPERATION/STRUCTURE/STORAGE/STENCIL/WALK/ORDER/cell:C/near:N/n:N, and prefix/serial|parallel/n:N. docs/layouts.md says what they mean.
#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/machine.hpp"
#include "layouts/all.hpp"
#include "layouts/studies.hpp"

namespace {

using namespace scree::layouts;

constexpr double memory_limit = 6e9;     // bytes of one cell structure; others may need the machine too
constexpr Id all_pairs_at_most = 20000;  // particles, for the check
constexpr Id particles_in_turn = 32000;  // of all samples of a case together, at least
constexpr Id count_at_most = 1000000;    // particles: bytes and entries per particle hardly change from there on

/// One scene, the layout that holds it, and what a search must find.
struct Sample {
    Scene scene;
    Grid grid;
    PairSum expected;
    std::unique_ptr<Layout> layout;

    void build() const { layout->build(grid); }
    void build_first() const { layout->build_first(grid); }
    PairSum search(const Case& c) const { return layout->search(grid, c.stencil, c.walk); }
    void check(const PairSum& found) const {
        if (found == expected) return;
        throw std::logic_error("wrong pairs: " + std::to_string(found.count) + ", not " + std::to_string(expected.count));
    }
};

Sample make_sample(const Case& c, std::uint64_t seed) {
    Scene scene = make_scene(c.n, c.near, seed);
    const Grid grid(scene.lower, scene.upper, 1, c.cell), reference_grid(scene.lower, scene.upper, 1, 1);
    if (c.sorted) sort_by_cells(scene, grid);
    const auto reference = make_layout(c.n <= all_pairs_at_most ? "brute" : "csr", "points");
    reference->load(scene);
    reference->build(reference_grid);
    const PairSum expected = reference->search(reference_grid, Stencil::Full, Walk::Particles);
    return {std::move(scene), grid, expected, nullptr};
}

/// What is kept from case to case while scene or layout stay the same. Few particles come in several samples that take turns: the branch
/// predictor would learn a thousand of them by heart, and the search would seem four times as fast as it is where particles move.
struct Bench {
    std::tuple<Id, double, bool, double> scene_key{};
    std::pair<std::string, std::string> layout_key;
    std::vector<Sample> samples;
    bool built{false};
    std::map<std::string, QueryCount> checked;  // cases that found the right pairs, by name, with what the search of a sample looks at

    void take_scene(const Case& c) {
        const std::tuple key(c.n, c.near, c.sorted, c.cell);
        if (!samples.empty() && key == scene_key) return;
        samples.clear();
        layout_key = {};
        for (Id k = 0; k * c.n < particles_in_turn; ++k) samples.push_back(make_sample(c, k + 1));
        scene_key = key;
    }
    /// Loaded with the scene, not built.
    void take_layout(const Case& c) {
        const std::pair key(c.structure, c.storage);
        if (key == layout_key) return;
        drop_layout();
        for (Sample& sample : samples) {
            auto layout = make_layout(c.structure, c.storage);
            const double needs = layout->needs(c.n, sample.grid.cells());
            if (needs > memory_limit) throw std::length_error("would take " + std::to_string(static_cast<int>(needs / 1e9)) + " GB");
            layout->load(sample.scene);
            sample.layout = std::move(layout);
        }
        layout_key = key;
    }
    void drop_layout() {
        for (Sample& sample : samples) sample.layout.reset();
        layout_key = {};
        built = false;
    }
    /// Builds, and searches a case once, the first time it comes.
    QueryCount check_once(const Case& c) {
        if (!built) {
            for (const Sample& sample : samples) sample.build();
        }
        built = true;
        if (const auto known = checked.find(c.name()); known != checked.end()) return known->second;
        for (const Sample& sample : samples) sample.check(sample.search(c));
        QueryCount count;
        if (c.operation == "search" && c.n <= count_at_most) count = samples[0].layout->count(samples[0].grid, c.stencil);
        return checked[c.name()] = count;
    }
};

Bench bench;

/// work(sample) over and over, for one sample after the other.
template <class Work>
void take_turns(benchmark::State& state, Work work) {
    std::size_t k = 0;
    for (auto _ : state) {
        work(bench.samples[k]);
        if (++k == bench.samples.size()) k = 0;
    }
}

void time_build(benchmark::State& state, const Case& c) {
    bench.check_once(c);
    if (c.operation == "first") {
        take_turns(state, [](const Sample& sample) { sample.build_first(); });
    } else {
        take_turns(state, [](const Sample& sample) { sample.build(); });
    }
    state.counters["bytes"] = bench.samples[0].layout->build_bytes() / c.n;
}

/// Particles go to and fro between two states; loading them is not timed.
void time_upkeep(benchmark::State& state, const Case& c) {
    const Sample& sample = bench.samples[0];
    Layout& layout = *sample.layout;
    const Scene there = moved(sample.scene, c.drift);
    bench.check_once(c);
    bool at_home = true;
    const auto go = [&] {
        layout.load(at_home ? there : sample.scene);
        at_home = !at_home;
    };
    const auto follow = [&] { c.operation == "update" ? (void)layout.update(sample.grid) : sample.build(); };
    for (auto _ : state) {
        state.PauseTiming();
        go();
        state.ResumeTiming();
        follow();
    }
    if (!at_home) {
        go();
        follow();
    }
    sample.check(sample.search(c));
    double crossed = 0;
    for (Id i = 0; i < c.n; ++i) crossed += sample.grid.cell(there.position[i]) != sample.grid.cell(sample.scene.position[i]);
    state.counters["left_their_cell"] = crossed / c.n;
    bench.drop_layout();  // updated lists are in another order than built ones
}

void time_search(benchmark::State& state, const Case& c) {
    const QueryCount count = bench.check_once(c);
    bool right = true;
    PairSum found;
    take_turns(state, [&](const Sample& sample) {
        found = sample.search(c);
        right = right && found == sample.expected;
    });
    if (!right) throw std::logic_error("wrong pairs while timed");
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
        load(bench.samples[0].scene, from);
        to.resize(c.n);
        Csr<SerialPrefix> cells;
        cells.build(from, bench.samples[0].grid);
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
        if (bench.samples[0].layout) state.counters["held"] = bench.samples[0].layout->bytes() / c.n;
        state.counters["cells"] = bench.samples[0].grid.cells();
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
    benchmark::AddCustomContext("compiler", scree::bench::compiler_name());
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
