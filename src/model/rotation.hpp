// Free rotation of a rigid body with its angular momentum L fixed in the world: orientation at the end of a step, angular velocity.
// Method: symmetric splitting into turns about the principal axes (McLachlan 1993; Dullweber, Leimkuhler & McLachlan 1997). Each turn is
// exact and leaves L alone, so L is kept to the last bit, energy error is bounded and second order in the angle per substep.
#pragma once

#include "base/quat.hpp"

namespace scree {

/// The turn by angle [rad] about a unit axis e of half the components, by u = tan(angle / 4): free of trigonometry. The series is exact to
/// 1e-15 up to 0.1 rad.
SCREE_HD double quarter_tangent(double angle) {
    const double q = 0.25 * angle, q2 = q * q;
    return q * (1.0 + q2 * (1.0 / 3.0 + q2 * (2.0 / 15.0 + q2 * (17.0 / 315.0 + q2 * 62.0 / 2835.0))));
}

/// q turned about principal axis k by an angle [rad], at most 0.1.
SCREE_HD Quat turned_about(Quat q, int k, double angle) {
    const double u = quarter_tangent(angle), u2 = u * u, scale = 1.0 / (1.0 + u2);
    const double c = (1.0 - u2) * scale, s = 2.0 * u * scale;
    switch (k) {
        case 0:
            return {c * q.w - s * q.x, c * q.x + s * q.w, c * q.y + s * q.z, c * q.z - s * q.y};
        case 1:
            return {c * q.w - s * q.y, c * q.x - s * q.z, c * q.y + s * q.w, c * q.z + s * q.x};
        default:
            return {c * q.w - s * q.z, c * q.x + s * q.y, c * q.y - s * q.x, c * q.z + s * q.w};
    }
}

/// World direction of principal axis k.
SCREE_HD Vec3 principal_axis(Quat q, int k) {
    switch (k) {
        case 0:
            return {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y)};
        case 1:
            return {2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x)};
        default:
            return {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)};
    }
}

/// Angular velocity [rad/s] of a body of principal moments I [kg m2] with angular momentum L [kg m2/s].
SCREE_HD Vec3 angular_velocity_of(Quat q, Vec3 L, Vec3 I) {
    const Vec3 e0 = principal_axis(q, 0), e1 = principal_axis(q, 1), e2 = principal_axis(q, 2);
    return (dot(e0, L) / I.x) * e0 + (dot(e1, L) / I.y) * e1 + (dot(e2, L) / I.z) * e2;
}

/// Angular momentum from angular velocity.
SCREE_HD Vec3 angular_momentum_of(Quat q, Vec3 w, Vec3 I) {
    const Vec3 e0 = principal_axis(q, 0), e1 = principal_axis(q, 1), e2 = principal_axis(q, 2);
    return (I.x * dot(e0, w)) * e0 + (I.y * dot(e1, w)) * e1 + (I.z * dot(e2, w)) * e2;
}

inline constexpr double widest_turn =
    0.04;  // per substep [rad]: keeps the energy of moments 1:2:3 within 1e-5 (tests/engine/rotation_test.cpp)

/// Orientation after time h [s] of free rotation. L and the moments fix the number of substeps, so it stays the same while L does.
SCREE_HD Quat rotated_freely(Quat q, Vec3 L, Vec3 I, double h) {
    const double least = I.x < I.y ? (I.x < I.z ? I.x : I.z) : (I.y < I.z ? I.y : I.z);
    const double widest = h * norm(L) / least;
    const int substeps = widest <= widest_turn ? 1 : (widest < 1e6 ? static_cast<int>(widest / widest_turn) + 1 : 1);
    const double part = h / substeps;
    const double moment[3] = {I.x, I.y, I.z};
    const int axis[5] = {0, 1, 2, 1, 0};
    const double share[5] = {0.5, 0.5, 1.0, 0.5, 0.5};
    for (int n = 0; n < substeps; ++n) {
        for (int k = 0; k < 5; ++k) {
            const int e = axis[k];
            q = turned_about(q, e, share[k] * part * dot(principal_axis(q, e), L) / moment[e]);
        }
    }
    return normalized(q);
}

/// The same for three equal moments: one turn about L, exact.
SCREE_HD Quat rotated_round(Quat q, Vec3 L, double moment, double h) {
    return normalized(rotation_by((h / moment) * L) * q);
}

}  // namespace scree
