// An array of the caller's, where kernels can read it: the same memory on the host, a copy on a device.
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
#endif

}  // namespace scree::SCREE_FLAVOR
