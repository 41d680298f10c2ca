// Times whole steps of a fluid: a column of water that collapses in a closed tank, from a lattice, after it has begun to run. Thread counts
// and precisions take turns. JSON to a file, a table to the terminal.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/brief_waits.hpp"
#include "common/arguments.hpp"
#include "common/clock.hpp"
#include "common/json.hpp"
#include "common/machine.hpp"
#include "common/program.hpp"
#include "engine/engine.hpp"
#include "scenes/water.hpp"

namespace {

using namespace scree;

constexpr const char* usage =
    "bench_fluid [--bodies 1e4,1e5,1e6] [--dimensions 3] [--iterations 4] [--support 2] [--threads 1,2] [--precision double,mixed]\n"
    "            [--device cpu|cuda|cuda:1] [--warm 50] [--seconds 1] [--repeats 3] [--json FILE]\n";

struct Timed {
    int threads{1};
    std::string precision;
    std::unique_ptr<Engine> engine;
    std::int64_t steps{1};
    std::vector<double> wall, cpu;        // of a step [s]
    std::map<std::string, double> stage;  // [s] over all timed steps
};

void advance(Engine& engine, std::int64_t steps) {
    const BatchReport report = engine.advance(steps);
    if (report.fault.kind != FaultKind::None) throw std::runtime_error("the fluid ended with a fault");
}

std::map<std::string, double> stage_seconds(const Engine& engine) {
    std::map<std::string, double> out;
    for (const StageTime& s : engine.stage_times()) out[s.name] = s.seconds;
    return out;
}

/// Runs it in and chooses the number of steps of a repeat.
void prepare(Timed& t, std::int64_t warm, double seconds) {
    advance(*t.engine, warm);
    const bench::Elapsed took = bench::time_of([&] { advance(*t.engine, 5); });
    t.steps = std::max<std::int64_t>(5, static_cast<std::int64_t>(seconds / (took.wall / 5)));
}

void run_once(Timed& t) {
    const auto before = stage_seconds(*t.engine);
    const bench::Elapsed took = bench::time_of([&] { advance(*t.engine, t.steps); });
    for (const auto& [name, seconds] : stage_seconds(*t.engine)) {
        const auto old = before.find(name);
        t.stage[name] += seconds - (old == before.end() ? 0 : old->second);
    }
    t.wall.push_back(took.wall / static_cast<double>(t.steps));
    t.cpu.push_back(took.cpu / static_cast<double>(t.steps));
}

void put(bench::JsonWriter& json, const Timed& t, const Model& model) {
    const auto n = static_cast<double>(model.bodies.size());
    const double wall = bench::least(t.wall), cpu = bench::least(t.cpu);
    const Measurement m = t.engine->measure();
    json.open().put("bodies", static_cast<std::int64_t>(model.bodies.size())).put("threads", t.threads).put("precision", t.precision);
    json.put("particle_steps_per_second", n / wall).put("particle_steps_per_second_median", n / bench::median(t.wall));
    json.put("particle_steps_per_cpu_second", n / cpu).put("cpu_seconds_per_wall_second", cpu / wall);
    json.put("wall_seconds", t.wall).put("cpu_seconds", t.cpu);
    json.put("bytes_per_body", static_cast<double>(t.engine->memory_bytes()) / n);
    json.put("mean_compression", m.fluid.mean_compression).put("max_compression", m.fluid.max_compression);
    json.open("stage_nanoseconds_per_particle_step");
    const double particle_steps = n * static_cast<double>(t.steps) * static_cast<double>(t.wall.size());
    for (const auto& [name, seconds] : t.stage) json.put(name, 1e9 * seconds / particle_steps);
    json.close().close();
    std::printf("%9zu %3d %-7s %10.3g %10.3g %10.3g %8.0f %10.2g %10.2g\n", model.bodies.size(), t.threads, t.precision.c_str(), n / wall,
                n / bench::median(t.wall), n / cpu, static_cast<double>(t.engine->memory_bytes()) / n, m.fluid.mean_compression,
                m.fluid.max_compression);
    std::fflush(stdout);
}

int run(const bench::Arguments& args) {
    bench::JsonWriter json;
    const auto dimensions = static_cast<int>(args.number("--dimensions"));
    json.open().put("benchmark", "fluid").put("device", args.text("--device")).put("dimensions", dimensions);
    json.put("iterations", static_cast<std::int64_t>(args.number("--iterations"))).put("support", args.number("--support"));
    bench::put_machine(json);
    json.open_list("results");
    std::printf("   bodies thr precision  steps/s     median  per cpu s  bytes      mean C      max C\n");
    for (const std::string& size : args.list("--bodies")) {
        const Model model = bench::water_column(static_cast<std::int64_t>(std::atof(size.c_str())), dimensions,
                                                static_cast<std::int64_t>(args.number("--iterations")), args.number("--support"));
        std::vector<Timed> all;
        for (const std::string& precision : args.list("--precision"))
            for (const std::string& threads : args.list("--threads")) {
                Timed& t = all.emplace_back();
                t.threads = std::atoi(threads.c_str());
                t.precision = precision;
                EngineOptions options;
                options.device = parse_device(args.text("--device"));
                options.precision = precision == "mixed" ? Precision::Mixed : Precision::Double;
                options.threads = t.threads;
                t.engine = make_engine(model, options);
                prepare(t, static_cast<std::int64_t>(args.number("--warm")), args.number("--seconds"));
            }
        for (int k = 0; k < static_cast<int>(args.number("--repeats")); ++k)
            for (Timed& t : all) run_once(t);
        for (const Timed& t : all) put(json, t, model);
    }
    json.close_list().put("peak_memory_bytes", bench::peak_memory()).close();
    bench::write_json(json, args);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    scree::ask_for_brief_waits(argv);
    const bench::Arguments args(argc, argv,
                                {{"--bodies", "1e4,1e5,1e6"},
                                 {"--dimensions", "3"},
                                 {"--iterations", "4"},
                                 {"--support", "2"},
                                 {"--threads", "1,2"},
                                 {"--precision", "double,mixed"},
                                 {"--device", "cpu"},
                                 {"--warm", "50"},
                                 {"--seconds", "1"},
                                 {"--repeats", "3"},
                                 {"--json", ""}},
                                usage);
    return bench::run_program("bench_fluid", run, args);
}
