// Copies from the host to a device that wait for nothing: through pinned memory of the calling thread, from where the device fetches them
// when kernels sent before are done. A copy from other memory may wait for all of those.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "engine/exec/config.hpp"
#include "engine/exec/tally.hpp"

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)

inline void check_copy(cudaError_t status) {
    if (status != cudaSuccess) throw RunError(std::string("CUDA copy failed: ") + cudaGetErrorString(status));
}

class Staging {
public:
    static Staging& of_this_thread() {
        static thread_local Staging staging;
        return staging;
    }
    Staging() = default;
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging() {
        if (pinned_ == nullptr) return;
        // These fail where the program ends and the device is gone already.
        (void)cudaSetDevice(device_);
        (void)cudaStreamSynchronize(stream());
        (void)cudaFreeHost(pinned_);
    }

    /// `from` has been read when this returns. Waits for the device where the room is used up, once in so many bytes, and for what is
    /// larger than a part of it.
    void copy(void* to, const void* from, std::size_t bytes) {
        // A recording would copy this room again when it is replayed, with whatever it holds then.
        cudaStreamCaptureStatus capture{};
        check_copy(cudaStreamIsCapturing(stream(), &capture));
        if (capture != cudaStreamCaptureStatusNone) throw RunError("a copy from the host cannot be recorded");
        if (bytes > pinned_bytes / 4) {
            check_copy(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream()));
            wait();
            return;
        }
        reserve(bytes);
        std::memcpy(pinned_ + used_, from, bytes);
        check_copy(cudaMemcpyAsync(to, pinned_ + used_, bytes, cudaMemcpyHostToDevice, stream()));
        used_ += (bytes + line - 1) / line * line;
    }

private:
    static constexpr std::size_t pinned_bytes = std::size_t{1} << 22, line = 64;

    static void wait() {
        count_wait(0);
        check_copy(cudaStreamSynchronize(stream()));
    }
    void reserve(std::size_t bytes) {
        int device = 0;
        check_copy(cudaGetDevice(&device));
        if (pinned_ == nullptr) {
            void* pinned = nullptr;
            check_copy(cudaMallocHost(&pinned, pinned_bytes));
            pinned_ = static_cast<std::byte*>(pinned);
        } else if (device != device_) {  // copies of the other device's stream may be on their way
            count_wait(0);
            check_copy(cudaSetDevice(device_));
            const cudaError_t ended = cudaStreamSynchronize(stream());
            check_copy(cudaSetDevice(device));
            check_copy(ended);
        } else if (used_ + bytes > pinned_bytes) {
            wait();
        } else {
            return;
        }
        device_ = device;
        used_ = 0;
    }

    std::byte* pinned_{nullptr};
    std::size_t used_{0};  // from the room's start, by copies that may be on their way
    int device_{-1};       // they go to
};

#endif

}  // namespace scree::SCREE_FLAVOR
