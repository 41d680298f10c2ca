// 3 x 3 matrices by rows, values only, on host and device.
#pragma once

#include "base/quat.hpp"
#include "base/vec3.hpp"

namespace scree {

template <class T>
struct Mat3T {
    Vec3T<T> row[3];
};

using Mat3 = Mat3T<double>;

template <class T>
SCREE_HD Vec3T<T> operator*(const Mat3T<T>& m, Vec3T<T> v) {
    return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
/// The transposed matrix times v: for a rotation, the inverse.
template <class T>
SCREE_HD Vec3T<T> transposed_times(const Mat3T<T>& m, Vec3T<T> v) {
    return v.x * m.row[0] + v.y * m.row[1] + v.z * m.row[2];
}
/// The rotation of a unit quaternion as a matrix.
SCREE_HD Mat3 rotation_matrix(Quat q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
             {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
             {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}
/// The same matrix in another precision.
template <class To, class From>
SCREE_HD Mat3T<To> cast(const Mat3T<From>& m) {
    return {{cast<To>(m.row[0]), cast<To>(m.row[1]), cast<To>(m.row[2])}};
}

}  // namespace scree
