#include "sim/run_output.hpp"

#include <algorithm>
#include <filesystem>

#include "output/run_directory.hpp"
#include "sim/wall_clock.hpp"

namespace scree {
namespace {

void add_time(StageTime& stage, const WallClock& clock) {
    stage.seconds += clock.seconds();
    ++stage.calls;
}

}  // namespace

FrameChoice frame_choice(const SceneOutput& output) {
    const auto written = [&](const char* name) {
        return std::find(output.leave_out.begin(), output.leave_out.end(), name) == output.leave_out.end();
    };
    return {output.precision == "single", output.compress, written("velocity"), written("angular_velocity"), written("surface")};
}

RunOutput::RunOutput(const Scene& scene, Measures& measures, const Model& model, const std::string& directory,
                     std::optional<std::int64_t> continue_after, const std::string& solver_lines)
    : measures_(measures),
      contacts_(scene.output.contacts),
      bonds_(scene.output.bonds),
      frame_schedule_(scene.output.every, model.dt),
      any_columns_(!measures.columns().empty()) {
    for (std::size_t m = 0; m < measures.count(); ++m) measure_schedules_.emplace_back(measures.every(m), model.dt);
    if (directory.empty()) return;
    const std::string series = run_file(directory, RunFiles::series);
    // The series first: it may refuse to go on, before a frame is dropped.
    if (any_columns_) {
        series_ = continue_after && std::filesystem::exists(series)
                      ? std::make_unique<SeriesWriter>(series, measures.columns(), *continue_after)
                      : std::make_unique<SeriesWriter>(series, measures.columns());
    }
    const std::string solver = run_file(directory, RunFiles::solver);
    if (model.method == Method::Cone) {
        solver_ = continue_after && std::filesystem::exists(solver)
                      ? std::make_unique<SolverLog>(solver, model.dt, *continue_after, solver_lines)
                      : std::make_unique<SolverLog>(solver, model.dt);
    }
    const FrameChoice choice = frame_choice(scene.output);
    frames_ = continue_after ? std::make_unique<FrameWriter>(directory, *continue_after, frame_geometry(model), choice)
                             : std::make_unique<FrameWriter>(directory, frame_geometry(model), choice);
}

std::int64_t RunOutput::next_after(std::int64_t step) const {
    std::int64_t next = frame_schedule_.next_after(step);
    for (const Schedule& schedule : measure_schedules_) next = std::min(next, schedule.next_after(step));
    return next;
}

void RunOutput::write_scheduled(Engine& engine, std::int64_t step) {
    write(engine, step, frame_schedule_.due(step), Rows::Scheduled);
}

void RunOutput::write_first(Engine& engine, std::int64_t step) {
    write(engine, step, true, Rows::All);
}

void RunOutput::write_missed(Engine& engine, std::int64_t step) {
    const bool frame = frame_schedule_.due(step);
    if (frame && last_frame_step() != step) write_frame(engine);
    if (any_columns_ && last_series_step() != step) write_row(engine, step, frame, Rows::Scheduled);
}

void RunOutput::write_last(Engine& engine, std::int64_t step) {
    if (last_frame_step() != step) write(engine, step, true, Rows::WithFrames);
}

void RunOutput::write_solver(const std::vector<ConeReport>& steps) {
    if (!solver_ || steps.empty()) return;
    const WallClock clock;
    solver_->add(steps);
    add_time(solver_time_, clock);
}

void RunOutput::walls_changed(const Model& model) {
    if (frames_) frames_->change_walls(frame_geometry(model).walls);
}

std::vector<StageTime> RunOutput::stage_times() const {
    std::vector<StageTime> stages = {frame_time_, series_time_};
    if (solver_) stages.push_back(solver_time_);
    return stages;
}

void RunOutput::write_frame(Engine& engine) {
    if (!frames_) {
        ++counted_;
        last_counted_ = engine.counters().step;
        return;
    }
    const Snapshot snapshot = engine.snapshot();
    const std::vector<ContactRecord> contacts = contacts_ ? engine.contacts() : std::vector<ContactRecord>{};
    const std::vector<HeldBond> bonds = bonds_ ? engine.held_bonds() : std::vector<HeldBond>{};
    frames_->write(snapshot, contacts_ ? &contacts : nullptr, bonds_ ? &bonds : nullptr);
}

void RunOutput::write(Engine& engine, std::int64_t step, bool frame, Rows rows) {
    if (frame) {
        const WallClock clock;
        write_frame(engine);
        add_time(frame_time_, clock);
    }
    if (any_columns_) write_row(engine, step, frame, rows);
}

void RunOutput::write_row(Engine& engine, std::int64_t step, bool frame, Rows rows) {
    std::vector<bool> due(measures_.count());
    for (std::size_t m = 0; m < due.size(); ++m) {
        const bool own_schedule = measures_.every(m) > 0;
        due[m] = rows == Rows::All || (own_schedule ? rows == Rows::Scheduled && measure_schedules_[m].due(step) : frame);
    }
    if (std::find(due.begin(), due.end(), true) == due.end()) return;
    const WallClock clock;
    last_row_ = measures_.sample(engine, due);
    last_row_step_ = step;
    const double time = engine.counters().time;
    if (series_) {
        series_->add(step, time, last_row_);
    } else {
        rows_.push_back({step, time, last_row_});
    }
    measures_.start_anew(due);
    add_time(series_time_, clock);
}

}  // namespace scree
