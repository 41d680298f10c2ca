// The constructor's half of Simulation: everything before the first step.
#include "sim/simulation.hpp"

#include <limits>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "model/made_bonds.hpp"
#include "output/atomic_file.hpp"
#include "output/run_directory.hpp"
#include "scene/files_of.hpp"
#include "scene/write.hpp"
#include "setup/method.hpp"
#include "setup/meshes/process_memory.hpp"
#include "setup/step.hpp"
#include "sim/compare_scenes.hpp"
#include "sim/kept_files.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

bool same_folder(const fs::path& a, const fs::path& b) {
    std::error_code error;
    return fs::weakly_canonical(fs::absolute(a), error) == fs::weakly_canonical(fs::absolute(b), error);
}

fs::path folder_of(const std::string& file) {
    return fs::absolute(fs::path(file)).parent_path();
}

bool has_energy_measure(const std::string& resolved) {
    const std::vector<Setting> settings = settings_of(resolved);
    return std::any_of(settings.begin(), settings.end(), [](const Setting& setting) {
        return setting.key.rfind("measure[", 0) == 0 && setting.key.find("].kind") != std::string::npos && setting.value == "\"energy\"";
    });
}

}  // namespace

Factories Factories::standard() {
    return {build_model, make_engine};
}

std::string default_run_directory(const std::string& scene_file) {
    const std::string stem = fs::path(scene_file).stem().string();
    return (fs::path("runs") / (stem.empty() ? "scene" : stem)).string();
}

int available_threads() {
    if (const char* text = std::getenv("OMP_NUM_THREADS")) {
        const int asked = std::atoi(text);
        if (asked > 0) return asked;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

std::int64_t count_frames(const Scene& scene, double dt, std::int64_t steps) {
    if (!(scene.output.every > 0)) return 2;
    const double events = std::min(std::floor(static_cast<double>(steps) * dt / scene.output.every), static_cast<double>(steps));
    return 2 + static_cast<std::int64_t>(std::min(events, 1e15));
}

Simulation::Simulation(Scene scene, RunOptions options, Factories factories)
    : scene_(std::move(scene)),
      options_(std::move(options)),
      factories_(std::move(factories)),
      directory_(options_.in_memory           ? ""
                 : options_.directory.empty() ? default_run_directory(scene_.file)
                                              : options_.directory),
      progress_(options_.terminal, options_.progress, options_.terminal_width) {
    if (!options_.restart.empty()) load_restart();
    const Reuse reuse = continues_ ? Reuse::Continue : options_.overwrite ? Reuse::Overwrite : Reuse::Refuse;
    if (!options_.in_memory) check_run_directory(directory_, reuse, lock_);
    if (reuse == Reuse::Overwrite) keep_inputs();

    progress_.doing("placing bodies");
    built_ = factories_.build(scene_);
    kept_files_ = digests_of_kept_files(scene_);
    inserter_ = std::make_unique<Inserter>(built_.insertions, built_.model);
    remover_ = std::make_unique<Remover>(built_.removals, built_.model);
    bonder_ = std::make_unique<Bonder>(built_.bond_plan, built_.model);
    stocks_ = std::make_unique<Stocks>(scene_, built_.insertions, *remover_, built_.model);
    measures_ = std::make_unique<Measures>(scene_, built_.model, inserter_.get(), remover_.get(), stocks_.get());
    events_ = std::make_unique<Events>(built_.events, measures_->columns());
    if (restart_) {
        if (events_->any()) events_->restore(restart_->engine, built_.model);
        calls_.restore(restart_->engine, built_.model);
        require_kept_files(scene_, kept_files_, restart_->files, options_.restart);
        // The step stays as it was, even where new walls would give another automatic one.
        built_.model.dt = restart_->dt;
        warnings_ = restart_->warnings;
        warned_times_.assign(warnings_.size(), 0);
        measures_->restore(restart_->cone);
        for (const NamedConeTotals& sum : restart_->cone) {
            if (sum.name.empty()) cone_ = sum.totals;
        }
    }
    choose_end();
    options_.engine.track_energy = Measures::need_energy(scene_);
    if (options_.engine.threads <= 0) {
        options_.engine.threads = available_threads();
        options_.engine.choose_threads = true;
    }
    memory_ = foresee_memory(scene_, built_.model, options_.engine);
    if (restart_) {
        double saved = 0;
        for (const StateField& field : restart_->engine.fields) saved += static_cast<double>(field.bytes.size());
        memory_.parts.push_back({"restart", saved});
        memory_.peak += saved;
    }
    // What is read of a checkpoint, and the model, are in memory already.
    memory_warning_ = memory_warning(memory_, available_memory() + resident_memory());
    progress_.doing("making the engine");
    make_the_engine();
    progress_.doing("");
    progress_.clear();

    if (!options_.in_memory) {
        require_disk(reuse);
        open_run_directory(directory_, reuse, lock_);
    }
    open_files();
    built_.model.bodies.forget_start();
    trim_memory();
}

void Simulation::load_restart() {
    restart_ = read_checkpoint(options_.restart);
    if (restart_->of_fault) {
        throw Error(options_.restart +
                    ": holds the state found at a fault, to look at; restart from a checkpoint.h5, or start anew with other settings");
    }
    const std::vector<std::string> changes = changed_settings(restart_->scene, scene_.resolved);
    if (!changes.empty()) {
        std::string text =
            options_.restart +
            ": the scene differs from the one in the checkpoint; a restart may change walls (but not those that bodies carry, nor "
            "those of hard particles or that bonds hold bodies to), stages of the domain, measures, output and time.end only:";
        for (const std::string& change : changes) text += "\n  " + change;
        throw Error(text);
    }
    continues_ = !options_.in_memory && same_folder(folder_of(options_.restart), directory_);
    if (continues_ && options_.overwrite) {
        throw Error(directory_ +
                    ": --overwrite would remove the run that --restart goes on with; leave it out, or choose another directory with -o");
    }
    if (restart_->precision != (options_.engine.precision == Precision::Mixed ? "mixed" : "double")) {
        throw Error(options_.restart + ": made with --precision " + restart_->precision + "; restart with the same");
    }
}

void Simulation::keep_inputs() const {
    std::vector<std::string> inputs{options_.restart};
    for (const InputFile& file : files_of(scene_)) inputs.push_back(file.path);
    check_inputs_stay(directory_, inputs);
}

void Simulation::choose_end() {
    const double dt = built_.model.dt;
    if (!(dt > 0)) throw Error("the time step is " + fmt::format("{}", dt) + " s; set time.step above 0");
    const std::int64_t start = restart_ ? restart_->step : 0;
    if (options_.steps && options_.until) throw Error("give either --until or --steps, not both");
    const double end_time = options_.until.value_or(scene_.time.end);
    if (!std::isfinite(end_time)) throw Error("the end of the run is not a finite time; set time.end or --until to a number of seconds");
    if (!options_.steps) require_reachable(end_time, dt, {});
    if (options_.steps && *options_.steps > std::numeric_limits<std::int64_t>::max() - start) throw Error("--steps is too large a number");
    end_step_ = options_.steps ? start + *options_.steps : steps_to(end_time, dt);
    if (end_step_ < start) {
        throw Error(fmt::format("the run should end at t = {} s, but the checkpoint is at t = {} s already; raise time.end or --until",
                                end_time, restart_->time));
    }
    if (!restart_ && !options_.steps && end_time > 0 && end_step_ == 0) {
        throw Error(
            fmt::format("the run ends at t = {} s, but its time step is {:.6g} s, so it would make none; set time.step, or look at the "
                        "moduli and densities that the automatic one comes from",
                        end_time, dt));
    }
    first_step_ = step_ = start;
}

void Simulation::make_the_engine() {
    engine_ = factories_.engine(built_.model, options_.engine);
    if (!restart_) return;
    if (inserter_->any()) inserter_->restore(restart_->engine);
    if (remover_->any()) remover_->restore(restart_->engine);
    if (bonder_->any()) bonder_->restore(restart_->engine);
    stocks_->restore(restart_->engine);
    engine_->load(restart_->engine);
    if (bonder_->any()) built_.model.bonds = engine_->all_bonds();
    restart_->engine = {};
    if (engine_->counters().step != restart_->step)
        throw Error(options_.restart + ": its step does not match the engine's state; use another checkpoint");
}

void Simulation::require_disk(Reuse reuse) const {
    const std::size_t bodies = static_cast<std::size_t>(engine_->counters().bodies);
    const std::size_t contacts = scene_.output.contacts ? 3 * bodies : 0;  // a dense bed has about three per body
    FrameSize of_bonds;
    of_bonds.choice = frame_choice(scene_.output);
    if (scene_.output.bonds) of_bonds.bonds = built_.model.bonds.size() + static_cast<std::size_t>(bonds_to_come(built_.model));
    const double frame = frame_bytes(built_.model, bodies, contacts, of_bonds.choice) + frame_header_bytes(built_.model, bodies, contacts) +
                         frame_bytes(of_bonds);
    const double checkpoints = 2.0 * 400.0 * static_cast<double>(bodies);  // old and new; state and history
    const double frames = static_cast<double>(count_frames(scene_, built_.model.dt, end_step_ - first_step_));
    const double lines = built_.model.method == Method::Cone ? static_cast<double>(end_step_ - first_step_) : 0;
    const double freed = reuse == Reuse::Overwrite ? own_file_bytes(directory_) : 0;
    require_space(directory_, frames * frame + checkpoints + lines * SolverLog::line_bytes - freed);
}

void Simulation::open_files() {
    try {
        log_ = std::make_unique<RunLog>(options_.in_memory ? "" : run_file(directory_, RunFiles::log), continues_);
        output_ = std::make_unique<RunOutput>(scene_, *measures_, built_.model, directory_,
                                              continues_ ? std::optional<std::int64_t>(step_) : std::nullopt,
                                              restart_ ? restart_->solver_lines : "");
        if (!options_.in_memory)
            write_file_atomically(run_file(directory_, RunFiles::scene), resolved_text_from(scene_, fs::absolute(directory_).string()));
    } catch (const RunError& e) {
        throw Error(e.what());  // nothing ran yet: the directory is at fault
    }
    log_->note(fmt::format("scree {}: {}, {} method, {} bodies, {} joints, {} walls, dt = {:.9g} s, steps {} to {}, {}, {} threads",
                           options_.version, scene_.file, method_name(built_.model.method), bodies_now().bodies, built_.model.joints.size(),
                           built_.model.walls.size(), built_.model.dt, first_step_, end_step_, engine_->device_name(),
                           options_.engine.threads));
    if (restart_) log_->note("restarted from " + options_.restart);
    for (const std::string& warning : built_.warnings) warn(warning);
    if (!memory_warning_.empty()) warn(memory_warning_);
    for (const std::string& warning : measures_->warnings()) warn(warning);
    if (restart_ && built_.model.method == Method::Penalty && scene_.time.step == std::nullopt && built_.stable_step > 0 &&
        built_.model.dt > built_.stable_step) {
        warn(fmt::format("the checkpoint's step of {:.6g} s is above the stable step of {:.6g} s that the changed walls allow",
                         built_.model.dt, built_.stable_step));
    }
    if (restart_ && options_.engine.track_energy && !has_energy_measure(restart_->scene)) {
        warn("dissipated energies count from the restart on: the earlier run did not measure energy");
    }
}

}  // namespace scree
