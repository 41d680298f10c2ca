// Times the whole step on a settled bed of frictional Hertz spheres (scenes/beds.hpp), for numbers of bodies, precisions and threads.
// Runs of the variants alternate, so that a change of the machine's speed meets all of them. JSON to a file, a table to the terminal.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "common/arguments.hpp"
#include "common/clock.hpp"
#include "common/json.hpp"
#include "common/machine.hpp"
#include "engine/engine.hpp"
#include "scenes/beds.hpp"

namespace {

using namespace scree;
using namespace scree::bench;

constexpr const char* usage =
    "bench_bed [--bodies 10000,100000] [--precision double,mixed] [--threads 1,2] [--device cpu|cuda] [--sizes equal|spread]\n"
    "          [--tilt DEGREES] [--skin METRES|auto] [--steps N, 0: by size] [--warm STEPS] [--repeats N] [--beds FOLDER] [--json FILE]\n";

/// One engine that is timed, and what was seen of it.
struct Variant {
    std::string precision;
    int threads{0};
    std::unique_ptr<Engine> engine;
    std::vector<double> wall, cpu;        // of each repeat [s]
    std::map<std::string, double> stage;  // seconds over all repeats
    std::int64_t rebuilds{0};             // over all repeats
    std::int64_t pairs{0}, contacts{0}, wall_contacts{0}, memory{0};
    double skin{0};
};

std::map<std::string, double> stage_seconds(const Engine& engine) {
    std::map<std::string, double> out;
    for (const StageTime& s : engine.stage_times()) out[s.name] = s.seconds;
    return out;
}

void advance(Engine& engine, std::int64_t steps) {
    const BatchReport report = engine.advance(steps);
    if (report.steps_done != steps) throw RunError("the run stopped at step " + std::to_string(report.fault.step));
}

void run_once(Variant& v, std::int64_t steps) {
    const std::map<std::string, double> before = stage_seconds(*v.engine);
    const std::int64_t rebuilds = v.engine->counters().rebuilds;
    const Elapsed took = time_of([&] { advance(*v.engine, steps); });
    v.wall.push_back(took.wall);
    v.cpu.push_back(took.cpu);
    v.rebuilds += v.engine->counters().rebuilds - rebuilds;
    for (const auto& [name, seconds] : stage_seconds(*v.engine)) {
        const auto old = before.find(name);
        v.stage[name] += seconds - (old == before.end() ? 0 : old->second);
    }
}

void look_at(Variant& v) {
    const Measurement m = v.engine->measure();
    v.contacts = m.contacts;
    v.wall_contacts = m.wall_contacts;
    v.pairs = v.engine->counters().pairs;
    v.skin = v.engine->counters().skin;
    v.memory = static_cast<std::int64_t>(v.engine->memory_bytes());
}

std::vector<Variant> make_variants(const Model& model, const Arguments& args, std::int64_t warm) {
    std::vector<Variant> variants;
    const bool cuda = args.text("--device") == "cuda";
    for (const std::string& precision : args.list("--precision")) {
        for (const std::string& threads : cuda ? std::vector<std::string>{"0"} : args.list("--threads")) {
            Variant v;
            v.precision = precision;
            v.threads = std::atoi(threads.c_str());
            EngineOptions options;
            options.device = cuda ? Device::Cuda : Device::Cpu;
            options.precision = precision == "mixed" ? Precision::Mixed : Precision::Double;
            options.threads = v.threads;
            v.engine = make_engine(model, options);
            advance(*v.engine, warm);
            variants.push_back(std::move(v));
        }
    }
    return variants;
}

void put_variant(JsonWriter& json, const Variant& v, std::int64_t n, std::int64_t steps) {
    const double particle_steps = static_cast<double>(n) * static_cast<double>(steps);
    const double all_steps = static_cast<double>(steps) * static_cast<double>(v.wall.size());
    json.open();
    json.put("bodies", n).put("precision", v.precision).put("threads", v.threads).put("device", v.engine->device_name());
    json.put("particle_steps_per_second", particle_steps / least(v.wall));
    json.put("particle_steps_per_second_median", particle_steps / median(v.wall));
    json.put("particle_steps_per_cpu_second", particle_steps / least(v.cpu));
    json.put("cpu_seconds_per_wall_second", median(v.cpu) / median(v.wall));
    json.put("steps", steps).put("repeats", static_cast<std::int64_t>(v.wall.size())).put("rebuilds", v.rebuilds);
    json.put("nanoseconds_per_contact",
             1e9 * least(v.wall) / (static_cast<double>(v.contacts + v.wall_contacts) * static_cast<double>(steps)));
    json.put("pairs_per_body", static_cast<double>(v.pairs) / static_cast<double>(n));
    json.put("contacts_per_body", static_cast<double>(v.contacts) / static_cast<double>(n));
    json.put("wall_contacts", v.wall_contacts).put("skin", v.skin);
    json.put("bytes_per_body", static_cast<double>(v.memory) / static_cast<double>(n));
    json.open("stage_microseconds_per_step");
    for (const auto& [name, seconds] : v.stage) {
        if (seconds > 0) json.put(name, 1e6 * seconds / all_steps);
    }
    json.close();
    json.close();
}

void print_row(const Variant& v, std::int64_t n, std::int64_t steps) {
    const double particle_steps = static_cast<double>(n) * static_cast<double>(steps);
    double total = 0;
    for (const auto& [name, seconds] : v.stage) total += name == "measure" ? 0 : seconds;
    const auto share = [&](const char* stage) {
        const auto found = v.stage.find(stage);
        return found == v.stage.end() ? 0.0 : 100 * found->second / total;
    };
    std::printf("%9lld  %-6s %3d %9.2f %7.2f %7.2f   %4.0f %4.0f %4.0f   %6.2f %6.2f %6.0f %8lld\n", static_cast<long long>(n),
                v.precision.c_str(), v.threads, 1e-6 * particle_steps / least(v.wall), 1e-6 * particle_steps / median(v.wall),
                1e-6 * particle_steps / least(v.cpu), share("contacts"), share("motion"), share("pair list"),
                static_cast<double>(v.pairs) / static_cast<double>(n), static_cast<double>(v.contacts) / static_cast<double>(n),
                static_cast<double>(v.memory) / static_cast<double>(n), static_cast<long long>(v.rebuilds));
    std::fflush(stdout);
}

/// Steps timed at once: about a second of one core, 50 to 1,000.
std::int64_t timed_steps(const Arguments& args, std::int64_t n) {
    const auto asked = static_cast<std::int64_t>(args.number("--steps"));
    if (asked > 0) return asked;
    const double by_size = 2e7 / static_cast<double>(n);
    return static_cast<std::int64_t>(by_size < 50 ? 50 : (by_size > 1000 ? 1000 : by_size));
}

int run(const Arguments& args) {
    JsonWriter json;
    json.open().put("benchmark", "bed").put("sizes", args.text("--sizes")).put("tilt_degrees", args.number("--tilt"));
    put_machine(json);
    json.open_list("results");
    std::printf("   bodies  real  thr  best M/s  median  /cpu s  %%con %%mot %%list    pairs  conts B/body rebuilds\n");
    const Sizes sizes = args.text("--sizes") == "spread" ? Sizes::Spread : Sizes::Equal;
    const double skin = args.text("--skin") == "auto" ? 0 : args.number("--skin");
    for (const std::string& count : args.list("--bodies")) {
        const auto n = static_cast<std::int64_t>(std::atof(count.c_str()));
        const Bed bed = settled_bed(n, sizes, args.text("--beds"));
        const auto bodies = static_cast<std::int64_t>(bed.bodies.size());
        const std::int64_t steps = timed_steps(args, bodies);
        std::vector<Variant> variants =
            make_variants(bed_model(bed, skin, args.number("--tilt")), args, static_cast<std::int64_t>(args.number("--warm")));
        for (int k = 0; k < static_cast<int>(args.number("--repeats")); ++k) {
            for (Variant& v : variants) run_once(v, steps);
        }
        for (Variant& v : variants) {
            look_at(v);
            put_variant(json, v, bodies, steps);
            print_row(v, bodies, steps);
        }
    }
    json.close_list().put("peak_memory_bytes", peak_memory()).close();
    if (!args.text("--json").empty()) {
        std::ofstream file(args.text("--json"));
        file << json.text();
        if (!file.flush()) throw RunError("cannot write " + args.text("--json"));
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments args(argc, argv,
                         {{"--bodies", "10000,100000"},
                          {"--precision", "double,mixed"},
                          {"--threads", "1,2"},
                          {"--device", "cpu"},
                          {"--sizes", "equal"},
                          {"--tilt", "0"},
                          {"--skin", "2e-4"},
                          {"--steps", "0"},
                          {"--warm", "1000"},
                          {"--repeats", "3"},
                          {"--beds", "build/beds"},
                          {"--json", ""}},
                         usage);
    try {
        return run(args);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_bed: %s\n", e.what());
        return 1;
    }
}
