// What the engine asks of its device beside kernels, counted in every flavor: a test on the host then tells how often a GPU would wait.
// Counted where memory.hpp and the primitives do it, or would on a device.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/exec/config.hpp"

namespace scree::SCREE_FLAVOR {

/// Counts since the program started, all threads together.
struct Tally {
    std::int64_t allocations{0};  // of memory for kernels
    std::int64_t waits{0};        // of the host for results of kernels
    std::int64_t bytes_read{0};   // copied to the host
    std::int64_t writes{0};       // copies from the host
    std::int64_t bytes_written{0};
    std::int64_t looks{0};  // copies to the host that it goes on without (exec/look_behind.hpp)

    friend Tally operator-(const Tally& a, const Tally& b) {
        return {a.allocations - b.allocations,     a.waits - b.waits, a.bytes_read - b.bytes_read, a.writes - b.writes,
                a.bytes_written - b.bytes_written, a.looks - b.looks};
    }
};

namespace detail {

struct Counters {
    std::atomic<std::int64_t> allocations{0}, waits{0}, bytes_read{0}, writes{0}, bytes_written{0}, looks{0};
};
inline Counters counters;

inline void count(std::atomic<std::int64_t>& counter, std::int64_t by) {
    counter.fetch_add(by, std::memory_order_relaxed);
}

}  // namespace detail

inline Tally tally() {
    const detail::Counters& c = detail::counters;
    return {c.allocations, c.waits, c.bytes_read, c.writes, c.bytes_written, c.looks};
}

inline void count_allocation() {
    detail::count(detail::counters.allocations, 1);
}
inline void count_wait(std::size_t bytes) {
    detail::count(detail::counters.waits, 1);
    detail::count(detail::counters.bytes_read, static_cast<std::int64_t>(bytes));
}
inline void count_write(std::size_t bytes) {
    detail::count(detail::counters.writes, 1);
    detail::count(detail::counters.bytes_written, static_cast<std::int64_t>(bytes));
}
inline void count_look() {
    detail::count(detail::counters.looks, 1);
}

}  // namespace scree::SCREE_FLAVOR
