// What a kernel learns late: a small plain struct that kernels sent before it may still write. On a device it is read when the kernel runs;
// on the host, where kernels end before the next is called, it is read at the call, so that loops see plain values.
#pragma once

#include <type_traits>

#include "engine/exec/memory.hpp"

namespace scree::SCREE_FLAVOR {

template <class T>
class Late {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Late() = default;
    /// Known at the call.
    Late(const T& value) : value_(value) {}
    /// What lies at `from`, memory of kernels, when the kernel runs.
    static Late at(const T* from);

#if defined(SCREE_ON_CUDA)
    using Now = T;  // a reference to what came with the call would have all of it copied to local memory
#else
    using Now = const T&;
#endif
    /// In kernels.
    SCREE_HD Now now() const;
    /// On the host, as kernels sent so far leave it: waits for them, unless it was known at the call.
    T read() const;
    /// One member of it, where it is a class.
    template <class M, class Of = T>
    Late<M> part(M Of::*member) const;

private:
    T value_{};
#if defined(SCREE_ON_CUDA)
    const T* from_{nullptr};  // null: known at the call
#endif
};

#if defined(SCREE_ON_CUDA)

template <class T>
Late<T> Late<T>::at(const T* from) {
    Late late;
    late.from_ = from;
    return late;
}
template <class T>
SCREE_HD typename Late<T>::Now Late<T>::now() const {
    if (from_ != nullptr) return *from_;
    return value_;
}
template <class T>
T Late<T>::read() const {
    T value = value_;
    if (from_ != nullptr) copy_to_host(&value, from_, sizeof(T));
    return value;
}
template <class T>
template <class M, class Of>
Late<M> Late<T>::part(M Of::*member) const {
    return from_ != nullptr ? Late<M>::at(&(from_->*member)) : Late<M>(value_.*member);
}

#else

template <class T>
Late<T> Late<T>::at(const T* from) {
    const KernelScope scope;
    return Late(*from);
}
template <class T>
SCREE_HD typename Late<T>::Now Late<T>::now() const {
    return value_;
}
template <class T>
T Late<T>::read() const {
    return value_;
}
template <class T>
template <class M, class Of>
Late<M> Late<T>::part(M Of::*member) const {
    return Late<M>(value_.*member);
}

#endif

}  // namespace scree::SCREE_FLAVOR
