// A step of spheres in one pass over the list: the forces of a body's pairs, then at once the end of its step and the start of the next,
// while the forces lie in the cache. They are never stored, so forces cannot be looked at after such a step; and where it goes wrong the
// state is no longer the one found, so the step loop keeps the state from the start of a list to go back to.
// In: a drifted state. Out: the state drifted one step further. Bit for bit what contact_forces and finish_and_start do.
// Memory traffic of a particle-step in double with p pairs a body: some 68 p + 196 bytes (slots 8, place 4, history 24 read and written,
// entries 8; rows 96 read and written, row starts 4), against 200 p + 360 in two passes.
// Of pairs that are left out (fused/prune.hpp) nothing moves; 16 bytes a body then stand for entries and row starts (fused/near_rows.hpp).
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Numbers of a body that fused steps go back to: position, velocity and angular velocity.
inline constexpr int saved_of_body = 9;

/// Can steps of this model be fused? Spheres and walls under the penalty method, on the host.
bool can_fuse(const Model& model, const State& state, const Workspace& work);
/// Are forces stored for no more than couples against rolling and pulls, whose energy is not accounted for? compounds: there are
/// some.
inline bool fuses_laws(const Model& model, bool account, bool compounds) {
    const ListParts parts = list_parts(model, account);
    return (parts.rolls || parts.pulls) && !parts.shares && !account && !compounds && model.joints.empty();
}
/// Under this law? The power law has no normal and tangential part of the form that the parts of a fused step share, and general laws have
/// kernels of their own.
inline bool can_fuse(const PenaltySettings& penalty) {
    return penalty.law != Law::Power && !is_general(penalty);
}

/// Where steps may be fused, pairs of spheres have no memory of their own for forces: between batches it would double that of a list.
/// For a step whose forces are looked at they stand where the last list's history was, and their twists on the saved rows; both hold
/// nothing then. Entries of rows name pairs again. Forces are gone with the next fused step, and with the next list.
void lend_forces(State& state, Workspace& work);
/// Takes the memory back; the list is as it was made again (fused/prune.hpp).
void take_forces_back(State& state, Workspace& work);

struct FusedExtent;  // exec/fused_rows.hpp
/// Of the list at hand.
FusedExtent fused_extent(const State& state, const Workspace& work);

/// Shares out the stages of the list at hand and gives each of its pairs a place for its force. O(bodies + pairs).
void plan_fused(State& state, Workspace& work);

/// One step.
void fused_step(const Model& model, State& state, Workspace& work);

/// Before the first of some fused steps: keeps what they change, begins to watch the skin, and lets the entries of rows name places until
/// forces are lent, the list is made anew or the state is restored. O(bodies + pairs).
void begin_fused(const Model& model, State& state, Workspace& work);
/// Back to what was kept; the list must be the same.
void restore_from_fused(State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
