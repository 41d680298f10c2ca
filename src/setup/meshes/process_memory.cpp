#include "setup/meshes/process_memory.hpp"

#if defined(__linux__)
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace scree {

namespace {
double most_available = std::numeric_limits<double>::max();
}

LoweredMemory::LoweredMemory(double bytes) {
    most_available = bytes;
}

LoweredMemory::~LoweredMemory() {
    most_available = std::numeric_limits<double>::max();
}

double available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string key, rest;
    double kilobytes = 0;
    while (file >> key >> kilobytes && std::getline(file, rest)) {
        if (key == "MemAvailable:") return std::min(1024 * kilobytes, most_available);
    }
    return most_available;
}

double resident_memory() {
    std::ifstream file("/proc/self/statm");
    double whole = 0, pages = 0;
    return file >> whole >> pages ? pages * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0.0;
}

double peak_memory() {
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * static_cast<double>(usage.ru_maxrss) : 0.0;
}

void trim_memory() {
#if defined(__linux__)
    (void)malloc_trim(0);
#endif
}

}  // namespace scree
