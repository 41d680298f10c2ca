// Bodies -> pairs: what is near what, within the skin. Called when motion has used the skin up; step/ orders the calls.
// Invariant: nothing here changes a later result, only which candidates are looked at (rows are in the order of ids).
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Chooses the cells for the bodies as they are now. O(n).
void lay_cells(State& state, Workspace& work);
/// The same where the box that they are in is known. Waits only where a few of them make that box very large.
void lay_cells_in(Aabb box, State& state, Workspace& work);
/// Sorts slots by tile, level and cell; ids stay. Fills cell_start and slot_of_id, keeps the old map in old_slot_of_id. O(n).
void reorder(State& state, Workspace& work);
/// 32-bit numbers that the lattice of n bodies takes, from the start of Workspace::rows on; behind it lie partners that were found.
inline Index lattice_numbers(Index n) {
    return 4 * (n + lanes);
}
/// Puts the bodies on a lattice for find_body_pairs, in Workspace::rows. O(n).
void lay_lattice(State& state, Workspace& work);
/// Removes the bodies that `keep` (1 per slot) leaves out; slots close up, order stays. Returns how many. O(n).
Index remove_bodies(State& state, Workspace& work, const Array<std::int32_t>& keep);

/// Moves the contacts of the present lists aside for carry_history. forces: those of pairs of spheres too, which the next step finds anew
/// under the penalty method; without them their memory is not needed twice.
void set_contacts_aside(State& state, Workspace& work, bool forces);
/// Pairs of bodies closer than the skin, and their incidence rows. O(n) by cells, O(n^2) by brute force.
void find_body_pairs(const Model& model, State& state, Workspace& work);
/// Pairs of bodies and active wall surfaces, spheres and polyhedra each into the state's lists of their own.
void find_wall_pairs(const Model& model, State& state, Workspace& work);
/// Gives each new pair the history its ids had in the lists set aside.
void carry_history(State& state, Workspace& work);

/// The bodies that a list of walls is of; a polyhedron counts as the sphere that bounds it.
constexpr BodyClass bodies_of(PairList list) {
    return list_layouts[list].has_patch() ? BodyClass::Polyhedra : BodyClass::Spheres;
}
/// Pairs of bodies and the patches of meshes.
void find_mesh_pairs(const Model& model, State& state, Workspace& work, PairList list);
/// What may not touch walls: of those that bodies carry, and that bonds hold bodies to.
inline ApartView apart_from_walls(State& state, const Workspace& work) {
    ApartView apart = work.compounds.apart_view(state.bodies);
    if (work.compounds.carrier.size() > 0) apart.carrier = work.compounds.carrier.data();
    return apart;
}
/// n pairs that nothing is known of.
void resize_wall_pairs(const Model& model, State& state, const Exec& exec, PairList list, Index n);
/// The number of pairs of each body -> their rows; returns how many there are. Throws RunError past what a list may hold.
Index lay_wall_rows(const Exec& exec, const std::int32_t* count, Index bodies, ContactList& pairs);

}  // namespace scree::SCREE_FLAVOR
