// A stretch of kernels that a device repeats by itself while kernels say so: a CUDA graph with a while node (drivers of CUDA 12.3 and
// later). Between two rounds the device asks nobody, so that small kernels follow each other without the host's part of a launch. Where
// nothing can be recorded run() says so, and has done nothing. On the host there is no need of it.
#pragma once

#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA) && CUDART_VERSION >= 12030

namespace detail {

template <class Handle>
__global__ void choose_round(Handle again, Gate gate) {
    cudaGraphSetConditional(again, gate.open() ? 1u : 0u);
}

}  // namespace detail

class WhileGraph {
public:
    WhileGraph() = default;
    WhileGraph(const WhileGraph&) = delete;
    WhileGraph& operator=(const WhileGraph&) = delete;
    ~WhileGraph() {
        if (graph_ != nullptr) (void)cudaGraphDestroy(graph_);
        if (exec_ != nullptr) (void)cudaGraphExecDestroy(exec_);  // ends after what it runs
    }

    /// Sends what `body` starts, again and again until the gate is found closed after a round. The first round goes in any case. False
    /// where it was not recorded: then nothing was sent.
    template <class Body>
    bool run(const char* label, Gate gate, Body body) {
        if (!record(gate, body)) {
            (void)cudaGetLastError();
            return false;
        }
        const cudaError_t status = cudaGraphLaunch(exec_, stream());
        if (status != cudaSuccess) throw RunError(std::string("the CUDA device failed in ") + label + ": " + cudaGetErrorString(status));
        return true;
    }

private:
    template <class Body>
    bool record(Gate gate, Body body) {
        cudaGraphConditionalHandle again{};
        cudaGraphNodeParams node{};
        if (cudaGraphCreate(&graph_, 0) != cudaSuccess) return false;
        if (cudaGraphConditionalHandleCreate(&again, graph_, 1, cudaGraphCondAssignDefault) != cudaSuccess) return false;
        node.type = cudaGraphNodeTypeConditional;
        node.conditional.handle = again;
        node.conditional.type = cudaGraphCondTypeWhile;
        node.conditional.size = 1;
        if (add_node(node) != cudaSuccess) return false;
        if (cudaStreamBeginCaptureToGraph(stream(), node.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                          cudaStreamCaptureModeThreadLocal) != cudaSuccess) {
            return false;
        }
        bool started = true;
        try {
            body();
            detail::choose_round<<<1, 1, 0, stream()>>>(again, gate);
            check_launch("repeat");
        } catch (...) {
            started = false;  // what cannot be recorded shows here; what is broken will show again without recording
        }
        cudaGraph_t recorded = nullptr;  // the body, which belongs to the graph
        const bool ended = cudaStreamEndCapture(stream(), &recorded) == cudaSuccess;
        return started && ended && cudaGraphInstantiateWithFlags(&exec_, graph_, 0) == cudaSuccess;
    }
    cudaError_t add_node(cudaGraphNodeParams& node) {
        cudaGraphNode_t added = nullptr;
#if CUDART_VERSION >= 13000
        return cudaGraphAddNode(&added, graph_, nullptr, nullptr, 0, &node);
#else
        return cudaGraphAddNode(&added, graph_, nullptr, 0, &node);
#endif
    }

    cudaGraph_t graph_{nullptr};
    cudaGraphExec_t exec_{nullptr};
};

#else

class WhileGraph {
public:
    template <class Body>
    bool run(const char*, Gate, Body) {
        return false;
    }
};

#endif

}  // namespace scree::SCREE_FLAVOR
