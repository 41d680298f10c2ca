// What this flavor's engine will take of memory (engine/forecast.hpp).
#pragma once

#include "engine/exec/config.hpp"
#include "engine/forecast.hpp"

namespace scree::SCREE_FLAVOR {

EngineForecast forecast(const Model& model, const EngineOptions& options, const PairCounts& counts);

}  // namespace scree::SCREE_FLAVOR
