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

}  // namespace

SignalGuard::SignalGuard() {
    received_signal = 0;
    struct sigaction note {};
    note.sa_handler = note_signal;
    sigemptyset(&note.sa_mask);
    note.sa_flags = SA_RESTART;
    // A background job of a plain shell ignores SIGINT; then it stays so.
    sigaction(SIGINT, nullptr, &old_interrupt_);
    if (old_interrupt_.sa_handler != SIG_IGN) sigaction(SIGINT, &note, nullptr);
    sigaction(SIGTERM, &note, &old_terminate_);
    // A file that reaches a size limit is a failed write, not a death.
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGXFSZ, &ignore, &old_file_size_);
}

SignalGuard::~SignalGuard() {
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
    sigaction(SIGXFSZ, &old_file_size_, nullptr);
}

int SignalGuard::received() const {
    return received_signal;
}

}  // namespace scree
