#include "engine/exec/device_choice.hpp"

#include <string>

#include "base/error.hpp"
#include "engine/exec/device.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)

int device_count() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return count;
}

std::vector<std::string> device_names() {
    std::vector<std::string> names;
    for (int k = 0; k < device_count(); ++k) {
        cudaDeviceProp properties{};
        names.push_back(cudaGetDeviceProperties(&properties, k) == cudaSuccess ? properties.name : "unknown CUDA device");
    }
    return names;
}

std::size_t free_memory() {
    std::size_t free = 0, all = 0;
    if (cudaMemGetInfo(&free, &all) == cudaSuccess) return free;
    (void)cudaGetLastError();
    return 0;
}

void use_device(int device) {
    const cudaError_t status = cudaSetDevice(device);
    if (status != cudaSuccess) throw RunError("CUDA device " + std::to_string(device) + ": " + cudaGetErrorString(status));
}

#else

int device_count() {
    return 1;
}

std::vector<std::string> device_names() {
    return {device_name()};
}

std::size_t free_memory() {
    return 0;
}

void use_device(int) {
}

#endif

int thread_limit() {
#if defined(_OPENMP)
    return omp_get_max_threads();
#else
    return 1;
#endif
}

}  // namespace scree::SCREE_FLAVOR
