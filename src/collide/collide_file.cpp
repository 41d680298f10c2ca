#include "collide/collide_file.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <string_view>

#include "base/error.hpp"
#include "collide/contact_file.hpp"
#include "collide/sorted_pairs.hpp"
#include "collide/sphere_file.hpp"
#include "output/checkpoint.hpp"
#include "output/hdf5_file.hpp"
#include "output/json.hpp"
#include "scene/parse.hpp"
#include "setup/build_model.hpp"

namespace scree {
namespace {

const char* name_of(CollideMethod method) {
    switch (method) {
        case CollideMethod::Brute:
            return "brute";
        case CollideMethod::Grid:
            return "grid";
        case CollideMethod::Levels:
            return "levels";
        case CollideMethod::Bins:
            return "bins";
        default:
            return "auto";
    }
}

class Clock {
public:
    /// Seconds since the last call.
    double restart() {
        const auto before = start_;
        start_ = std::chrono::steady_clock::now();
        return std::chrono::duration<double>(start_ - before).count();
    }

private:
    std::chrono::steady_clock::time_point start_{std::chrono::steady_clock::now()};
};

/// What the process takes without any bodies: program, libraries, buffers of files [bytes].
constexpr std::size_t at_rest = 20'000'000;
/// Share of what is left that collected pairs may take; the rest is for the search.
constexpr double share_of_pairs = 0.4;

/// The memory of the search, and of pairs that wait to be written.
struct MemoryPlan {
    std::size_t search{0}, pairs{0};
};

/// What the machine has; pairs are given their room at once, which it must be able to give.
std::size_t machine_bytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// `taken`: by the program and the bodies [bytes].
MemoryPlan plan_memory(const CollideOptions& options, std::size_t taken) {
    if (options.memory == 0) return {};
    if (options.memory <= taken + taken / 4) {
        throw Error(fmt::format("--memory: program and bodies alone take {} MB; give at least {} MB", taken / 1'000'000 + 1,
                                2 * taken / 1'000'000 + 1));
    }
    const std::size_t most = std::min(options.memory, machine_bytes());
    const std::size_t left = most - std::min(most, taken);
    if (options.output.empty()) return {left, 0};
    const auto pairs = static_cast<std::size_t>(share_of_pairs * static_cast<double>(left));
    return {left - pairs, pairs};
}

using ContactOfPair = std::function<Contact(std::uint32_t a, std::uint32_t b)>;

void write_contacts(const std::string& path, SortedPairs& pairs, const ContactOfPair& contact_of_pair) {
    const std::unique_ptr<ContactFile> file = make_contact_file(path, pairs.size());
    std::vector<Contact> contacts;
    pairs.each_block([&](const std::uint64_t* keys, std::size_t count) {
        contacts.clear();
        for (std::size_t k = 0; k < count; ++k) {
            contacts.push_back(contact_of_pair(static_cast<std::uint32_t>(keys[k] >> 32), static_cast<std::uint32_t>(keys[k])));
        }
        file->write(contacts);
    });
    file->finish();
}

double peak_bytes() {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return 1024.0 * static_cast<double>(use.ru_maxrss);
}

/// What is read more than once cannot be a pipe.
void check_input(const std::string& path) {
    std::error_code none;
    if (std::filesystem::exists(path, none) && !std::filesystem::is_directory(path, none) && !std::filesystem::is_regular_file(path, none))
        throw Error(path + ": is not a file on a disk; write the bodies to one");
}

/// Whether a file is a checkpoint of a run, or the state found at a fault.
bool is_checkpoint(const std::string& path) {
    return is_hdf5(path) && Hdf5File(path, Hdf5File::Mode::Read).has_attribute("/", "format");
}

/// What was done, for the report.
struct Outcome {
    CollideReport report;
    std::size_t bodies_bytes{0};        // of the bodies as read
    double read{0}, find{0}, write{0};  // [s]
};

std::string report_of(const CollideOptions& options, const Outcome& outcome) {
    const CollideReport& report = outcome.report;
    JsonWriter json;
    json.add("file", options.input);
    json.add("method", name_of(report.method));
    json.add("bodies", report.bodies);
    json.add("pairs_tested", report.tested);
    json.add("contacts", report.contacts);
    json.add("touching", report.touching);
    json.add("boxes", report.boxes);
    json.add("bodies_in_boxes", report.copies);
    json.add("bytes", static_cast<std::int64_t>(report.bytes + outcome.bodies_bytes));
    json.add("peak_bytes", peak_bytes());
    json.add("seconds", outcome.find);
    json.begin_object("stages");
    json.add("read", outcome.read);
    for (const StageTime& stage : report.stages) json.add(stage.name, stage.seconds);
    if (!options.output.empty()) json.add("write", outcome.write);
    json.end_object();
    return json.finish();
}

using FindPairs = std::function<CollideReport(const CollideSettings&, const TakePairs&)>;

/// Finds the pairs of what was read, and writes their contacts where that is asked for.
void find_and_write(const CollideOptions& options, std::size_t taken, const FindPairs& find, const ContactOfPair& contact_of_pair,
                    Clock& clock, Outcome& outcome) {
    const MemoryPlan memory = plan_memory(options, taken);
    CollideSettings settings = options.settings;
    settings.memory = memory.search;
    SortedPairs pairs(memory.pairs, spill_name(options.output));
    TakePairs take;
    if (!options.output.empty()) {
        take = [&](const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) { pairs.add(a, b, count); };
    }
    outcome.report = find(settings, take);
    outcome.find = clock.restart();
    if (!options.output.empty()) write_contacts(options.output, pairs, contact_of_pair);
    outcome.write = clock.restart();
}

Outcome collide_spheres(const CollideOptions& options) {
    Outcome outcome;
    Clock clock;
    const SphereTable table = read_spheres(options.input);
    outcome.read = clock.restart();
    const SphereView spheres = table.view();
    outcome.bodies_bytes = 4 * sizeof(double) * table.x.size();
    find_and_write(
        options, at_rest + outcome.bodies_bytes,
        [&](const CollideSettings& settings, const TakePairs& take) {
            return collide(spheres, settings, options.devices, options.precision, take);
        },
        [&](std::uint32_t a, std::uint32_t b) { return contact_of(spheres, a, b); }, clock, outcome);
    return outcome;
}

/// Bodies as a run left them.
struct RunBodies {
    Snapshot snapshot;
    std::vector<ConvexShape> shapes;
    std::size_t bytes{0};  // of the state they were read into
};

/// The scene that a checkpoint holds gives the shapes of its bodies, meshes from where they were.
RunBodies read_bodies(const std::string& path) {
    const Checkpoint checkpoint = read_checkpoint(path);
    BuiltModel built = build_model(parse_scene_text(checkpoint.scene, path + ": /scene", ""));
    built.model.dt = checkpoint.dt;
    EngineOptions engine_options;
    engine_options.device = Device::Cpu;
    engine_options.precision = checkpoint.precision == "mixed" ? Precision::Mixed : Precision::Double;
    const std::unique_ptr<Engine> engine = make_engine(built.model, engine_options);
    engine->load(checkpoint.engine);
    return {engine->snapshot(), std::move(built.model.shapes), engine->memory_bytes()};
}

Outcome collide_checkpoint(const CollideOptions& options) {
    Outcome outcome;
    Clock clock;
    const RunBodies read = read_bodies(options.input);
    const BodyContacts bodies(read.snapshot, read.shapes);
    outcome.read = clock.restart();
    outcome.bodies_bytes = read.bytes;
    find_and_write(
        options, static_cast<std::size_t>(peak_bytes()),
        [&](const CollideSettings& settings, const TakePairs& take) {
            return bodies.find(settings, options.devices, options.precision, take);
        },
        [&](std::uint32_t a, std::uint32_t b) { return bodies.contact(a, b); }, clock, outcome);
    return outcome;
}

}  // namespace

std::string collide_file(const CollideOptions& options) {
    check_input(options.input);
    if (!options.output.empty()) check_contact_file(options.output, options.input);
    return report_of(options, is_checkpoint(options.input) ? collide_checkpoint(options) : collide_spheres(options));
}

std::size_t parse_bytes(const std::string& text) {
    static const std::map<std::string, double, std::less<>> units{{"", 1},
                                                                  {"B", 1},
                                                                  {"kB", 1e3},
                                                                  {"KB", 1e3},
                                                                  {"MB", 1e6},
                                                                  {"GB", 1e9},
                                                                  {"TB", 1e12},
                                                                  {"KiB", 1024.0},
                                                                  {"MiB", 1048576.0},
                                                                  {"GiB", 1073741824.0},
                                                                  {"TiB", 1099511627776.0}};
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    const auto found = units.find(unit);
    if (error != std::errc() || found == units.end() || !(value * found->second >= 1) || value * found->second > 1e18) {
        throw Error(fmt::format("--memory {}: give a size such as 4GB, 500MB or 2GiB", text));
    }
    return static_cast<std::size_t>(value * found->second);
}

}  // namespace scree
