// Scenes that the tests of this folder share.
#pragma once

#include <string>
#include <vector>

#include "scene/parse.hpp"

namespace scree_test {

/// Eleven lines that a scene needs; what a test appends starts on line 12.
inline const std::string kHead = R"([time]
end = 1
[material.glass]
density = 2500
young = 1e7
poisson = 0.25
restitution = 0.5
friction = 0.4
[shape.grain]
kind = "sphere"
radius = "2 mm"
)";

/// Every table, every kind of wall, placement, size and measure.
inline const std::string kFull = R"(title = "Every \"table\""
dimensions = 3

[time]
step = "2 us"
end = "1 min"

[domain]
gravity = [0, "-9.81 m/s^2", 0]
min = [-1, -2, "-30 cm"]
max = [1, 2, inf]
leave = "remove"
check_every = 20

[method]
kind = "penalty"
law = "linear"
stiffness = "10 kN/m"
tangential_ratio = 0.5
overlap_warning = "4 %"
overlap_limit = 0.2
skin = "1 mm"
search = "grid"

[material.glass]
density = "2500 kg/m^3"
young = "10 MPa"
poisson = 0.25
restitution = 0.5
friction = 0.4

[material.steel]
density = 7800
restitution = 0.7
friction = 0.1

[[material_pair]]
between = ["glass", "steel"]
restitution = 0.6
friction = 0.2
stiffness = 2e4
tangential_ratio = 0.8

[shape.grain]
kind = "sphere"
radius = "2 mm"

[shape.bead]
kind = "sphere"
diameter = "4.2 mm"

[shape.gravel]
kind = "sphere"
classes = [{ radius = "1 mm", share = 3 }, { radius = 0.002, share = 1 }]
share_by = "mass"

[shape.sand]
kind = "sphere"
distribution = { kind = "lognormal", mean = "1 mm", deviation = "0.2 mm", min = "0.5 mm", max = "2 mm" }

[[bodies]]
shape = "grain"
material = "glass"
place.at = [0, 0, 1]
velocity = ["3 cm/s", 0, 0]
angular_velocity = [0, 0, "30 rpm"]

[[bodies]]
shape = "bead"
material = "steel"
place = { lattice = [20, 20, 40], spacing = "4.2 mm", jitter = 0.05, lattice_kind = "hcp", origin = [1, 2, 3], bodies = 100 }

[[bodies]]
shape = "grain"
material = "glass"
place = { lattice = "fill", spacing = 0.004, region = { cylinder = { base = [0, 0, 0], axis = [0, 0, 2], radius = 0.1, length = 0.5 } } }

[[bodies]]
shape = "gravel"
material = "glass"
seed = 42
[bodies.place]
random = true
fraction = 0.3
region.box = [[0, 0, 0], [1, 1, "50 cm"]]

[[bodies]]
shape = "sand"
material = "glass"
place = { random = true, bodies = 500, region = { sphere = { centre = [0, 0, 1], radius = 0.5 } } }

[[bodies]]
material = "glass"
place = { file = "particles.csv", types = ["glass", "steel"], scale = 0.001 }

[[wall]]
name = "floor"
kind = "plane"
material = "steel"
point = [0, 0, 0]
normal = [0, 0, 1]

[[wall]]
kind = "quad"
material = "steel"
corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
active = [0, "2 s"]

[[wall]]
kind = "box"
material = "steel"
min = [0, 0, 0]
max = [1, 1, 1]

[[wall]]
kind = "cylinder"
material = "steel"
point = [0, 0, 0]
axis = [0, 0, 1]
radius = "10 cm"
length = 0.5
side = "outside"

[[wall]]
name = "hopper"
kind = "mesh"
material = "steel"
file = "meshes/hopper.stl"
scale = 0.001
offset = [0, 0, "1 cm"]

[[measure]]
kind = "energy"

[[measure]]
kind = "mass_in"
name = "left"
every = "10 ms"
box = [[0, 0, 0], [1, 1, 1]]

[[measure]]
kind = "mass_in"
name = "tube"
cylinder = { base = [0, 0, 0], radius = 0.1, length = 1 }

[[measure]]
kind = "wall_load"
wall = "hopper"

[output]
every = "20 ms"
contacts = true
orientation = true
checkpoint_every = "10 min"
)";

inline scree::Scene parsed(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return scree::parse_scene_text(text, "scene.toml", "/scenes", overrides);
}

/// The message of the scree::Error that a text gives; "no error" where it parses.
inline std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
        parsed(text, overrides);
    } catch (const scree::Error& error) {
        return error.what();
    }
    return "no error";
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace scree_test
