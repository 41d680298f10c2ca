// What callers of a running simulation have changed of its model: when walls are there, how they move, what motors follow. Kept for
// checkpoints, so that a run that goes on from one has it, too.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "engine/snapshot.hpp"
#include "model/model.hpp"

namespace scree {

class CallerChanges {
public:
    void note_wall(std::size_t wall) { walls_.insert(wall); }
    void note_motor(std::size_t joint, bool along) { motors_.insert({joint, along}); }
    bool any() const { return !walls_.empty() || !motors_.empty(); }

    /// For checkpoints: the changed parts of the model as they are now.
    StateField saved(const Model& model) const;
    /// Has the model as it was changed. Walls and joints are found by their names, or by their numbers where they have none; walls that
    /// the model has no more are left out. Throws scree::Error where the field is damaged.
    void restore(const EngineState& from, Model& model);

private:
    std::set<std::size_t> walls_;
    std::set<std::pair<std::size_t, bool>> motors_;  // of angles, and of travels (true)
};

}  // namespace scree
