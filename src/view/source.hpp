// What a view shows: the frames of a run, which may become more while it goes on, or a scene that has not run. Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/aabb.hpp"
#include "render/fields.hpp"
#include "scene/scene.hpp"
#include "setup/build_model.hpp"
#include "view/series_table.hpp"

namespace scree {

struct ViewFrame {
    std::int64_t step{0};
    double time{0};       // [s]
    std::size_t kind{0};  // of ViewSource::kinds()
};

/// A part of space in which bodies come or go, as the box around it.
struct ViewRegion {
    std::string name;
    Aabb box;
};

class ViewSource {
public:
    virtual ~ViewSource() = default;

    /// Looks whether files have changed. True where something is new: frames, rows of the series, another scene.
    virtual bool look() = 0;
    /// Frame `k` of frames(), kept until other frames are asked for. Throws Error where it cannot be read (now: a run may be writing).
    virtual const FrameParts& parts(std::size_t k) = 0;

    const std::vector<ViewFrame>& frames() const { return frames_; }
    /// What frames hold, as frames without bodies: of a run that was continued with another [output] not all hold the same.
    const std::vector<FrameParts>& kinds() const { return kinds_; }
    /// Grows where what frames were there before are others now: the run was started anew, or the scene edited.
    std::int64_t edition() const { return edition_; }
    const std::string& name() const { return name_; }
    bool is_scene() const { return is_scene_; }
    /// Is a run being written?
    bool running() const { return running_; }
    const std::vector<std::string>& materials() const { return materials_; }
    /// Of a scene: what `scree check` says, or why it cannot run. Of a run that has ended: from which frame on its file is damaged.
    const std::string& report() const { return report_; }
    const std::string& error() const { return error_; }
    const std::vector<ViewRegion>& regions() const { return regions_; }
    SeriesTable& series() { return series_; }

protected:
    std::vector<ViewFrame> frames_;
    std::vector<FrameParts> kinds_;
    std::int64_t edition_{0};
    std::string name_, report_, error_;
    bool is_scene_{false}, running_{false};
    std::vector<std::string> materials_;
    std::vector<ViewRegion> regions_;
    SeriesTable series_;
};

/// A run directory, or a file with frames. `awaited`: a run that is about to be there. Throws Error where there is neither.
std::unique_ptr<ViewSource> open_run_source(const std::string& path, bool awaited);

/// What `scree check` prints of a scene that builds.
using CheckReport = std::function<std::string(const Scene&, const BuiltModel&)>;

/// A scene file, built anew whenever it changes.
std::unique_ptr<ViewSource> open_scene_source(const std::string& path, const std::vector<std::string>& overrides, CheckReport report);

}  // namespace scree
