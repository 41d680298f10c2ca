// Scenes of bodies and joints that the tests of this folder share.
#pragma once

#include "unit/scene/example.hpp"

namespace scree_test {

/// Two named bodies, one of them without a shape, and walls that bodies carry; what a test appends starts on line 47.
inline const std::string kBodies = kHead + R"([shape.rod]
kind = "box"
edges = [1, 0.1, 0.1]
[[body]]
name = "crank"
shape = "rod"
material = "glass"
position = ["50 cm", 0, 0]
rotation = { axis = [0, 0, 2], angle = "90 deg" }
velocity = [0, "1 m/s", 0]
angular_velocity = [0, 0, "30 rpm"]
mass = "2 kg"
inertia = [1, "2e4 kg cm2", 2, 0.1, 0, 0]
centre = [0.1, 0, 0]
collide = false
[[body]]
name = "slider"
mass = 1
inertia = [1, 1, 1]
[[wall]]
name = "pan"
kind = "plane"
material = "glass"
point = [0, 0, 0]
normal = [0, 0, 1]
body = "slider"
[[wall]]
name = "lid"
kind = "plane"
material = "glass"
point = [0, 0, 2]
normal = [0, 0, -1]
mass = "250 g"
inertia = [1e-3, 1e-3, 2e-3]
centre = [0, 0, 2]
)";

/// Every kind of joint, every key, and their measures.
inline const std::string kJoints = kBodies + R"([[joint]]
name = "hinge"
kind = "revolute"
between = ["crank", "ground"]
point = [0, 0, 0]
axis = [0, 0, 1]
angle = ["-90 deg", "none"]
motor = { speed = { constant = "30 rpm", amplitude = 0.1, frequency = "2 Hz", phase = "90 deg", table = "speed.csv" }, most = "5 N m" }
torsion = { stiffness = "2 N m/rad", damping = "0.1 N m s/rad", rest = "10 deg", preload = "1 N m" }
collide = true
[[joint]]
name = "slide"
kind = "prismatic"
between = ["ground", "slider"]
point = [0, 0, 0]
axis = [1, 0, 0]
travel = ["none", "10 cm"]
motor = { force = "3 N" }
spring = { stiffness = "100 N/m", damping = 1, rest = 0.1, preload = 2 }
[[joint]]
name = "bolt"
kind = "cylindrical"
between = ["lid", "slider"]
point = [0, 0, 0]
axis = [0, 0, 1]
motor = { travel = "1 mm", most = "3 N" }
[[joint]]
name = "cross"
kind = "universal"
between = ["crank", "slider"]
point = [0, 0, 0]
axis = [1, 0, 0]
axis_b = [0, 3, 0]
[[joint]]
name = "ball"
kind = "spherical"
between = ["crank", "slider"]
point = [0, 0, 0]
[[joint]]
name = "weld"
kind = "fixed"
between = ["crank", "slider"]
point = [0, 0, 0]
[[joint]]
name = "bar"
kind = "distance"
between = ["crank", "slider"]
point = [0, 0, 0]
point_b = [0, 0, 1]
length = "1 m"
[[joint]]
name = "rail"
kind = "point_on_line"
between = ["crank", "slider"]
point = [0, 0, 0]
point_b = [0, 0, 1]
axis = [0, 0, 5]
[[joint]]
name = "table"
kind = "point_on_plane"
between = ["crank", "slider"]
point = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "rod"
kind = "revolute_spherical"
between = ["crank", "slider"]
point = [0, 0, 0]
point_b = [2, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "rope"
kind = "free"
between = ["crank", "slider"]
point = [0, 0, 0]
point_b = [0, 0, 1]
spring = { stiffness = 10 }
[[joint]]
name = "wheels"
kind = "gear"
joints = ["hinge", "bolt"]
ratio = -2
[[joint]]
name = "pinion"
kind = "rack"
joints = ["hinge", "slide"]
ratio = "3 cm"
[[measure]]
kind = "body"
body = "lid"
name = "lid"
[[measure]]
kind = "joint"
joint = "hinge"
name = "hinge"
[[measure]]
kind = "solver"
)";

/// Clumps and compounds, all keys.
inline const std::string kClumps = kHead + R"([shape.grape]
kind = "clump"
spheres = [[0, 0, 0, "1 mm"], ["1.5 mm", 0, 0, 0.002]]
[shape.bunch]
kind = "clump"
file = "spheres.txt"
distribution = { kind = "uniform", min = 0.001, max = 0.002 }
[shape.handle]
kind = "box"
edges = [0.02, 0.02, 0.3]
[shape.hammer]
kind = "compound"
parts = [{ shape = "handle" }, { shape = "grape", at = [0, 0, "15 cm"], rotation = { axis = [1, 0, 0], angle = "90 deg" } }, { shape = "grain", orientation = [0, 2, 0, 0] }]
[[bodies]]
shape = "bunch"
material = "glass"
orientation = "random"
place.at = [0, 0, 0]
[[body]]
name = "tool"
shape = "hammer"
material = "glass"
)";

}  // namespace scree_test
