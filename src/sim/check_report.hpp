// What `scree check` says of a scene that builds: counts, sizes, step, memory, disk. Nothing runs.
#pragma once

#include <string>

#include "scene/scene.hpp"
#include "setup/build_model.hpp"

namespace scree {

std::string check_report(const Scene& scene, const BuiltModel& built);

}  // namespace scree
