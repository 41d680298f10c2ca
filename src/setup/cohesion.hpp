// Scene -> the law of cohesion of the penalty method, and what it asks of a model.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// Number in CohesionLaws.
int build_cohesion(const SceneMethod& method);
/// Throws Error where the law has no meaning for the bodies of the model.
void check_pulls(const Scene& scene, const Model& model);

}  // namespace scree
