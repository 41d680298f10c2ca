// Scene -> the law of cohesion of the penalty method and its values of every two materials.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

Cohesion build_cohesion(const SceneMethod& method);
/// Fills PairProperties::cohesion_values of `model`. Throws Error at the place of a value that is missing, that nothing reads, or that the
/// law cannot use.
void build_pulls(const Scene& scene, Model& model);
/// Throws Error where the law has no meaning for the bodies of the model.
void check_pulls(const Scene& scene, const Model& model);

}  // namespace scree
