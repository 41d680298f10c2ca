// What a run and the program that shows it tell each other, in memory that both map: how far the run is, and what it is asked for.
// The run only reads and writes these numbers between two batches of steps; nothing here can make it wait.
#pragma once

#include <atomic>
#include <cstdint>

namespace scree {

struct RunControl {
    // Written by the run.
    std::atomic<std::int64_t> step{0}, end_step{0};
    std::atomic<double> time{0}, end_time{0};  // simulated [s]
    std::atomic<std::int32_t> waits{0};        // 1: it is paused
    // Written by the view.
    std::atomic<std::int32_t> ready{0};        // 1: it listens
    std::atomic<std::int32_t> pause{0};        // 1: asks the run to wait
    std::atomic<std::int32_t> stop{0};         // 1: asks it to write a checkpoint and end, as Ctrl-C does
    std::atomic<std::int64_t> more_frames{0};  // that a paused run is to go on for

    static_assert(std::atomic<double>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);
};

/// A RunControl in memory that programs started from here map, too; `descriptor` names it to them.
class SharedRunControl {
public:
    /// Makes one. Throws RunError.
    SharedRunControl();
    /// Maps the one that the starting program made. Throws Error where the descriptor is none.
    explicit SharedRunControl(int descriptor);
    ~SharedRunControl();
    SharedRunControl(const SharedRunControl&) = delete;
    SharedRunControl& operator=(const SharedRunControl&) = delete;

    RunControl& operator*() const { return *control_; }
    RunControl* operator->() const { return control_; }
    int descriptor() const { return descriptor_; }

private:
    void map();

    int descriptor_{-1};
    RunControl* control_{nullptr};
};

}  // namespace scree
