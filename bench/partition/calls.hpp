// Counts what the libraries ask of MPI, by its profiling interface: unlike seconds, this is the same on any machine and under any load.
#pragma once

#include <cstdint>

namespace partition {

/// Of this process, since the program began.
struct Calls {
    std::int64_t collectives{0};  // operations that several processes wait for together
    std::int64_t messages{0};     // sent from one to one
    std::int64_t bytes{0};        // in these, and handed over to all-to-all operations
};

/// So far.
const Calls& calls();

}  // namespace partition
