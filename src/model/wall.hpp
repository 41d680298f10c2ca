// Walls: surfaces that bodies touch, at rest or in prescribed motion. A wall is a set of planes, cylinders and triangles under one name and
// material. Normals point to the side where bodies are.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/pose.hpp"
#include "base/vec3.hpp"
#include "model/time_function.hpp"

namespace scree {

/// A half-space: bodies are on the side the normal points to.
struct Plane {
    Vec3 point;   // any point of the plane [m]
    Vec3 normal;  // unit
};

/// A circular cylinder about `point + s * axis`. Inside: a tube that holds bodies. Outside: a rod that bodies touch from without.
/// With a finite length s runs over [0, length]: the tube then has open ends, the rod has flat caps.
struct Cylinder {
    Vec3 point;  // on the axis, at s = 0 [m]
    Vec3 axis;   // unit
    double radius{0};
    double length{std::numeric_limits<double>::infinity()};
    bool inside{true};
    // An arc of a plane model: the part within `half_angle` of the unit vector `middle`, across the axis. Its length is that of the walls
    // of such a model along z, and it is felt from both sides. pi: all round.
    Vec3 middle{1, 0, 0};
    double half_angle{3.14159265358979324};  // [rad]
};

/// Triangles as given; either side may be touched. Welding and patches: model/surfaces/mesh_topology.hpp.
struct TriangleMesh {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::int32_t, 3>> triangles;
};

/// What makes a wall press: it goes along a direction, or turns about the motion's axis, with speed = gain (e + the integral of e over
/// integral_time), where e is what the force or torque that bodies bear lacks of the target. Formulas: docs/theory.md.
struct Servo {
    bool on{false};
    bool turns{false};        // by a torque, else by a force
    Vec3 direction{0, 0, 1};  // unit: the wall goes along it to press harder
    // Force along the direction, or torque about the axis, of the wall on the bodies, over the time since the motion began [N] or [N m].
    TimeFunction target;
    double gain{0};           // [m/(s N)] or [rad/(s N m)]; 0: from the stiffness of the contacts
    double integral_time{0};  // [s]; 0: from contacts
    double max_speed{0};      // [m/s] or [rad/s]; 0: from contacts
};

/// A harmonic part of a motion: amplitude (sin(2 pi frequency t + phase) - sin phase).
struct Harmonic {
    Vec3 amplitude;       // along its direction [m]
    double angle{0};      // about the axis [rad]
    double frequency{0};  // [1/s]
    double phase{0};      // [rad]
};

/// Prescribed motion of a wall as a function of time: turned about an axis through `point`, then shifted. Exact at any time, so that
/// neither a restart nor a long run drifts. Angle and shift add up from the parts below; each is zero unless set. Formulas:
/// model/motion.hpp.
struct Motion {
    bool moves{false};
    double from{0};                                      // [s]: before it the wall is at rest, where the motion begins
    double to{std::numeric_limits<double>::infinity()};  // [s]: after it the wall rests where it is
    Vec3 velocity;                                       // [m/s]
    Vec3 point;                                          // of the axis [m]
    Vec3 axis{0, 0, 1};                                  // unit
    double rate{0};                                      // about the axis [rad/s]
    std::vector<Harmonic> harmonics;                     // add up
    // A table: piecewise linear in time; constant before its first and after its last row.
    std::vector<double> time;   // since `from`, ascending [s]
    std::vector<Vec3> shift;    // [m], as many as times
    std::vector<double> angle;  // about the axis [rad], as many as times
    bool surface{false};        // the surface alone moves, along itself: the wall stays in its place
    Servo servo;                // in place of all that is prescribed but `from` and `to`
    Pose first;                 // where the motion found the wall, as a turn and shift of the place that its surfaces are given in
};

struct Wall {
    std::string name;
    std::int32_t material{0};
    std::vector<Plane> planes;
    std::vector<Cylinder> cylinders;
    TriangleMesh mesh;
    Motion motion;
    // Carried by a compound body (id), in whose hands its motion then is; its surfaces are given where they are at the start. -1: none.
    std::int32_t body{-1};
    double active_from{0};  // the wall exists for steps that start at t in [active_from, active_to) [s]
    double active_to{std::numeric_limits<double>::infinity()};
};

}  // namespace scree
