// What a picture shows, as plain lists, and the picture that came out. Places are in metres in the world frame; colours are linear light.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/quat.hpp"
#include "base/vec3.hpp"
#include "render/camera.hpp"
#include "render/colours.hpp"

namespace scree {

struct DrawnBall {
    Vec3 centre;       // [m]
    double radius{0};  // [m]
    Rgb colour;
};

/// A disk in the x-y plane, seen from above; with a rim, and a stroke from its centre along `angle` where it is marked.
struct DrawnDisk {
    Vec3 centre;       // [m]
    double radius{0};  // [m]
    Rgb colour;
    double angle{0};  // [rad]
    bool marked{false};
};

/// A rod with round ends.
struct DrawnRod {
    Vec3 from, to;     // [m]
    double radius{0};  // [m]
    Rgb colour;
};

/// A surface that solids share: triangles counterclockwise from outside, the farthest corner of the order of 1 away.
struct DrawnShape {
    std::vector<Vec3> vertex;
    std::vector<std::array<std::int32_t, 3>> triangle;
    std::vector<Vec3> normal;  // of each vertex, for a smooth surface; empty: flat triangles
};

struct DrawnSolid {
    std::int32_t shape{0};  // row of World::shapes
    Vec3 centre;            // [m]
    Quat turn;
    double size{1};  // [m]
    Rgb colour;
};

/// Triangles seen from both sides.
struct DrawnMesh {
    std::vector<Vec3> vertex;  // [m]
    std::vector<std::array<std::int32_t, 3>> triangle;
    Rgb colour;
    float opacity{1};       // below 1: glass, which throws no shadow
    std::uint32_t wall{0};  // meshes of one wall are seen through once as a ray enters it, and once as it leaves
};

/// A half-space that is cut off, where dot(normal, p) > offset. What it cuts shows a flat section.
struct Section {
    Vec3 normal;       // unit vector
    double offset{0};  // [m]
};

struct World {
    std::vector<DrawnBall> balls;
    std::vector<DrawnDisk> disks;
    std::vector<DrawnRod> rods;
    std::vector<DrawnShape> shapes;
    std::vector<DrawnSolid> solids;
    std::vector<DrawnMesh> meshes;
    std::vector<Section> sections;
    bool flat{false};       // of a plane scene: colours as they are, without light and shadow
    Vec3 to_sun{0, 0, 1};   // unit vector
    Vec3 up{0, 0, 1};       // where the sky is
    double open_length{0};  // over which things darken what is near them; 0: a share of what is seen [m]
};

/// Rows of pixels from above, red, green and blue each.
struct Image {
    int width{0}, height{0};
    std::vector<std::uint8_t> rgb;
};

struct Quality {
    int samples{4};  // of each pixel
    int threads{0};  // 0: all
};

/// What the middle of a pixel shows.
struct Picked {
    enum class Kind { Nothing, Ball, Disk, Rod, Solid, Mesh };
    Kind kind{Kind::Nothing};
    std::uint32_t index{0};  // row of its list
    double distance{0};      // from the ray's origin [m]
    bool operator==(const Picked&) const = default;
};

}  // namespace scree
