#include "scenes/variants.hpp"

#include <cstdio>

#include "base/error.hpp"
#include "common/clock.hpp"

namespace scree::bench {

namespace {

std::map<std::string, double> stage_seconds(const Engine& engine) {
    std::map<std::string, double> out;
    for (const StageTime& s : engine.stage_times()) out[s.name] = s.seconds;
    return out;
}

}  // namespace

void advance(Engine& engine, std::int64_t steps) {
    const BatchReport report = engine.advance(steps);
    if (report.steps_done != steps) throw RunError("the run stopped at step " + std::to_string(report.fault.step));
}

namespace {

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
    v.max_overlap = m.max_overlap;
}

}  // namespace

std::vector<Variant> make_variants(const Model& model, const Arguments& args, std::int64_t warm) {
    std::vector<Variant> variants;
    const Device device = parse_device(args.text("--device"));
    const bool cuda = runs_on_cuda(device);
    for (const std::string& precision : args.list("--precision")) {
        // What varies: threads of the CPU, or recordings of a GPU.
        for (const std::string& variant : args.list(cuda ? "--recorded" : "--threads")) {
            Variant v;
            v.precision = precision;
            EngineOptions options;
            options.device = device;
            options.precision = precision == "mixed" ? Precision::Mixed : Precision::Double;
            (cuda ? options.recorded : options.threads) = std::atoi(variant.c_str());
            v.threads = options.threads;
            v.recorded = options.recorded;
            v.engine = make_engine(model, options);
            advance(*v.engine, warm);
            variants.push_back(std::move(v));
        }
    }
    return variants;
}

void time_variants(std::vector<Variant>& variants, std::int64_t steps, int repeats) {
    for (int k = 0; k < repeats; ++k) {
        for (Variant& v : variants) run_once(v, steps);
    }
    for (Variant& v : variants) look_at(v);
}

void put_figures(JsonWriter& json, const Variant& v, std::int64_t n, std::int64_t steps) {
    const double particle_steps = static_cast<double>(n) * static_cast<double>(steps);
    const double all_steps = static_cast<double>(steps) * static_cast<double>(v.wall.size());
    if (!v.kind.empty()) json.put("kind", v.kind);
    json.put("bodies", n).put("precision", v.precision).put("threads", v.threads).put("recorded", v.recorded);
    json.put("device", v.engine->device_name());
    json.put("particle_steps_per_second", particle_steps / least(v.wall));
    json.put("particle_steps_per_second_median", particle_steps / median(v.wall));
    json.put("particle_steps_per_cpu_second", particle_steps / least(v.cpu));
    json.put("cpu_seconds_per_wall_second", median(v.cpu) / median(v.wall));
    json.put("wall_seconds", v.wall).put("cpu_seconds", v.cpu);
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
}

void print_head() {
    std::printf("   bodies  real  thr  best M/s  median  /cpu s  %%con %%mot %%list    pairs  conts B/body rebuilds\n");
}

void print_row(const Variant& v, std::int64_t n, std::int64_t steps) {
    const double particle_steps = static_cast<double>(n) * static_cast<double>(steps);
    double total = 0;
    for (const auto& [name, seconds] : v.stage) total += name == "measure" ? 0 : seconds;
    const auto share = [&](const char* stage) {
        const auto found = v.stage.find(stage);
        return found == v.stage.end() ? 0.0 : 100 * found->second / total;
    };
    std::printf("%9lld  %-6s %3d %9.2f %7.2f %7.2f   %4.0f %4.0f %4.0f   %6.2f %6.2f %6.0f %8lld  %s\n", static_cast<long long>(n),
                v.precision.c_str(), v.threads, 1e-6 * particle_steps / least(v.wall), 1e-6 * particle_steps / median(v.wall),
                1e-6 * particle_steps / least(v.cpu), share("contacts"), share("motion"), share("pair list"),
                static_cast<double>(v.pairs) / static_cast<double>(n), static_cast<double>(v.contacts) / static_cast<double>(n),
                static_cast<double>(v.memory) / static_cast<double>(n), static_cast<long long>(v.rebuilds), v.kind.c_str());
    std::fflush(stdout);
}

}  // namespace scree::bench
