// Times the whole step on settled beds of polyhedra (scenes/solids.hpp), for numbers of bodies, shapes and triangles of the floor.
// As bench_bed: variants take turns, JSON to a file, a table to the terminal.
#include <cstdio>
#include <string>
#include <vector>

#include "base/brief_waits.hpp"
#include "base/error.hpp"
#include "common/clock.hpp"
#include "common/machine.hpp"
#include "scenes/solids.hpp"
#include "scenes/variants.hpp"

namespace {

using namespace scree;
using namespace scree::bench;

constexpr const char* usage =
    "bench_polyhedra [--bodies 1000,10000] [--shapes cube,football] [--floor 0,1000] [--young PASCAL] [--precision double,mixed]\n"
    "                [--threads 1,2] [--device cpu|cuda|cuda:1] [--recorded -1,0,1,16] [--steps N, 0: by size] [--warm STEPS]\n"
    "                [--repeats N] [--json FILE]\n";

/// Steps timed at once: about a second of one core, 20 to 500.
std::int64_t timed_steps(const Arguments& args, std::int64_t n) {
    const auto asked = static_cast<std::int64_t>(args.number("--steps"));
    if (asked > 0) return asked;
    const double by_size = 5e5 / static_cast<double>(n);
    return static_cast<std::int64_t>(by_size < 20 ? 20 : (by_size > 500 ? 500 : by_size));
}

void time_bed(const SolidBed& bed, const Arguments& args, JsonWriter& json) {
    const Model model = settled_solids(bed);
    const auto bodies = static_cast<std::int64_t>(model.bodies.size());
    const std::int64_t steps = timed_steps(args, bodies);
    std::vector<Variant> variants = make_variants(model, args, static_cast<std::int64_t>(args.number("--warm")));
    time_variants(variants, steps, static_cast<int>(args.number("--repeats")));
    for (const Variant& v : variants) {
        json.open();
        json.put("shape", bed.shape).put("faces", static_cast<std::int64_t>(model.shapes[0].faces()));
        json.put("floor_triangles", bed.floor_triangles).put("young", bed.young).put("step", model.dt);
        json.put("max_overlap_over_edge", v.max_overlap * model.bodies.radius[0] / 0.01);
        const double rate = static_cast<double>(bodies * steps) / least(v.wall);
        json.put("body_seconds_per_wall_second", rate * model.dt);
        put_figures(json, v, bodies, steps);
        json.close();
        std::printf("%-12s floor %6lld, dt %.3g s, overlap %.4f edge, %.3g body-s/s\n", bed.shape.c_str(),
                    static_cast<long long>(bed.floor_triangles), model.dt, v.max_overlap * model.bodies.radius[0] / 0.01, rate * model.dt);
        print_row(v, bodies, steps);
    }
}

int run(const Arguments& args) {
    JsonWriter json;
    json.open().put("benchmark", "polyhedra");
    put_machine(json);
    json.open_list("results");
    print_head();
    for (const std::string& shape : args.list("--shapes")) {
        for (const std::string& floor : args.list("--floor")) {
            for (const std::string& count : args.list("--bodies")) {
                SolidBed bed;
                bed.shape = shape;
                bed.young = args.number("--young");
                bed.bodies = static_cast<std::int64_t>(std::atof(count.c_str()));
                bed.floor_triangles = static_cast<std::int64_t>(std::atof(floor.c_str()));
                time_bed(bed, args, json);
            }
        }
    }
    json.close_list().put("peak_memory_bytes", peak_memory()).close();
    write_json(json, args);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    scree::ask_for_brief_waits(argv);
    const Arguments args(argc, argv,
                         {{"--bodies", "1000,10000"},
                          {"--shapes", "cube"},
                          {"--floor", "0"},
                          {"--young", "1e6"},
                          {"--precision", "double"},
                          {"--threads", "1"},
                          {"--device", "cpu"},
                          {"--recorded", "-1"},
                          {"--steps", "0"},
                          {"--warm", "200"},
                          {"--repeats", "3"},
                          {"--json", ""}},
                         usage);
    return run_program("bench_polyhedra", run, args);
}
