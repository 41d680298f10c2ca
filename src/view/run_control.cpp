#include "view/run_control.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string>

#include "base/error.hpp"

namespace scree {

SharedRunControl::SharedRunControl() {
    descriptor_ = ::memfd_create("scree-view", MFD_CLOEXEC);
    if (descriptor_ < 0 || ::ftruncate(descriptor_, sizeof(RunControl)) != 0)
        throw RunError(std::string("cannot share memory with the view: ") + std::strerror(errno));
    map();
    new (control_) RunControl;
}

SharedRunControl::SharedRunControl(int descriptor) : descriptor_(descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || status.st_size < static_cast<off_t>(sizeof(RunControl))) {
        descriptor_ = -1;
        throw Error("--with-run: is for `scree run --view` alone");
    }
    map();
}

SharedRunControl::~SharedRunControl() {
    if (control_ != nullptr) ::munmap(control_, sizeof(RunControl));
    if (descriptor_ >= 0) ::close(descriptor_);
}

void SharedRunControl::map() {
    void* memory = ::mmap(nullptr, sizeof(RunControl), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) throw RunError(std::string("cannot share memory with the view: ") + std::strerror(errno));
    control_ = static_cast<RunControl*>(memory);
}

}  // namespace scree
