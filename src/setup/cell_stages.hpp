// domain.shear and domain.stage of a scene -> the stages of the model's cell.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// The model has its method with its laws, its periods and its gravity. Throws scree::Error at the table.
void build_stages(const Scene& scene, Model& model);
/// Of a model with its bodies and its step: the fastest rates, where none are given. Throws scree::Error at the table where images go too
/// far in a step, and where bodies would come into a cell whose lengths change.
void settle_stages(const Scene& scene, Model& model);

}  // namespace scree
