#include "engine/exec/device.hpp"

#include "base/error.hpp"

#if !defined(SCREE_ON_CUDA)
#include <fstream>
#endif

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)

std::string device_problem() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        (void)cudaGetLastError();
        return cudaGetErrorString(status);
    }
    return count > 0 ? "" : "no CUDA device";
}

std::string device_name() {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "unknown CUDA device";
    return properties.name;
}

void synchronize(const char* where) {
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess) status = cudaGetLastError();
    if (status != cudaSuccess) throw RunError(std::string("CUDA device failed in ") + where + ": " + cudaGetErrorString(status));
}

#else

std::string device_problem() {
    return "";
}

std::string device_name() {
    std::ifstream info("/proc/cpuinfo");
    std::string line;
    while (std::getline(info, line)) {
        if (line.rfind("model name", 0) != 0) continue;
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos && colon + 2 <= line.size()) return line.substr(colon + 2);
    }
    return "CPU";
}

void synchronize(const char*) {
}

#endif

}  // namespace scree::SCREE_FLAVOR
