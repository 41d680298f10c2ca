// What `scree check` says of a scene that builds: counts, sizes, joints, step, memory, disk. Nothing runs.
#pragma once

#include <cstdint>
#include <string>

#include "engine/engine.hpp"
#include "scene/scene.hpp"
#include "setup/build_model.hpp"

namespace scree {

/// Rows that a joint of this kind holds (model/joint.hpp), without stops and motors.
std::int64_t rows_of(JointKind kind);

/// Memory is that of a run with these options.
std::string check_report(const Scene& scene, const BuiltModel& built, EngineOptions options = {});

}  // namespace scree
