// Files that are half written as a signal ends the program: they are removed, and the program ends as it would have without this.
#pragma once

#include <string>
#include <vector>

namespace scree {

/// As long as it lives, SIGINT, SIGTERM and SIGHUP remove these files and end the program as their default action does; a process that
/// writes one of them is ended before. Up to eight files at a time, in all objects together; those beyond are not removed. Signals that are
/// ignored, or that a run handles itself, are left alone.
class RemovedOnSignal {
public:
    /// `writer`: number of the process that writes them, or -1.
    explicit RemovedOnSignal(const std::vector<std::string>& paths, int writer = -1);
    ~RemovedOnSignal();
    RemovedOnSignal(const RemovedOnSignal&) = delete;
    RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;

private:
    std::vector<int> places_;
    int writer_;
};

/// While it lives, signals that would end the program wait until it goes: while a writer is started, whose files nobody could name yet.
class HeldSignals {
public:
    HeldSignals();
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
};

}  // namespace scree
