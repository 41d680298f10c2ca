#include "setup/rounded_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/error.hpp"
#include "setup/meshes/hull.hpp"

namespace scree {

namespace {

/// A corner of where the ball's centre can be, and the faces that it touches there.
struct CoreCorner {
    Vec3 at;
    std::vector<std::size_t> faces;  // ascending
};

/// Planes n . x = h with the origin inside are points n / h, the faces of whose hull are the corners of what the planes enclose.
std::vector<CoreCorner> core_corners(const std::string& name, const std::vector<Vec3>& normal, const std::vector<double>& h, double size) {
    std::vector<Vec3> dual;
    for (std::size_t f = 0; f < normal.size(); ++f) dual.push_back(normal[f] / h[f]);
    const FaceList hull = convex_hull(name, dual);
    std::vector<CoreCorner> corners;
    for (const auto& loop : hull.face) {
        const auto p = [&](std::size_t k) { return hull.vertex[static_cast<std::size_t>(loop[k])]; };
        Vec3 across;
        for (std::size_t k = 1; k + 1 < loop.size(); ++k) across += cross(p(k) - p(0), p(k + 1) - p(0));
        CoreCorner corner{across / dot(across, p(0)), {}};
        for (std::size_t f = 0; f < normal.size(); ++f)
            if (dot(normal[f], corner.at) > h[f] - 1e-9 * size) corner.faces.push_back(f);
        const bool known =
            std::any_of(corners.begin(), corners.end(), [&](const CoreCorner& other) { return norm(other.at - corner.at) < 1e-9 * size; });
        if (!known) corners.push_back(std::move(corner));
    }
    return corners;
}

/// Do two faces have an edge of the core at this corner?
bool have_edge(const std::vector<CoreCorner>& corners, const CoreCorner& at, std::size_t f, std::size_t g) {
    const auto has = [](const CoreCorner& c, std::size_t face) { return std::binary_search(c.faces.begin(), c.faces.end(), face); };
    return std::any_of(corners.begin(), corners.end(), [&](const CoreCorner& c) { return &c != &at && has(c, f) && has(c, g); });
}

}  // namespace

ConvexShape rounded_shape(const ConvexShape& sharp, double radius, int bevels) {
    const double R = sharp.bounding_radius;
    std::vector<double> h;
    for (const double offset : sharp.offset) h.push_back(R * offset - radius);
    const double least = *std::min_element(h.begin(), h.end());
    if (!(least > 1e-3 * radius))
        throw Error(
            fmt::format("rounding = {:.6g} m leaves nothing of \"{}\": give less than {:.6g} m, the least distance of a face from its "
                        "centre of mass",
                        radius, sharp.name, (least + radius) / 1.001));
    const std::vector<CoreCorner> corners = core_corners(sharp.name, sharp.normal, h, R);
    std::vector<Vec3> points;
    for (const CoreCorner& corner : corners) {
        const auto add = [&](Vec3 way) { points.push_back(corner.at + (radius / norm(way)) * way); };
        Vec3 middle;
        for (const std::size_t f : corner.faces) {
            add(sharp.normal[f]);
            middle += sharp.normal[f];
        }
        if (bevels < 2) continue;
        add(middle);
        for (const std::size_t f : corner.faces)
            for (const std::size_t g : corner.faces)
                if (f < g && have_edge(corners, corner, f, g)) add(sharp.normal[f] + sharp.normal[g]);
    }
    for (Vec3& p : points) p = rotate(sharp.to_given, p) + sharp.centre;
    const FaceList hull = convex_hull(sharp.name, points);
    return make_convex_shape(sharp.name, hull.vertex, hull.face);
}

}  // namespace scree
