#include "sim/signals.hpp"

namespace scree {
namespace {

volatile std::sig_atomic_t received_signal = 0;

void note_signal(int number) {
    received_signal = number;
    // The next one of either kind takes its default action.
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

/// A closing terminal sends SIGHUP more than once, and takes away the reader of what is said: neither may cut the checkpoint short.
void note_hangup(int number) {
    if (received_signal == 0) received_signal = number;
}

}  // namespace

SignalGuard::SignalGuard() {
    received_signal = 0;
    struct sigaction note {};
    note.sa_handler = note_signal;
    sigemptyset(&note.sa_mask);
    note.sa_flags = SA_RESTART;
    // A background job of a plain shell ignores SIGINT, one under nohup SIGHUP; then it stays so.
    sigaction(SIGINT, nullptr, &old_interrupt_);
    if (old_interrupt_.sa_handler != SIG_IGN) sigaction(SIGINT, &note, nullptr);
    sigaction(SIGTERM, &note, &old_terminate_);
    note.sa_handler = note_hangup;
    sigaction(SIGHUP, nullptr, &old_hangup_);
    if (old_hangup_.sa_handler != SIG_IGN) sigaction(SIGHUP, &note, nullptr);
    sigaction(SIGPIPE, nullptr, &old_pipe_);
    if (old_pipe_.sa_handler != SIG_IGN) sigaction(SIGPIPE, &note, nullptr);
    // A file that reaches a size limit is a failed write, not a death.
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGXFSZ, &ignore, &old_file_size_);
}

SignalGuard::~SignalGuard() {
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
    sigaction(SIGHUP, &old_hangup_, nullptr);
    sigaction(SIGPIPE, &old_pipe_, nullptr);
    sigaction(SIGXFSZ, &old_file_size_, nullptr);
}

int SignalGuard::received() const {
    return received_signal;
}

}  // namespace scree
