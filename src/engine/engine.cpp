// The choice among flavors, made when the program runs. A program with CUDA flavors must start without a driver: devices are only
// asked for by probing, and a missing driver is an answer.
#include "engine/engine.hpp"

#include "base/error.hpp"
#include "engine/devices.hpp"
#include "engine/event_engine.hpp"
#include "engine/flavors.hpp"

namespace scree {

SCREE_IN_FLAVORS(std::unique_ptr<Engine> make_flavor(const Model& model, const EngineOptions& options); std::string flavor_problem();
                 std::vector<std::string> flavor_devices();)

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

std::vector<std::string> cuda_devices() {
#if defined(SCREE_WITH_CUDA)
    if (cuda_available()) return cuda_double::flavor_devices();
#endif
    return {};
}

bool runs_on_cuda(Device device) {
    if (device.kind == Device::Kind::Cuda) require_device(device, cuda_devices(), describe_cuda());
    return device.kind != Device::Kind::Cpu && cuda_available();
}

std::unique_ptr<Engine> make_engine(const Model& model, const EngineOptions& options) {
    if (model.method == Method::Hard && model.hard.stepping == HardStepping::Events) {
        if (options.device.kind == Device::Kind::Cuda)
            throw Error(
                "--device cuda cannot be used: the events of hard particles follow each other on the CPU. Use --device cpu, or "
                "method.stepping = \"steps\".");
        return make_event_engine(model, options);
    }
    const bool mixed = options.precision == Precision::Mixed;
    [[maybe_unused]] const bool cuda = runs_on_cuda(options.device);
#if defined(SCREE_WITH_CUDA)
    if (cuda) return mixed ? cuda_mixed::make_flavor(model, options) : cuda_double::make_flavor(model, options);
#endif
    return mixed ? host_mixed::make_flavor(model, options) : host_double::make_flavor(model, options);
}

}  // namespace scree
