// Several GPUs in one host, and the threads of the host: how many, and which one the calling thread uses.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/exec/config.hpp"

namespace scree::SCREE_FLAVOR {

/// GPUs that the driver shows; 1 on the host.
int device_count();
/// Their names; of the processor on the host.
std::vector<std::string> device_names();
/// Memory of the calling thread's GPU that is free [bytes]; 0, not known, on the host.
std::size_t free_memory();
/// Arrays and kernels of the calling thread are on this GPU from now on. Throws RunError. Nothing to do on the host.
void use_device(int device);
/// Threads that host loops may use.
int thread_limit();

}  // namespace scree::SCREE_FLAVOR
