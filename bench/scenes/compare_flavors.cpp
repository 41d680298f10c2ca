// Host against CUDA: the same models through make_engine on both (compared_models.hpp), 1,000 steps each, largest distance between the
// positions of a body against stated tolerances; then one step of both from the host's state, in which nothing has grown: what it changes
// of velocities and spins, and forces of contacts, against tight ones. On the second device also: two runs give the same bits, and so does
// a run cut by a save and a load. Exits with 0 (all held), 1 (something did not) or 77 (no device: nothing was compared). JSON to a file, a
// table to the terminal.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
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
    double farthest{0};    // between the positions of one body on the two devices, in radii
    double growth{0};      // the same between two runs on the host whose starts differ by 1e-12 radii, over those 1e-12
    double tolerance{0};   // for `farthest`
    double step_apart{0};  // after one step from the same state: of forces, and changes of velocities and spins, over the largest of each
    double step_tolerance{0};
    std::size_t contacts{0};  // at that step
    bool same_bits{false}, same_when_repeated{false}, same_when_cut{false};
    bool passed() const { return farthest <= tolerance && step_apart <= step_tolerance && same_when_repeated && same_when_cut; }
};

/// The value; what is no number is as far as can be.
double finite(double value) {
    return std::isfinite(value) ? value : HUGE_VAL;
}

/// Largest |a - b| in radii. A body that only one run still has is as far as can be.
double farthest_apart(const Snapshot& a, const Snapshot& b) {
    if (a.id != b.id) return HUGE_VAL;
    double farthest = 0;
    for (std::size_t i = 0; i < a.id.size(); ++i) {
        farthest = std::max(farthest, finite(norm(a.position[i] - b.position[i]) / a.radius[i]));
    }
    return farthest;
}

/// Largest |a - b| over the largest |b|, or over `least` if that is more; 0 where both are nothing.
class Apart {
public:
    explicit Apart(double least = 0) : size_(least) {}
    void add(Vec3 a, Vec3 b) {
        apart_ = std::max(apart_, finite(norm(a - b)));
        size_ = std::max(size_, norm(b));
    }
    double value() const { return apart_ == 0 ? 0 : finite(apart_ / size_); }

private:
    double apart_{0}, size_;
};

/// Of forces of contacts in these lists, sorted alike; one that only one list has counts as one with no force in the other.
double forces_apart(const std::vector<ContactRecord>& a, const std::vector<ContactRecord>& b) {
    const auto key = [](const ContactRecord& c) { return std::tuple(c.a, c.wall < 0 ? c.b : 0u, c.wall); };
    using Key = decltype(key(a[0]));
    std::map<Key, std::pair<Vec3, Vec3>> forces;  // two bodies, or a body and a wall, may touch at several places
    for (const ContactRecord& c : a) forces[key(c)].first += c.force;
    for (const ContactRecord& c : b) forces[key(c)].second += c.force;
    Apart apart;
    for (const auto& [pair, force] : forces) apart.add(force.first, force.second);
    return apart.value();
}

/// Of what a step from `before` to a and to b changed, and of the forces at its end. `fall`: what gravity adds in a step [m/s].
double step_apart(const Snapshot& before, Engine& a, Engine& b, double fall) {
    const Snapshot of_a = a.snapshot(), of_b = b.snapshot();
    if (of_a.id != of_b.id || of_a.id != before.id) return HUGE_VAL;
    Apart velocity(fall), spin;
    for (std::size_t i = 0; i < before.id.size(); ++i) {
        velocity.add(of_a.velocity[i] - before.velocity[i], of_b.velocity[i] - before.velocity[i]);
        spin.add(of_a.angular_velocity[i] - before.angular_velocity[i], of_b.angular_velocity[i] - before.angular_velocity[i]);
    }
    return std::max({velocity.value(), spin.value(), forces_apart(a.contacts(), b.contacts())});
}

void advance(Engine& engine, std::int64_t steps) {
    const BatchReport report = engine.advance(steps);
    if (report.steps_done != steps)
        throw RunError("the run stopped at step " + std::to_string(report.fault.step) + " by fault " +
                       std::to_string(static_cast<int>(report.fault.kind)));
}

/// What host and CUDA may be apart by, in radii. Both round each operation alike (no contraction but what the source writes, no fast
/// functions), so they differ by the order of sums and the libraries' last digits: about 1e-15 radii of a position in double, which
/// contacts made on the way multiply by up to 100 (Result::growth), over 1,000 steps. Mixed: host double against host mixed came to 9e-3,
/// the most that single precision does.
double tolerance_of(const std::string& precision) {
    return precision == "mixed" ? 2e-2 : 1e-9;
}

/// The same for one step, over the largest change or force. Iterations of the cone method and of joints, and polyhedra that are cut, may
/// multiply a difference of the last digits; a wrong term would not stay below: friction and restitution a thousandth too large come to
/// 0.3 to 7 thousandths.
double step_tolerance_of(const std::string& precision, bool smooth) {
    return precision == "mixed" ? (smooth ? 1e-4 : 3e-4) : (smooth ? 1e-10 : 1e-7);
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

    {
        const std::unique_ptr<Engine> stepped = make_engine(c.model, second);
        stepped->load(host->save());
        const Snapshot from = host->snapshot();
        const std::unique_ptr<Engine> reference = make_engine(c.model, first);
        reference->load(host->save());
        advance(*reference, 1);
        advance(*stepped, 1);
        r.step_apart = step_apart(from, *stepped, *reference, norm(c.model.gravity) * c.model.dt);
        r.contacts = reference->contacts().size();
        r.step_tolerance = with_cuda ? step_tolerance_of(precision, c.smooth) : 0;
    }

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
    json.put("one_step_apart", r.step_apart)
        .put("one_step_tolerance", r.step_tolerance)
        .put("contacts", static_cast<std::int64_t>(r.contacts));
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
    std::printf("model                  real    apart/radius tolerance   growth one step tolerance contacts  as host repeated  cut\n");
    bool all = true;
    for (const ComparedModel& c : compared_models(args.text("--beds"))) {
        for (const char* precision : {"double", "mixed"}) {
            const Result r = compare(c, precision, with, static_cast<std::int64_t>(args.number("--steps")));
            put_result(json, r);
            const auto word = [](bool same) { return same ? "same" : "DIFFER"; };
            std::printf("%-22s %-6s %13.2e %9.0e %8.1e %8.1e %9.0e %8zu %8s %8s %4s  %s\n", r.name.c_str(), precision, r.farthest,
                        r.tolerance, r.growth, r.step_apart, r.step_tolerance, r.contacts, r.same_bits ? "same" : "near",
                        word(r.same_when_repeated), word(r.same_when_cut), r.passed() ? "ok" : "FAILED");
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
