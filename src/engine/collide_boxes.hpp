// The coarse half of the two-level split: boxes of space, each searched by itself.
#pragma once

#include <memory>
#include <vector>

#include "engine/collide/collider.hpp"

namespace scree {

/// Pairs that `collider` may find among all spheres at once, as Collider::find takes it, by the free memory of its device. Throws
/// PairsDoNotFit where the spheres themselves are too many.
std::int64_t pairs_that_fit(const SphereView& spheres, const CollideSettings& settings, Collider& collider);

/// Cuts space in two, again and again, until each box fits settings.memory (shared by all colliders), where that is set, and the free
/// memory of the collider's device; boxes go to the colliders as they come free, some to each.
CollideReport collide_in_boxes(const SphereView& spheres, const CollideSettings& settings,
                               const std::vector<std::unique_ptr<Collider>>& colliders, const TakePairs& take);

}  // namespace scree
