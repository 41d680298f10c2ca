#include "render/camera.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr double kDegree = 0.01745329251994329577;

}  // namespace

Camera::Axes Camera::axes() const {
    const Vec3 back = normalized(eye - at);
    Vec3 right = cross(up, back);
    if (norm(right) < 1e-9 * norm(up)) right = cross(std::fabs(back.y) < 0.9 ? Vec3{0, 1, 0} : Vec3{1, 0, 0}, back);  // looks along `up`
    right = normalized(right);
    return {right, cross(back, right), back};
}

double Camera::height_at_middle() const {
    return orthographic ? height : 2 * distance() * std::tan(0.5 * field);
}

Seen project(const Camera& camera, PictureSize size, Vec3 point) {
    const Camera::Axes a = camera.axes();
    const Vec3 d = point - camera.eye;
    const double depth = -dot(d, a.back);
    const double height = camera.orthographic ? camera.height : 2 * depth * std::tan(0.5 * camera.field);
    const double scale = size.height / height;
    return {0.5 * size.width + scale * dot(d, a.right), 0.5 * size.height - scale * dot(d, a.up), depth};
}

SightLine sight_line(const Camera& camera, PictureSize size, double x, double y) {
    const Camera::Axes a = camera.axes();
    const double u = (x - 0.5 * size.width) / size.height, v = (0.5 * size.height - y) / size.height;
    if (camera.orthographic) return {camera.eye + camera.height * (u * a.right + v * a.up), -a.back};
    const double height = 2 * std::tan(0.5 * camera.field);
    return {camera.eye, normalized(height * (u * a.right + v * a.up) - a.back)};
}

Vec3 viewer_direction(double azimuth, double elevation) {
    const double a = azimuth * kDegree, e = elevation * kDegree;
    return {std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e)};
}

void fit(Camera& camera, PictureSize size, const std::vector<Reach>& what, const Frame& frame) {
    if (what.empty()) return;
    const Camera::Axes a = camera.axes();
    // In units of the picture's height from its middle, x to the right and y up.
    const double aspect = static_cast<double>(size.width) / size.height;
    const double left = aspect * (frame.left - 0.5), right = aspect * (frame.right - 0.5), low = 0.5 - frame.bottom, high = 0.5 - frame.top;
    if (camera.orthographic) {
        double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300, near = -1e300, far = 1e300;
        for (const Reach& r : what) {
            const Vec3 c{dot(r.centre, a.right), dot(r.centre, a.up), dot(r.centre, a.back)};
            x0 = std::min(x0, c.x - r.radius), x1 = std::max(x1, c.x + r.radius);
            y0 = std::min(y0, c.y - r.radius), y1 = std::max(y1, c.y + r.radius);
            near = std::max(near, c.z + r.radius), far = std::min(far, c.z - r.radius);
        }
        camera.height = std::max((x1 - x0) / (right - left), (y1 - y0) / (high - low));
        if (!(camera.height > 0)) camera.height = 1;
        const double x = 0.5 * (x0 + x1) - 0.5 * (left + right) * camera.height, y = 0.5 * (y0 + y1) - 0.5 * (low + high) * camera.height;
        camera.at = x * a.right + y * a.up + 0.5 * (near + far) * a.back;
        camera.eye = camera.at + (near - far + camera.height) * a.back;
        return;
    }
    // Each side of the picture is a plane through the eye that all balls must be inside of. Of a plane with the slope s (a point at depth d
    // is inside where x <= s d) the ball's outermost point gives x + s z + r sqrt(1 + s^2) <= e_x + s e_z for the eye e: with z towards the
    // viewer, two sides each give the depth at which both are touched.
    const double t = 2 * std::tan(0.5 * camera.field);
    const auto most = [&](Vec3 axis, double slope, double sign) {
        double value = -1e300;
        for (const Reach& r : what) {
            value = std::max(value,
                             sign * dot(r.centre, axis) + sign * slope * dot(r.centre, a.back) + r.radius * std::sqrt(1 + slope * slope));
        }
        return value;
    };
    const auto touching = [&](Vec3 axis, double s0, double s1) {
        const double above = most(axis, s1, 1), below = most(axis, s0, -1);
        // e + s1 z = above and -e - s0 z = below.
        return std::array<double, 3>{(above + below) / (s1 - s0), above, below};
    };
    const auto h = touching(a.right, t * left, t * right), v = touching(a.up, t * low, t * high);
    const double z = std::max(h[0], v[0]);
    // The looser pair is centred.
    const double x = 0.5 * ((h[1] - t * right * z) + (-h[2] - t * left * z)), y = 0.5 * ((v[1] - t * high * z) + (-v[2] - t * low * z));
    camera.eye = x * a.right + y * a.up + z * a.back;
    double middle = 0;
    for (const Reach& r : what) middle += dot(r.centre, a.back) / static_cast<double>(what.size());
    camera.at = camera.eye - std::max(z - middle, 1e-9 * std::fabs(z)) * a.back;
}

}  // namespace scree
