// Python's lock given up for the time of a call, in such a way that Python can end while daemon threads are inside of one: it waits for
// them, and they find out.
#pragma once

#include <pybind11/pybind11.h>

namespace scree_python {

/// Is Python about to end, by another thread? Steps then stop.
bool leaving();

/// A call that goes on without Python's lock. Its constructor throws SystemExit, which ends a thread without a word, where Python is about
/// to end and the thread is not the one that ends it.
class Apart {
public:
    Apart();
    ~Apart();
    Apart(const Apart&) = delete;
    Apart& operator=(const Apart&) = delete;

private:
    struct Counted {
        Counted();
        ~Counted();
    } counted_;  // until the lock is held again
    pybind11::gil_scoped_release released_;
};

/// Python's lock within such a call, while a caller's function runs: nobody waits for that one for long.
class Within {
public:
    Within();
    ~Within();
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

private:
    pybind11::gil_scoped_acquire acquired_;
};

/// Has Python wait for calls at its end.
void add_leaving();

}  // namespace scree_python
