#include "output/removed_on_signal.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstring>

namespace scree {
namespace {

// What the handler reads; it may only call what is safe in one.
constexpr int kMost = 8;
char paths_to_go[kMost][PATH_MAX];
volatile std::sig_atomic_t in_use[kMost];
volatile std::sig_atomic_t writers[kMost];  // 0: none
volatile std::sig_atomic_t held;            // HeldSignals there are
volatile std::sig_atomic_t came;            // meanwhile; 0: none

void remove_and_end(int number) {
    if (held > 0) {
        came = number;
        return;
    }
    for (int k = 0; k < kMost; ++k) {
        if (in_use[k] == 0) continue;
        if (writers[k] > 0) {
            ::kill(writers[k], SIGKILL);
            ::waitpid(writers[k], nullptr, 0);
        }
        ::unlink(paths_to_go[k]);
    }
    std::signal(number, SIG_DFL);
    ::raise(number);
}

/// Handles a signal where nobody else does.
void handle(int number) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
    struct sigaction mine {};
    mine.sa_handler = remove_and_end;
    sigemptyset(&mine.sa_mask);
    for (const int each : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&mine.sa_mask, each);
    ::sigaction(number, &mine, nullptr);
}

void handle_all() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) handle(number);
}

}  // namespace

HeldSignals::HeldSignals() {
    held = held + 1;
    handle_all();
}

HeldSignals::~HeldSignals() {
    held = held - 1;
    if (held == 0 && came != 0) ::raise(came);
}

RemovedOnSignal::RemovedOnSignal(const std::vector<std::string>& paths, int writer) : writer_(writer) {
    handle_all();
    for (const std::string& path : paths) {
        for (int k = 0; k < kMost; ++k) {
            if (in_use[k] != 0 || path.size() + 1 > PATH_MAX) continue;
            std::memcpy(paths_to_go[k], path.c_str(), path.size() + 1);
            writers[k] = writer_;
            in_use[k] = 1;
            places_.push_back(k);
            break;
        }
    }
}

RemovedOnSignal::~RemovedOnSignal() {
    for (const int k : places_) in_use[k] = 0;
}

}  // namespace scree
