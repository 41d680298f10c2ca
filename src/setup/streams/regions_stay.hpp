// Regions into which bodies come, in a periodic domain whose lengths change.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/streams/insertions.hpp"
#include "setup/streams/removals.hpp"

namespace scree {

/// Fails where a region of [[insert]] or recycle may come to reach out of the domain: where a stress, or a stage that an event begins, may
/// shorten it by any amount, or where rates take a length below what the region needs before the run ends.
void check_regions_stay(const Scene& scene, const Model& model, const std::vector<Insertion>& insertions,
                        const std::vector<Removal>& removals);

}  // namespace scree
