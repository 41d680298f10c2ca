// What acts on bodies wherever they are: [domain] acceleration and gravity_table, [[drag]] -> the model's fields.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// The model has its method, its dimensions and its domain; where gravity changes, its gravity becomes the one at the start. Throws
/// scree::Error at the table or its line.
void build_fields(const Scene& scene, Model& model);

}  // namespace scree
