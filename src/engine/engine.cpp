// The choice among flavors, made when the program runs. A program with CUDA flavors must start without a driver: devices are only
// asked for by probing, and a missing driver is an answer.
#include "engine/engine.hpp"

#include "base/error.hpp"

namespace scree {

#define SCREE_DECLARE_FLAVOR(name)                                                         \
    namespace name {                                                                       \
    std::unique_ptr<Engine> make_flavor(const Model& model, const EngineOptions& options); \
    std::string flavor_problem();                                                          \
    }

SCREE_DECLARE_FLAVOR(host_double)
SCREE_DECLARE_FLAVOR(host_mixed)
#if defined(SCREE_WITH_CUDA)
SCREE_DECLARE_FLAVOR(cuda_double)
SCREE_DECLARE_FLAVOR(cuda_mixed)
#endif

namespace {

/// Why no CUDA device can be used; empty where one can.
std::string cuda_problem() {
#if defined(SCREE_WITH_CUDA)
    return cuda_double::flavor_problem();
#else
    return "this program was built without CUDA";
#endif
}

}  // namespace

bool cuda_available() {
    return cuda_problem().empty();
}

std::string describe_cuda() {
    const std::string problem = cuda_problem();
    return problem.empty() ? "CUDA device present" : "no CUDA device: " + problem;
}

std::unique_ptr<Engine> make_engine(const Model& model, const EngineOptions& options) {
    const bool mixed = options.precision == Precision::Mixed;
    const std::string problem = options.device == Device::Cpu ? "the CPU was asked for" : cuda_problem();
    if (options.device == Device::Cuda && !problem.empty()) {
        throw Error("--device cuda cannot be used: " + problem + ". Use --device cpu, or auto.");
    }
#if defined(SCREE_WITH_CUDA)
    if (problem.empty()) return mixed ? cuda_mixed::make_flavor(model, options) : cuda_double::make_flavor(model, options);
#endif
    return mixed ? host_mixed::make_flavor(model, options) : host_double::make_flavor(model, options);
}

}  // namespace scree
