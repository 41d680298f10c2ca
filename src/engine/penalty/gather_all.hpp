// Wrenches of contacts -> Bodies::force and Bodies::torque of every body, before bodies move: for models with compounds or joints, where
// what a body feels is more than its own contacts. In an order that depends on ids alone.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Sums the contacts just evaluated: of each body with a surface its own; of each compound those of its members by ascending id, about its
/// centre, then the reactions on the walls it carries, in the order of walls. O(bodies + pairs).
void gather_all(State& state, Workspace& work);

/// Bodies::force and torque of the contacts last evaluated where they are not held (State::holds_forces) and not there yet. O(bodies +
/// pairs).
void settle_forces(State& state, Workspace& work);
/// Frees them where they are not held.
void drop_forces(State& state);

/// The forces of bodies, while someone looks.
class ForcesAtHand {
public:
    ForcesAtHand(State& state, Workspace& work) : state_(state), there_(state.bodies.force.size() == state.bodies.count) {
        settle_forces(state, work);
    }
    ~ForcesAtHand() {
        if (!there_) drop_forces(state_);
    }
    ForcesAtHand(const ForcesAtHand&) = delete;
    ForcesAtHand& operator=(const ForcesAtHand&) = delete;

private:
    State& state_;
    bool there_;
};

}  // namespace scree::SCREE_FLAVOR
