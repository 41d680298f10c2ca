#include "leaving.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace py = pybind11;

namespace scree_python {
namespace {

std::atomic<bool> leaves{false};
std::atomic<int> calls{0};      // that Python waits for
std::atomic<int> callbacks{0};  // that it waits for a while
std::thread::id last;           // the thread that ends Python

constexpr std::chrono::seconds patience{1};  // with callbacks, which may wait for what never comes

/// Runs when the main thread has ended and all threads that are no daemons, and before Python stops the others where they are.
void leave() {
    last = std::this_thread::get_id();
    leaves = true;
    const auto begin = std::chrono::steady_clock::now();
    while (calls > 0 || (callbacks > 0 && std::chrono::steady_clock::now() - begin < patience)) {
        {
            const py::gil_scoped_release released;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
}

}  // namespace

bool leaving() {
    return leaves && std::this_thread::get_id() != last;
}

Apart::Counted::Counted() {
    if (leaving()) {
        PyErr_SetNone(PyExc_SystemExit);
        throw py::error_already_set();
    }
    ++calls;
}
Apart::Counted::~Counted() {
    --calls;
}
Apart::Apart() = default;
Apart::~Apart() = default;

Within::Within() {
    --calls;
    ++callbacks;
}
Within::~Within() {
    ++calls;
    --callbacks;
}

void add_leaving() {
    py::module_::import("atexit").attr("register")(py::cpp_function(leave));
    pthread_atfork(nullptr, nullptr, [] { calls = callbacks = 0; });  // threads of the parent are not in the child
}

}  // namespace scree_python
