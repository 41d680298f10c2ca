// Three-component vectors, values only, on host and device. No invariant: any finite or non-finite components are allowed.
#pragma once

#include <cmath>

#include "base/macros.hpp"

namespace scree {

/// A vector of three components of type T; the unit is the reader's.
template <class T>
struct Vec3T {
    T x{}, y{}, z{};

    SCREE_HD Vec3T& operator+=(Vec3T b) {
        x += b.x;
        y += b.y;
        z += b.z;
        return *this;
    }
    SCREE_HD Vec3T& operator-=(Vec3T b) {
        x -= b.x;
        y -= b.y;
        z -= b.z;
        return *this;
    }
    SCREE_HD Vec3T& operator*=(T s) {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }
    bool operator==(const Vec3T&) const = default;
};

using Vec3 = Vec3T<double>;

template <class T>
SCREE_HD Vec3T<T> operator+(Vec3T<T> a, Vec3T<T> b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
SCREE_HD Vec3T<T> operator-(Vec3T<T> a, Vec3T<T> b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
SCREE_HD Vec3T<T> operator-(Vec3T<T> a) {
    return {-a.x, -a.y, -a.z};
}
template <class T>
SCREE_HD Vec3T<T> operator*(T s, Vec3T<T> a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class T>
SCREE_HD Vec3T<T> operator*(Vec3T<T> a, T s) {
    return s * a;
}
template <class T>
SCREE_HD Vec3T<T> operator/(Vec3T<T> a, T s) {
    return {a.x / s, a.y / s, a.z / s};
}
template <class T>
SCREE_HD T dot(Vec3T<T> a, Vec3T<T> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
SCREE_HD Vec3T<T> cross(Vec3T<T> a, Vec3T<T> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
SCREE_HD T norm2(Vec3T<T> a) {
    return dot(a, a);
}
template <class T>
SCREE_HD T norm(Vec3T<T> a) {
    return std::sqrt(norm2(a));
}
/// a / |a|; not finite for the zero vector.
template <class T>
SCREE_HD Vec3T<T> normalized(Vec3T<T> a) {
    return a / norm(a);
}
/// The same vector in another precision.
template <class To, class From>
SCREE_HD Vec3T<To> cast(Vec3T<From> a) {
    return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
}

/// Component 0, 1 or 2.
inline double along(const Vec3& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
inline double& along(Vec3& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace scree
