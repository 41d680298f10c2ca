// The engine of hard particles event by event: on the host, one thread. A step is no more than the grain of the schedule.
#pragma once

#include <memory>

#include "engine/engine.hpp"

namespace scree {

std::unique_ptr<Engine> make_event_engine(const Model& model, const EngineOptions& options);

}  // namespace scree
