// Names in all compiled flavors, for the sources that choose among them when the program runs.
#pragma once

/// The declarations given, in the namespace of each flavor.
#if defined(SCREE_WITH_CUDA)
#define SCREE_IN_FLAVORS(...) \
    namespace host_double {   \
    __VA_ARGS__               \
    }                         \
    namespace host_mixed {    \
    __VA_ARGS__               \
    }                         \
    namespace cuda_double {   \
    __VA_ARGS__               \
    }                         \
    namespace cuda_mixed {    \
    __VA_ARGS__               \
    }
#else
#define SCREE_IN_FLAVORS(...) \
    namespace host_double {   \
    __VA_ARGS__               \
    }                         \
    namespace host_mixed {    \
    __VA_ARGS__               \
    }
#endif
