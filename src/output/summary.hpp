// summary.json: what a run was, how it ended and how fast it went.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/snapshot.hpp"
#include "output/cone_totals.hpp"

namespace scree {

/// What came of one part of a mixture.
struct InsertedPart {
    std::string name;
    std::int64_t bodies{0};
    double mass{0};  // [kg]
};

/// What came of a stream of bodies.
struct InsertedBodies {
    std::string name;
    std::int64_t bodies{0};           // that came
    double mass{0};                   // [kg]
    std::int64_t behind{0};           // that were due and found no room
    std::int64_t to_come{0};          // in all, those among them
    std::vector<InsertedPart> parts;  // of a mixture
};

/// What a [[remove]] table took.
struct RemovedBodies {
    std::string name;
    std::int64_t bodies{0};  // that were taken, some more than once
    double mass{0};          // of these [kg]
    bool recycles{false};
    std::int64_t returned{0}, waiting{0};  // that came back, and will
};

/// Of an event of the scene.
struct EventReport {
    std::string name;
    std::optional<double> time;  // when it happened [s]
};

/// The largest overlap that was looked at: with every frame, when one passed the warning, and at the end.
struct LargestOverlap {
    double ratio{0}, time{0};  // over the smaller thickness; [s]
    std::int64_t looks{0};     // 0: nobody looked
    std::string between;       // "body 3 and body 7", "body 3 and wall \"floor\""; empty where it was not looked for
};

/// What of the energy is not accounted for, over the sampled times of a measure of energy.
struct EnergyError {
    double largest_change{0};  // of the total less the work of walls and fields, from its first value [J]
    double turned_over{0};     // largest sum of kinetic, elastic and dissipated energy, or span of the potential one [J]
    std::int64_t samples{0};
    double relative() const { return turned_over > 0 ? largest_change / turned_over : 0; }
};

/// Speeds of earlier runs of the kind on this machine.
struct UsualSpeed {
    double speed{0};       // median [body-steps/s]
    std::int64_t runs{0};  // 0: none that tells
};

enum class Verdict { Ok, Look, Bad };

/// One line of what tells whether a run went well.
struct Finding {
    std::string name;
    Verdict verdict{Verdict::Ok};
    std::string text, advice;  // the latter empty where all is well
};

/// "ok", "look" or "bad".
const char* verdict_word(Verdict verdict);

struct Summary {
    std::string version;
    std::string title, scene_file;
    std::string device;     // the engine's own name for it
    std::string precision;  // "double" | "mixed"
    std::int64_t threads{0};
    std::string restarted_from;  // checkpoint, empty for a fresh start
    std::string exit_reason;     // "done", "interrupted", or in a word what stopped the run
    std::string exit_message;    // the same in a sentence, empty where all went well
    std::int64_t exit_code{0};
    double dt{0};            // [s]
    double stable_step{0};   // [s]; the cone method knows none
    double wall_seconds{0};  // of this run's loop, output included, without the steps before a restart
    double cpu_seconds{0};   // of all threads, in the same span
    std::int64_t steps_this_run{0};
    double particle_steps{0};  // bodies × steps of this run
    std::vector<StageTime> stages;
    RunCounters counters;     // since the very start; a compound counts as one body, its members as none
    std::int64_t members{0};  // colliders that compounds carry, at the end
    std::int64_t joints{0};
    std::string method{"penalty"};  // the word of the scene file
    bool cone_method{false};        // it is the cone method
    ConeTotals cone;                // since the very start
    Measurement end;                // at the last state
    bool energy_tracked{false};     // else dissipated energies are unknown (null)
    std::uint64_t state_hash{0};
    std::vector<InsertedBodies> inserts;
    std::vector<EventReport> events;
    std::int64_t frames{0};           // in state.h5
    std::int64_t memory_bytes{0};     // of the engine
    std::int64_t memory_peak{0};      // of the process so far
    std::int64_t memory_foretold{0};  // as `scree check` says it
    std::vector<std::string> warnings;
    std::vector<RemovedBodies> removes;
    // Whether it went well.
    std::int64_t start_bodies{0};  // when this run began, at its start or its restart
    double start_mass{0};          // of these [kg]
    LargestOverlap overlap;
    std::optional<EnergyError> energy_error;  // where energy is measured and accounted for
    double stepping_speed{0};                 // body-steps of this run over the time that steps took, output left out [1/s]
    UsualSpeed usual;
    std::vector<std::pair<std::string, std::int64_t>> repeated;  // warnings and how often there was cause for each, where more than once
    std::vector<Finding> findings;
};

/// The JSON text; `state_hash` is a string of 16 hexadecimal digits, because JSON numbers lose bits.
std::string summary_text(const Summary& summary);

}  // namespace scree
