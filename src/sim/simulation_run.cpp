// The running half of Simulation: the loop, and how a run ends.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <ostream>
#include <thread>
#include <utility>

#include "output/atomic_file.hpp"
#include "output/run_directory.hpp"
#include "setup/method.hpp"
#include "setup/meshes/process_memory.hpp"
#include "sim/fault_message.hpp"
#include "sim/findings.hpp"
#include "sim/measured_bonds.hpp"
#include "sim/signals.hpp"
#include "sim/speed_record.hpp"
#include "sim/simulation.hpp"
#include "model/limits.hpp"
#include "model/weight.hpp"

namespace scree {
namespace {

/// Processor time of all threads of this process so far [s].
double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Do joints give or take energy that no account holds?
bool has_driven_joints(const Model& model) {
    return std::any_of(model.joints.begin(), model.joints.end(), [](const Joint& j) {
        return j.angle_motor.drive != Drive::None || j.travel_motor.drive != Drive::None || j.angle_spring.any() || j.travel_spring.any();
    });
}

}  // namespace

RunResult Simulation::run() {
    const SignalGuard signals;
    start();
    advance(end_step_, [&] { return signals.received() != 0 || heed_view(signals); });
    return finish(ended_.empty() && step_ < end_step_);
}

void Simulation::start() {
    clock_ = WallClock();
    cpu_start_ = cpu_seconds();
    try {
        const Measurement start = engine_->measure();
        summary_.start_bodies = bodies_now().bodies;
        summary_.start_mass = start.mass;
        energy_watch_ = EnergyWatch(options_.engine.track_energy && !has_driven_joints(built_.model) ? measures_->columns()
                                                                                                     : std::vector<std::string>{});
        progress_.doing("writing a frame");
        if (continues_) {
            output_->write_missed(*engine_, step_);
        } else {
            output_->write_first(*engine_, step_);
        }
        progress_.doing("");
        look_at_output();
        if (!restart_) ended_ = watch_events();
    } catch (const std::exception& e) {
        progress_.clear();
        failure_ = stop_at_failure(e);
    }
}

void Simulation::advance(std::int64_t last, const std::function<bool()>& stop) {
    if (failure_ || !ended_.empty()) return;
    try {
        bool stopped = stop();
        while (step_ < last && !stopped) {
            make_batch(last);
            if (failure_ || !ended_.empty()) return;
            stopped = stop();
            const double period = options_.in_memory ? 0 : scene_.output.checkpoint_every;
            if (!stopped && period > 0 && clock_.seconds() - last_checkpoint_ >= period && step_ < last) save_checkpoint();
            progress_.update(progress_now());
        }
    } catch (const std::exception& e) {
        progress_.clear();
        failure_ = stop_at_failure(e);
    }
}

void Simulation::make_batch(std::int64_t last) {
    run_streams();  // behind what was written of this step
    const std::int64_t due =
        std::min({output_->next_after(step_), inserter_->next_after(step_), remover_->next_after(step_), bonder_->next_after(step_), last});
    const WallClock batch_clock;
    engine_whole_ = false;
    const BatchReport report = engine_->advance(std::min(due - step_, batch_.steps()));
    engine_whole_ = true;
    count_steps(report.steps_done, batch_clock.seconds());
    if (report.overlap_warned) {
        note_overlap();
        look_at_overlap();
    }
    if (report.unfinished > 0) note_unfinished();
    if (report.fault.kind != FaultKind::None) {
        failure_ = stop_at_fault(report);
        return;
    }
    note_cone(report.cone);
    hold_to_limits();
    if (report.steps_done < 1) throw RunError("the engine made no step and gave no reason");
    if (step_ == due) {
        progress_.doing(output_->frame_due(step_) ? "writing a frame" : "measuring");
        output_->write_scheduled(*engine_, step_);
        progress_.doing("");
        look_at_output();
    }
    ended_ = watch_events();
}

RunResult Simulation::finish(bool interrupted) {
    RunResult result;
    if (failure_) {
        result = *failure_;
        progress_.clear();
    } else {
        try {
            progress_.doing("writing the last frame and the checkpoint");
            result = finish_or_interrupt(interrupted);
            if (!ended_.empty()) result.message = ended_;
            look_at_output();
            progress_.clear();
        } catch (const std::exception& e) {
            progress_.clear();
            result = stop_at_failure(e);
        }
    }
    progress_.doing("measuring the end");
    write_summary(result);
    progress_.doing("");
    progress_.end(progress_now(), result.reason, result.message, result.exit_code);
    if (result.exit_code == 1) {
        log_->error(result.message);
    } else {
        log_->note(result.reason + (result.message.empty() ? "" : ": " + result.message));
    }
    lock_.release();
    return result;
}

ProgressState Simulation::progress_now() {
    const RunCounters counters = engine_->counters();
    return {first_step_,
            step_,
            end_step_,
            counters.time,
            static_cast<double>(end_step_) * built_.model.dt,
            particle_steps_,
            clock_.seconds(),
            bodies_now().bodies,
            counters.rebuilds};
}

void Simulation::look_at_output() {
    if (output_->last_row_step() == step_ && watched_row_ != step_) {
        energy_watch_.note(output_->last_row());
        watched_row_ = step_;
    }
    if (output_->frames() == watched_frames_) return;
    watched_frames_ = output_->frames();
    look_at_overlap();
}

void Simulation::look_at_overlap() {
    if (built_.model.method == Method::Fluid) return;
    const Measurement now = engine_->measure();
    ++overlap_.looks;
    if (!(now.max_overlap > overlap_.ratio)) return;
    overlap_.ratio = now.max_overlap;
    overlap_.time = now.time;
    overlap_.between.clear();
    // Which bodies they are is asked where the list of all contacts is small, or made for frames anyway.
    constexpr std::int64_t few = 4000;
    if (now.contacts + now.wall_contacts > few && !scene_.output.contacts) return;
    const std::vector<ContactRecord> contacts = engine_->contacts();
    const auto deepest = std::max_element(contacts.begin(), contacts.end(),
                                          [](const ContactRecord& a, const ContactRecord& b) { return a.overlap_ratio < b.overlap_ratio; });
    if (deepest != contacts.end()) overlap_.between = bodies_of(*deepest, built_.model);
}

std::string Simulation::watch_events() {
    if (!events_->any() || output_->last_row_step() != step_) return "";
    const double t = engine_->counters().time;
    const std::vector<const Event*> now = events_->look(output_->last_row(), t, built_.model);
    if (now.empty()) return "";
    std::string ended;
    for (const Event* event : now) {
        log_->note(fmt::format("event \"{}\" at t = {:.9g} s: {}", event->name, t, event->condition()));
        if (event->action == EventAction::Stop && ended.empty())
            ended = fmt::format("ended by event \"{}\" at t = {:.9g} s: {}", event->name, t, event->condition());
    }
    engine_->retime(built_.model);
    output_->walls_changed(built_.model);
    return ended;
}

bool Simulation::heed_view(const SignalGuard& signals) {
    RunControl* view = options_.control;
    if (view == nullptr) return false;
    constexpr auto pause = std::chrono::milliseconds(20);
    view->step.store(step_, std::memory_order_relaxed);
    view->time.store(engine_->counters().time, std::memory_order_relaxed);
    view->end_step.store(end_step_, std::memory_order_relaxed);
    view->end_time.store(static_cast<double>(end_step_) * built_.model.dt, std::memory_order_relaxed);
    const auto asked = [](const std::atomic<std::int32_t>& what) { return what.load(std::memory_order_relaxed) != 0; };
    if (!asked(view->pause)) frames_to_wait_ = 0;
    while (asked(view->pause) && !asked(view->stop) && signals.received() == 0) {
        if (output_->frames() < frames_to_wait_) break;  // on its way to a frame
        frames_to_wait_ = 0;
        if (view->more_frames.load(std::memory_order_relaxed) > 0) {
            view->more_frames.fetch_sub(1, std::memory_order_relaxed);
            frames_to_wait_ = output_->frames() + 1;
            break;
        }
        view->waits.store(1, std::memory_order_relaxed);
        std::this_thread::sleep_for(pause);
    }
    view->waits.store(0, std::memory_order_relaxed);
    return asked(view->stop);
}

RunResult Simulation::finish_or_interrupt(bool interrupted) {
    if (!interrupted) output_->write_last(*engine_, step_);
    if (!options_.in_memory) save_checkpoint();
    if (!interrupted) return {0, "done", ""};
    return {130, "interrupted",
            fmt::format("interrupted at t = {:.9g} s (step {}); go on with --restart {}", engine_->counters().time, step_,
                        run_file(directory_, RunFiles::checkpoint))};
}

RunResult Simulation::stop_at_fault(const BatchReport& report) {
    const Fault& fault = report.fault;
    progress_.clear();
    if (fault.kind == FaultKind::Overlap && fault.value > overlap_.ratio) {
        ContactRecord pair;
        pair.a = fault.body, pair.b = fault.other, pair.wall = fault.wall;
        overlap_ = {fault.value, fault.time, overlap_.looks + 1, bodies_of(pair, built_.model)};
    }
    RunResult result{1, fault_name(fault.kind), fault_message(fault, built_.model)};
    const std::string path = run_file(directory_, RunFiles::fault);
    try {
        if (!options_.in_memory) {
            write_fault(path, make_checkpoint(), result.message, engine_->snapshot(), engine_->contacts(), frame_geometry(built_.model));
            result.message += ". The state found is in " + path;
        }
    } catch (const std::exception& e) {
        result.message += std::string(". The state found could not be written: ") + e.what();
    }
    try {
        note_cone(report.cone);
    } catch (const RunError& e) {
        result.message += std::string(". ") + e.what();
    }
    return result;
}

RunResult Simulation::stop_at_failure(const std::exception& failure) {
    RunResult result{1, "failed", failure.what()};
    if (options_.in_memory) return result;
    if (!engine_whole_) {
        result.message += "; the run stopped in the middle of a step, an earlier checkpoint, if there is one, is unchanged";
        return result;
    }
    try {
        save_checkpoint();
        result.message += "; the run stopped, its state is in " + run_file(directory_, RunFiles::checkpoint);
    } catch (const std::exception&) {
        result.message += "; the run stopped, and its state could not be saved: an earlier checkpoint, if there is one, is unchanged";
    }
    return result;
}

BodyCount Simulation::bodies_now() {
    const std::int64_t entries = engine_->counters().bodies;
    if (entries == entries_) return bodies_;
    const BodyTable& start = built_.model.bodies;
    bodies_ = start.owner.empty() ? BodyCount{entries, 0} : count_bodies(start, engine_->snapshot().id);
    entries_ = entries;
    return bodies_;
}

void Simulation::count_steps(std::int64_t done, double seconds) {
    const RunCounters counters = engine_->counters();
    step_ = counters.step;
    particle_steps_ += static_cast<double>(bodies_now().bodies) * static_cast<double>(done);
    stepping_seconds_ += seconds;
    batch_.record(done, seconds);
}

void Simulation::hold_to_limits() {
    const std::int64_t most = count_limits().pairs;
    const auto stop_at = static_cast<std::int64_t>(share_to_stop_at * static_cast<double>(most));
    require_within<RunError>(static_cast<double>(engine_->counters().pairs), stop_at,
                             "pairs of bodies, of at most " + std::to_string(most) + ",", fewer_pairs);
}

void Simulation::warn(const std::string& text, const std::string& same) {
    const auto known = std::find_if(warnings_.begin(), warnings_.end(),
                                    [&](const std::string& old) { return same.empty() ? old == text : old.rfind(same, 0) == 0; });
    if (known != warnings_.end()) {
        ++warned_times_[static_cast<std::size_t>(known - warnings_.begin())];
        return;
    }
    warnings_.push_back(text);
    warned_times_.push_back(1);
    tell(text);
}

void Simulation::tell(const std::string& text) {
    log_->warn(text);
    progress_.say("warning", text);
}

bool Simulation::warned_before(const std::string& start) const {
    return std::any_of(warnings_.begin(), warnings_.end(), [&](const std::string& old) { return old.rfind(start, 0) == 0; });
}

void Simulation::note_overlap() {
    const std::string start = "an overlap passed method.overlap_warning";
    if (overlap_noted_) return warn("", start);
    overlap_noted_ = true;
    const std::string stops =
        built_.model.method == Method::Hard ? "" : fmt::format("; the run stops at {:.3g}", built_.model.penalty.overlap_limit);
    warn(fmt::format("{} = {:.3g} of the smaller radius, by t = {:.6g} s: {} would keep bodies apart{}", start,
                     built_.model.penalty.overlap_warning, engine_->counters().time, overlap_remedy(built_.model), stops),
         start);
}

std::string Simulation::not_converged_text() const {
    return fmt::format(
        "{} of {} steps did not converge to method.tolerance within method.iterations = {} (largest residual {:.3g} m/s, {:.3g} times the "
        "tolerance): raise method.iterations, or choose another method.solver or a smaller time.step",
        cone_.not_converged, cone_.steps, built_.model.cone.iterations, cone_.residual,
        cone_.residual / tolerance_of(built_.model.cone, strongest_gravity(built_.model), built_.model.dt));
}

/// The count is a warning of the summary. Here only that there is one, once.
void Simulation::note_unfinished() {
    if (unfinished_noted_) return;
    unfinished_noted_ = true;
    tell(
        fmt::format("by t = {:.6g} s a step ended after method.iterations = {} rounds with collisions left for the next; summary.json says "
                    "how many did",
                    engine_->counters().time, built_.model.hard.rounds));
}

std::string Simulation::unfinished_text(std::int64_t unfinished) const {
    return fmt::format(
        "{} of {} steps ended after method.iterations = {} rounds with collisions left for the next step: raise method.iterations or "
        "method.elastic_below, or choose a smaller time.step",
        unfinished, engine_->counters().step, built_.model.hard.rounds);
}

void Simulation::warn_of_joints(const std::vector<ConeReport>& steps) {
    constexpr double told = 1e-6;
    const auto missed = std::find_if(steps.begin(), steps.end(), [](const ConeReport& step) { return step.joint_miss > told; });
    const std::string start = "joints are not kept";
    if (missed == steps.end()) return;
    if (warned_before(start)) return warn("", start);
    const std::vector<JointState> states = engine_->measure().joints;
    std::size_t worst = 0;
    for (std::size_t j = 0; j < states.size(); ++j) {
        if (states[j].violation > states[worst].violation) worst = j;
    }
    const std::string name = worst < built_.model.joints.size() ? built_.model.joints[worst].name : "";
    warn(
        fmt::format("{}: step {} misses them by {:.3g} of the mechanism's size, most of all joint \"{}\": motors, stops or joints ask for "
                    "what others forbid, or the step is too long",
                    start, missed->step, missed->joint_miss, name));
}

void Simulation::note_cone(const std::vector<ConeReport>& steps) {
    const bool any_before = cone_.not_converged > 0;
    for (const ConeReport& step : steps) cone_.add(step);
    // The count is a warning of the summary. Here only that there is one: once, also over restarts, which carry the totals.
    if (!any_before && cone_.not_converged > 0) {
        const auto first = std::find_if(steps.begin(), steps.end(), [](const ConeReport& step) { return !step.converged; });
        tell(
            fmt::format("step {} did not converge within method.iterations = {} (residual {:.3g} m/s); solver.csv says which others, "
                        "summary.json how many",
                        first->step, built_.model.cone.iterations, first->residual));
    }
    warn_of_joints(steps);
    measures_->note(steps);
    output_->write_solver(steps);
}

Checkpoint Simulation::make_checkpoint() {
    Checkpoint checkpoint;
    const RunCounters counters = engine_->counters();
    checkpoint.version = options_.version;
    checkpoint.scene = scene_.resolved;
    checkpoint.device = engine_->device_name();
    checkpoint.precision = options_.engine.precision == Precision::Mixed ? "mixed" : "double";
    checkpoint.dt = built_.model.dt;
    checkpoint.step = counters.step;
    checkpoint.time = counters.time;
    checkpoint.bodies = bodies_now().bodies;
    checkpoint.next_frame = static_cast<std::int64_t>(output_->frames());
    checkpoint.warnings = warnings_;
    checkpoint.files = kept_files_;
    if (built_.model.method == Method::Cone) {
        checkpoint.cone = measures_->sums();
        checkpoint.cone.push_back({"", cone_});
        checkpoint.solver_lines = output_->unwritten_solver_lines();
    }
    checkpoint.each_field = [this](const FieldSink& sink) {
        const auto sink_all = [&sink](const std::vector<StateField>& fields) {
            for (const StateField& field : fields) sink(field);
        };
        engine_->save_fields(sink);
        if (inserter_->any()) sink(inserter_->saved());
        if (bonder_->any()) sink(bonder_->saved());
        if (events_->any()) sink(events_->saved());
        if (calls_.any()) sink(calls_.saved(built_.model));
        if (remover_->any()) sink_all(remover_->saved());
        if (stocks_->any()) sink_all(stocks_->saved());
    };
    return checkpoint;
}

void Simulation::run_streams() {
    const auto run = [this](auto& stream, StageTime& stage, const auto& go) {
        if (stream.looked_at(step_) || stream.next_after(step_ - 1) != step_) return;
        const WallClock clock;
        progress_.doing(stage.name == "insertion" ? "inserting bodies" : stage.name == "removal" ? "taking bodies out" : "making bonds");
        engine_whole_ = false;
        const std::string warning = go(stream);
        engine_whole_ = true;
        entries_ = -1;
        stage.seconds += clock.seconds();
        ++stage.calls;
        progress_.doing("");
        if (!warning.empty()) warn(warning, warning.substr(0, warning.find(" at t = ")));
    };
    run(*remover_, remove_time_, [this](Remover& remover) { return remover.look(*engine_, step_); });
    run(*inserter_, insert_time_, [this](Inserter& inserter) { return inserter.insert_due(*engine_, step_); });
    run(*bonder_, bond_time_, [this](Bonder& bonder) { return bonder.look(*engine_, step_); });
}

void Simulation::write_bonds() {
    const std::vector<BrokenBond> broken = engine_->broken_bonds();
    write_file_atomically(run_file(directory_, RunFiles::bonds), broken_bonds_text(built_.model, broken));
    write_file_atomically(run_file(directory_, RunFiles::fragments),
                          fragments_text(fragments_of(built_.model, broken, engine_->snapshot())));
}

void Simulation::save_checkpoint() {
    const WallClock clock;
    progress_.doing("writing a checkpoint");
    if (!built_.model.bond_kinds.empty()) write_bonds();
    write_checkpoint(run_file(directory_, RunFiles::checkpoint), make_checkpoint());
    last_checkpoint_ = clock_.seconds();
    checkpoint_time_.seconds += clock.seconds();
    ++checkpoint_time_.calls;
    progress_.doing("");
    log_->note(fmt::format("checkpoint at t = {:.9g} s (step {})", engine_->counters().time, step_));
}

void Simulation::judge() {
    Summary& s = summary_;
    s.overlap = overlap_;
    s.energy_error = energy_watch_.error();
    s.stepping_speed = stepping_seconds_ > 0 ? particle_steps_ / stepping_seconds_ : 0;
    for (std::size_t k = 0; k < warnings_.size(); ++k) {
        if (warned_times_[k] > 1) s.repeated.emplace_back(warnings_[k], warned_times_[k]);
    }
    const std::string kind = kind_of_run(built_.model, s.counters.bodies, s.device, options_.engine);
    s.usual = usual_speed(options_.speed_record, kind);
    constexpr double tells = 2;  // seconds of stepping: shorter runs show how a machine wakes up
    if (s.exit_code != 1 && stepping_seconds_ >= tells) record_speed(options_.speed_record, kind, s.stepping_speed);
    if (stepping_seconds_ < tells) s.usual = {};
    s.findings = findings_of(s, built_.model);
}

void Simulation::write_summary(RunResult& result) {
    Summary& s = summary_;
    s.version = options_.version;
    s.title = scene_.title;
    s.scene_file = scene_.file;
    s.precision = options_.engine.precision == Precision::Mixed ? "mixed" : "double";
    s.threads = options_.engine.threads;
    s.restarted_from = options_.restart;
    s.exit_reason = result.reason;
    s.exit_code = result.exit_code;
    s.exit_message = result.message;
    s.dt = built_.model.dt;
    s.stable_step = built_.stable_step;
    s.wall_seconds = clock_.seconds();
    s.cpu_seconds = cpu_seconds() - cpu_start_;
    s.steps_this_run = step_ - first_step_;
    s.particle_steps = particle_steps_;
    s.energy_tracked = options_.engine.track_energy;
    s.frames = static_cast<std::int64_t>(output_->frames());
    s.warnings = warnings_;
    s.method = method_name(built_.model.method);
    s.cone_method = built_.model.method == Method::Cone;
    s.cone = cone_;
    s.joints = static_cast<std::int64_t>(built_.model.joints.size());
    if (cone_.not_converged > 0) {
        s.warnings.push_back(not_converged_text());
        tell(s.warnings.back());
    }
    try {
        s.device = engine_->device_name();
        s.counters = engine_->counters();
        s.counters.bodies = bodies_now().bodies;
        s.members = bodies_now().members;
        s.inserts = inserter_->summary(s.counters.time);
        for (const InsertedBodies& one : stocks_->summary()) s.inserts.push_back(one);
        if (const auto others = stocks_->others()) s.inserts.push_back(*others);
        s.events = events_->summary();
        s.removes = remover_->summary();
        if (const auto removed = stocks_->removed()) s.removes.push_back(*removed);
        // The engine may count what it removed by colliders.
        if (!built_.model.bodies.owner.empty())
            s.counters.removed = bodies_at_start(built_.model.bodies) + s.counters.inserted - s.counters.bodies;
        s.memory_bytes = static_cast<std::int64_t>(engine_->memory_bytes());
        s.memory_foretold = static_cast<std::int64_t>(memory_.peak);
        s.stages = engine_->stage_times();
        for (const StageTime& stage : output_->stage_times()) s.stages.push_back(stage);
        s.stages.push_back(checkpoint_time_);
        if (inserter_->any() || insert_time_.calls > 0) s.stages.push_back(insert_time_);
        if (remover_->any() || remove_time_.calls > 0) s.stages.push_back(remove_time_);
        if (bonder_->any()) s.stages.push_back(bond_time_);
        if (engine_whole_) {
            s.end = engine_->measure();
            if (s.end.hard.unfinished > 0) {
                s.warnings.push_back(unfinished_text(s.end.hard.unfinished));
                log_->warn(s.warnings.back());
            }
            s.state_hash = engine_->state_hash();
            look_at_overlap();
        }
        s.memory_peak = static_cast<std::int64_t>(peak_memory());
    } catch (const std::exception& e) {
        result.message += std::string(result.message.empty() ? "" : "; ") + "the summary is incomplete: " + e.what();
    }
    judge();
    if (options_.in_memory) return;
    try {
        write_file_atomically(run_file(directory_, RunFiles::summary), summary_text(s), true);
    } catch (const RunError& e) {
        if (result.exit_code == 0) result = {1, "failed", e.what()};
    }
}

}  // namespace scree
