// Scree itself, as one of the codes that tools/peers times in turns: the bed of spheres under the penalty method, or cubes read from a file
// under the cone method with Gauss-Seidel.
#include <memory>
#include <stdexcept>
#include <string>

#include "base/brief_waits.hpp"
#include "common/program.hpp"
#include "peers/cube_file.hpp"
#include "peers/turns.hpp"
#include "scenes/beds.hpp"
#include "scenes/cone_beds.hpp"
#include "scenes/variants.hpp"

namespace {

using namespace scree;
using namespace scree::bench;

constexpr const char* usage =
    "peer_scree [--case spheres|cubes] [--bodies N] [--precision double|mixed] [--threads N] [--tilt DEGREES]\n"
    "           [--sides walls|periods]\n"
    "           [--skin METRES|auto, of spheres] [--laws rolling+twisting+COHESION, of spheres] [--beds FOLDER]\n"
    "           [--state FILE, of cubes] [--iterations N] [--dt SECONDS, of cubes] [--end FILE, of cubes]\n"
    "           [--warm STEPS] [--steps N] [--turns N] [--turn COMMAND]\n";

std::unique_ptr<Engine> engine_of(const Model& model, const Arguments& args) {
    EngineOptions options;
    options.device = Device::Cpu;
    options.precision = args.text("--precision") == "mixed" ? Precision::Mixed : Precision::Double;
    options.threads = static_cast<int>(args.number("--threads"));
    return make_engine(model, options);
}

void say_end(Engine& engine) {
    const Measurement m = engine.measure();
    say("contacts", static_cast<double>(m.contacts));
    say("wall_contacts", static_cast<double>(m.wall_contacts));
    say("kinetic_translation", m.energy.kinetic_translation);
    say("kinetic_rotation", m.energy.kinetic_rotation);
    say("engine_bytes", static_cast<double>(engine.memory_bytes()));
    say("rebuilds", static_cast<double>(engine.counters().rebuilds));
}

Model cubes_of(const CubeBed& bed, const Arguments& args) {
    Model model = cone_cubes(static_cast<std::int64_t>(bed.cubes.size()));
    for (std::size_t i = 0; i < bed.cubes.size(); ++i) {
        const Cube& c = bed.cubes[i];
        model.bodies.position[i] = {c.position[0], c.position[1], c.position[2]};
        model.bodies.orientation[i] = {c.orientation[0], c.orientation[1], c.orientation[2], c.orientation[3]};
        model.bodies.velocity[i] = {c.velocity[0], c.velocity[1], c.velocity[2]};
        model.bodies.angular_velocity[i] = {c.spin[0], c.spin[1], c.spin[2]};
    }
    model.dt = args.number("--dt");
    model.cone.solver = ConeSolver::GaussSeidel;
    model.cone.iterations = static_cast<std::int64_t>(args.number("--iterations"));
    model.cone.tolerance = 1e-300;  // a residual that no iterate reaches: all iterations are made
    return model;
}

void write_end(Engine& engine, CubeBed bed, const std::string& path) {
    const Snapshot s = engine.snapshot();
    for (std::size_t i = 0; i < bed.cubes.size(); ++i) {
        const Vec3 x = s.position[i], v = s.velocity[i], w = s.angular_velocity[i];
        const Quat q = s.orientation[i];
        bed.cubes[i] = {{x.x, x.y, x.z}, {q.w, q.x, q.y, q.z}, {v.x, v.y, v.z}, {w.x, w.y, w.z}};
    }
    write_cubes(path, bed);
}

int run(const Arguments& args) {
    const bool cubes = args.text("--case") == "cubes";
    const auto asked = static_cast<std::int64_t>(args.number("--bodies"));
    const CubeBed bed = cubes ? read_cubes(args.text("--state")) : CubeBed{};
    const double skin = args.text("--skin") == "auto" ? 0 : args.number("--skin");
    Model model = cubes ? cubes_of(bed, args) : bed_model(settled_bed(asked, 1, args.text("--beds")), skin, args.number("--tilt"));
    if (!cubes) replace_sides(args.text("--sides"), model);
    if (!cubes) add_laws(args.text("--laws"), model);
    const auto engine = engine_of(model, args);
    take_turns(args, static_cast<std::int64_t>(model.bodies.size()), [&](std::int64_t steps) { advance(*engine, steps); });
    say_end(*engine);
    if (cubes && !args.text("--end").empty()) write_end(*engine, bed, args.text("--end"));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    scree::ask_for_brief_waits(argv);
    const Arguments args(argc, argv,
                         turn_options({{"--case", "spheres"},
                                       {"--bodies", "10000"},
                                       {"--precision", "double"},
                                       {"--threads", "1"},
                                       {"--tilt", "0"},
                                       {"--sides", "walls"},
                                       {"--laws", ""},
                                       {"--skin", "2e-4"},
                                       {"--beds", "build/beds"},
                                       {"--state", ""},
                                       {"--iterations", "10"},
                                       {"--dt", "0.0041666667"},
                                       {"--end", ""}}),
                         usage);
    return run_program("peer_scree", run, args);
}
