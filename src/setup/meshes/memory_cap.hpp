// A limit on the memory that a library may take while it reads a file which nothing else bounds.
#pragma once

#include <cstdint>

namespace scree {

/// While it lives the process can take `more` bytes of address space beyond what it has, no more: then allocations fail, and throw
/// std::bad_alloc. Of no effect where the system has no such limit.
class MemoryCap {
public:
    explicit MemoryCap(std::uint64_t more);
    ~MemoryCap();
    MemoryCap(const MemoryCap&) = delete;
    MemoryCap& operator=(const MemoryCap&) = delete;

private:
    std::uint64_t old_{0};  // soft limit before [bytes]
    bool set_{false};
};

}  // namespace scree
