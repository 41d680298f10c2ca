#include "engine/exec/device.hpp"

#include "base/error.hpp"
#include "engine/exec/tally.hpp"

#if !defined(SCREE_ON_CUDA)
#include <fstream>
#endif

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)

__global__ void probe_kernel() {
}

std::string device_problem() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        (void)cudaGetLastError();
        return cudaGetErrorString(status);
    }
    if (count == 0) return "no CUDA device";
    // A program without code for this device finds out here, not in its first kernel.
    cudaFuncAttributes attributes{};
    const cudaError_t loaded = cudaFuncGetAttributes(&attributes, probe_kernel);
    if (loaded != cudaSuccess) {
        (void)cudaGetLastError();
        return std::string("this program has no code for the device (") + cudaGetErrorString(loaded) +
               "); build it with CMAKE_CUDA_ARCHITECTURES for it";
    }
    return "";
}

std::string device_name() {
    int device = 0;
    cudaDeviceProp properties{};
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) return "unknown CUDA device";
    return properties.name;
}

void synchronize(const char* where) {
    count_wait(0);
    const cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) throw RunError(std::string("the CUDA device failed in ") + where + ": " + cudaGetErrorString(status));
}

void check_launch(const char* label) {
    const cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess) throw RunError(std::string("the CUDA device failed at kernel ") + label + ": " + cudaGetErrorString(status));
}

#else

std::string device_problem() {
    return "";
}

namespace {

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    std::string line;
    while (std::getline(info, line)) {
        if (line.rfind("model name", 0) != 0) continue;
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos && colon + 2 <= line.size()) return line.substr(colon + 2);
    }
    return "CPU";
}

}  // namespace

std::string device_name() {
#if defined(SCREE_LOCK_MEMORY)
    return processor_name() + " with locked kernel memory (slow)";
#elif defined(SCREE_MADE_FOR)
    return processor_name() + ", code for " SCREE_MADE_FOR;  // one of several that the program chooses among
#else
    return processor_name();
#endif
}

void synchronize(const char*) {
    count_wait(0);
}

void check_launch(const char*) {
}

#endif

}  // namespace scree::SCREE_FLAVOR
