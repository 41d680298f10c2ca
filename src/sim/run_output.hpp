// Frames and series of a run: which are due at a step, and writing them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "output/frame_writer.hpp"
#include "output/series.hpp"
#include "scene/scene.hpp"
#include "sim/measures.hpp"
#include "sim/schedule.hpp"

namespace scree {

class RunOutput {
public:
    /// `measures` outlives this. With `continue_after`, goes on in the files of an earlier run: what is later than that step is dropped.
    RunOutput(const Scene& scene, const Measures& measures, const Model& model, const std::string& directory,
              std::optional<std::int64_t> continue_after);

    /// The first step after `step` at which anything is due.
    std::int64_t next_after(std::int64_t step) const;

    /// Writes what the schedules ask for at this step.
    void write_scheduled(Engine& engine, std::int64_t step);
    /// Writes a frame and every measure: the start of a run.
    void write_first(Engine& engine, std::int64_t step);
    /// Writes the frame due at this step where an earlier run failed to.
    void write_missed_frame(Engine& engine, std::int64_t step);
    /// Writes a frame, unless this step has one: the end of a run.
    void write_last(Engine& engine, std::int64_t step);

    std::size_t frames() const { return frames_->count(); }
    /// Wall time spent, as stages beside the engine's own.
    std::vector<StageTime> stage_times() const { return {frame_time_, series_time_}; }

private:
    void write_frame(Engine& engine);
    enum class Rows { Scheduled, All, WithFrames };  // measures that are due, every one, only those without a schedule of their own
    void write(Engine& engine, std::int64_t step, bool frame, Rows rows);

    const Measures& measures_;
    bool contacts_;
    Schedule frame_schedule_;
    std::vector<Schedule> measure_schedules_;
    std::unique_ptr<FrameWriter> frames_;
    std::unique_ptr<SeriesWriter> series_;  // none without columns
    StageTime frame_time_{"output/frames", 0, 0};
    StageTime series_time_{"output/series", 0, 0};
};

}  // namespace scree
