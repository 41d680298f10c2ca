// A value over time as a scene gives it -> the model's, its table read.
#pragma once

#include <string>

#include "model/time_function.hpp"
#include "scene/scene.hpp"

namespace scree {

/// `folder` is that of the scene. Throws scree::Error at the table or its line.
TimeFunction function_of(const SceneFunction& given, const std::string& folder);

}  // namespace scree
