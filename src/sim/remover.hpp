// Takes bodies out by [[remove]] tables, and puts those that are recycled in again as they find room.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "output/summary.hpp"
#include "setup/streams/removals.hpp"

namespace scree {

class Remover {
public:
    /// `removals` and `model` outlive this.
    Remover(const std::vector<Removal>& removals, const Model& model);

    /// The first step after `step` with a look.
    std::int64_t next_after(std::int64_t step) const;
    /// Takes out what is due at this step, then puts back what has room. Returns a warning where nothing finds room for long, else "".
    std::string look(Engine& engine, std::int64_t step);

    /// For checkpoints: the step of the last look, what was taken and came back, and what waits.
    std::vector<StateField> saved() const;
    /// Throws scree::Error where there are no such fields, or those of another scene.
    void restore(const EngineState& from);
    bool any() const { return !sinks_.empty(); }
    /// Did the look of this step happen already?
    bool looked_at(std::int64_t step) const { return looked_ >= step; }

    std::vector<RemovedBodies> summary() const;
    /// Ids of bodies that wait to come back.
    std::vector<std::int32_t> waiting() const;

private:
    struct Waiting {
        std::int32_t id;
        Quat turn;  // principal frame -> world, as it was taken
    };
    struct Sink {
        const Removal* of;
        std::int64_t taken{0}, returned{0};
        double mass{0};               // of what was taken [kg]
        std::deque<Waiting> waiting;  // the first taken comes back first
        int idle{0};                  // looks in a row that found no room
        std::int64_t next_look(std::int64_t step, double dt) const;
    };

    void take(Engine& engine, Sink& sink) const;
    void put_back(Engine& engine, Sink& sink, std::int64_t step) const;

    const Model& model_;
    std::vector<Sink> sinks_;
    std::int64_t looked_{-1};
};

}  // namespace scree
