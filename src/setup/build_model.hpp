// Scene -> Model: materials and pairs, sizes, placement, wall geometry, bodies and joints, time step.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "scene/scene.hpp"
#include "setup/bonds.hpp"
#include "setup/events.hpp"
#include "setup/streams/insertions.hpp"
#include "setup/streams/removals.hpp"

namespace scree {

struct BuiltModel {
    Model model;
    std::vector<Insertion> insertions;
    std::vector<Event> events;
    double stable_step{0};              // largest stable step of the stiffest contact [s]; infinite for the cone method
    std::vector<std::string> warnings;  // e.g. a step past the stable limit
    std::vector<Removal> removals;
    BondPlan bond_plan;
};

/// Throws scree::Error where the scene cannot be built (a fraction out of reach, a missing file, …).
BuiltModel build_model(const Scene& scene);

}  // namespace scree
