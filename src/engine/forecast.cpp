// The choice of the flavor whose memory is foretold.
#include "engine/forecast.hpp"

#include "engine/flavors.hpp"
#include "engine/hard/events/event_system.hpp"

namespace scree {

EngineForecast forecast_engine(const Model& model, const EngineOptions& options, const PairCounts& counts) {
    if (model.method == Method::Hard && model.hard.stepping == HardStepping::Events) {
        EngineForecast f;
        const double n = static_cast<double>(model.bodies.size());
        f.bodies = static_cast<double>(EventSystem::bytes_for(model.bodies.size()));
        f.snapshot = n * (6 * sizeof(Vec3));  // places and velocities on their way into a snapshot
        f.checkpoint = n * 2 * sizeof(HardBody);
        return f;
    }
    return flavor(runs_on_cuda(options.device, options.precision), options.precision).forecast(model, options, counts);
}

}  // namespace scree
