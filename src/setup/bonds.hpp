// [[bond]] of a scene -> bonds of the model.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "model/model.hpp"
#include "model/region.hpp"
#include "scene/scene.hpp"
#include "setup/agglomerates.hpp"
#include "setup/origins.hpp"

namespace scree {

/// Bonds that are made while the run goes on: as their kind says.
struct BondMaking {
    std::int32_t kind;
    std::optional<bool> within;  // are both to be of one agglomerate? Not given: where both are of some
    std::int32_t wall;           // to which they go, -1: they join two bodies
};

/// Bonds that are broken while the run goes on.
struct BondBreaking {
    Region region;
    std::vector<std::int32_t> kinds;                              // 1 for those that it takes, by their numbers
    double from{0}, to{std::numeric_limits<double>::infinity()};  // [s]
    double every{0};                                              // between two looks [s]; 0: one look
};

/// What happens to bonds while the run goes on.
struct BondPlan {
    std::vector<BondMaking> makings;
    std::vector<BondBreaking> breakings;
    Agglomerates agglomerates;
};

/// Bonds of all tables, once bodies are where they start, and what comes later. Throws scree::Error at the table.
BondPlan build_bonds(const Scene& scene, const std::vector<Origin>& origins, const Agglomerates& agglomerates, Model& model);

/// Once all bodies are known, those that come later, too. Throws scree::Error where some could not have the bonds that a table will make.
void check_made_bonds(const Scene& scene, const Model& model);

}  // namespace scree
