// Times each primitive of engine/exec in one flavor: what the machine gives, and what a stage built from them can reach at best.
// JSON to a file, a table to the terminal. Exits with 77 (skipped) where the flavor's device does not answer.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/brief_waits.hpp"
#include "base/error.hpp"
#include "common/arguments.hpp"
#include "common/json.hpp"
#include "common/machine.hpp"
#include "engine/exec/device.hpp"
#include "micro/micro.hpp"

namespace {

using namespace scree;
using namespace scree::SCREE_FLAVOR;
using namespace scree::SCREE_FLAVOR::micro;

constexpr const char* usage = "bench_micro_" SCREE_FLAVOR_NAME
                              " [--sizes 1e5,1e6,1e7] [--threads 1,2] [--seconds 0.3, spent on each entry]\n"
                              "    [--primitives loops,sorting] [--json FILE]\n";

/// std::sort's time over sort_pairs' for the same keys, both on one thread; 0 where one of them is missing.
double times_std_sort(const std::vector<Entry>& entries, const Entry& sort) {
    for (const Entry& e : entries) {
        if (e.name == "std::sort" && e.n == sort.n && e.key_bits == sort.key_bits) return e.cpu_min / sort.cpu_min;
    }
    return 0;
}

void put_entry(bench::JsonWriter& json, const std::vector<Entry>& entries, const Entry& e) {
    json.open().put("primitive", e.name).put("n", static_cast<std::int64_t>(e.n)).put("threads", e.threads);
    if (e.key_bits > 0) json.put("key_bits", e.key_bits);
    json.put("samples", e.samples).put("wall_seconds_min", e.wall_min).put("wall_seconds_median", e.wall_median);
    json.put("cpu_seconds_min", e.cpu_min).put("nanoseconds_each", 1e9 * e.wall_min / static_cast<double>(e.n));
    if (e.bytes > 0) json.put("gigabytes_per_second", 1e-9 * e.bytes / e.wall_min);
    const double faster = e.name == "sort_pairs" && e.threads == 1 ? times_std_sort(entries, e) : 0;
    if (faster > 0) json.put("times_std_sort", faster);
    json.close();
}

void print_entry(const std::vector<Entry>& entries, const Entry& e) {
    const auto n = static_cast<double>(e.n);
    std::printf("%-20s %9lld %3d %4d %11.1f %11.1f %11.1f %8.2f", e.name.c_str(), static_cast<long long>(e.n), e.threads, e.key_bits,
                1e6 * e.wall_min, 1e6 * e.wall_median, 1e6 * e.cpu_min, 1e9 * e.wall_min / n);
    if (e.bytes > 0) std::printf(" %7.1f GB/s", 1e-9 * e.bytes / e.wall_min);
    const double faster = e.name == "sort_pairs" && e.threads == 1 ? times_std_sort(entries, e) : 0;
    if (faster > 0) std::printf(" %6.2f x std::sort", faster);
    std::printf("\n");
}

int run(const bench::Arguments& args) {
    const std::string problem = device_problem();
    if (!problem.empty()) {
        std::printf("skipped: %s\n", problem.c_str());
        return 77;
    }
    Settings settings;
    settings.seconds = args.number("--seconds");
    for (const std::string& n : args.list("--sizes")) settings.sizes.push_back(static_cast<Index>(std::atof(n.c_str())));
    for (const std::string& t : args.list("--threads")) settings.threads.push_back(std::atoi(t.c_str()));
    if (on_device) settings.threads = {1};
    std::vector<Entry> entries;
    for (const std::string& primitives : args.list("--primitives")) {
        if (primitives == "loops") time_loops(settings, entries);
        if (primitives == "sorting") time_sorting(settings, entries);
    }

    bench::JsonWriter json;
    json.open().put("benchmark", "micro").put("flavor", SCREE_FLAVOR_NAME).put("device", device_name());
    bench::put_machine(json);
    json.open_list("results");
    std::printf("%s on %s\n", SCREE_FLAVOR_NAME, device_name().c_str());
    std::printf("primitive                    n thr bits     best us   median us  cpu best us  ns each\n");
    for (const Entry& e : entries) {
        put_entry(json, entries, e);
        print_entry(entries, e);
    }
    json.close_list().close();
    if (!args.text("--json").empty()) {
        std::ofstream file(args.text("--json"));
        file << json.text();
        if (!file.flush()) throw RunError("cannot write " + args.text("--json"));
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    scree::ask_for_brief_waits(argv);
    const bench::Arguments args(
        argc, argv,
        {{"--sizes", "1e5,1e6,1e7"}, {"--threads", "1,2"}, {"--seconds", "0.3"}, {"--primitives", "loops,sorting"}, {"--json", ""}}, usage);
    try {
        return run(args);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_micro_%s: %s\n", SCREE_FLAVOR_NAME, e.what());
        return 1;
    }
}
