// A stretch of kernels that is started again and again with the same arguments: on a device it is recorded as a CUDA graph and replayed,
// which costs the host one call in place of one per kernel. On the host the stretch runs each time. Invariant: between two calls of
// forget(), every run() starts the same kernels on the same memory. What changes from run to run is read by kernels from memory.
#pragma once

#include "base/error.hpp"
#include "engine/exec/launch_log.hpp"

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)

class Replay {
public:
    Replay() = default;
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;
    ~Replay() {
        if (exec_ != nullptr) (void)cudaGraphExecDestroy(exec_);
    }

    /// The stretch that `body` starts. The first run after forget() goes as it is: it may still make room, which a recording cannot. Where
    /// the driver will not record, all do.
    template <class Body>
    void run(const Exec&, const char* label, Body body) {
        if (runs_++ == 0 || !possible_) {
            body();
            return;
        }
        if (!recorded_) recorded_ = record(body);
        if (!recorded_) {
            possible_ = false;
            body();
            return;
        }
        const cudaError_t status = cudaGraphLaunch(exec_, stream());
        if (status != cudaSuccess) throw RunError(std::string("the CUDA device failed in ") + label + ": " + cudaGetErrorString(status));
    }
    /// Arguments may have changed.
    void forget() {
        runs_ = 0;
        recorded_ = false;
    }

private:
    template <class Body>
    bool record(Body body) {
        if (cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal) != cudaSuccess) return clear_error();
        bool started = true;
        try {
            body();
        } catch (...) {
            started = false;  // what cannot be recorded shows here; what is broken will show again without recording
        }
        cudaGraph_t graph = nullptr;
        const bool ended = cudaStreamEndCapture(stream(), &graph) == cudaSuccess && graph != nullptr;
        const bool made = started && ended && make_executable(graph);
        if (graph != nullptr) (void)cudaGraphDestroy(graph);
        return made || clear_error();
    }
    /// A graph like the last one takes its place, which is cheaper than to make one.
    bool make_executable(cudaGraph_t graph) {
        cudaGraphExecUpdateResultInfo difference{};
        if (exec_ != nullptr && cudaGraphExecUpdate(exec_, graph, &difference) == cudaSuccess) return true;
        (void)cudaGetLastError();
        if (exec_ != nullptr) (void)cudaGraphExecDestroy(exec_);
        exec_ = nullptr;
        return cudaGraphInstantiateWithFlags(&exec_, graph, 0) == cudaSuccess;
    }
    static bool clear_error() {
        (void)cudaGetLastError();
        return false;
    }

    cudaGraphExec_t exec_{nullptr};
    std::int64_t runs_{0};  // since forget()
    bool recorded_{false}, possible_{true};
};

#else

class Replay {
public:
    template <class Body>
    void run(const Exec& exec, const char*, Body body) {
        if (exec.log == nullptr) {
            body();
            return;
        }
        LaunchLog& log = *exec.log;
        const std::uint64_t before = log.hash;
        log.hash = 0;
        body();
        if (runs_ == 1) recorded_ = log.hash;
        if (runs_ > 1) {
            ++log.replays;
            if (log.hash != recorded_) ++log.changed;
        }
        ++runs_;
        log.hash = before;
    }
    void forget() { runs_ = 0; }

private:
    std::uint64_t recorded_{0};
    std::int64_t runs_{0};  // since forget()
};

#endif

}  // namespace scree::SCREE_FLAVOR
