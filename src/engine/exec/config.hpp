// What a flavor is made of: its namespace SCREE_FLAVOR, the contact precision Real, and where kernels run.
// Only files of exec/ ask which language they are compiled in.
#pragma once

#include <cstdint>

#include "base/macros.hpp"

#if !defined(SCREE_FLAVOR) || !defined(SCREE_REAL)
#error "compile engine files with SCREE_FLAVOR and SCREE_REAL defined (cmake/flavors.cmake)"
#endif

#if defined(SCREE_ON_CUDA)
#include <cuda_runtime.h>
/// Starts a kernel lambda: in a free, named function, capturing views and scalars only, with an explicit return type.
#define SCREE_LAMBDA(...) [=] __device__(__VA_ARGS__)
#else
// Inlined whatever its size: a call in a simd loop keeps the loop scalar.
#define SCREE_LAMBDA(...) [=](__VA_ARGS__) __attribute__((always_inline))
#endif

namespace scree::SCREE_FLAVOR {

using Real = SCREE_REAL;     // precision of contact kernels; all state is double
using Index = std::int64_t;  // counts and offsets
using Slot = std::int32_t;   // dense index of a body

#if defined(SCREE_ON_CUDA)
inline constexpr bool on_device = true;

/// What kernels and copies are sent to: the calling thread's own stream, which, unlike that of all threads, can be recorded.
inline cudaStream_t stream() {
    return cudaStreamPerThread;
}
#elif defined(SCREE_LOCK_MEMORY)
inline constexpr bool on_device = true;  // it stands for one (exec/locked_memory.hpp)
#else
inline constexpr bool on_device = false;
#endif

struct Scratch;    // exec/scratch.hpp
struct LaunchLog;  // exec/launch_log.hpp

/// How kernels run: passed to every primitive.
struct Exec {
    int threads{1};                           // host threads to use now
    bool shuffle{false};                      // visit indices in shuffled order; must change nothing
    Scratch* scratch{nullptr};                // buffers that scans and reductions use again; without, they allocate
    int steps_ahead{on_device ? 16 : 1};      // steps sent before flags are read: the host sees its own memory after each
    int steps_recorded{on_device ? 4 : 0};    // steps in a recording that is replayed (exec/replay.hpp); 0: none
    int iterations_ahead{on_device ? 4 : 1};  // iterations of a solver sent with each look behind (exec/look_behind.hpp)
    bool iterations_recorded{false};          // a device repeats them by itself where it can (exec/while_graph.hpp)
    LaunchLog* log{nullptr};                  // notes every kernel, on the host (tests)
    int most_threads{0};                      // host threads that may be used at other times (exec/thread_choice.hpp); 0: no more

    int most() const { return most_threads > 0 ? most_threads : threads; }
};

/// Vector loops and sums are split in blocks of this many indices (or parts of them) for any number of threads: a multiple of any vector's.
inline constexpr Index block_size = 1024;

}  // namespace scree::SCREE_FLAVOR
