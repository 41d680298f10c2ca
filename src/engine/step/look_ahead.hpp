// Where a pair list looks for bodies: ahead of them, so that each comes towards that place before it leaves it behind. A list holds until a
// body is half the skin away from there; one that flies on then passes nearly twice the way that it would from where it is, and lists last
// nearly twice as long. One that is thrown back leaves sooner, so lists look both ways now and then, and as those do that last longer.
// In: positions and velocities. Out: Bodies::reference. Changes no result, as all that decides which candidates are looked at.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// May lists look ahead in this model? Under the cone method they see by their reach what comes near, and a wall that a body carries stands
/// where its body is.
bool looks_ahead(const State& state, const Workspace& work);

/// Learns from a list of this skin [m], that motion has used up or that lasted too long for it, how the next one is to look.
void adapt_look_ahead(State& state, double skin);

/// Positions -> where the list is to look for bodies, less than half the skin ahead; Bodies::reference keeps positions.
/// O(n).
void put_ahead(const Model& model, State& state, const Workspace& work);

/// Positions as they were; Bodies::reference holds where the list looked. O(n).
void put_back(State& state, const Workspace& work);

/// Makes a list while bodies stand where it looks for them. They are where they were afterwards, also where it fails.
template <class Make>
void with_bodies_ahead(const Model& model, State& state, Workspace& work, Make make) {
    put_ahead(model, state, work);
    try {
        make();
    } catch (...) {
        put_back(state, work);
        throw;
    }
    put_back(state, work);
}

}  // namespace scree::SCREE_FLAVOR
