// The host looks at what kernels write without waiting for them: copies are sent with the kernels and read when they have come, while more
// kernels are on their way. What comes out may depend on a look's value, never on when it comes. On the host it comes at once.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/exec/memory.hpp"

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)

class LookBehind {
public:
    static constexpr int most = 2;  // copies on their way: one to wait for, one that keeps the device busy meanwhile

    LookBehind() = default;
    LookBehind(const LookBehind&) = delete;
    LookBehind& operator=(const LookBehind&) = delete;
    ~LookBehind() {
        for (cudaEvent_t event : arrived_) {
            if (event == nullptr) continue;
            (void)cudaEventSynchronize(event);  // a copy that nobody looks at may be on its way
            (void)cudaEventDestroy(event);
        }
        if (pinned_ != nullptr) (void)cudaFreeHost(pinned_);
    }

    /// Copies sent before are of no interest any more.
    void forget() { sent_ = seen_ = 0; }
    /// Sends a copy of *from as the kernels sent so far leave it.
    template <class T>
    void send(const T* from) {
        static_assert(std::is_trivially_copyable_v<T>);
        reserve(sizeof(T));
        count_look();
        check_copy(cudaMemcpyAsync(place(sent_), from, sizeof(T), cudaMemcpyDeviceToHost, stream()));
        check_copy(cudaEventRecord(arrived_[sent_ % most], stream()));
        ++sent_;
    }
    /// The first copy that has come of which is(copy) holds; T as it was sent. Waits for the oldest one where `at_most` or more, up to two,
    /// are on their way: with two the device has work meanwhile, with one it has none.
    template <class T, class Is>
    std::optional<T> seen(Is is, int at_most = most) {
        if (at_most == 1 && sent_ > seen_) count_wait(sizeof(T));
        if (sent_ - seen_ >= at_most) check_copy(cudaEventSynchronize(arrived_[seen_ % most]));
        while (seen_ < sent_) {
            const cudaError_t status = cudaEventQuery(arrived_[seen_ % most]);
            if (status == cudaErrorNotReady) {
                (void)cudaGetLastError();  // no error, but the next check would find it
                return std::nullopt;
            }
            check_copy(status);
            T copy;
            std::memcpy(&copy, place(seen_++), sizeof(T));
            if (is(copy)) return copy;
        }
        return std::nullopt;
    }

private:
    std::byte* place(std::int64_t copy) const { return pinned_ + static_cast<std::size_t>(copy % most) * bytes_; }
    /// Pinned, or copies would wait.
    void reserve(std::size_t bytes) {
        if (bytes <= bytes_) return;
        for (cudaEvent_t& event : arrived_) {
            if (event == nullptr) check_copy(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        }
        if (pinned_ != nullptr) {
            check_copy(cudaStreamSynchronize(stream()));  // copies that nobody looks at may be on their way
            std::byte* old = std::exchange(pinned_, nullptr);
            bytes_ = 0;
            check_copy(cudaFreeHost(old));
        }
        void* pinned = nullptr;
        check_copy(cudaMallocHost(&pinned, most * bytes));
        pinned_ = static_cast<std::byte*>(pinned);
        bytes_ = bytes;
    }

    std::byte* pinned_{nullptr};
    std::size_t bytes_{0};  // of a copy
    cudaEvent_t arrived_[most]{};
    std::int64_t sent_{0}, seen_{0};
};

#else

class LookBehind {
public:
    static constexpr int most = 2;

    void forget() { sent_ = false; }
    template <class T>
    void send(const T* from) {
        static_assert(std::is_trivially_copyable_v<T>);
        count_look();
        copy_.resize(sizeof(T));
        const KernelScope scope;
        std::memcpy(copy_.data(), from, sizeof(T));
        sent_ = true;
    }
    template <class T, class Is>
    std::optional<T> seen(Is is, int at_most = most) {
        if (!std::exchange(sent_, false)) return std::nullopt;
        if (at_most == 1) count_wait(sizeof(T));
        T copy;
        std::memcpy(&copy, copy_.data(), sizeof(T));
        if (!is(copy)) return std::nullopt;
        return copy;
    }

private:
    std::vector<std::byte> copy_;
    bool sent_{false};
};

#endif

}  // namespace scree::SCREE_FLAVOR
