#include "engine/exec/device_choice.hpp"

#include <string>

#include "base/error.hpp"

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

void use_device(int device) {
    const cudaError_t status = cudaSetDevice(device);
    if (status != cudaSuccess) throw RunError("CUDA device " + std::to_string(device) + ": " + cudaGetErrorString(status));
}

#else

int device_count() {
    return 1;
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
