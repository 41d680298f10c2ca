// Which engine serves: of a flavor (engine/flavors.hpp), or the one of events. Devices are only asked for by probing.
#include "engine/engine.hpp"

#include "base/error.hpp"
#include "engine/devices.hpp"
#include "engine/event_engine.hpp"
#include "engine/flavors.hpp"

namespace scree {

namespace {

std::string describe(const std::string& problem) {
    return problem.empty() ? "CUDA device present" : "no CUDA device: " + problem;
}

}  // namespace

bool cuda_available() {
    return cuda_problem(Precision::Double).empty();
}

std::string describe_cuda() {
    return describe(cuda_problem(Precision::Double));
}

std::vector<std::string> cuda_devices(Precision precision) {
    return cuda_problem(precision).empty() ? flavor(true, precision).devices() : std::vector<std::string>{};
}

bool runs_on_cuda(Device device, Precision precision) {
    if (device.kind == Device::Kind::Cpu) return false;
    const std::string problem = cuda_problem(precision);
    if (device.kind == Device::Kind::Cuda) require_device(device, cuda_devices(precision), describe(problem));
    return problem.empty();
}

std::unique_ptr<Engine> make_engine(const Model& model, const EngineOptions& options) {
    if (model.method == Method::Hard && model.hard.stepping == HardStepping::Events) {
        if (options.device.kind == Device::Kind::Cuda)
            throw Error(
                "--device cuda cannot be used: the events of hard particles follow each other on the CPU. Use --device cpu, or "
                "method.stepping = \"steps\".");
        return make_event_engine(model, options);
    }
    return flavor(runs_on_cuda(options.device, options.precision), options.precision).make_engine(model, options);
}

}  // namespace scree
