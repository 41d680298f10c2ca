// Motion of a wall as a scene gives it -> the Motion of the Model, its table read.
#pragma once

#include <string>

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

/// The motion of a wall that has one. A file that is not absolute is looked for from `folder`.
/// `planar`: of a scene of two dimensions, where the axis is z. Throws scree::Error at the motion's table, or at the line of the file that
/// is wrong.
Motion build_motion(const SceneWall& wall, const std::string& folder, bool planar = false);

/// Throws scree::Error where a surface that is to move along itself would move into itself or out.
void check_surface_motion(const SceneWall& given, const Wall& wall);

/// Throws scree::Error where a servo has no forces to go by.
void check_servo(const SceneWall& given, const Model& model);

}  // namespace scree
