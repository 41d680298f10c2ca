#include "setup/meshes/memory_cap.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace scree {

MemoryCap::MemoryCap(std::uint64_t more) {
    std::ifstream in("/proc/self/statm");
    std::uint64_t pages = 0;
    rlimit limit{};
    if (!(in >> pages) || getrlimit(RLIMIT_AS, &limit) != 0) return;
    old_ = limit.rlim_cur;
    const std::uint64_t wanted = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + more;
    if (limit.rlim_cur != RLIM_INFINITY)
        limit.rlim_cur = std::min<std::uint64_t>(limit.rlim_cur, wanted);
    else
        limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min<std::uint64_t>(limit.rlim_max, wanted);
    set_ = setrlimit(RLIMIT_AS, &limit) == 0;
}

MemoryCap::~MemoryCap() {
    rlimit limit{};
    if (!set_ || getrlimit(RLIMIT_AS, &limit) != 0) return;
    limit.rlim_cur = old_;
    (void)setrlimit(RLIMIT_AS, &limit);
}

}  // namespace scree
