// What a scene may say and hardly means: values of the wrong unit, floors that were forgotten, bodies too fast to be stopped.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/origins.hpp"

namespace scree {

/// One warning for each thing found, with its place in the file where it has one. The model's step is chosen. O(bodies).
std::vector<std::string> doubts(const Scene& scene, const Model& model, const std::vector<Origin>& origins);

}  // namespace scree
