// [[remove]] of a scene -> what says which bodies are taken out, when, and where they come back.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/region.hpp"
#include "scene/scene.hpp"
#include "setup/placement/region.hpp"
#include "setup/streams/insertions.hpp"

namespace scree {

struct Recycling {
    PlaceRegion region;
    Vec3 velocity, angular_velocity;
    bool random_turn{false};
    std::int64_t tries{0};
    std::uint64_t seed{0};
};

struct Removal {
    std::string name;
    Region region;
    std::int32_t material{-1};                                    // -1: any
    std::vector<std::int32_t> shapes;                             // indices into the scene's; empty: any
    double from{0}, to{std::numeric_limits<double>::infinity()};  // [s]
    double every{0};                                              // between two looks [s]; 0: one look
    std::optional<Recycling> recycle;

    /// Does it take this body, where that is in its region? Of members of compounds their owner is asked.
    bool takes(const BodyTable& bodies, std::size_t id) const;
};

/// Marks bodies of the model that may come back (BodyTable::comes_back); its walls and all bodies are there. Throws scree::Error at the
/// table.
std::vector<Removal> build_removals(const Scene& scene, const std::vector<Insertion>& insertions, Model& model);

}  // namespace scree
