// Contacts -> elastic energy, counts, largest overlap.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

struct ContactSums {
    double elastic_normal{0};      // [J], bodies and walls
    double elastic_tangential{0};  // [J]
    std::int64_t contacts{0};      // touching, body–body
    double max_overlap{0};         // over the smaller radius, body–body
};

/// In double, from positions and history; each body sums the contacts in which it is A, in the order of partner ids.
ContactSums sum_contacts(const Model& model, State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
