// Unit quaternions (w, x, y, z), body to world.
#pragma once

#include "base/vec3.hpp"

namespace scree {

struct Quat {
    double w{1}, x{}, y{}, z{};
    bool operator==(const Quat&) const = default;
};

/// Hamilton product: the rotation b followed by the rotation a.
SCREE_HD Quat operator*(Quat a, Quat b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
SCREE_HD Quat conjugate(Quat q) {
    return {q.w, -q.x, -q.y, -q.z};
}
SCREE_HD Quat normalized(Quat q) {
    const double s = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w * s, q.x * s, q.y * s, q.z * s};
}
/// v turned by q.
SCREE_HD Vec3 rotate(Quat q, Vec3 v) {
    const Vec3 u{q.x, q.y, q.z};
    const Vec3 t = 2.0 * cross(u, v);
    return v + q.w * t + cross(u, t);
}
/// The rotation by |angle_vector| [rad] about its direction (BLAZE-DEM eq. 14 with the half angle put in).
SCREE_HD Quat rotation_by(Vec3 angle_vector) {
    const double angle = norm(angle_vector);
    const double half = 0.5 * angle;
    // sin(half) / angle, by its series where the quotient loses digits; the next term is below 1e-18 there.
    const double s = angle > 1e-4 ? std::sin(half) / angle : 0.5 - half * half / 12.0;
    return {std::cos(half), s * angle_vector.x, s * angle_vector.y, s * angle_vector.z};
}

}  // namespace scree
