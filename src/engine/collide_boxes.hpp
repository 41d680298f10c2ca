// The coarse half of the two-level split: boxes of space, each searched by itself.
#pragma once

#include <memory>
#include <vector>

#include "engine/collide/collider.hpp"

namespace scree {

/// Cuts space in two, again and again, until each box fits settings.memory (shared by all colliders); boxes go to the colliders in turn.
CollideReport collide_in_boxes(const SphereView& spheres, const CollideSettings& settings,
                               const std::vector<std::unique_ptr<Collider>>& colliders, const TakePairs& take);

}  // namespace scree
