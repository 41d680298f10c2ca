// What periodic domains of the penalty and the cone method need of a scene.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/origins.hpp"

namespace scree {

/// Throws scree::Error where the method has no periods, and where the box is open along one.
void build_periods(const Scene& scene, Model& model);

/// Throws scree::Error at bodies larger than half a period, and at walls that are not the same in every period.
void check_periods(const Scene& scene, const std::vector<Origin>& origins, Model& model);
/// The same, and brings bodies into the cell. Throws scree::Error at joints.
void settle_periods(const Scene& scene, const std::vector<Origin>& origins, Model& model);
/// Throws scree::Error where a motion that a wall is to have makes it another one in each period.
void check_motion_in_periods(const SceneWall& given, const Wall& wall, const Model& model);

}  // namespace scree
