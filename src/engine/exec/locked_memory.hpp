// Memory of kernels that is locked while no kernel runs, as that of a device is out of the host's reach: a host flavor built with
// SCREE_LOCK_MEMORY (preset `locked`) finds on any machine what would end a program on a device. Linux only.
// All of it lies in one reserved stretch of addresses, which the first kernel opens and the last one locks. What is given out is filled
// with ones, NaN as numbers, so that a read before a write shows too. Who touches it is told to stderr; c++filt makes the names readable,
// and addr2line finds the lines.
#pragma once

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "engine/exec/config.hpp"

namespace scree::SCREE_FLAVOR {

class LockedMemory {
public:
    static LockedMemory& all() {
        static LockedMemory* one = new LockedMemory;  // never destroyed: arrays of static life give back after main
        return *one;
    }
    /// Null where the reserve is used up.
    void* take(std::size_t bytes) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto [start, size] = place_for((bytes + line - 1) / line * line);
        if (start == nullptr) return nullptr;
        size_[start] = size;
        protect(PROT_READ | PROT_WRITE);
        std::memset(start, 0xff, size);
        if (users_ == 0) protect(PROT_NONE);
        return start;
    }
    void give(void* p) {
        if (p == nullptr) return;
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto at = size_.find(static_cast<char*>(p));
        if (at == size_.end()) std::abort();
        forget_pages(at->first, at->second);
        free_.emplace(at->second, at->first);
        size_.erase(at);
    }
    void open() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (users_++ == 0) protect(PROT_READ | PROT_WRITE);
    }
    void close() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (--users_ == 0) protect(PROT_NONE);
    }
    /// Reads and writes while it was locked.
    int touched() const { return touched_; }
    /// Whether `look()` touches it, which is neither told nor counted. Call while no kernel runs.
    template <class Look>
    bool notices(Look look) {
        const int before = touched_;
        quiet_ = true;
        look();
        quiet_ = false;
        protect(PROT_NONE);  // a touch opened it
        return touched_.exchange(before) > before;
    }

private:
    static constexpr std::size_t line = 64;
    static constexpr std::size_t page = std::size_t{1} << 21;      // large ones, or locking takes milliseconds where much is in use
    static constexpr std::size_t reserved = std::size_t{1} << 36;  // addresses, not memory

    LockedMemory() {
        void* p = mmap(nullptr, reserved + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) std::abort();
        base_ = page_from(static_cast<char*>(p));
        (void)madvise(base_, reserved, MADV_HUGEPAGE);
        void* frame;
        (void)backtrace(&frame, 1);  // the first call loads a library, which a signal must not
        struct sigaction action {};
        action.sa_sigaction = &LockedMemory::caught;
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGSEGV, &action, nullptr);
    }
    struct Place {
        char* start;
        std::size_t size;
    };
    /// What was given back and is not much too large, or the next of the reserve.
    Place place_for(std::size_t size) {
        const auto found = free_.lower_bound(size);
        if (found != free_.end() && found->first <= 2 * size) {
            const Place place{found->second, found->first};
            free_.erase(found);
            return place;
        }
        if (used_ + size > reserved) return {nullptr, 0};
        used_ += size;
        return {base_ + used_ - size, size};
    }
    /// Tells who touched it, then lets it through until the next kernel ends: one run finds them all.
    static void caught(int, siginfo_t* info, void*) {
        LockedMemory& m = all();
        const char* at = static_cast<const char*>(info->si_addr);
        if (at < m.base_ || at >= m.base_ + m.used_) {
            signal(SIGSEGV, SIG_DFL);
            return;
        }
        ++m.touched_;
        if (!m.quiet_) tell_caller();
        m.protect(PROT_READ | PROT_WRITE);
    }
    static void tell_caller() {
        void* frames[24];
        const int count = backtrace(frames, 24);
        static const char text[] = "the host touches memory of kernels while none runs:\n";
        (void)!write(STDERR_FILENO, text, sizeof(text) - 1);
        backtrace_symbols_fd(frames, count, STDERR_FILENO);
    }
    /// Where the first page begins that does not begin before `p`.
    static char* page_from(char* p) { return p + (page - reinterpret_cast<std::uintptr_t>(p) % page) % page; }
    /// Gives the system back the whole pages of a place: each that is filled makes locking slower.
    static void forget_pages(char* start, std::size_t size) {
        char* const first = page_from(start);
        if (first < start + size) (void)madvise(first, static_cast<std::size_t>(start + size - first) / page * page, MADV_DONTNEED);
    }
    void protect(int how) {
        if (used_ > 0 && mprotect(base_, (used_ + page - 1) / page * page, how) != 0) std::abort();
    }

    std::mutex mutex_;
    char* base_{nullptr};
    std::size_t used_{0};
    int users_{0};
    std::atomic<int> touched_{0};  // as quiet_, seen by the handler of the signal
    std::atomic<bool> quiet_{false};
    std::map<char*, std::size_t> size_;
    std::multimap<std::size_t, char*> free_;
};

/// While one is alive, a kernel or a copy runs and the memory is open.
struct KernelScope {
    KernelScope() { LockedMemory::all().open(); }
    ~KernelScope() { LockedMemory::all().close(); }
    KernelScope(const KernelScope&) = delete;
    KernelScope& operator=(const KernelScope&) = delete;
};

}  // namespace scree::SCREE_FLAVOR
