// How the members of a compound answer to the contacts they have at once: what a law takes for the mass behind each of them.
#pragma once

#include "engine/state/state.hpp"
#include "model/model.hpp"

namespace scree::SCREE_FLAVOR {

/// Positions and velocities at hand -> the companion of Bodies::velocity of each member [1/kg]. With p_i the sum over
/// the contacts of member i of speed of approach times normal, x_i its centre from the compound's, M and I the compound's mass and inertia:
///   m = (sum of |p_i|^2) / (|sum of p_i|^2 / M + t . I^-1 t),  t = sum of x_i x p_i,
/// at most M. That is 1 / (1/M + (x x n) . I^-1 (x x n)) where one member touches, and M / n where n land at once: dashpots made for m
/// then lose what restitution says, and a compound of one sphere moves as the sphere does. Of contacts with polyhedra normal and place are
/// those of the wrench of the step before; a polyhedron that is the only member to touch keeps 1/M. O(members + their pairs).
void weigh_members(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
