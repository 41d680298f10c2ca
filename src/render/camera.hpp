// Where a picture is taken from. Pixels: x to the right and y down, from 0 at the left and upper edge to the size in pixels.
#pragma once

#include <array>
#include <vector>

#include "base/vec3.hpp"

namespace scree {

struct PictureSize {
    int width{0}, height{0};  // [pixels]
};

/// A point and how far around it things reach.
struct Reach {
    Vec3 centre;       // [m]
    double radius{0};  // [m]
};

struct Camera {
    Vec3 eye{0, -1, 0};  // [m]
    Vec3 at{0, 0, 0};    // in the middle of the picture [m]
    Vec3 up{0, 0, 1};
    bool orthographic{false};
    double field{0.5};  // full angle of view over the height, of a perspective one [rad]
    double height{1};   // of what is seen, of an orthographic one [m]

    /// Unit vectors to the right, up and towards the viewer.
    struct Axes {
        Vec3 right, up, back;
    };
    Axes axes() const;
    double distance() const { return norm(at - eye); }
    /// Height of what is seen at the distance of `at` [m].
    double height_at_middle() const;
    /// Metres per pixel at the distance of `at`.
    double pixel(PictureSize size) const { return height_at_middle() / size.height; }
};

/// Where a point is seen [pixels]; `depth` along the line of sight from the eye [m]. Not finite in `x` and `y` for a point at the eye's own
/// depth of a perspective camera; behind it where the depth is negative.
struct Seen {
    double x{0}, y{0}, depth{0};
};
Seen project(const Camera& camera, PictureSize size, Vec3 point);

/// The ray through a pixel's place: from `origin` along the unit vector `direction`.
struct SightLine {
    Vec3 origin, direction;
};
SightLine sight_line(const Camera& camera, PictureSize size, double x, double y);

/// The unit vector towards a viewer at these angles [degrees]: azimuth from x towards y, elevation from the x-y plane.
Vec3 viewer_direction(double azimuth, double elevation);

/// The share of a picture that its subject is to fill: edges from 0 (left, top) to 1 (right, bottom).
struct Frame {
    double left{0}, right{1}, top{0}, bottom{1};
};

/// Moves a camera, without turning it, so that all of `what` lies inside `frame` and touches two of its sides; an orthographic one gets its
/// height so. Does nothing where there is nothing to see.
void fit(Camera& camera, PictureSize size, const std::vector<Reach>& what, const Frame& frame);

}  // namespace scree
