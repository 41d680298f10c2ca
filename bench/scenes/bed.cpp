// Times the whole step on a settled bed of frictional Hertz spheres (scenes/beds.hpp), for numbers of bodies, precisions and threads.
// Runs of the variants alternate, so that a change of the machine's speed meets all of them. JSON to a file, a table to the terminal.
#include <array>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/brief_waits.hpp"
#include "base/error.hpp"
#include "common/clock.hpp"
#include "common/machine.hpp"
#include "scenes/beds.hpp"
#include "scenes/variants.hpp"

namespace {

using namespace scree;
using namespace scree::bench;

constexpr const char* usage =
    "bench_bed [--bodies 10000,100000] [--precision double,mixed] [--threads 1,2] [--device cpu|cuda|cuda:1] [--recorded -1,0,1,16]\n"
    "          [--ratio LARGEST/SMALLEST RADIUS] [--tilt DEGREES] [--skin METRES|auto] [--steps N, 0: by size] [--warm STEPS]\n"
    "          [--repeats N] [--sides walls,periods,shear] [--laws rolling+twisting+COHESION] [--beds FOLDER] [--json FILE]\n";

/// What a step between two lists has to move if each array is read and written once where the step needs it [bytes per body]; a loop that
/// writes without reading is not charged for the fetch (docs/performance.md counts both). In one pass over contacts and motion: of a body
/// its three rows of four, read and written, and where its entries start; of a pair both slots, the tangential history, read and written,
/// where its wrench goes and two entries. In two passes also: of a body the rows once more for the contacts, where it was listed, and its
/// pairs; of a pair the law, and force and twist, written and read by the gather.
double least_bytes_per_body(const Variant& v, std::int64_t n) {
    const bool one_pass = v.stage.contains("contacts and motion");
    const double real = v.precision == "mixed" ? sizeof(float) : sizeof(double);
    const double history = 2 * 3 * real;
    const double body = one_pass ? 2 * 3 * 32 + 4 : 3 * 32 + 2 * 3 * 32 + 24 + 4 * 8;
    const double pair = one_pass ? 2 * 4 + history + 4 + 2 * 4 : 3 * 4 + 2 * 4 + history + 2 * 6 * real;
    return body + pair * static_cast<double>(v.pairs + v.wall_contacts) / static_cast<double>(n);
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
    json.open()
        .put("benchmark", "bed")
        .put("radius_ratio", args.number("--ratio"))
        .put("tilt_degrees", args.number("--tilt"))
        .put("laws", args.text("--laws"));
    put_machine(json);
    json.open_list("results");
    print_head();
    const double ratio = args.number("--ratio");
    const double skin = args.text("--skin") == "auto" ? 0 : args.number("--skin");
    for (const std::string& count : args.list("--bodies")) {
        const auto n = static_cast<std::int64_t>(std::atof(count.c_str()));
        const Bed bed = settled_bed(n, ratio, args.text("--beds"));
        const auto bodies = static_cast<std::int64_t>(bed.bodies.size());
        const std::int64_t steps = timed_steps(args, bodies);
        Model model = bed_model(bed, skin, args.number("--tilt"));
        add_laws(args.text("--laws"), model);
        std::vector<Variant> variants;
        for (const std::string& sides : args.list("--sides")) {
            Model own = model;
            replace_sides(sides, own);
            const auto warm = static_cast<std::int64_t>(args.number("--warm"));
            const bool settled = args.text("--sides") == "walls";
            for (Variant& v : make_variants(own, args, settled ? warm : 0)) {
                if (!settled) {  // what leant on walls falls into place; a bed that keeps them comes to the same rest
                    damp(*v.engine, 0.7, 300, 100);
                    advance(*v.engine, warm);
                }
                v.kind = sides == "walls" ? "" : sides;
                variants.push_back(std::move(v));
            }
        }
        time_variants(variants, steps, static_cast<int>(args.number("--repeats")));
        for (const Variant& v : variants) {
            json.open();
            put_figures(json, v, bodies, steps);
            json.put("least_bytes_per_body_step", least_bytes_per_body(v, bodies));
            json.close();
            print_row(v, bodies, steps);
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
                         {{"--bodies", "10000,100000"},
                          {"--precision", "double,mixed"},
                          {"--threads", "1,2"},
                          {"--device", "cpu"},
                          {"--recorded", "-1"},
                          {"--ratio", "1"},
                          {"--tilt", "0"},
                          {"--skin", "2e-4"},
                          {"--steps", "0"},
                          {"--warm", "1000"},
                          {"--repeats", "3"},
                          {"--laws", ""},
                          {"--sides", "walls"},
                          {"--beds", "build/beds"},
                          {"--json", ""}},
                         usage);
    return run_program("bench_bed", run, args);
}
