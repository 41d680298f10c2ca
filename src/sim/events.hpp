// Watches measures for what the scene's events wait for, and lets them happen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "output/summary.hpp"
#include "setup/events.hpp"

namespace scree {

class Events {
public:
    /// `columns`: of the series. Throws scree::Error at an event whose column is not among them.
    Events(const std::vector<Event>& events, const std::vector<std::string>& columns);

    bool any() const { return !events_.empty(); }
    /// Looks at a row of the series at time t; changes the times of the model where events happen. Returns those that did.
    std::vector<const Event*> look(const std::vector<std::optional<double>>& row, double t, Model& model);

    /// For checkpoints: when each happened.
    StateField saved() const;
    /// Has the model's times as they were. Throws scree::Error where there is no such field, or one of another scene.
    void restore(const EngineState& from, Model& model);

    std::vector<EventReport> summary() const;

private:
    std::vector<Event> events_;
    std::vector<std::size_t> column_;  // of each
    std::vector<double> happened_;     // at this time, never: not yet [s]
};

}  // namespace scree
