#include "output/frame_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/aabb.hpp"
#include "base/pose.hpp"

namespace scree {
namespace {

constexpr int kFacets = 64;
constexpr double kPi = 3.14159265358979323846;

void include_finite(Aabb& box, const Vec3& p) {
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) box.include(p);
}

/// The box of all bodies at the start and of all walls that end somewhere.
Aabb region_of(const Model& model) {
    Aabb box;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const double r = model.bodies.radius[i];
        include_finite(box, model.bodies.position[i] - Vec3{r, r, r});
        include_finite(box, model.bodies.position[i] + Vec3{r, r, r});
    }
    for (const Wall& wall : model.walls) {
        for (const Vec3& v : wall.mesh.vertices) include_finite(box, v);
        for (const Cylinder& c : wall.cylinders) {
            if (!std::isfinite(c.length)) continue;
            include_finite(box, c.point);
            include_finite(box, c.point + c.length * c.axis);
        }
    }
    return box;
}

/// From where to where along its axis a cylinder is drawn.
std::array<double, 2> drawn_range(const Cylinder& c, const Aabb& region) {
    if (std::isfinite(c.length)) return {0, c.length};
    if (region.empty()) return {-c.radius, c.radius};
    const Vec3 centre = 0.5 * (region.min + region.max), half = 0.5 * (region.max - region.min);
    const double middle = dot(centre - c.point, c.axis);
    const double reach = 1.1 * (std::fabs(c.axis.x) * half.x + std::fabs(c.axis.y) * half.y + std::fabs(c.axis.z) * half.z);
    return {middle - reach, middle + reach};
}

/// Appends an arc of a plane model as facets across the plane.
void add_arc(WallSurface& surface, const Cylinder& c) {
    const Vec3 u = c.middle, v = cross(c.axis, u);
    const int facets = std::max(1, static_cast<int>(std::lround(kFacets * c.half_angle / kPi)));
    const auto first = static_cast<std::int32_t>(surface.vertex.size());
    for (int k = 0; k <= facets; ++k) {
        const double angle = c.half_angle * (2.0 * k / facets - 1);
        const Vec3 rim = c.point + c.radius * (std::cos(angle) * u + std::sin(angle) * v);
        surface.vertex.push_back(rim);
        surface.vertex.push_back(rim + c.length * c.axis);
    }
    for (int k = 0; k < facets; ++k) {
        const std::int32_t here = first + 2 * k, next = here + 2;
        surface.triangle.push_back({here, next + 1, next});
        surface.triangle.push_back({here, here + 1, next + 1});
    }
}

/// Appends the lateral surface as facets between two rings; a rod of finite length gets its caps as fans.
void add_cylinder(WallSurface& surface, const Cylinder& c, const Aabb& region) {
    const Vec3 across = std::fabs(c.axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 u = normalized(cross(c.axis, across)), v = cross(c.axis, u);
    const auto [low, high] = drawn_range(c, region);
    const auto first = static_cast<std::int32_t>(surface.vertex.size());
    for (int k = 0; k < kFacets; ++k) {
        const double angle = 2 * kPi * k / kFacets;
        const Vec3 rim = c.point + c.radius * (std::cos(angle) * u + std::sin(angle) * v);
        surface.vertex.push_back(rim + low * c.axis);
        surface.vertex.push_back(rim + high * c.axis);
    }
    const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t d) {
        // Counterclockwise seen from where bodies are.
        surface.triangle.push_back(c.inside ? std::array{a, d, b} : std::array{a, b, d});
    };
    for (int k = 0; k < kFacets; ++k) {
        const std::int32_t here = first + 2 * k, next = first + 2 * ((k + 1) % kFacets);
        add(here, next, next + 1);
        add(here, next + 1, here + 1);
    }
    if (c.inside || !std::isfinite(c.length)) return;
    const auto centre = static_cast<std::int32_t>(surface.vertex.size());
    surface.vertex.push_back(c.point + low * c.axis);
    surface.vertex.push_back(c.point + high * c.axis);
    for (int k = 0; k < kFacets; ++k) {
        const std::int32_t here = first + 2 * k, next = first + 2 * ((k + 1) % kFacets);
        add(centre, next, here);
        add(centre + 1, here + 1, next + 1);
    }
}

}  // namespace

bool has_couples(const Model& model) {
    const bool turns = model.penalty.rolling != Rolling::None || model.penalty.twisting != Twisting::None;
    return !model.shapes.empty() || (model.method == Method::Penalty && turns);
}

FrameGeometry frame_geometry(const Model& model) {
    FrameGeometry geometry;
    for (const ConvexShape& shape : model.shapes) {
        geometry.shapes.push_back({shape.name, shape.volume, shape.vertex, shape.face_start, shape.face_vertex, shape.smooth.axes,
                                   shape.smooth.side, shape.smooth.top, shape.smooth.stick});
        if (shape.compound()) geometry.shapes.back().face_start = {0};
    }
    geometry.couples = has_couples(model);
    const Aabb region = region_of(model);
    for (const Wall& wall : model.walls) {
        WallSurface surface;
        surface.name = wall.name;
        surface.material = wall.material;
        surface.moves = wall.motion.moves || wall.body >= 0;
        surface.active_from = wall.active_from;
        surface.active_to = wall.active_to;
        for (const Plane& plane : wall.planes) {
            surface.plane_point.push_back(plane.point);
            surface.plane_normal.push_back(plane.normal);
        }
        surface.vertex = wall.mesh.vertices;
        surface.triangle = wall.mesh.triangles;
        for (const Cylinder& cylinder : wall.cylinders) {
            if (model.dimensions == 2) {
                add_arc(surface, cylinder);
            } else {
                add_cylinder(surface, cylinder, region);
            }
        }
        geometry.walls.push_back(std::move(surface));
    }
    return geometry;
}

Pose wall_pose(const Snapshot& snapshot, std::size_t w) {
    return w < snapshot.walls.size() ? snapshot.walls[w] : Pose{};
}

std::vector<Vec3> moved(const std::vector<Vec3>& points, const Pose& pose) {
    std::vector<Vec3> result;
    result.reserve(points.size());
    for (const Vec3& p : points) result.push_back(placed(pose, p));
    return result;
}

}  // namespace scree
