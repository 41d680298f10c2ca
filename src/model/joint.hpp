// Joints: what holds two rigid bodies together, and what drives, springs and stops they carry.
// Frames: a joint has a frame on either side, fixed to the body; the two coincide where the joint is at its zero. The z axis of a frame is
// the axis of turn or travel. Angles count about z of frame A from x of A to x of B; travel counts along z of A from origin A to origin B.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/pose.hpp"
#include "model/time_function.hpp"

namespace scree {

/// Rows that each kind holds (A's frame: origin p_A, axes x_A y_A z_A):
///   Spherical          p_B = p_A
///   Revolute           p_B = p_A, z_B along z_A
///   Prismatic          p_B on the z axis of A, axes of B along those of A
///   Cylindrical        p_B on the z axis of A, z_B along z_A
///   Universal          p_B = p_A, x_B across y_A  (A turns about its y, B about its x)
///   Fixed              p_B = p_A, axes of B along those of A
///   Distance           |p_B - p_A| = length
///   PointOnLine        p_B on the z axis of A
///   PointOnPlane       p_B in the x-y plane of A
///   RevoluteSpherical  |p_B - p_A| = length, z_A across p_B - p_A  (a rod with a hinge about z_A at one end, a ball at the other)
///   Free               no rows: carries springs, dampers and motors alone
///   Gear               angle of joint `first` times ratio plus angle of joint `second` stays (ratio of teeth, first over second; negative
///                      ratio: they turn the same way)
///   Rack               travel of joint `second` minus ratio [m/rad] times angle of joint `first` stays
enum class JointKind : std::int32_t {
    Spherical,
    Revolute,
    Prismatic,
    Cylindrical,
    Universal,
    Fixed,
    Distance,
    PointOnLine,
    PointOnPlane,
    RevoluteSpherical,
    Free,
    Gear,
    Rack
};

/// What a motor prescribes: the angle or travel itself, its rate, or torque or force.
enum class Drive : std::int32_t { None, Position, Speed, Effort };

/// A motor about (angle) or along (travel) z of frame A. The most torque or force it may use bounds Position and Speed.
struct Motor {
    Drive drive{Drive::None};
    TimeFunction value;                                    // [rad], [rad/s], [N m]; [m], [m/s], [N]
    double most{std::numeric_limits<double>::infinity()};  // [N m] or [N]
};

/// Stops: the angle or travel stays in [low, high].
struct Limits {
    double low{-std::numeric_limits<double>::infinity()};
    double high{std::numeric_limits<double>::infinity()};
    bool any() const { return low > -std::numeric_limits<double>::infinity() || high < std::numeric_limits<double>::infinity(); }
};

/// Effort -(stiffness + stiffening |x - rest|) (x - rest) - damping dx/dt + preload, x the angle [rad] or travel [m]. For kinds without an
/// axis of travel (Spherical, Distance, Free) the translational spring acts along the line from p_A to p_B, x its length.
struct Spring {
    double stiffness{0};   // [N m/rad] or [N/m]
    double damping{0};     // [N m s/rad] or [N s/m]
    double rest{0};        // [rad] or [m]
    double preload{0};     // [N m] or [N]
    double stiffening{0};  // growth of the stiffness with the way from rest [N m/rad2] or [N/m2]
    bool any() const { return stiffness != 0 || stiffening != 0 || damping != 0 || preload != 0; }
};

struct Joint {
    static constexpr std::int32_t ground = -1;

    std::string name;
    JointKind kind{JointKind::Free};
    std::int32_t a{ground}, b{ground};  // ids of bodies (compounds, see BodyTable::owner)
    Pose frame_a, frame_b;              // frame -> principal frame of the body; of the ground: -> world
    double length{0};                   // Distance, RevoluteSpherical [m]
    Limits angle_limits, travel_limits;
    Motor angle_motor, travel_motor;
    Spring angle_spring, travel_spring;
    std::int32_t first{-1}, second{-1};  // Gear, Rack: joints that they couple
    double ratio{1};
    bool collide{false};  // the two bodies touch each other too
};

}  // namespace scree
