// Bonds that are made while a run goes on: how many there may be, for what has to know before.
#pragma once

#include "model/model.hpp"

namespace scree {

/// Are bonds of this kind made after the start?
bool is_made_later(const BondKind& kind);

/// May a body have bonds of a kind: has it a surface, of one of its materials?
bool may_be_bonded(const Model& model, const BondKind& kind, std::size_t id);

/// About how many bodies of radius `other` [m] have room about one of radius `own`, no farther apart than the gap: twelve (six disks) of
/// its own size that touch it, by the part of the sphere about it that each takes of what these leave, and by how many layers of them the
/// gap holds. Never less than four (three).
double most_neighbours(double own, double other, double gap, int dimensions);

/// Bonds that are likely to be made: about as many as a dense bed has contacts.
double bonds_to_come(const Model& model);

}  // namespace scree
