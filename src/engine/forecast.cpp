// The choice of the flavor whose memory is foretold.
#include "engine/forecast.hpp"

#include "engine/flavors.hpp"
#include "engine/hard/events/event_system.hpp"

namespace scree {

SCREE_IN_FLAVORS(EngineForecast forecast(const Model& model, const EngineOptions& options, const PairCounts& counts);)

EngineForecast forecast_engine(const Model& model, const EngineOptions& options, const PairCounts& counts) {
    if (model.method == Method::Hard && model.hard.stepping == HardStepping::Events) {
        EngineForecast f;
        const double n = static_cast<double>(model.bodies.size());
        f.bodies = static_cast<double>(EventSystem::bytes_for(model.bodies.size()));
        f.snapshot = n * (6 * sizeof(Vec3));  // places and velocities on their way into a snapshot
        f.checkpoint = n * 2 * sizeof(HardBody);
        return f;
    }
    const bool mixed = options.precision == Precision::Mixed;
#if defined(SCREE_WITH_CUDA)
    if (runs_on_cuda(options.device)) return (mixed ? cuda_mixed::forecast : cuda_double::forecast)(model, options, counts);
#endif
    return (mixed ? host_mixed::forecast : host_double::forecast)(model, options, counts);
}

}  // namespace scree
