// domain.shear and domain.stage of a scene -> the stages of the model's cell.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// The model has its method with its laws, its periods and its gravity. Throws scree::Error at the table.
void build_stages(const Scene& scene, Model& model);
/// Of a model with its step: no image goes too far in one. Throws scree::Error at the table.
void check_cell_step(const Scene& scene, const Model& model);

}  // namespace scree
