// One run, from a scene to its run directory. The constructor does everything that can be refused (scree::Error, exit code 2);
// run() steps, writes, and ends with a result whatever happens (exit codes 0, 1, 130).
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "output/checkpoint.hpp"
#include "output/run_directory.hpp"
#include "output/summary.hpp"
#include "scene/scene.hpp"
#include "setup/build_model.hpp"
#include "sim/batch_size.hpp"
#include "sim/body_count.hpp"
#include "sim/bonder.hpp"
#include "sim/energy_watch.hpp"
#include "sim/events.hpp"
#include "sim/inserter.hpp"
#include "sim/measures.hpp"
#include "sim/memory.hpp"
#include "sim/progress.hpp"
#include "sim/remover.hpp"
#include "sim/run_log.hpp"
#include "sim/run_output.hpp"
#include "sim/signals.hpp"
#include "sim/wall_clock.hpp"
#include "view/run_control.hpp"

namespace scree {

struct RunOptions {
    std::string directory;              // empty: runs/<name of the scene file>
    EngineOptions engine;               // track_energy is set from the measures
    std::optional<double> until;        // simulated time to end at, instead of time.end [s]
    std::optional<std::int64_t> steps;  // or: number of steps from here
    std::string restart;                // checkpoint to go on from
    bool overwrite{false};
    std::string version;              // of the program
    std::ostream* terminal{nullptr};  // progress and warnings; null: neither
    ProgressStyle progress{ProgressStyle::None};
    std::function<int()> terminal_width;  // in columns; none: lines of any length
    std::string speed_record;             // file of earlier runs' speeds; empty: none is kept
    RunControl* control{nullptr};         // of a view, that is told how far the run is and may pause and stop it
};

/// Where models and engines come from; tests put their own here.
struct Factories {
    std::function<BuiltModel(const Scene&)> build;
    std::function<std::unique_ptr<Engine>(const Model&, const EngineOptions&)> engine;
    /// build_model and make_engine.
    static Factories standard();
};

struct RunResult {
    int exit_code{0};     // 0 done, 1 failed while running, 130 interrupted
    std::string reason;   // one word: "done", "interrupted", "overlap", "not_finite", "left", "failed"
    std::string message;  // for the person; empty where all went well
};

class Simulation {
public:
    Simulation(Scene scene, RunOptions options, Factories factories = Factories::standard());

    RunResult run();

    const std::string& directory() const { return directory_; }
    const Model& model() const { return built_.model; }
    /// What summary.json says at the end of run().
    const Summary& summary() const { return summary_; }

private:
    void load_restart();
    /// Throws Error where --overwrite would remove what the run is made from.
    void keep_inputs() const;
    void choose_end();
    void require_disk(Reuse reuse) const;
    void open_files();
    void make_the_engine();

    /// What the row just written makes happen. Returns what ends the run, else nothing.
    std::string watch_events();
    /// Tells the view how far the run is, and waits while it asks for that. True where it asks for the end.
    bool heed_view(const SignalGuard& signals);
    RunResult finish_or_interrupt(bool interrupted);
    RunResult stop_at_fault(const BatchReport& report);
    RunResult stop_at_failure(const std::exception& failure);
    BodyCount bodies_now();
    /// Throws RunError where the next list of pairs may pass 32 bits: the state is whole, and is saved.
    void hold_to_limits();
    void count_steps(std::int64_t done, double seconds);
    /// Warns; of cause for the same again, or for one that begins with `same`, only the count grows.
    void warn(const std::string& text, const std::string& same = "");
    /// Is there a warning that begins so? A restart carries those of the run before: their numbers differ, their start does not.
    bool warned_before(const std::string& start) const;
    void tell(const std::string& text);
    ProgressState progress_now();
    /// What was just written is looked at for the closing verdicts.
    void look_at_output();
    /// Takes note of the largest overlap now. Throws as the engine does.
    void look_at_overlap();
    /// The summary's part that says how well it went.
    void judge();
    void note_overlap();
    void note_unfinished();
    void note_cone(const std::vector<ConeReport>& steps);
    std::string not_converged_text() const;
    std::string unfinished_text(std::int64_t unfinished) const;
    /// Warns once where joints are missed, and says which.
    void warn_of_joints(const std::vector<ConeReport>& steps);
    Checkpoint make_checkpoint();
    void save_checkpoint();
    /// What became of bonds, as files.
    void write_bonds();
    /// Takes out and puts in the bodies that are due at this step, and makes bonds, once.
    void run_streams();
    void write_summary(RunResult& result);

    Scene scene_;
    RunOptions options_;
    Factories factories_;
    std::string directory_;
    RunLock lock_;  // of the directory, until the end of run()
    BuiltModel built_;
    std::optional<Checkpoint> restart_;
    std::vector<std::string> kept_files_;  // digests, for checkpoints
    bool continues_{false};                // restarts in the run directory of its checkpoint
    std::unique_ptr<Measures> measures_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<RunLog> log_;
    std::unique_ptr<RunOutput> output_;
    std::unique_ptr<Events> events_;
    std::unique_ptr<Inserter> inserter_;  // once the model is built
    std::unique_ptr<Remover> remover_;    // likewise
    std::unique_ptr<Bonder> bonder_;      // likewise

    std::int64_t first_step_{0}, step_{0}, end_step_{0};
    double particle_steps_{0};
    std::int64_t entries_{-1};  // of the engine when it was looked at last
    BodyCount bodies_;          // among them
    MemoryForecast memory_;
    std::string memory_warning_;  // as it was before the engine was made
    BatchSize batch_;
    WallClock clock_;
    double cpu_start_{0}, last_checkpoint_{0};
    StageTime checkpoint_time_{"output/checkpoint", 0, 0}, insert_time_{"insertion", 0, 0}, remove_time_{"removal", 0, 0},
        bond_time_{"bonding", 0, 0};
    bool overlap_noted_{false}, unfinished_noted_{false};
    EnergyWatch energy_watch_;
    LargestOverlap overlap_;
    std::int64_t watched_row_{-1};   // step of the row of the series that was looked at last
    std::size_t watched_frames_{0};  // frames that there were then
    double stepping_seconds_{0};     // of wall time inside of Engine::advance
    std::size_t frames_to_wait_{0};  // at so many frames a run that its view steps waits again; 0: it does not step
    ConeTotals cone_;                // of all steps since the very start
    bool engine_whole_{true};        // false while the engine is inside a batch: a failure there leaves a state no checkpoint may hold
    std::vector<std::string> warnings_;
    std::vector<std::int64_t> warned_times_;  // how often there was cause for each
    Progress progress_;
    Summary summary_;
};

/// The run directory that a run of this scene file takes by default.
std::string default_run_directory(const std::string& scene_file);

/// Threads to use where 0 were asked for: OMP_NUM_THREADS, else the processors this process may run on.
int available_threads();

/// Number of frames that a run of `steps` steps writes.
std::int64_t count_frames(const Scene& scene, double dt, std::int64_t steps);

}  // namespace scree
