// Ctrl-C and SIGTERM ask a run to stop; the second one ends the program at once. A closed terminal (SIGHUP), or one that read the messages
// and is gone (SIGPIPE), asks for the same, however often. Handlers live as long as the object; one at a time.
#pragma once

#include <csignal>

namespace scree {

class SignalGuard {
public:
    SignalGuard();
    ~SignalGuard();
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;

    /// The signal that asked to stop, 0 without one.
    int received() const;

private:
    struct sigaction old_interrupt_ {};
    struct sigaction old_terminate_ {};
    struct sigaction old_hangup_ {};
    struct sigaction old_pipe_ {};
    struct sigaction old_file_size_ {};
};

}  // namespace scree
