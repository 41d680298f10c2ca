// Runs the engine tests of one flavor; exits with 77 (skipped) where its device does not answer, with 1 where a test fails or where the
// host touches memory that is locked (exec/locked_memory.hpp).
#define DOCTEST_CONFIG_IMPLEMENT
#if defined(SCREE_LOCK_MEMORY)
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS  // the lock lives by one of them
#endif
#include <doctest/doctest.h>

#include <cstdio>

#include "engine/exec/device.hpp"
#include "engine/exec/memory.hpp"

/// Prints why the run fails where the host touched memory of kernels.
static bool touched_locked_memory() {
#if defined(SCREE_LOCK_MEMORY)
    const int touched = scree::SCREE_FLAVOR::LockedMemory::all().touched();
    if (touched > 0) std::printf("failed: the host touched memory of kernels %d times while none ran (told to stderr)\n", touched);
    return touched > 0;
#else
    return false;
#endif
}

int main(int argc, char** argv) {
    const std::string problem = scree::SCREE_FLAVOR::device_problem();
    if (!problem.empty()) {
        std::printf("skipped: %s\n", problem.c_str());
        return 77;
    }
    doctest::Context context(argc, argv);
    const int failed = context.run();
    return touched_locked_memory() ? 1 : failed;
}
