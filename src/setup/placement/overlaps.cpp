// Overlaps at the start: every pair is found once, from its smaller bounding sphere. Convex bodies by separating axes (Gottschalk, Lin &
// Manocha 1996): the smallest overlap of two bodies' shadows along any of their axes is the shortest way out.
#include "setup/placement/overlaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "model/thickness.hpp"
#include "setup/placement/sphere_grid.hpp"

namespace scree {
namespace {

/// A body in place: the ball of `radius` about each vertex, and what lies between. A sphere is one vertex.
struct Solid {
    Vec3 centre;
    std::vector<Vec3> vertex;  // from the centre [m]
    std::vector<Vec3> normal, edge;
    double radius{0};
};

Solid solid_of(const BodyTable& bodies, const std::vector<ConvexShape>& shapes, std::size_t i) {
    Solid solid;
    solid.centre = bodies.position[i];
    if (bodies.shape[i] == BodyTable::sphere_shape) {
        solid.vertex = {Vec3{}};
        solid.radius = bodies.radius[i];
        return solid;
    }
    const ConvexShape& shape = shapes[static_cast<std::size_t>(bodies.shape[i])];
    const Quat q = bodies.orientation[i];
    for (const Vec3& v : shape.vertex) solid.vertex.push_back(rotate(q, bodies.radius[i] * v));
    for (const Vec3& n : shape.normal) solid.normal.push_back(rotate(q, n));
    for (const auto& [low, high] : shape.edge)
        solid.edge.push_back(solid.vertex[static_cast<std::size_t>(high)] - solid.vertex[static_cast<std::size_t>(low)]);
    return solid;
}

Solid moved(Solid solid, Vec3 way) {
    solid.centre += way;
    return solid;
}

/// How far two bodies' shadows on an axis overlap, negative where they are apart; `between` from the centre of a to that of b.
double overlap_along(Vec3 axis, const Solid& a, const Solid& b, Vec3 between) {
    const double length = norm(axis);
    if (!(length > 0)) return std::numeric_limits<double>::infinity();
    const auto reach = [](const Solid& solid, Vec3 direction) {
        double most = -std::numeric_limits<double>::infinity();
        for (const Vec3& v : solid.vertex) most = std::max(most, dot(v, direction));
        return most;
    };
    const double apart = dot(between, axis);
    const double ahead = reach(a, axis) + reach(b, -axis) - apart, behind = reach(a, -axis) + reach(b, axis) + apart;
    return std::min(ahead, behind) / length + a.radius + b.radius;
}

/// The shortest way out; exact where it is more than `enough`, else any number up to that.
double depth_of(const Solid& a, const Solid& b, double enough) {
    const Vec3 between = b.centre - a.centre;
    double depth = overlap_along(between, a, b, between);
    const auto look_along = [&](Vec3 axis) {
        depth = std::min(depth, overlap_along(axis, a, b, between));
        return depth > enough;
    };
    if (!(depth > enough)) return depth;
    for (const Solid* solid : {&a, &b}) {
        for (const Vec3& n : solid->normal) {
            if (!look_along(n)) return depth;
        }
    }
    for (const Vec3& of_a : a.edge) {
        for (const Vec3& of_b : b.edge) {
            // Parallel edges have no product but rounding.
            const Vec3 axis = cross(of_a, of_b);
            if (norm(axis) > 1e-9 * norm(of_a) * norm(of_b) && !look_along(axis)) return depth;
        }
    }
    // A sphere has a normal towards each vertex and edge.
    for (const auto& [ball, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
        if (ball->vertex.size() > 1 || other->vertex.size() == 1) continue;
        for (const Vec3& v : other->vertex) {
            const Vec3 to = ball->centre - other->centre - v;
            if (!look_along(to)) return depth;
            for (const Vec3& e : other->edge) {
                const Vec3 axis = to - dot(to, e) / dot(e, e) * e;
                if (norm(axis) > 1e-9 * norm(to) && !look_along(axis)) return depth;
            }
        }
    }
    return depth;
}

}  // namespace

Overlaps find_overlaps(const BodyTable& bodies, const std::vector<ConvexShape>& shapes, double warning, double limit,
                       const std::set<std::pair<std::int32_t, std::int32_t>>& apart, const Cell& cell) {
    const auto carrier_of = [&](std::size_t i) { return bodies.owner_of(i) >= 0 ? bodies.owner_of(i) : static_cast<std::int32_t>(i); };
    const auto is_sphere = [&](std::size_t i) { return bodies.shape[i] == BodyTable::sphere_shape; };
    const auto size_of = [&](std::size_t i) {
        const double flat = is_sphere(i) ? 1.0 : thickness_share(shapes[static_cast<std::size_t>(bodies.shape[i])].inradius);
        return bodies.radius[i] * flat;
    };
    Overlaps found;
    std::vector<std::size_t> solids;
    double smallest = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!is_sphere(i) && shapes[static_cast<std::size_t>(bodies.shape[i])].compound()) continue;
        smallest = solids.empty() ? bodies.radius[i] : std::min(smallest, bodies.radius[i]);
        largest = std::max(largest, bodies.radius[i]);
        solids.push_back(i);
    }
    if (solids.empty()) return found;
    SphereGrid grid(smallest, solids.size());
    for (const std::size_t i : solids) grid.insert(static_cast<std::int32_t>(i), bodies.position[i], bodies.radius[i]);
    // Images across borders have the numbers from there on.
    struct Image {
        std::size_t of;
        Vec3 way;
    };
    std::vector<Image> images;
    Aabb around;
    for (const std::size_t i : solids) around.include(bodies.position[i]);
    for (const std::size_t i : solids) {
        if (!cell.any()) break;
        for (const ImageStep& step : nearest_images(cell, bodies.position[i])) {
            const Vec3 way = cell.shift(step);
            if (way == Vec3{} || !grown(around, bodies.radius[i] + largest).contains(bodies.position[i] + way)) continue;
            grid.insert(static_cast<std::int32_t>(bodies.size() + images.size()), bodies.position[i] + way, bodies.radius[i]);
            images.push_back({i, way});
        }
    }
    for (const std::size_t i : solids) {
        const double r = bodies.radius[i];
        const auto look_at = [&](std::int32_t index) {
            const auto seen = static_cast<std::size_t>(index);
            const Image image = seen < bodies.size() ? Image{seen, Vec3{}} : images[seen - bodies.size()];
            const std::size_t j = image.of;
            const bool later = bodies.radius[j] > r || (bodies.radius[j] == r && j > i);
            if (!later) return true;
            const double bounds = r + bodies.radius[j] - norm(bodies.position[j] + image.way - bodies.position[i]);
            if (!(bounds > 0)) return true;
            const std::int32_t a = carrier_of(i), b = carrier_of(j);
            if (a == b || (!apart.empty() && apart.contains(std::minmax(a, b)))) return true;
            const bool spheres = is_sphere(i) && is_sphere(j);
            const double size = std::min(size_of(i), size_of(j));
            const double depth =
                spheres ? bounds : depth_of(solid_of(bodies, shapes, i), moved(solid_of(bodies, shapes, j), image.way), warning * size);
            const double share = depth / size;
            if (share > warning) ++found.past_warning;
            if (spheres && share > limit) ++found.past_limit;
            if (share > found.worst) {
                found.worst = share;
                found.first = static_cast<std::int32_t>(std::min(i, j));
                found.second = static_cast<std::int32_t>(std::max(i, j));
            }
            return true;
        };
        grid.near(bodies.position[i], r, look_at, r);
    }
    return found;
}

}  // namespace scree
