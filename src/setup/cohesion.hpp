// Scene -> what laws of cohesion of the penalty method ask of a model.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// Throws Error where the law has no meaning for the bodies of the model.
void check_pulls(const Scene& scene, const Model& model);

}  // namespace scree
