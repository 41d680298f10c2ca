// Scenes of two dimensions -> models: masses, placement in the plane, walls.
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "scene/parse.hpp"
#include "setup/build_model.hpp"
#include "unit/setup/common.hpp"

using namespace scree;

namespace {

constexpr double pi = std::numbers::pi;

const std::string head = R"(dimensions = 2
[time]
end = 1
step = 1e-6
[method]
law = "linear"
stiffness = 1e5
[material.glass]
density = 2500
restitution = 0.5
friction = 0.4
)";

Model built(const std::string& text) {
    return build_model(parse_scene_text(head + text, "scene.toml", "/here")).model;
}

}  // namespace

TEST_CASE("plane: disks and polygons have the mass of unit thickness, where they are put") {
    const Model m = built(R"(
[shape.disk]
kind = "disk"
diameter = 0.02
[shape.square]
kind = "polygon"
sides = 4
edge = 0.03
[shape.triangle]
kind = "polygon"
corners = [[0, 0], [3, 0], [0, 3], [0.5, 0.5]]
radius = 0.01
[[bodies]]
shape = "disk"
material = "glass"
place = { at = [0, 0] }
velocity = [1, 2]
angular_velocity = 3
[[bodies]]
shape = "square"
material = "glass"
angle = 0.5
place = { at = [1, 0] }
[[bodies]]
shape = "triangle"
material = "glass"
place = { at = [2, 0] }
)");
    CHECK(m.dimensions == 2);
    REQUIRE(m.bodies.size() == 3);
    CHECK(m.bodies.mass[0] == doctest::Approx(2500 * pi * 1e-4).epsilon(1e-14));
    CHECK(m.bodies.mass[1] == doctest::Approx(2500 * 9e-4).epsilon(1e-13));
    CHECK(m.bodies.radius[1] == doctest::Approx(0.03 / std::numbers::sqrt2).epsilon(1e-14));
    // A right triangle with legs a has its centre at a / 3 from both and the farthest corner at a sqrt(5) / 3.
    const double a = 3 * 0.01 / std::sqrt(5.0);
    CHECK(m.bodies.mass[2] == doctest::Approx(2500 * 0.5 * a * a).epsilon(1e-13));
    CHECK(m.bodies.velocity[0] == Vec3{1, 2, 0});
    CHECK(m.bodies.angular_velocity[0] == Vec3{0, 0, 3});
    CHECK(2 * std::atan2(m.bodies.orientation[1].z, m.bodies.orientation[1].w) == doctest::Approx(0.5).epsilon(1e-14));
    // The square stands on a side.
    double lowest = 0;
    for (const Vec3& v : m.shapes[0].vertex) lowest = std::min(lowest, v.y);
    CHECK(lowest == doctest::Approx(-1 / std::numbers::sqrt2).epsilon(1e-14));
}

TEST_CASE("plane: random disks fill the wanted share of a box or circle, in the plane and without overlap") {
    for (const std::string region : {"box = [[0, 0], [0.2, 0.1]]", "circle = { centre = [0.1, 0.1], radius = 0.08 }"}) {
        CAPTURE(region);
        const Model m = built(
            "[shape.disk]\nkind = \"disk\"\nclasses = [{ radius = 1e-3, share = 1 }, { radius = 2e-3, share = 1 }]\n"
            "share_by = \"mass\"\n[[bodies]]\nshape = \"disk\"\nmaterial = \"glass\"\n"
            "place = { random = true, fraction = 0.6, region = { " +
            region + " } }\n");
        const double area = region[0] == 'b' ? 0.02 : pi * 0.08 * 0.08;
        double filled = 0, small = 0;
        for (std::size_t i = 0; i < m.bodies.size(); ++i) {
            const double r = m.bodies.radius[i];
            const Vec3 x = m.bodies.position[i];
            CHECK(x.z == 0);
            const bool inside = region[0] == 'b' ? x.x >= r && x.y >= r && x.x <= 0.2 - r && x.y <= 0.1 - r
                                                 : norm(x - Vec3{0.1, 0.1, 0}) <= 0.08 - r + 1e-12;
            CHECK(inside);
            filled += pi * r * r;
            small += r < 1.5e-3 ? pi * r * r : 0;
        }
        CHECK(std::fabs(filled - 0.6 * area) <= 0.5 * pi * 4e-6 * (1 + 1e-9));  // half a disk of the larger class
        CHECK(smallest_gap(m.bodies.position, m.bodies.radius) > -1e-12);
        // Half of the mass each, drawn body by body: with n bodies of which 4/5 are small the share is off by some 1 / sqrt(n).
        CHECK(small / filled == doctest::Approx(0.5).epsilon(4 / std::sqrt(static_cast<double>(m.bodies.size()))));
    }
}

TEST_CASE("plane: lattices are one layer") {
    const std::string shape = "[shape.disk]\nkind = \"disk\"\nradius = 1e-3\n[[bodies]]\nshape = \"disk\"\nmaterial = \"glass\"\n";
    const Model square = built(shape + "place = { lattice = [5, 4], spacing = 2.5e-3, jitter = 1 }\n");
    CHECK(square.bodies.size() == 20);
    const Model close = built(shape + "place = { lattice = [5, 4], lattice_kind = \"hcp\", spacing = 2e-3 }\n");
    CHECK(close.bodies.size() == 40);
    CHECK(std::fabs(smallest_gap(close.bodies.position, close.bodies.radius)) < 1e-15);
    const Model filled = built(shape + "place = { lattice = \"fill\", spacing = 2e-3, region = { box = [[0, 0], [0.02, 0.01]] } }\n");
    CHECK(filled.bodies.size() == 50);
    for (const Model* m : {&square, &close, &filled})
        for (const Vec3& x : m->bodies.position) CHECK(x.z == 0);
    CHECK_THROWS_WITH_AS(built(shape + "place = { lattice = [1, 1], lattice_kind = \"fcc\", spacing = 2e-3 }\n"),
                         doctest::Contains("use sc or hcp"), Error);
}

TEST_CASE("plane: walls reach past the thickest body, arcs from first to last angle") {
    const Model m = built(R"([shape.disk]
kind = "disk"
radius = 0.01
[[bodies]]
shape = "disk"
material = "glass"
place = { at = [0.5, 0.5] }
[[wall]]
kind = "segment"
material = "glass"
from = [0, 0]
to = [1, 0]
[[wall]]
kind = "arc"
material = "glass"
centre = [1, 2]
radius = 3
angles = [0, "90 deg"]
motion = { rate = 1 }
[[wall]]
kind = "box"
material = "glass"
min = [0, 0]
max = [1, 1]
)");
    for (const Vec3& v : m.walls[0].mesh.vertices) CHECK(std::fabs(v.z) == 0.04);
    const Cylinder arc = m.walls[1].cylinders.at(0);
    CHECK(norm(arc.middle - normalized(Vec3{1, 1, 0})) < 1e-15);
    CHECK(arc.half_angle == doctest::Approx(pi / 4).epsilon(1e-15));
    CHECK(m.walls[1].motion.point == Vec3{1, 2, 0});
    CHECK(m.walls[1].motion.axis == Vec3{0, 0, 1});
    CHECK(m.walls[2].planes.size() == 4);
}

TEST_CASE("plane: files give x, y and an angle") {
    const TemporaryFile file("disks.csv", "x, y, radius, vx, wz\n0.1, 0.2, 0.01, 3, 4\n0.5, 0.2, 0.02, 0, 0\n");
    const Model m = built("[[bodies]]\nmaterial = \"glass\"\nplace = { file = \"" + file.path() + "\" }\n");
    REQUIRE(m.bodies.size() == 2);
    CHECK(m.bodies.position[0] == Vec3{0.1, 0.2, 0});
    CHECK(m.bodies.velocity[0] == Vec3{3, 0, 0});
    CHECK(m.bodies.angular_velocity[0] == Vec3{0, 0, 4});
    CHECK(m.bodies.mass[1] == doctest::Approx(2500 * pi * 4e-4));
    const TemporaryFile deep("deep.csv", "x, y, z, radius\n0, 0, 0, 1\n");
    CHECK_THROWS_WITH_AS(built("[[bodies]]\nmaterial = \"glass\"\nplace = { file = \"" + deep.path() + "\" }\n"),
                         doctest::Contains("deep.csv:1"), Error);
}
