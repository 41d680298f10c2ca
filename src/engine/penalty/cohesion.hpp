// Cohesion of spheres under the penalty method (laws/cohesion.hpp): what pulls on a sphere beside the forces of contacts. In: forces of a
// step as penalty/forces.hpp leaves them. Out: the same with the pulls, Contacts::pull, and bonds, Contacts::bond.
#pragma once

#include "engine/exec/fused_rows.hpp"
#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Pulls of all pairs, or of those with walls. O(pairs). Nothing where there is no cohesion. dt: 0 where no step follows, as at a start.
void cohesive_pulls(const Model& model, State& state, Workspace& work, double dt, bool walls_alone = false);

/// A part of the fused step (exec/fused_rows.hpp): adds the pulls of pairs of bodies to the forces found. Nothing
/// without cohesion.
struct PullContext {
    LawValuesOf<Real> only;  // the first of `rows`, where there is one material
    const LawValuesOf<Real>* rows;
    const std::int32_t* law;
    Real* bond;
};
using PullStage = StagePart<Real, PullContext>;
PullStage pull_stage(const Model& model, State& state, const Workspace& work);

/// Energy that the pulls have given, negative [J].
double cohesive_energy(const Model& model, State& state, Workspace& work);
/// Charges bodies with what bonds take as they form, and with what walls that move do by them.
void account_pulls(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
