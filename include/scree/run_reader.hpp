// A finished run, or one that goes on: its frames and series.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <scree/simulation.hpp>

namespace scree_v0 {

struct FrameInfo {
    std::int64_t step{0};
    double time{0};  // [s]
    std::size_t bodies{0};
    bool contacts{false};  // does it hold any?
};

class SCREE_API RunReader {
public:
    /// A run directory, or a file with frames. Nothing but the list of frames is read. Throws SceneError.
    explicit RunReader(const std::string& path);
    ~RunReader();
    RunReader(RunReader&&) noexcept;
    RunReader& operator=(RunReader&&) noexcept;

    const std::vector<FrameInfo>& frames() const;
    /// Of a run that has ended: the first frame that cannot be read, why, and how many are left out with it; empty where all can be read.
    const std::string& damage() const;
    /// Reads one frame. Throws SceneError.
    State frame(std::size_t index) const;
    std::vector<Contact> contacts(std::size_t index) const;

    /// series.csv; without columns where the run has none.
    Table series() const;
    /// The text of summary.json, empty where there is none yet; and of scene.toml.
    std::string summary() const;
    std::string scene() const;

    /// Draws a frame (-1: the last) as `scree render` does, into a .png file, in place of one that is there. `colour`: a field, empty:
    /// speed. Throws SceneError, RunError.
    void picture(const std::string& file, std::int64_t frame = -1, int width = 800, int height = 600, const std::string& colour = "") const;

private:
    struct Content;
    std::unique_ptr<Content> content_;
};

}  // namespace scree_v0
