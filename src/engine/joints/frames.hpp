// What all joints are made of: the two frames of a joint in the world, and rows: a value Psi with its gradient, the Jacobian of Haug,
// Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), ch. 9, in world coordinates.
// Symbols: x centre of mass, p origin of a frame, r = p - x its arm, e unit axis of a frame, d = p_B - p_A, w angular velocity [rad/s].
#pragma once

#include "base/pose.hpp"
#include "model/joint.hpp"
#include "model/rotation.hpp"

namespace scree {

/// The frames of one joint in the world. The ground has its centre at the origin.
struct JointPlace {
    Vec3 centre_a, centre_b;  // centres of mass [m]
    Vec3 point_a, point_b;    // origins of the frames [m]
    Vec3 axis_a[3], axis_b[3];
    double length;  // of kinds that keep a distance [m]

    SCREE_HD Vec3 arm_a() const { return point_a - centre_a; }
    SCREE_HD Vec3 arm_b() const { return point_b - centre_b; }
    SCREE_HD Vec3 between() const { return point_b - point_a; }
};

/// rate = linear_a . v_a + angular_a . w_a + linear_b . v_b + angular_b . w_b.
struct Gradient {
    Vec3 linear_a, angular_a, linear_b, angular_b;
};

/// A quantity of a joint [m] or [rad] and how it changes with the twists of the two bodies.
struct Row {
    double value{0};
    Gradient gradient;
};

inline constexpr int most_rows = 6;  // of one joint, without motors
enum Axis { X, Y, Z };

/// What of a joint its place depends on, besides its bodies.
struct JointFrames {
    Pose a, b;         // as Joint::frame_a and frame_b
    double length{0};  // [m]
    Vec3 image{};      // from B to the image of it that is joined, in a periodic domain [m]
};

SCREE_HD JointPlace place_joint(const JointFrames& joint, const Pose& a, const Pose& b) {
    JointPlace at;
    at.centre_a = a.shift;
    at.centre_b = b.shift + joint.image;
    at.point_a = placed(a, joint.a.shift);
    at.point_b = placed(b, joint.b.shift) + joint.image;
    const Quat turn_a = normalized(a.turn * joint.a.turn), turn_b = normalized(b.turn * joint.b.turn);
    for (int k = 0; k < 3; ++k) {
        at.axis_a[k] = principal_axis(turn_a, k);
        at.axis_b[k] = principal_axis(turn_b, k);
    }
    at.length = joint.length;
    return at;
}
inline JointPlace place_joint(const Joint& joint, const Pose& a, const Pose& b) {
    return place_joint(JointFrames{joint.frame_a, joint.frame_b, joint.length}, a, b);
}

/// e . d for a direction e that stays in the world.
SCREE_HD Row point_along(const JointPlace& at, Vec3 e) {
    return {dot(e, at.between()), {-e, cross(e, at.arm_a()), e, cross(at.arm_b(), e)}};
}

/// p_B = p_A: three rows.
SCREE_HD void points_together(const JointPlace& at, Row* row) {
    row[0] = point_along(at, {1, 0, 0});
    row[1] = point_along(at, {0, 1, 0});
    row[2] = point_along(at, {0, 0, 1});
}

/// e_A . d for an axis of A: how far the origin of B is from that of A along it.
SCREE_HD Row point_along_axis(const JointPlace& at, Axis a) {
    const Vec3 e = at.axis_a[a];
    Row row = point_along(at, e);
    row.gradient.angular_a += cross(e, at.between());
    return row;
}

/// e_A . e_B: the cosine between two axes.
SCREE_HD Row axes_across(const JointPlace& at, Axis a, Axis b) {
    const Vec3 turn = cross(at.axis_b[b], at.axis_a[a]);
    return {dot(at.axis_a[a], at.axis_b[b]), {{}, -turn, {}, turn}};
}

/// |d|. Points that coincide have no direction between them: the gradient is zero there.
SCREE_HD Row points_apart(const JointPlace& at) {
    const Vec3 d = at.between();
    const double length = norm(d);
    Row row = point_along(at, length > 0 ? d / length : Vec3{});
    row.value = length;
    return row;
}

/// Angle about z_A from x_A to x_B in (-pi, pi]: atan2(x_B . y_A, x_B . x_A). Its gradient is exact for axes that are not aligned, and
/// z_A where x_B stands along z_A, where the angle means nothing.
SCREE_HD Row turn_about_axis(const JointPlace& at) {
    const Vec3 x = at.axis_b[X];
    const double c = dot(x, at.axis_a[X]), s = dot(x, at.axis_a[Y]), across2 = c * c + s * s;
    const Vec3 g = across2 > 1e-12 ? cross(x, c * at.axis_a[Y] - s * at.axis_a[X]) / across2 : at.axis_a[Z];
    return {std::atan2(s, c), {{}, -g, {}, g}};
}

/// The travel of a joint: along z_A, or the distance of the origins for kinds that have no such axis.
SCREE_HD Row travel_of(const JointPlace& at, bool along_axis) {
    return along_axis ? point_along_axis(at, Z) : points_apart(at);
}

}  // namespace scree
