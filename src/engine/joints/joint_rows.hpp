// Joined bodies and the rows that hold them, as the host and kernels have them.
#pragma once

#include <cstdint>
#include <limits>

#include "base/pose.hpp"
#include "model/rotation.hpp"

namespace scree {

struct Twist {
    Vec3 velocity;  // of the centre of mass [m/s]
    Vec3 angular;   // world frame [rad/s]
};

/// One joined body as it is now.
struct JointBody {
    Vec3 position;
    Quat orientation;  // principal frame to world
    Twist now;         // of mid-step before, for dampers and curvature
    double inverse_mass;
    Vec3 moments;  // principal [kg m2]
};

/// rate = linear_a . v_a + angular_a . w_a + linear_b . v_b + …; asks for rate + bias in the dual of [low, high]: zero where the impulse is
/// within its bounds, not below zero where it is `low`, not above where it is `high`.
struct JointRow {
    std::int32_t a{-1}, b{-1};  // index into JointSystem::bodies, -1: ground
    Vec3 linear_a, angular_a, linear_b, angular_b;
    double bias{0};          // [m/s] or [rad/s]
    double low{0}, high{0};  // of the impulse [N s] or [N m s]
    std::int32_t joint{-1};
    // Gears and racks reach up to two bodies more; -1: none.
    std::int32_t c{-1}, d{-1};
    Vec3 linear_c, angular_c, linear_d, angular_d;

    /// Rows of lengths are compared with a length, those of angles with one.
    SCREE_HD bool is_length() const { return linear_a != Vec3{} || linear_b != Vec3{} || linear_c != Vec3{} || linear_d != Vec3{}; }
};

/// Body of term k of a row, and its Jacobian with it.
struct RowTerm {
    std::int32_t body;
    Vec3 linear, angular;
};
inline constexpr int row_terms = 4;
SCREE_HD RowTerm term_of(const JointRow& row, int k) {
    switch (k) {
        case 0:
            return {row.a, row.linear_a, row.angular_a};
        case 1:
            return {row.b, row.linear_b, row.angular_b};
        case 2:
            return {row.c, row.linear_c, row.angular_c};
        default:
            return {row.d, row.linear_d, row.angular_d};
    }
}

/// G v of one row.
SCREE_HD double rate_of(const JointRow& row, const Twist* v) {
    double rate = 0;
    for (int k = 0; k < row_terms; ++k) {
        const RowTerm t = term_of(row, k);
        if (t.body >= 0) rate += dot(t.linear, v[t.body].velocity) + dot(t.angular, v[t.body].angular);
    }
    return rate;
}

/// M^-1 G^T of one term.
SCREE_HD Twist answer_of(const JointBody& body, Vec3 linear, Vec3 angular) {
    return {body.inverse_mass * linear, angular_velocity_of(body.orientation, angular, body.moments)};
}

/// A pose after a drift for dt, as the engine's motion makes it.
SCREE_HD Pose drifted(const JointBody& body, const Twist& v, double dt) {
    const Vec3 I = body.moments;
    const double top = I.x > I.y ? (I.x > I.z ? I.x : I.z) : (I.y > I.z ? I.y : I.z);
    const double low = I.x < I.y ? (I.x < I.z ? I.x : I.z) : (I.y < I.z ? I.y : I.z);
    const Vec3 L = angular_momentum_of(body.orientation, v.angular, I);
    // The engine takes moments for equal by the same measure (engine/state/shapes.cpp).
    const Quat turned = top - low <= 1e-12 * top ? rotated_round(body.orientation, L, I.x, dt) : rotated_freely(body.orientation, L, I, dt);
    return {turned, body.position + dt * v.velocity};
}

}  // namespace scree
