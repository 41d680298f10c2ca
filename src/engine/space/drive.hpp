// What moves a periodic cell: its shear, and stages that drive its lengths and its shear by rates or stresses (model/cell_stage.hpp).
#pragma once

#include <vector>

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// The cell at the start, and its stages.
void load_cell(const Model& model, Workspace& work);
/// Takes over when the model's stages end.
void retime_stages(const Model& model, Workspace& work);
/// The cell as it is now, and how far its images may go in a step, to where the host reads them.
void look_at_cell(const Model& model, Workspace& work);

/// From the forces of the contacts just evaluated: how fast the cell moves in the step after the one at hand.
void drive_cell(const Model& model, State& state, Workspace& work);
/// After the drift of the bodies: the cell where they are, and what it moves faster by from now on given to them, so that they flow with
/// it.
void move_cell(const Model& model, State& state, Workspace& work);
/// Adds what the cell gives to the bodies by its images in the step at hand to their accounts.
void account_cell(const Model& model, State& state, Workspace& work);

/// For fused steps, which may go back.
void keep_cell(Workspace& work);
void restore_cell(Workspace& work);

/// For checkpoints; nothing where the cell rests.
std::vector<double> saved_cell(const Workspace& work);
/// Throws scree::Error where they are of another kind of cell.
void load_saved_cell(const std::vector<double>& values, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
