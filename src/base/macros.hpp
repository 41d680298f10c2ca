// Compiler words that host and device code share. The only place outside engine/exec that looks at __CUDACC__.
#pragma once

#if defined(__CUDACC__)
#define SCREE_HD __host__ __device__ inline
#define SCREE_HD_SHARED __host__ __device__ __noinline__ inline
#define SCREE_HD_ONCE __host__ __device__ inline
#else
#define SCREE_HD [[gnu::always_inline]] inline
// Not inlined: for functions so long that a call costs nothing beside them, and that many kernels use.
#define SCREE_HD_SHARED [[gnu::noinline]] inline
// One copy on the host; inlined on a device, where a call would move the views that it takes to the local memory of each thread.
#define SCREE_HD_ONCE [[gnu::noinline]] inline
#endif

// Assertions of our own faults: on in debug and audit builds, absent otherwise.
#include <cassert>
#if defined(SCREE_AUDIT)
#define SCREE_ASSERT(condition) assert(condition)
#else
#define SCREE_ASSERT(condition) ((void)0)
#endif
