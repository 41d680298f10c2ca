// What callers say of bodies to come, for the simulation inside, and what it says of stocks, for them.
#pragma once

#include <cstdint>
#include <vector>

#include "api/inside.hpp"
#include "model/model.hpp"
#include "sim/stocks.hpp"

namespace scree_v0 {

/// Throws SceneError where numbers make no whole rows.
::scree::AskedBodies asked_of(const NewBodies& bodies);

Stock stock_of(const ::scree::Model& model, std::vector<std::uint32_t> ids);

}  // namespace scree_v0
