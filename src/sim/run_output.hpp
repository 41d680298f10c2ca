// Frames, series and, under the cone method, solver.csv of a run: what is due at a step, and writing it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "output/frame_writer.hpp"
#include "output/series.hpp"
#include "output/solver_log.hpp"
#include "scene/scene.hpp"
#include "sim/measures.hpp"
#include "sim/schedule.hpp"

namespace scree {

/// What `[output]` asks frames to hold.
FrameChoice frame_choice(const SceneOutput& output);

/// A row of the series in memory.
struct SeriesRow {
    std::int64_t step{0};
    double time{0};                             // [s]
    std::vector<std::optional<double>> values;  // of each column
};

class RunOutput {
public:
    /// `measures` outlives this. With `continue_after`, goes on in the files of an earlier run: what is later than that step is dropped.
    /// `solver_lines`: those of solver.csv that the earlier run could not write.
    /// With an empty `directory` there are no files: frames only count, and the rows of the series are kept in memory.
    RunOutput(const Scene& scene, Measures& measures, const Model& model, const std::string& directory,
              std::optional<std::int64_t> continue_after, const std::string& solver_lines = "");

    /// The first step after `step` at which anything is due.
    std::int64_t next_after(std::int64_t step) const;

    /// Is a frame due at this step?
    bool frame_due(std::int64_t step) const { return frame_schedule_.due(step); }

    /// Writes what the schedules ask for at this step.
    void write_scheduled(Engine& engine, std::int64_t step);
    /// Writes a frame and every measure: the start of a run.
    void write_first(Engine& engine, std::int64_t step);
    /// Writes the frame and the row due at this step where an earlier run failed to.
    void write_missed(Engine& engine, std::int64_t step);
    /// Writes a frame, unless this step has one: the end of a run.
    void write_last(Engine& engine, std::int64_t step);

    /// Walls of the model have come to move, or have other times: later frames show them so.
    void walls_changed(const Model& model);

    /// Writes how the cone problems of a batch were solved; nothing under the penalty method.
    void write_solver(const std::vector<ConeReport>& steps);

    /// The row of the series last written, and its step; -1: none.
    const std::vector<std::optional<double>>& last_row() const { return last_row_; }
    std::int64_t last_row_step() const { return last_row_step_; }

    /// In memory, where there are no files.
    const std::vector<SeriesRow>& rows() const { return rows_; }

    std::size_t frames() const { return frames_ ? frames_->count() : counted_; }
    /// Lines of solver.csv that could not be written.
    std::string unwritten_solver_lines() const { return solver_ ? solver_->unwritten() : ""; }
    /// Wall time spent, as stages beside the engine's own.
    std::vector<StageTime> stage_times() const;

private:
    void write_frame(Engine& engine);
    std::int64_t last_frame_step() const { return frames_ ? frames_->last_step() : last_counted_; }
    std::int64_t last_series_step() const { return series_ ? series_->last_step() : last_row_step_; }
    enum class Rows { Scheduled, All, WithFrames };  // measures that are due, every one, only those without a schedule of their own
    void write(Engine& engine, std::int64_t step, bool frame, Rows rows);
    void write_row(Engine& engine, std::int64_t step, bool frame, Rows rows);

    Measures& measures_;
    bool contacts_, bonds_;
    Schedule frame_schedule_;
    std::vector<Schedule> measure_schedules_;
    std::unique_ptr<FrameWriter> frames_;   // none without files
    std::unique_ptr<SeriesWriter> series_;  // none without columns or files
    bool any_columns_;
    std::vector<SeriesRow> rows_;    // without files
    std::size_t counted_{0};         // frames, without files
    std::int64_t last_counted_{-1};  // step of the last of these
    std::vector<std::optional<double>> last_row_;
    std::int64_t last_row_step_{-1};
    std::unique_ptr<SolverLog> solver_;  // under the cone method
    StageTime frame_time_{"output/frames", 0, 0};
    StageTime series_time_{"output/series", 0, 0};
    StageTime solver_time_{"output/solver", 0, 0};
};

}  // namespace scree
