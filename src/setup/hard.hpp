// What hard particles need of a scene, and what they make of its bodies and walls.
#pragma once

#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/origins.hpp"

namespace scree {

/// Checks the model of a scene with method.kind = "hard", brings bodies into the periods and, in two dimensions, drops walls above and
/// below the plane and gives disks their mass. Throws scree::Error at what hard particles cannot do (gravity, other shapes and walls,
/// motions, joints), at periods shorter than three diameters, and at bodies that overlap, across a period too, or reach into walls.
void settle_hard(const Scene& scene, const std::vector<Origin>& origins, Model& model);

/// Throws scree::Error where time steps are so long that bodies would fly through each other unseen.
void check_hard_step(const Scene& scene, const Model& model);

}  // namespace scree
