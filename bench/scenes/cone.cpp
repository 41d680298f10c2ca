// Times whole steps of the cone method (scenes/cone_beds.hpp) for methods, budgets of iterations, threads and precisions, and says what
// residual and overlap they leave. Variants take turns. What a step costs beside iterations comes from steps of one iteration from the
// same state. JSON to a file, a table to the terminal.
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/brief_waits.hpp"
#include "base/error.hpp"
#include "common/clock.hpp"
#include "common/machine.hpp"
#include "scenes/cone_beds.hpp"
#include "scenes/variants.hpp"

namespace {

using namespace scree;
using namespace scree::bench;

constexpr const char* usage =
    "bench_cone [--case spheres|cubes|pile] [--bodies 16000,...] [--solver auto,apgd,gauss_seidel,barzilai_borwein,jacobi]\n"
    "           [--iterations 50,100] [--tolerance M/S, 0: iterations alone, -1: the engine's own] [--threads 1,2]\n"
    "           [--friction coulomb,ccp] [--precision double,mixed] [--device cpu|cuda|cuda:1] [--tilt DEGREES] [--dt SECONDS] [--warm "
    "STEPS] [--own STEPS] "
    "[--steps N] "
    "[--repeats N]\n"
    "           [--recovery M/S, 0: the engine's own] [--recorded -1, 4: a GPU repeats iterations by itself]\n"
    "           [--beds FOLDER] [--pile FILE] [--json FILE]\n";

ConeSolver solver_of(const std::string& name) {
    if (name == "auto") return ConeSolver::Auto;
    if (name == "apgd") return ConeSolver::Apgd;
    if (name == "gauss_seidel") return ConeSolver::GaussSeidel;
    if (name == "barzilai_borwein") return ConeSolver::BarzilaiBorwein;
    if (name == "jacobi") return ConeSolver::Jacobi;
    throw Error("unknown solver \"" + name + "\"");
}

FrictionLaw law_of(const std::string& name) {
    if (name == "coulomb") return FrictionLaw::Coulomb;
    if (name == "ccp") return FrictionLaw::Ccp;
    throw Error("unknown friction law \"" + name + "\"");
}

/// One engine with its settings, and what was seen of it.
struct Timed {
    std::string solver, friction, precision;
    int threads{1}, recorded{-1};
    Device device{Device::Cpu};
    Model model;
    std::unique_ptr<Engine> engine;
    std::vector<double> wall, cpu, bare_wall, bare_cpu;  // of a step [s]; bare: of one iteration
    std::vector<double> residual, iterations, contacts;  // of the last step of each repeat
    std::map<std::string, double> stage;                 // [s] over all timed steps
    double overlap{0};                                   // deepest, of cubes over the edge, of spheres over the radius
    std::int64_t rebuilds{0}, memory{0};
};

std::unique_ptr<Engine> engine_of(const Timed& t, const Model& model) {
    EngineOptions options;
    options.device = t.device;
    options.precision = t.precision == "mixed" ? Precision::Mixed : Precision::Double;
    options.threads = t.threads;
    options.recorded = t.recorded;
    return make_engine(model, options);
}

std::map<std::string, double> stage_seconds(const Engine& engine) {
    std::map<std::string, double> out;
    for (const StageTime& s : engine.stage_times()) out[s.name] = s.seconds;
    return out;
}

void run_once(Timed& t, std::int64_t steps) {
    const auto before = stage_seconds(*t.engine);
    const std::int64_t rebuilds = t.engine->counters().rebuilds;
    const Elapsed took = time_of([&] { advance(*t.engine, steps); });
    for (const auto& [name, seconds] : stage_seconds(*t.engine)) {
        const auto old = before.find(name);
        t.stage[name] += seconds - (old == before.end() ? 0 : old->second);
    }
    t.rebuilds += t.engine->counters().rebuilds - rebuilds;
    t.wall.push_back(took.wall / static_cast<double>(steps));
    t.cpu.push_back(took.cpu / static_cast<double>(steps));
    const Measurement m = t.engine->measure();
    t.residual.push_back(m.cone.residual);
    t.iterations.push_back(static_cast<double>(m.cone.iterations));
    t.contacts.push_back(static_cast<double>(m.cone.contacts));
    t.overlap = m.max_overlap;
}

/// Steps of one iteration from the state reached: the first warms memory up and is not counted.
void time_bare(Timed& t, int repeats) {
    Model model = t.model;
    model.cone.iterations = 1;
    const auto bare = engine_of(t, model);
    bare->load(t.engine->save());
    advance(*bare, 1);
    for (int k = 0; k < repeats; ++k) {
        const Elapsed took = time_of([&] { advance(*bare, 1); });
        t.bare_wall.push_back(took.wall);
        t.bare_cpu.push_back(took.cpu);
    }
}

double per_contact_iteration(double whole, double bare, const Timed& t) {
    const double iterations = median(t.iterations) - 1;
    return iterations > 0 ? (whole - bare) / (iterations * median(t.contacts)) : NAN;
}

void put_timed(JsonWriter& json, const Timed& t, const Arguments& args, std::int64_t steps) {
    const auto n = static_cast<double>(t.model.bodies.size());
    const double unit = norm(t.model.gravity) * t.model.dt, contacts = median(t.contacts);
    json.open().put("bodies", static_cast<std::int64_t>(t.model.bodies.size())).put("solver", t.solver).put("friction", t.friction);
    json.put("precision", t.precision)
        .put("threads", t.threads)
        .put("iterations_at_most", t.model.cone.iterations)
        .put("recorded", static_cast<std::int64_t>(t.recorded));
    json.put("step", t.model.dt).put("seconds_per_step", least(t.wall)).put("seconds_per_step_median", median(t.wall));
    json.put("cpu_seconds_per_step", least(t.cpu)).put("cpu_seconds_per_wall_second", median(t.cpu) / median(t.wall));
    json.put("wall_seconds", t.wall).put("cpu_seconds", t.cpu);
    json.put("body_steps_per_second", n / least(t.wall)).put("body_steps_per_cpu_second", n / least(t.cpu));
    json.put("seconds_per_step_of_one_iteration", least(t.bare_wall)).put("cpu_seconds_per_step_of_one_iteration", least(t.bare_cpu));
    json.put("nanoseconds_per_contact_iteration", 1e9 * per_contact_iteration(least(t.wall), least(t.bare_wall), t));
    json.put("cpu_nanoseconds_per_contact_iteration", 1e9 * per_contact_iteration(least(t.cpu), least(t.bare_cpu), t));
    json.put("contacts", contacts).put("iterations", median(t.iterations));
    json.put("residual", median(t.residual)).put("residual_over_g_dt", median(t.residual) / unit);
    json.put(args.text("--case") == "cubes" ? "deepest_overlap_over_edge" : "deepest_overlap_over_radius", t.overlap);
    json.put("bytes_per_contact", static_cast<double>(t.memory) / contacts).put("memory_bytes", t.memory);
    json.put("steps", steps).put("repeats", static_cast<std::int64_t>(t.wall.size())).put("rebuilds", t.rebuilds);
    json.open("stage_seconds_per_step");
    for (const auto& [name, seconds] : t.stage) {
        if (seconds > 0) json.put(name, seconds / static_cast<double>(steps * static_cast<std::int64_t>(t.wall.size())));
    }
    json.close();
    json.close();
    std::printf("%8.0f %8.0f %-16s %-7s %-6s %2d %5.0f  %9.3g %9.3g %9.3g  %8.3g  %6.2f  %9.2e %9.2e  %7.4f %5.0f %lld\n", n, contacts,
                t.solver.c_str(), t.friction.c_str(), t.precision.c_str(), t.threads, median(t.iterations), 1e3 * least(t.wall),
                1e3 * least(t.cpu), 1e3 * least(t.bare_cpu), n / least(t.cpu),
                1e9 * per_contact_iteration(least(t.cpu), least(t.bare_cpu), t), median(t.residual), median(t.residual) / unit, t.overlap,
                static_cast<double>(t.memory) / contacts, static_cast<long long>(t.rebuilds));
    std::fflush(stdout);
}

Model model_of(const Arguments& args, std::int64_t bodies) {
    const std::string kind = args.text("--case");
    if (kind == "spheres") return cone_spheres(bodies, args.number("--tilt"), args.text("--beds"));
    if (kind == "cubes") return cone_cubes(bodies);
    if (kind == "pile") return cone_pile(args.text("--pile"));
    throw Error("unknown case \"" + kind + "\": use spheres, cubes or pile");
}

/// The state all variants of a precision start from: `warm` steps with ample iterations.
EngineState warmed(const Timed& like, std::int64_t warm) {
    Timed t;
    t.precision = like.precision;
    t.device = like.device;
    t.model = like.model;
    t.model.cone.solver = ConeSolver::Apgd;
    t.model.cone.iterations = 200;
    t.model.cone.tolerance = 0;
    const auto engine = engine_of(t, t.model);
    advance(*engine, warm);
    return engine->save();
}

std::vector<Timed> variants_of(const Arguments& args, const Model& bed) {
    std::vector<Timed> all;
    std::map<std::string, EngineState> start;
    const double tolerance = args.number("--tolerance");
    const auto add = [&](const std::string& solver, const std::string& friction, const std::string& precision, const std::string& threads,
                         const std::string& iterations) {
        Timed t;
        t.solver = solver;
        t.friction = friction;
        t.precision = precision;
        t.threads = std::atoi(threads.c_str());
        t.device = parse_device(args.text("--device"));
        t.recorded = static_cast<int>(args.number("--recorded"));
        t.model = bed;
        t.model.dt = args.number("--dt");
        t.model.cone.solver = solver_of(solver);
        t.model.cone.friction = law_of(friction);
        t.model.cone.iterations = std::atoi(iterations.c_str());
        if (args.number("--recovery") > 0) t.model.cone.recovery_speed = args.number("--recovery");
        // A residual that no iterate reaches: all iterations are made.
        t.model.cone.residual_limit = t.model.penalty.overlap_limit = 1e6;  // few iterations leave both, and are what is timed
        t.model.cone.tolerance = tolerance > 0 ? tolerance : (tolerance < 0 ? 0 : 1e-300);
        if (start.count(precision) == 0) start[precision] = warmed(t, static_cast<std::int64_t>(args.number("--warm")));
        t.engine = engine_of(t, t.model);
        t.engine->load(start[precision]);
        advance(*t.engine, static_cast<std::int64_t>(args.number("--own")));
        all.push_back(std::move(t));
    };
    for (const std::string& solver : args.list("--solver")) {
        for (const std::string& friction : args.list("--friction")) {
            for (const std::string& precision : args.list("--precision")) {
                for (const std::string& threads : args.list("--threads")) {
                    for (const std::string& iterations : args.list("--iterations")) add(solver, friction, precision, threads, iterations);
                }
            }
        }
    }
    return all;
}

int run(const Arguments& args) {
    JsonWriter json;
    json.open().put("benchmark", "cone").put("case", args.text("--case")).put("tilt_degrees", args.number("--tilt"));
    put_machine(json);
    json.open_list("results");
    std::printf(
        "  bodies contacts solver           law     real  th  iter    ms/step cpu ms/st    bare ms body/cpu s  ns/c.i   residual    / g dt "
        " overlap B/con rebuilds\n");
    const auto steps = static_cast<std::int64_t>(args.number("--steps"));
    for (const std::string& count : args.list("--bodies")) {
        std::vector<Timed> variants = variants_of(args, model_of(args, static_cast<std::int64_t>(std::atof(count.c_str()))));
        const int repeats = static_cast<int>(args.number("--repeats"));
        for (int k = 0; k < repeats; ++k) {
            for (Timed& t : variants) run_once(t, steps);
        }
        for (Timed& t : variants) {
            time_bare(t, repeats);
            t.memory = static_cast<std::int64_t>(t.engine->memory_bytes());
            if (args.text("--case") == "cubes") t.overlap = deepest_of_cubes(t.engine->snapshot(), t.model);
            put_timed(json, t, args, steps);
        }
    }
    json.close_list().put("peak_memory_bytes", peak_memory()).close();
    write_json(json, args);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    scree::ask_for_brief_waits(argv);
    const Arguments args(
        argc, argv,
        {{"--case", "spheres"}, {"--bodies", "16000"},     {"--solver", "auto"},      {"--iterations", "50"}, {"--tolerance", "0"},
         {"--threads", "1"},    {"--friction", "coulomb"}, {"--precision", "double"}, {"--device", "cpu"},    {"--tilt", "45"},
         {"--dt", "5e-4"},      {"--warm", "60"},          {"--own", "10"},           {"--recovery", "0"},    {"--recorded", "-1"},
         {"--steps", "5"},      {"--repeats", "3"},        {"--beds", "build/beds"},  {"--pile", ""},         {"--json", ""}},
        usage);
    return run_program("bench_cone", run, args);
}
