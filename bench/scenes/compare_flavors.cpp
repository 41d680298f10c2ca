// Host against CUDA: the same models through make_engine on both (compared_models.hpp), 1,000 steps each, largest distance between the
// positions of a body against stated tolerances. On the second device also: two runs give the same bits, and so does a run cut by a save
// and a load. Exits with 0 (all held), 1 (something did not) or 77 (no device: nothing was compared). JSON to a file, a table to the
// terminal.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "common/arguments.hpp"
#include "common/json.hpp"
#include "common/machine.hpp"
#include "engine/engine.hpp"
#include "scenes/compared_models.hpp"

namespace {

using namespace scree;
using namespace scree::bench;

constexpr const char* usage =
    "compare_flavors [--with cuda|cuda:1|cpu] [--steps 1000] [--beds FOLDER] [--json FILE]\n"
    "  --with cpu: the second engine is the CPU again, on two threads in shuffled order, which must give the same bits\n";

struct Result {
    std::string name, precision;
    double farthest{0};   // between the positions of one body on the two devices, in radii
    double growth{0};     // the same between two runs on the host whose starts differ by 1e-12 radii, over those 1e-12
    double tolerance{0};  // for `farthest`
    bool same_bits{false}, same_when_repeated{false}, same_when_cut{false};
    bool passed() const { return farthest <= tolerance && same_when_repeated && same_when_cut; }
};

/// Largest |a - b| in radii. A body that only one run still has is as far as can be.
double farthest_apart(const Snapshot& a, const Snapshot& b) {
    if (a.id != b.id) return HUGE_VAL;
    double farthest = 0;
    for (std::size_t i = 0; i < a.id.size(); ++i) {
        const double apart = norm(a.position[i] - b.position[i]) / a.radius[i];
        if (!(apart <= farthest)) farthest = apart;  // a NaN stays
    }
    return farthest;
}

void advance(Engine& engine, std::int64_t steps) {
    const BatchReport report = engine.advance(steps);
    if (report.steps_done != steps) throw RunError("the run stopped at step " + std::to_string(report.fault.step));
}

/// What host and CUDA may be apart by, in radii. Both round each operation alike (no contraction but what the source writes, no fast
/// functions), so they differ by the order of sums and the libraries' last digits: about 1e-15 radii of a position in double, which
/// contacts made on the way multiply by up to 100 (Result::growth), over 1,000 steps. Mixed: host double against host mixed came to 9e-3,
/// the most that single precision does.
double tolerance_of(const std::string& precision) {
    return precision == "mixed" ? 2e-2 : 1e-9;
}

Result compare(const ComparedModel& c, const std::string& precision, Device with, std::int64_t steps) {
    const bool with_cuda = with.kind == Device::Kind::Cuda;
    EngineOptions first, second;
    first.device = Device::Cpu;
    first.threads = 1;
    first.precision = precision == "mixed" ? Precision::Mixed : Precision::Double;
    second = first;
    second.device = with;
    second.threads = 2;
    second.shuffle = !with_cuda;
    Result r;
    r.name = c.name;
    r.precision = precision;

    const std::unique_ptr<Engine> host = make_engine(c.model, first), other = make_engine(c.model, second);
    advance(*host, steps);
    advance(*other, steps);
    r.farthest = farthest_apart(host->snapshot(), other->snapshot());
    r.same_bits = host->state_hash() == other->state_hash();

    const std::unique_ptr<Engine> again = make_engine(c.model, second);
    advance(*again, steps);
    r.same_when_repeated = again->state_hash() == other->state_hash();

    const std::unique_ptr<Engine> before = make_engine(c.model, second), after = make_engine(c.model, second);
    advance(*before, steps / 2);
    after->load(before->save());
    advance(*after, steps - steps / 2);
    r.same_when_cut = after->state_hash() == other->state_hash();

    constexpr double shift = 1e-12;  // [radii]: a hundred times the last digit of a position
    Model moved = c.model;
    for (std::size_t i = 0; i < moved.bodies.size(); ++i) moved.bodies.position[i].x += shift * moved.bodies.radius[i];
    const std::unique_ptr<Engine> shifted = make_engine(moved, first);
    advance(*shifted, steps);
    r.growth = farthest_apart(host->snapshot(), shifted->snapshot()) / shift;
    // Where contacts multiply differences without a bound known beforehand: ten times what a shift by a hundred last digits came to.
    if (with_cuda) r.tolerance = c.smooth ? tolerance_of(precision) : std::max(tolerance_of(precision), 10 * shift * r.growth);
    return r;
}

void put_result(JsonWriter& json, const Result& r) {
    json.open().put("model", r.name).put("precision", r.precision).put("farthest_apart_radii", r.farthest).put("tolerance", r.tolerance);
    json.put("growth_of_a_difference", r.growth).put("same_bits_as_host", r.same_bits).put("same_bits_when_repeated", r.same_when_repeated);
    json.put("same_bits_when_cut", r.same_when_cut).put("passed", r.passed()).close();
}

int run(const Arguments& args) {
    const Device with = parse_device(args.text("--with"));
    const bool with_cuda = with.kind == Device::Kind::Cuda;
    if (with_cuda && !cuda_available()) {
        std::printf("skipped: %s\n", describe_cuda().c_str());
        return 77;
    }
    JsonWriter json;
    json.open().put("benchmark", "compare_flavors").put("with", with_cuda ? "cuda" : "cpu").put("steps", args.number("--steps"));
    put_machine(json);
    json.open_list("results");
    std::printf("model                  real    apart/radius tolerance   growth  as host repeated  cut\n");
    bool all = true;
    for (const ComparedModel& c : compared_models(args.text("--beds"))) {
        for (const char* precision : {"double", "mixed"}) {
            const Result r = compare(c, precision, with, static_cast<std::int64_t>(args.number("--steps")));
            put_result(json, r);
            const auto word = [](bool same) { return same ? "same" : "DIFFER"; };
            std::printf("%-22s %-6s %13.2e %9.0e %8.1e %8s %8s %4s  %s\n", r.name.c_str(), precision, r.farthest, r.tolerance, r.growth,
                        r.same_bits ? "same" : "near", word(r.same_when_repeated), word(r.same_when_cut), r.passed() ? "ok" : "FAILED");
            std::fflush(stdout);
            all = all && r.passed();
        }
    }
    json.close_list().put("passed", all).close();
    if (!args.text("--json").empty()) {
        std::ofstream file(args.text("--json"));
        file << json.text();
        if (!file.flush()) throw RunError("cannot write " + args.text("--json"));
    }
    return all ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments args(argc, argv, {{"--with", "cuda"}, {"--steps", "1000"}, {"--beds", "build/beds"}, {"--json", ""}}, usage);
    try {
        return run(args);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "compare_flavors: %s\n", e.what());
        return 1;
    }
}
