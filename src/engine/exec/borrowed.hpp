// Memory that is the same for the host and its kernels, and copied for those of a device: Borrowed, an array of the caller's where kernels
// can read it; HostView, an array of the kernels where the host can read it.
#pragma once

#include "engine/exec/array.hpp"

namespace scree::SCREE_FLAVOR {

#if defined(SCREE_ON_CUDA)
template <class T>
class Borrowed {
public:
    Borrowed(const T* values, Index n) : copy_(n) {
        if (n > 0) copy_from_host(copy_.data(), values, static_cast<std::size_t>(n) * sizeof(T));
    }
    const T* data() const { return copy_.data(); }
    std::size_t bytes() const { return copy_.bytes(); }

private:
    Array<T> copy_;
};

template <class T>
class HostView {
public:
    explicit HostView(const Array<T>& values) : copy_(values.host()) {}
    const T* data() const { return copy_.data(); }

private:
    std::vector<T> copy_;
};
#else
template <class T>
class Borrowed {
public:
    Borrowed(const T* values, Index) : values_(values) {}
    const T* data() const { return values_; }
    std::size_t bytes() const { return 0; }

private:
    const T* values_;
};

/// Until the array is written or grows.
template <class T>
class HostView {
public:
    explicit HostView(const Array<T>& values) : values_(values.data()) {}
    const T* data() const { return values_; }

private:
    const T* values_;
};
#endif

}  // namespace scree::SCREE_FLAVOR
