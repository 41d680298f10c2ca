#include "output/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.hpp"

namespace scree {

void RunLock::take(const std::string& directory) {
    if (descriptor_ >= 0) return;
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;  // none yet, or one that check_run_directory() refuses
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
        descriptor_ = descriptor;
        return;
    }
    const int error = errno;
    ::close(descriptor);
    if (error == EWOULDBLOCK)
        throw Error(directory + ": another run writes to this directory; wait until it ends, or choose another with -o");
}

void RunLock::release() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

}  // namespace scree
