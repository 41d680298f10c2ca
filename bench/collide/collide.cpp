// Times collision detection on its own, from positions in no order to the list of pairs: spheres anywhere in a cube, with a given mean
// number of neighbours. Memory is kept from call to call; everything else is done anew. JSON to a file, a table to the terminal.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "base/brief_waits.hpp"
#include "base/rng.hpp"
#include "common/arguments.hpp"
#include "common/clock.hpp"
#include "common/json.hpp"
#include "common/machine.hpp"
#include "common/program.hpp"
#include "engine/collide.hpp"

namespace {

using namespace scree;

constexpr const char* usage =
    "bench_collide [--sizes 1e5,1e6,1e7] [--threads 1,2] [--neighbours 6,44] [--ratios 1] [--methods grid,levels,bins]\n"
    "              [--device cpu|cuda|cuda:1] [--precision double|mixed] [--repeats 7] [--json FILE]\n"
    "  --ratios: of the largest radius to the smallest, radii even in their logarithm; neighbours are those of the largest among "
    "themselves\n";

struct Spheres {
    std::vector<double> x, y, z, r;
    SphereView view() const { return {x.data(), y.data(), z.data(), r.data(), static_cast<std::int64_t>(x.size())}; }
};

/// n spheres in a unit cube; of diameter d each has 4/3 pi d^3 n neighbours on average.
Spheres scattered(std::int64_t n, double neighbours, double ratio) {
    const double d = std::cbrt(neighbours / (4.0 / 3.0 * 3.141592653589793 * static_cast<double>(n)));
    Spheres s;
    Rng rng(1, 2);
    for (std::int64_t k = 0; k < n; ++k) {
        s.x.push_back(rng.uniform());
        s.y.push_back(rng.uniform());
        s.z.push_back(rng.uniform());
        s.r.push_back(ratio > 1 ? 0.5 * d * std::pow(ratio, rng.uniform() - 1) : 0.5 * d);
    }
    return s;
}

CollideMethod method_of(const std::string& name) {
    if (name == "brute") return CollideMethod::Brute;
    if (name == "grid") return CollideMethod::Grid;
    if (name == "levels") return CollideMethod::Levels;
    if (name == "bins") return CollideMethod::Bins;
    if (name == "auto") return CollideMethod::Auto;
    throw std::runtime_error("no method " + name);
}

struct Case {
    std::int64_t n;
    double neighbours, ratio;
    std::string method;
    int threads;
};

struct Timing {
    CollideReport report;           // of the best repeat
    std::vector<double> wall, cpu;  // of each repeat [s]
};

Timing time_case(const Case& c, const Spheres& spheres, const bench::Arguments& args) {
    CollideSettings settings;
    settings.threads = c.threads;
    const Device device = parse_device(args.text("--device"));
    const auto collider = make_collider(device, args.text("--precision") == "mixed" ? Precision::Mixed : Precision::Double, settings);
    Timing timing;
    collider->find(spheres.view(), method_of(c.method), {});  // makes room
    const int repeats = std::max(1, static_cast<int>(args.number("--repeats")));
    for (int k = 0; k < repeats; ++k) {
        CollideReport report;
        const bench::Elapsed took = bench::time_of([&] { report = collider->find(spheres.view(), method_of(c.method), {}); });
        if (timing.wall.empty() || took.wall < bench::least(timing.wall)) timing.report = report;
        timing.wall.push_back(took.wall);
        timing.cpu.push_back(took.cpu);
    }
    return timing;
}

void put(bench::JsonWriter& json, const Case& c, const Timing& t) {
    const auto n = static_cast<double>(c.n);
    const double wall = bench::least(t.wall), cpu = bench::least(t.cpu);
    json.open().put("bodies", c.n).put("neighbours", c.neighbours).put("ratio", c.ratio).put("method", c.method).put("threads", c.threads);
    json.put("contacts", t.report.contacts).put("pairs_tested", t.report.tested);
    json.put("wall_seconds_min", wall).put("wall_seconds_median", bench::median(t.wall)).put("cpu_seconds_min", cpu);
    json.put("wall_seconds", t.wall).put("cpu_seconds", t.cpu);
    json.put("nanoseconds_per_body", 1e9 * wall / n).put("cpu_nanoseconds_per_body", 1e9 * cpu / n);
    json.put("contacts_per_second", static_cast<double>(t.report.contacts) / wall);
    json.put("bytes_per_body", static_cast<double>(t.report.bytes) / n);
    json.open("stage_nanoseconds_per_body");
    for (const StageTime& s : t.report.stages) json.put(s.name, 1e9 * s.seconds / n);
    json.close().close();
    std::printf("%9lld %4g %6g %-7s %3d %10lld %10.2f %10.1f %10.1f %10.1f %8.1f\n", static_cast<long long>(c.n), c.neighbours, c.ratio,
                c.method.c_str(), c.threads, static_cast<long long>(t.report.contacts), static_cast<double>(t.report.tested) / n,
                1e9 * wall / n, 1e9 * bench::median(t.wall) / n, 1e9 * cpu / n, static_cast<double>(t.report.bytes) / n);
    std::fflush(stdout);
}

int run(const bench::Arguments& args) {
    bench::JsonWriter json;
    json.open().put("benchmark", "collide").put("device", args.text("--device")).put("precision", args.text("--precision"));
    bench::put_machine(json);
    json.open_list("results");
    std::printf("   bodies near  ratio method  thr   contacts  tested/body  ns/body  median     cpu ns   bytes/body\n");
    for (const std::string& size : args.list("--sizes")) {
        for (const std::string& near : args.list("--neighbours")) {
            for (const std::string& ratio : args.list("--ratios")) {
                const auto n = static_cast<std::int64_t>(std::atof(size.c_str()));
                const double neighbours = std::atof(near.c_str()), spread = std::atof(ratio.c_str());
                const Spheres spheres = scattered(n, neighbours, spread);
                for (const std::string& method : args.list("--methods")) {
                    for (const std::string& threads : args.list("--threads")) {
                        const Case c{n, neighbours, spread, method, std::atoi(threads.c_str())};
                        put(json, c, time_case(c, spheres, args));
                    }
                }
            }
        }
    }
    json.close_list().put("peak_memory_bytes", bench::peak_memory()).close();
    bench::write_json(json, args);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    scree::ask_for_brief_waits(argv);
    const bench::Arguments args(argc, argv,
                                {{"--sizes", "1e5,1e6,1e7"},
                                 {"--threads", "1,2"},
                                 {"--neighbours", "6,44"},
                                 {"--ratios", "1"},
                                 {"--methods", "grid,levels,bins"},
                                 {"--device", "cpu"},
                                 {"--precision", "double"},
                                 {"--repeats", "7"},
                                 {"--json", ""}},
                                usage);
    return bench::run_program("bench_collide", run, args);
}
