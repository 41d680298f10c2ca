// A part of space by the keys of a scene, from outside of one: what programs that step a simulation name regions by.
#pragma once

#include <string>

#include "scene/scene.hpp"

namespace scree {

/// The region that `region` of [[remove]] would be, its keys as text: "box = [[0, 0, 0], [1, 1, 0.5]]". Throws scree::Error.
ScenePlacement read_region(const std::string& keys, const Scene& scene);

}  // namespace scree
