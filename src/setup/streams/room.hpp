// Where bodies of a stream appear: what their region must be.
#pragma once

#include <string>

#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/placement/region.hpp"

namespace scree {

/// Fails at `place` where spheres of this radius do not fit into the region, may start in a wall, or out of the domain. `who` names the
/// stream, for the message.
void check_room(const Scene& scene, const Model& model, const PlaceRegion& region, double radius, std::uint64_t seed,
                const std::string& who, const SourcePlace& place);

}  // namespace scree
