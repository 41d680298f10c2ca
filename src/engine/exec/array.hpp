// Array<T>: grow-only owner of memory where the flavor's kernels run. Vec3Array<T>: three of them, read and written as Vec3 through a view.
// Invariant: size() <= capacity(), but for an array on memory that another owns, which has capacity 0; growing keeps what is there. Kernels
// take views (plain structs of raw pointers), never owners.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/quat.hpp"
#include "base/vec3.hpp"
#include "engine/exec/memory.hpp"

namespace scree::SCREE_FLAVOR {

template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    using Value = T;

    Array() = default;
    explicit Array(Index n) { resize(n); }
    explicit Array(const std::vector<T>& values) { assign(values); }
    ~Array() { drop(); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    Array(Array&& other) noexcept { swap(other); }
    Array& operator=(Array&& other) noexcept {
        swap(other);
        return *this;
    }
    void swap(Array& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    Index size() const { return size_; }
    Index capacity() const { return capacity_; }
    std::size_t bytes() const { return static_cast<std::size_t>(capacity_) * sizeof(T); }
    T* data() { return data_; }
    const T* data() const { return data_; }

    /// Frees what it owns; size 0.
    void drop() {
        if (capacity_ > 0) release(data_);
        data_ = nullptr;
        size_ = capacity_ = 0;
    }
    /// Stands on memory of another owner until it is dropped or grows: n elements, undefined.
    void borrow(void* memory, Index n) {
        drop();
        data_ = static_cast<T*>(memory);
        size_ = n;
    }

    /// Sets the size; elements past the old size are undefined. Grows by at least a twentieth, so that repeated growth is rare.
    void resize(Index n) {
        if (capacity_ == 0 && n > size_) drop();  // more than the other owner has
        if (n > capacity_ && n > size_) {
            const Index wanted = std::max(n, capacity_ + capacity_ / 20);
            T* grown = static_cast<T*>(allocate(static_cast<std::size_t>(wanted) * sizeof(T)));
            if (capacity_ > 0) {
                copy_within(grown, data_, static_cast<std::size_t>(size_) * sizeof(T));
                release(data_);
            }
            data_ = grown;
            capacity_ = wanted;
        }
        size_ = n;
    }
    /// Room for n elements without growing; size and elements stay.
    void reserve(Index n) {
        const Index size = size_;
        if (n <= capacity_) return;
        resize(n);
        size_ = size;
    }
    /// Sets the size; all elements are undefined. Where it grows, what was there is freed first.
    void renew(Index n) {
        if (n > capacity_ && n > size_) {
            const Index wanted = std::max(n, capacity_ + capacity_ / 20);
            drop();
            resize(wanted);
        }
        size_ = n;
    }
    /// Sets the size and every byte to zero.
    void resize_zero(Index n) {
        renew(n);
        if (n > 0) fill_bytes(data_, 0, static_cast<std::size_t>(n) * sizeof(T));
    }
    void assign(const std::vector<T>& values) {
        resize(static_cast<Index>(values.size()));
        if (!values.empty()) copy_from_host(data_, values.data(), values.size() * sizeof(T));
    }
    std::vector<T> host() const {
        std::vector<T> values(static_cast<std::size_t>(size_));
        if (size_ > 0) copy_to_host(values.data(), data_, values.size() * sizeof(T));
        return values;
    }
    /// One element, copied to the host.
    T at(Index i) const {
        SCREE_ASSERT(i >= 0 && i < size_);
        T value;
        copy_to_host(&value, data_ + i, sizeof(T));
        return value;
    }
    /// Sets one element from the host.
    void put(Index i, T value) {
        SCREE_ASSERT(i >= 0 && i < size_);
        copy_from_host(data_ + i, &value, sizeof(T));
    }

private:
    T* data_{nullptr};
    Index size_{0};
    Index capacity_{0};
};

/// Read and write access to vectors stored by component; values only, no proxies.
template <class T>
struct Vec3View {
    T* x;
    T* y;
    T* z;
    SCREE_HD Vec3T<T> operator[](Index i) const { return {x[i], y[i], z[i]}; }
    SCREE_HD void set(Index i, Vec3T<T> v) const {
        x[i] = v.x;
        y[i] = v.y;
        z[i] = v.z;
    }
};

/// Vectors by component.
template <class T>
struct Vec3Array {
    Array<T> x, y, z;

    Index size() const { return x.size(); }
    void resize(Index n) {
        x.resize(n);
        y.resize(n);
        z.resize(n);
    }
    void resize_zero(Index n) {
        x.resize_zero(n);
        y.resize_zero(n);
        z.resize_zero(n);
    }
    void swap(Vec3Array& other) noexcept {
        x.swap(other.x);
        y.swap(other.y);
        z.swap(other.z);
    }
    std::size_t bytes() const { return x.bytes() + y.bytes() + z.bytes(); }
    Vec3View<T> view() { return {x.data(), y.data(), z.data()}; }
    void assign(const std::vector<Vec3T<T>>& values) {
        std::vector<T> component(values.size());
        const auto put = [&](Array<T>& to, T Vec3T<T>::*member) {
            for (std::size_t i = 0; i < values.size(); ++i) component[i] = values[i].*member;
            to.assign(component);
        };
        put(x, &Vec3T<T>::x);
        put(y, &Vec3T<T>::y);
        put(z, &Vec3T<T>::z);
    }
    std::vector<Vec3T<T>> host() const {
        const std::vector<T> hx = x.host(), hy = y.host(), hz = z.host();
        std::vector<Vec3T<T>> values(hx.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = {hx[i], hy[i], hz[i]};
        return values;
    }
};

/// Four values side by side: a vector and a companion, read together. Two rows fill a cache line.
struct alignas(32) Row4 {
    double value[4];
};

/// Vectors stored as rows of four: for what kernels read at random, where one or two lines are better than six.
struct RowView {
    Row4* row;
    SCREE_HD Vec3 operator[](Index i) const { return {row[i].value[0], row[i].value[1], row[i].value[2]}; }
    SCREE_HD void set(Index i, Vec3 v) const {
        row[i].value[0] = v.x;
        row[i].value[1] = v.y;
        row[i].value[2] = v.z;
    }
};

/// The companions of rows.
struct CompanionView {
    const Row4* row;
    SCREE_HD double operator[](Index i) const { return row[i].value[3]; }
};

struct RowArray {
    Array<Row4> rows;

    Index size() const { return rows.size(); }
    RowView view() { return {rows.data()}; }
    CompanionView companions() const { return {rows.data()}; }
    void assign(const std::vector<Vec3>& vectors, const std::vector<double>& companions) {
        std::vector<Row4> all(vectors.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = {{vectors[i].x, vectors[i].y, vectors[i].z, companions[i]}};
        rows.assign(all);
    }
    std::vector<Vec3> host() const {
        std::vector<Vec3> out;
        out.reserve(static_cast<std::size_t>(size()));
        for (const Row4& r : rows.host()) out.push_back({r.value[0], r.value[1], r.value[2]});
        return out;
    }
    std::vector<double> host_companions() const {
        std::vector<double> out;
        out.reserve(static_cast<std::size_t>(size()));
        for (const Row4& r : rows.host()) out.push_back(r.value[3]);
        return out;
    }
};

}  // namespace scree::SCREE_FLAVOR
