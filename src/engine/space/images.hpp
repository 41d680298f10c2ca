// Periods: bodies that left the cell come back on its other side, and those near a border have images across it.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Makes the skin as narrow as half the periods ask for.
void limit_skin(State& state, const Workspace& work);
/// Refuses to look for contacts past half a period, where a body would meet another twice.
void check_reach(const State& state, const Workspace& work);

/// Images of all bodies that may meet another across a border while the list at hand lasts, sorted by the cells of the search. Bodies are
/// where the list looks for them.
void find_images(State& state, Workspace& work);
/// Puts the images where their bodies are.
void move_images(State& state, Workspace& work);
/// The same in the middle of steps. Raises kSkinExhausted where images have moved by what the list allows.
void move_images_in_step(State& state, Workspace& work);

/// Images of members answer contacts by the weights that their compounds now have (penalty/member_mobility.hpp).
void weigh_images(State& state, Workspace& work);

/// Steps to the next look for bodies that have left the cell, by their speeds: none gets further from it than walls are the same. Bodies
/// meet outside as they do inside; but one that comes back in rounds otherwise than before, so that no list may choose the time.
std::int64_t steps_to_next_wrap(const Model& model, State& state, Workspace& work);
/// Brings bodies back that have left the cell; true where any has, so that slots stay and the list is to be made anew.
bool wrap_bodies(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
