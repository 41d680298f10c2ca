// One run, from a scene to its run directory. The constructor does everything that can be refused (scree::Error, exit code 2);
// run() steps, writes, and ends with a result whatever happens (exit codes 0, 1, 130). Programs that look at a run in between take its
// parts, start(), advance() and finish(), instead.
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
#include "sim/caller_changes.hpp"
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
#include "sim/stocks.hpp"
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
    bool in_memory{false};                // there is no run directory: nothing is written, and rows of the series are kept in memory
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

    /// The first of the three parts of run(), which each are called once, but advance(): measures, and writes the first frame.
    void start();
    /// Makes steps up to step number `last`, in batches of about 0.2 s, and writes what falls due. Ends sooner where an event says so,
    /// where the run fails, and where stop(), which is asked before the first batch and after each, is true. Does nothing once the run has
    /// ended.
    void advance(std::int64_t last, const std::function<bool()>& stop);
    /// Writes the last frame (but of an interrupted run), checkpoint and summary.
    RunResult finish(bool interrupted);

    /// Why the run has failed; null while it has not.
    const RunResult* failure() const { return failure_ ? &*failure_ : nullptr; }
    /// What the event that has ended the run says; empty where none has.
    const std::string& ended() const { return ended_; }
    std::int64_t step() const { return step_; }
    /// The step that `--until`, `--steps` or time.end asks for.
    std::int64_t end_step() const { return end_step_; }
    /// Between two calls of advance(). Who changes the state through it takes care that it goes on.
    Engine& engine() { return *engine_; }
    const Measures& measures() const { return *measures_; }
    /// Changes when a wall is there, or when its motion begins and ends; change() gets the wall and the time reached. Checkpoints keep it.
    /// Throws RunError where the walls of the method stay as they are.
    void retime_wall(std::size_t wall, const std::function<void(Wall& wall, double now)>& change);
    /// Gives a wall another motion, that begins where it is now. `text`: the table [[wall]] motion of a scene, as in
    /// "{ velocity = [0, 0, -0.1] }"; its times are those of the simulation, and without `from` it begins now. Throws Error where that is
    /// no motion for this wall, and RunError as retime_wall().
    void move_wall(std::size_t wall, const std::string& text);
    /// What the motor of a joint's angle, or `along` of its travel, follows from now on: a number in place of what the scene says.
    /// Checkpoints keep it. Throws RunError where there is no such motor.
    void drive_joint(std::size_t joint, bool along, double value);
    /// Puts bodies in, all or none, as Stocks::insert.
    std::vector<std::uint32_t> insert(const AskedBodies& asked);
    /// Takes bodies out, all or none, as Stocks::remove.
    void remove(const std::vector<std::uint32_t>& ids);
    std::vector<std::string> stocks() const { return stocks_->names(); }
    /// What of a stock is not in, as Stocks::left.
    std::vector<std::uint32_t> left_of(const std::string& stock) { return stocks_->left(*engine_, stock); }
    /// Ids of the bodies with centres in a region, which is named as `region` of [[remove]] is; of compounds without their members.
    /// Throws scree::Error.
    std::vector<std::uint32_t> bodies_in(const std::string& region);
    /// Rows of the series, of a run in memory.
    const std::vector<SeriesRow>& rows() const { return output_->rows(); }
    const std::vector<std::string>& warnings() const { return warnings_; }
    /// Writes a checkpoint to a file of any name. Throws RunError.
    void save(const std::string& path) { write_checkpoint(path, make_checkpoint()); }

    /// Empty where the run is in memory.
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
    /// One batch of steps up to `last` at most, and what falls due behind it.
    void make_batch(std::int64_t last);
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
    /// Changes which bodies there are; a failure of the engine in it ends the run.
    void change_bodies(StageTime& stage, const std::function<void()>& change);
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
    CallerChanges calls_;
    std::unique_ptr<Inserter> inserter_;  // once the model is built
    std::unique_ptr<Remover> remover_;    // likewise
    std::unique_ptr<Bonder> bonder_;      // likewise
    std::unique_ptr<Stocks> stocks_;      // likewise

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
    std::optional<RunResult> failure_;
    std::string ended_;        // by which event
    bool engine_whole_{true};  // false while the engine is inside a batch: a failure there leaves a state no checkpoint may hold
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
