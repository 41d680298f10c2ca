// How long threads of parallel loops spin while they wait for each other. GNU's OpenMP lets them spin for many milliseconds (300,000
// pauses, of 140 cycles on some processors), longer than the system leaves a thread that has lost its processor to another program without
// one: on a busy machine a step then takes a time slice, and the processor on which a thread could go on is taken by one that spins.
#pragma once

#if defined(__linux__)
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#endif

namespace scree {

/// Has threads sleep after some 0.05 to 0.2 ms of spinning, unless the environment says how they are to wait. To be called first in main:
/// OpenMP reads its environment before that, so the program starts anew with the same arguments. Where it cannot, nothing changes.
inline void ask_for_brief_waits([[maybe_unused]] char** argv) {
#if defined(__linux__)
    for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}) {
        if (std::getenv(name) != nullptr) return;
    }
    setenv("GOMP_SPINCOUNT", "3000", 1);
    // By its own path: as /proc/self/exe the system would list it under the name "exe".
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    if (!failed) execv(program.c_str(), argv);
#endif
}

}  // namespace scree
