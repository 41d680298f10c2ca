// Wall time per stage as the host sees it; where kernels run apart from the host, the stage that waits for them bears their time.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "engine/exec/device.hpp"

namespace scree::SCREE_FLAVOR {

class StageTimers {
public:
    struct Entry {
        double seconds{0};
        std::int64_t calls{0};
    };
    /// Adds the life of the returned object to a stage.
    class Scope {
    public:
        Scope(StageTimers& owner, const char* stage) : owner_(owner), stage_(stage), start_(now()) {}
        ~Scope() { owner_.add(stage_, now() - start_); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        StageTimers& owner_;
        const char* stage_;
        double start_;
    };
    Scope measure(const char* stage) { return Scope(*this, stage); }
    const std::map<std::string, Entry>& entries() const { return entries_; }

private:
    static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
    void add(const char* stage, double seconds) {
        Entry& e = entries_[stage];
        e.seconds += seconds;
        ++e.calls;
    }
    std::map<std::string, Entry> entries_;
};

}  // namespace scree::SCREE_FLAVOR
