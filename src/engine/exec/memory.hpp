// Raw memory of a flavor: allocate, free, copy, fill, in the order of kernels. Errors become scree::RunError with the size asked for.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "base/error.hpp"
#include "engine/exec/config.hpp"
#include "engine/exec/large_pages.hpp"
#include "engine/exec/staging.hpp"
#include "engine/exec/tally.hpp"
#if defined(SCREE_LOCK_MEMORY)
#include "engine/exec/locked_memory.hpp"
#endif

namespace scree::SCREE_FLAVOR {

[[noreturn]] inline void out_of_memory(std::size_t bytes) {
    throw RunError("out of memory: could not get " + std::to_string(bytes / 1000000) +
                   " MB more for the simulation; use fewer bodies or a machine with more memory");
}

#if defined(SCREE_ON_CUDA)

inline void* allocate(std::size_t bytes) {
    count_allocation();
    void* p = nullptr;
    const cudaError_t status = cudaMalloc(&p, bytes);
    if (status == cudaSuccess) return p;
    (void)cudaGetLastError();
    if (status == cudaErrorMemoryAllocation) out_of_memory(bytes);
    // What a kernel before it did wrong, as a rule.
    throw RunError(std::string("the CUDA device failed before it gave memory: ") + cudaGetErrorString(status));
}
inline void release(void* p) {
    if (p != nullptr) (void)cudaFree(p);
}
inline void copy_within(void* to, const void* from, std::size_t bytes) {
    check_copy(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream()));
}
/// Waits for the kernels sent before.
inline void copy_to_host(void* to, const void* from, std::size_t bytes) {
    count_wait(bytes);
    check_copy(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream()));
    check_copy(cudaStreamSynchronize(stream()));
}
/// `from` has been read when this returns; the caller may change it at once.
inline void copy_from_host(void* to, const void* from, std::size_t bytes) {
    count_write(bytes);
    Staging::of_this_thread().copy(to, from, bytes);
}
inline void fill_bytes(void* p, int byte, std::size_t bytes) {
    check_copy(cudaMemsetAsync(p, byte, bytes, stream()));
}

#elif defined(SCREE_LOCK_MEMORY)

inline void* allocate(std::size_t bytes) {
    count_allocation();
    void* p = LockedMemory::all().take(bytes);
    if (p == nullptr) out_of_memory(bytes);
    return p;
}
inline void release(void* p) {
    LockedMemory::all().give(p);
}
inline void copy_within(void* to, const void* from, std::size_t bytes) {
    const KernelScope scope;
    if (bytes > 0) std::memcpy(to, from, bytes);
}
inline void copy_to_host(void* to, const void* from, std::size_t bytes) {
    count_wait(bytes);
    copy_within(to, from, bytes);
}
inline void copy_from_host(void* to, const void* from, std::size_t bytes) {
    count_write(bytes);
    copy_within(to, from, bytes);
}
inline void fill_bytes(void* p, int byte, std::size_t bytes) {
    const KernelScope scope;
    std::memset(p, byte, bytes);
}

#else

/// While one is alive, a kernel runs: only memory that is locked otherwise needs to know.
struct KernelScope {
    KernelScope() {}
};

// Not inlined: g++ 12 would warn of copies into memory whose size it thinks it knows.
[[gnu::noinline]] inline void* allocate(std::size_t bytes) {
    count_allocation();
    constexpr std::size_t line = 64;  // a cache line and a full vector
    void* p = std::aligned_alloc(line, (bytes + line - 1) / line * line);
    if (p == nullptr) out_of_memory(bytes);
    prefer_large_pages(p, bytes);
    return p;
}
inline void release(void* p) {
    std::free(p);
}
inline void copy_within(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
}
inline void copy_to_host(void* to, const void* from, std::size_t bytes) {
    count_wait(bytes);
    if (bytes > 0) std::memcpy(to, from, bytes);
}
inline void copy_from_host(void* to, const void* from, std::size_t bytes) {
    count_write(bytes);
    if (bytes > 0) std::memcpy(to, from, bytes);
}
inline void fill_bytes(void* p, int byte, std::size_t bytes) {
    std::memset(p, byte, bytes);
}

#endif

}  // namespace scree::SCREE_FLAVOR
