// [method] of a scene -> which method, and its settings.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// Throws scree::Error at the table for words and bounds that the schema would refuse, as do the next three.
Method build_method(const SceneMethod& given);
PenaltySettings build_penalty(const SceneMethod& given);
ConeSettings build_cone(const SceneMethod& given);
HardSettings build_hard(const SceneMethod& given);

/// The word of the scene file.
const char* method_name(Method method);

}  // namespace scree
