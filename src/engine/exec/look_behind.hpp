// The host looks at a word that kernels write without waiting for them: copies are sent with the kernels and read when they have come,
// while more kernels are on their way. What comes out may depend on a look's value, never on when it comes. On the host it comes at once.
#pragma once

#include "engine/exec/memory.hpp"

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)

class LookBehind {
public:
    LookBehind() = default;
    LookBehind(const LookBehind&) = delete;
    LookBehind& operator=(const LookBehind&) = delete;
    ~LookBehind() {
        if (word_ == nullptr) return;
        for (cudaEvent_t event : arrived_) (void)cudaEventDestroy(event);
        (void)cudaFreeHost(word_);
    }

    /// Copies sent before are of no interest any more.
    void forget() { sent_ = seen_ = 0; }
    /// Sends a copy of the word as the kernels sent so far leave it.
    void send(const std::uint32_t* from) {
        make_room();
        count_look();
        check_copy(cudaMemcpyAsync(word_ + sent_ % most, from, sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream()));
        check_copy(cudaEventRecord(arrived_[sent_ % most], stream()));
        ++sent_;
    }
    /// Is any of `mask`'s bits up in a copy that has come? Waits for the oldest one where `at_most` or more, up to two, are on their way.
    bool seen(std::uint32_t mask, int at_most = most) {
        if (sent_ - seen_ >= at_most) check_copy(cudaEventSynchronize(arrived_[seen_ % most]));
        while (seen_ < sent_) {
            const cudaError_t status = cudaEventQuery(arrived_[seen_ % most]);
            if (status == cudaErrorNotReady) {
                (void)cudaGetLastError();  // no error, but the next check would find it
                return false;
            }
            check_copy(status);
            if ((word_[seen_++ % most] & mask) != 0) return true;
        }
        return false;
    }

private:
    static constexpr int most = 2;  // copies on their way: one to wait for, one that keeps the device busy meanwhile

    /// Pinned, or copies would wait.
    void make_room() {
        if (word_ != nullptr) return;
        void* room = nullptr;
        check_copy(cudaMallocHost(&room, most * sizeof(std::uint32_t)));
        for (cudaEvent_t& event : arrived_) check_copy(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        word_ = static_cast<std::uint32_t*>(room);
    }

    std::uint32_t* word_{nullptr};
    cudaEvent_t arrived_[most]{};
    std::int64_t sent_{0}, seen_{0};
};

#else

class LookBehind {
public:
    void forget() { word_ = 0; }
    void send(const std::uint32_t* from) {
        count_look();
        const KernelScope scope;
        word_ = *from;
    }
    bool seen(std::uint32_t mask, int = 1) const { return (word_ & mask) != 0; }

private:
    std::uint32_t word_{0};
};

#endif

}  // namespace scree::SCREE_FLAVOR
