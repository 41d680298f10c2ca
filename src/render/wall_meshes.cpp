#include "render/wall_meshes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "output/frame_geometry.hpp"

namespace scree {
namespace {

constexpr float kGlass = 0.07f;         // opacity of walls before the bodies
constexpr std::size_t kSampled = 1000;  // bodies that are asked on which side of a wall they lie
constexpr double kFewBodies = 0.03;     // share of them before a wall that is glass all the same
constexpr std::size_t kLevels = 8;      // of opacity between a solid wall and glass
constexpr std::uint32_t kWallColour = 0xc6ccd4;

struct HalfSpace {
    Vec3 normal;  // into it
    double offset{0};
    double height(Vec3 p) const { return dot(normal, p) - offset; }
};

/// What of a convex polygon lies in a half-space (Sutherland and Hodgman 1974).
std::vector<Vec3> clipped(const std::vector<Vec3>& polygon, const HalfSpace& space) {
    std::vector<Vec3> kept;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec3 a = polygon[k], b = polygon[(k + 1) % polygon.size()];
        const double ha = space.height(a), hb = space.height(b);
        if (ha >= 0) kept.push_back(a);
        if ((ha >= 0) != (hb >= 0)) kept.push_back(a + (ha / (ha - hb)) * (b - a));
    }
    return kept;
}

std::vector<HalfSpace> faces_of(const Aabb& box) {
    std::vector<HalfSpace> faces;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 n;
        along(n, axis) = 1;
        faces.push_back({n, along(box.min, axis)});
        faces.push_back({-n, -along(box.max, axis)});
    }
    return faces;
}

/// A square about the region's middle in the plane, large enough to pass it on all sides.
std::vector<Vec3> square_in(const HalfSpace& plane, const Aabb& region) {
    const Vec3 middle = 0.5 * (region.min + region.max);
    const Vec3 foot = middle - plane.height(middle) * plane.normal;
    const double size = norm(region.max - region.min) + norm(foot - middle);
    const Vec3 beside = std::fabs(plane.normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 u = size * normalized(cross(plane.normal, beside)), v = cross(plane.normal, u);
    return {foot - u - v, foot + u - v, foot + u + v, foot - u + v};
}

void add_polygon(DrawnMesh& mesh, const std::vector<Vec3>& polygon) {
    if (polygon.size() < 3) return;
    const auto first = static_cast<std::int32_t>(mesh.vertex.size());
    mesh.vertex.insert(mesh.vertex.end(), polygon.begin(), polygon.end());
    for (std::int32_t k = 2; k < static_cast<std::int32_t>(polygon.size()); ++k) mesh.triangle.push_back({first, first + k - 1, first + k});
}

/// Some bodies, evenly from the list.
std::vector<Vec3> sampled(const FrameParts& frame) {
    std::vector<Vec3> places;
    const std::size_t step = std::max<std::size_t>(1, frame.size() / kSampled);
    for (std::size_t k = 0; k < frame.size(); k += step) places.push_back(frame.bodies.position[k]);
    return places;
}

double share_below(const std::vector<Vec3>& places, const HalfSpace& space) {
    const auto below = std::count_if(places.begin(), places.end(), [&](Vec3 p) { return space.height(p) < 0; });
    return places.empty() ? 0 : static_cast<double>(below) / static_cast<double>(places.size());
}

/// Of the places whose sight line passes a triangle, or just beside it: how many lie before it and behind it.
struct Hidden {
    std::size_t before{0}, behind{0};
};
Hidden hidden_by(const std::array<Vec3, 3>& corner, const std::vector<Vec3>& places, const Camera& camera) {
    constexpr double beside = -0.1;  // in barycentric coordinates
    const Vec3 u = corner[1] - corner[0], v = corner[2] - corner[0], n = cross(u, v);
    const double n2 = norm2(n);
    Hidden hidden;
    if (!(n2 > 0)) return hidden;
    for (const Vec3& p : places) {
        const Vec3 direction = camera.orthographic ? camera.at - camera.eye : p - camera.eye;
        const double slope = dot(n, direction);
        if (slope == 0) continue;
        const double along = dot(n, corner[0] - p) / slope;  // from the place to the plane, away from the eye
        const Vec3 q = p + along * direction - corner[0];
        if (!camera.orthographic && along <= -1) continue;  // the plane is behind the eye
        const double b = dot(cross(q, v), n) / n2, c = dot(cross(u, q), n) / n2;
        if (b < beside || c < beside || b + c > 1 - beside) continue;
        ++(along > 0 ? hidden.before : hidden.behind);
    }
    return hidden;
}

/// 1 up to `low`, 0 from `high` on, and between them in between.
double glassy(double share, double low, double high) {
    return std::clamp((high - share) / (high - low), 0.0, 1.0);
}

bool is_drawn(const FrameParts& frame, const Look& look, std::size_t w) {
    const WallSurface& wall = (*frame.walls)[w];
    return wall.active(frame.bodies.time) && !look.hidden.contains(wall.name);
}

/// The half-spaces of planes, by walls. Those that hold nearly all bodies bound each other.
std::vector<std::vector<HalfSpace>> planes_of(const FrameParts& frame, const Look& look) {
    std::vector<std::vector<HalfSpace>> planes(frame.walls->size());
    for (std::size_t w = 0; w < planes.size(); ++w) {
        if (!is_drawn(frame, look, w)) continue;
        const WallSurface& wall = (*frame.walls)[w];
        const Pose pose = wall_pose(frame.bodies, w);
        for (std::size_t k = 0; k < wall.plane_point.size(); ++k) {
            const Vec3 n = rotate(pose.turn, wall.plane_normal[k]);
            planes[w].push_back({n, dot(n, placed(pose, wall.plane_point[k]))});
        }
    }
    return planes;
}

DrawnMesh cut_mesh(const DrawnMesh& mesh, const std::vector<Cut>& cuts) {
    if (cuts.empty()) return mesh;
    DrawnMesh kept;
    kept.colour = mesh.colour;
    kept.wall = mesh.wall;
    for (const auto& t : mesh.triangle) {
        std::vector<Vec3> polygon;
        polygon.reserve(t.size());
        for (const std::int32_t corner : t) polygon.push_back(mesh.vertex[static_cast<std::size_t>(corner)]);
        for (const Cut& cut : cuts) {
            Vec3 n;
            along(n, cut.axis) = -cut.sign;
            polygon = clipped(polygon, {n, -cut.sign * cut.value});
        }
        add_polygon(kept, polygon);
    }
    return kept;
}

}  // namespace

std::vector<WallMesh> wall_meshes(const FrameParts& frame, const Look& look, const Aabb& region) {
    std::vector<WallMesh> meshes;
    const auto planes = planes_of(frame, look);
    const std::vector<Vec3> places = sampled(frame);
    std::vector<HalfSpace> bounds = faces_of(region);
    for (const auto& of_wall : planes) {
        std::copy_if(of_wall.begin(), of_wall.end(), std::back_inserter(bounds),
                     [&](const HalfSpace& s) { return share_below(places, s) < kFewBodies; });
    }
    for (std::size_t w = 0; w < frame.walls->size(); ++w) {
        if (!is_drawn(frame, look, w)) continue;
        const WallSurface& wall = (*frame.walls)[w];
        WallMesh made{wall.name, {}, wall.triangle.empty()};
        made.mesh.colour = from_screen(kWallColour);
        made.mesh.vertex = moved(wall.vertex, wall_pose(frame.bodies, w));
        made.mesh.triangle = wall.triangle;
        for (const HalfSpace& plane : planes[w]) {
            std::vector<Vec3> polygon = square_in(plane, region);
            for (const HalfSpace& bound : bounds) {
                const double size = norm(region.max - region.min) + norm(region.max);
                const bool itself = dot(bound.normal, plane.normal) > 1 - 1e-9 && std::fabs(bound.offset - plane.offset) < 1e-9 * size;
                if (!itself) polygon = clipped(polygon, bound);
            }
            add_polygon(made.mesh, polygon);
        }
        made.mesh = cut_mesh(cut_mesh(made.mesh, look.cuts), look.sections);
        made.mesh.wall = static_cast<std::uint32_t>(w);
        if (!made.mesh.triangle.empty()) meshes.push_back(std::move(made));
    }
    return meshes;
}

std::vector<DrawnMesh> seen_walls(const FrameParts& frame, const Look& look, const Aabb& region, const Camera& camera) {
    std::vector<DrawnMesh> seen;
    const std::vector<Vec3> places = sampled(frame);
    for (WallMesh& wall : wall_meshes(frame, look, region)) {
        const auto given = look.transparent.find(wall.name);
        if (given != look.transparent.end() || look.solid.contains(wall.name)) {
            wall.mesh.opacity = given == look.transparent.end() ? 1.0f : static_cast<float>(given->second);
            seen.push_back(std::move(wall.mesh));
            continue;
        }
        // Triangles turn to glass by and by, in steps that a film does not show as a flicker.
        std::vector<DrawnMesh> by_level(kLevels + 1, wall.mesh);
        for (std::size_t level = 0; level <= kLevels; ++level) {
            by_level[level].triangle.clear();
            by_level[level].opacity = 1 - (1 - kGlass) * static_cast<float>(level) / static_cast<float>(kLevels);
        }
        for (const auto& t : wall.mesh.triangle) {
            const auto corner = [&](std::size_t k) { return wall.mesh.vertex[static_cast<std::size_t>(t[k])]; };
            Vec3 n = cross(corner(1) - corner(0), corner(2) - corner(0));
            const Vec3 to_eye = camera.orthographic ? camera.eye - camera.at : camera.eye - corner(0);
            if (dot(n, to_eye) > 0) n = -n;  // away from the camera
            const Hidden hidden = hidden_by({corner(0), corner(1), corner(2)}, places, camera);
            const auto here = static_cast<double>(hidden.before + hidden.behind);
            const double hides = hidden.behind > 2 ? glassy(static_cast<double>(hidden.before) / here, 0, kFewBodies) : 0;
            const double before = glassy(share_below(places, {n, dot(n, corner(0))}), 0.5 * kFewBodies, 1.5 * kFewBodies);
            const double level = places.empty() ? 0 : std::max(hides, before);
            by_level[static_cast<std::size_t>(std::lround(level * static_cast<double>(kLevels)))].triangle.push_back(t);
        }
        for (DrawnMesh& mesh : by_level) {
            if (!mesh.triangle.empty()) seen.push_back(std::move(mesh));
        }
    }
    return seen;
}

}  // namespace scree
