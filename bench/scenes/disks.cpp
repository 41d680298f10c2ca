// Times disks in two dimensions (scenes/disk_beds.hpp): a settled bed, or one that falls, by either contact method. Beside body-steps per
// second it gives frames per second at 60 frames per simulated second, which a viewer would see. JSON to a file, a table to the terminal.
#include <cstdio>
#include <string>
#include <vector>

#include "base/brief_waits.hpp"
#include "common/clock.hpp"
#include "common/machine.hpp"
#include "scenes/beds.hpp"
#include "scenes/disk_beds.hpp"
#include "scenes/variants.hpp"

namespace {

using namespace scree;
using namespace scree::bench;

constexpr const char* usage =
    "bench_disks [--scene settled,falling] [--bodies 8192,32768] [--method penalty|cone] [--per-frame STEPS] [--iterations N of cone]\n"
    "            [--precision double,mixed] [--threads 1,2] [--device cpu|cuda|cuda:1] [--recorded -1,0,1,16]\n"
    "            [--skin METRES|auto] [--frames N] [--calm FRAMES] [--warm FRAMES] [--repeats N] [--beds FOLDER] [--json FILE]\n";

Model model_of(const Arguments& args, const std::string& scene, std::int64_t n, DiskStep step) {
    // All disks fall: with the engine's own bound, a quarter of the smallest diameter, the list lasts seven steps.
    const double own = scene == "falling" ? 0.4 : 0, skin = args.text("--skin") == "auto" ? own : args.number("--skin");
    Model m = scene == "falling" ? falling_disks(n, step, skin) : settled_disks(n, step, skin, args.text("--beds"));
    if (args.text("--method") != "cone") return m;
    m.method = Method::Cone;
    m.cone.iterations = static_cast<std::int64_t>(args.number("--iterations"));
    m.cone.restitution_threshold = 1;
    return m;
}

int run(const Arguments& args) {
    const bool cone = args.text("--method") == "cone";
    const double asked = args.number("--per-frame");
    const DiskStep step{asked > 0 ? static_cast<std::int64_t>(asked) : (cone ? 4 : 32)};
    JsonWriter json;
    json.open().put("benchmark", "disks").put("method", args.text("--method")).put("steps_per_frame", step.per_frame);
    put_machine(json);
    json.open_list("results");
    print_head();
    for (const std::string& scene : args.list("--scene")) {
        for (const std::string& count : args.list("--bodies")) {
            const auto n = static_cast<std::int64_t>(std::atof(count.c_str()));
            const std::int64_t steps = static_cast<std::int64_t>(args.number("--frames")) * step.per_frame;
            const std::int64_t warm = static_cast<std::int64_t>(args.number("--warm")) * step.per_frame;
            const bool falls = scene == "falling";
            std::vector<Variant> variants = make_variants(model_of(args, scene, n, step), args, falls ? warm : 0);
            // The bed file holds no friction: what it carries is found anew, and the waves of that are taken out.
            for (Variant& v : variants) {
                if (falls) continue;
                damp(*v.engine, 0.7, static_cast<int>(args.number("--calm")), step.per_frame);
                advance(*v.engine, warm);
            }
            time_variants(variants, steps, static_cast<int>(args.number("--repeats")));
            for (const Variant& v : variants) {
                const auto frames = [&](double seconds) { return args.number("--frames") / seconds; };
                json.open().put("scene", scene);
                put_figures(json, v, n, steps);
                json.put("frames_per_second", frames(least(v.wall))).put("frames_per_cpu_second", frames(least(v.cpu)));
                json.put("max_overlap", v.max_overlap).close();
                print_row(v, n, steps);
                std::printf("          %s: %.1f frames/s, %.1f per CPU second; largest overlap %.1f %%\n", scene.c_str(),
                            frames(least(v.wall)), frames(least(v.cpu)), 100 * v.max_overlap);
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
                         {{"--scene", "settled,falling"},
                          {"--bodies", "8192,32768"},
                          {"--method", "penalty"},
                          {"--per-frame", "0"},
                          {"--iterations", "20"},
                          {"--precision", "double,mixed"},
                          {"--threads", "1"},
                          {"--device", "cpu"},
                          {"--recorded", "-1"},
                          {"--skin", "auto"},
                          {"--frames", "20"},
                          {"--calm", "100"},
                          {"--warm", "120"},
                          {"--repeats", "5"},
                          {"--beds", "build/beds"},
                          {"--json", ""}},
                         usage);
    return run_program("bench_disks", run, args);
}
