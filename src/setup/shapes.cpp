#include "setup/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

#include "model/planar_shape.hpp"
#include "scene/files_of.hpp"
#include "setup/meshes/hull.hpp"
#include "setup/rounded_shape.hpp"
#include "setup/sizes.hpp"
#include "setup/walls.hpp"

namespace scree {

namespace {

ConvexShape hull_shape(const std::string& name, const std::vector<Vec3>& points) {
    const FaceList hull = convex_hull(name, points);
    return make_convex_shape(name, hull.vertex, hull.face);
}

/// Corners (±x, ±y, ±z) and their cyclic permutations.
void add_signed(std::vector<Vec3>& points, double x, double y, double z) {
    for (int turn = 0; turn < 3; ++turn) {
        const auto signs = [](double v) { return v == 0.0 ? std::vector<double>{0.0} : std::vector<double>{-v, v}; };
        for (const double c : signs(z))
            for (const double b : signs(y))
                for (const double a : signs(x)) points.push_back({a, b, c});
        std::tie(x, y, z) = std::tuple{z, x, y};
        if (x == y && y == z) return;
    }
}

/// Corners of a regular solid, and the length of its edges.
std::pair<std::vector<Vec3>, double> regular_solid(const std::string& kind) {
    constexpr double phi = std::numbers::phi;
    std::vector<Vec3> points;
    if (kind == "tetrahedron") return {{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, 2.0 * std::numbers::sqrt2};
    if (kind == "cube") {
        add_signed(points, 1, 1, 1);
        return {points, 2.0};
    }
    if (kind == "octahedron") {
        add_signed(points, 1, 0, 0);
        return {points, std::numbers::sqrt2};
    }
    if (kind == "dodecahedron") {
        add_signed(points, 1, 1, 1);
        add_signed(points, 0, 1 / phi, phi);
        return {points, 2.0 / phi};
    }
    add_signed(points, 0, 1, phi);  // icosahedron
    return {points, 2.0};
}

/// A ball of triangles: an icosahedron, each triangle cut in four as often as it takes, corners on the unit sphere.
FaceList ball_of_triangles(const std::string& name, std::int64_t faces) {
    FaceList ball = convex_hull(name, regular_solid("icosahedron").first);
    for (Vec3& p : ball.vertex) p = normalized(p);
    while (static_cast<std::int64_t>(ball.face.size()) < faces) {
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middle;
        const auto middle_of = [&](std::int32_t a, std::int32_t b) {
            const auto [entry, is_new] =
                middle.emplace(std::pair{std::min(a, b), std::max(a, b)}, static_cast<std::int32_t>(ball.vertex.size()));
            if (is_new)
                ball.vertex.push_back(normalized(ball.vertex[static_cast<std::size_t>(a)] + ball.vertex[static_cast<std::size_t>(b)]));
            return entry->second;
        };
        std::vector<std::vector<std::int32_t>> finer;
        for (const auto& f : ball.face) {
            const std::int32_t ab = middle_of(f[0], f[1]), bc = middle_of(f[1], f[2]), ca = middle_of(f[2], f[0]);
            for (const auto& part : {std::vector{f[0], ab, ca}, {ab, f[1], bc}, {ca, bc, f[2]}, {ab, bc, ca}}) finer.push_back(part);
        }
        ball.face = std::move(finer);
    }
    return ball;
}

ConvexShape geodesic(const std::string& name, std::int64_t faces) {
    const FaceList ball = ball_of_triangles(name, faces);
    return make_convex_shape(name, ball.vertex, ball.face);
}

/// Largest distance of a surface from its centre: to go to the outermost point along where one is leads farther out each time.
double farthest_point(const SmoothSurface& surface) {
    double farthest = 0.0;
    for (int corner = 1; corner < 8; ++corner) {
        Vec3 at{corner & 1 ? surface.axes.x : 0.0, corner & 2 ? surface.axes.y : 0.0, corner & 4 ? surface.axes.z : 0.0};
        for (int k = 0; k < 200; ++k) at = surface.support(at);
        farthest = std::max(farthest, norm(at));
    }
    return farthest;
}

/// Volume and second moments of area x2, y2, z2 of density 1, by Dirichlet's integrals.
struct SmoothMoments {
    double volume;
    Vec3 second;
};
SmoothMoments moments_of(const SmoothSurface& s) {
    const auto gamma = [](double x) { return std::tgamma(x); };
    const double p = s.side, q = s.top;
    const double area = 4 * gamma(1 + 1 / p) * gamma(1 + 1 / p) / gamma(1 + 2 / p);                     // of the section z = 0 over a b
    const double across = 4 / (p * p) * gamma(3 / p) * gamma(1 / p) / gamma(1 + 4 / p);                 // its integral of (x / a)^2
    const auto along = [&](double a, double b) { return 2 / q * gamma(a) * gamma(b) / gamma(a + b); };  // of z^(a q - 1) (1 - z^q)^(b - 1)
    const double box = s.axes.x * s.axes.y * s.axes.z, sides = box * across * along(1 / q, 4 / q + 1);
    return {box * area * along(1 / q, 2 / q + 1),
            {s.axes.x * s.axes.x * sides, s.axes.y * s.axes.y * sides, s.axes.z * s.axes.z * box * area * along(3 / q, 2 / q + 1)}};
}

/// Points of a surface for the polyhedron within it: the outermost along many directions, which crowd where it is curved; of those that
/// crowd too much one stays.
std::vector<Vec3> points_on(const SmoothSurface& surface, const std::string& name) {
    constexpr double apart = 0.03;  // of the axes
    std::vector<Vec3> points;
    const auto is_new = [&](Vec3 p) {
        return std::none_of(points.begin(), points.end(), [&](Vec3 q) {
            const Vec3 d = p - q;
            return norm(Vec3{d.x / surface.axes.x, d.y / surface.axes.y, d.z / surface.axes.z}) < apart;
        });
    };
    for (const Vec3& u : ball_of_triangles(name, 320).vertex) {
        const Vec3 p = surface.support({u.x / surface.axes.x, u.y / surface.axes.y, u.z / surface.axes.z});
        if (is_new(p)) points.push_back(p);
        if (const Vec3 other{p.x, p.y, -p.z}; surface.stick > 0 && is_new(other)) points.push_back(other);
    }
    return points;
}

/// Of a capsule of radius r whose axis is 2 h long: a cylinder and a ball, whose halves are h away.
SmoothMoments capsule_moments(double r, double h) {
    constexpr double pi = std::numbers::pi;
    const double rod = pi * r * r * 2 * h, ball = 4.0 / 3 * pi * r * r * r;
    const double across = rod * r * r / 4 + ball * r * r / 5;
    return {rod + ball, {across, across, rod * h * h / 3 + ball * (r * r / 5 + h * h + 2 * h * 3.0 / 8 * r)}};
}

/// Undoes what a template does to what it is made of: its frame is that of what it was given, but for the scale.
void keep_frame(ConvexShape& shape) {
    const double R = shape.bounding_radius;
    const Vec3 shift = shape.centre / R;
    shape.inradius = 1.0;
    shape.box_min = {1, 1, 1};
    shape.box_max = {-1, -1, -1};
    for (Vec3& p : shape.vertex) {
        p = rotate(shape.to_given, p) + shift;
        shape.box_min = {std::min(shape.box_min.x, p.x), std::min(shape.box_min.y, p.y), std::min(shape.box_min.z, p.z)};
        shape.box_max = {std::max(shape.box_max.x, p.x), std::max(shape.box_max.y, p.y), std::max(shape.box_max.z, p.z)};
    }
    for (std::size_t f = 0; f < shape.faces(); ++f) {
        shape.normal[f] = rotate(shape.to_given, shape.normal[f]);
        shape.offset[f] += dot(shape.normal[f], shift);
        shape.inradius = std::min(shape.inradius, shape.offset[f]);
    }
    shape.to_given = {};
    shape.centre = {};
}

/// An ellipsoid, superquadric or capsule, and a polyhedron within it.
ConvexShape smooth_shape(const SceneShape& given) {
    SmoothSurface surface{given.semi_axes, given.n2, given.n1};
    if (given.kind == "capsule") {
        const double r = given.base_radius;
        surface = {{r, r, r}, 2, 2, 0.5 * given.height - r};
    }
    const SmoothMoments moments = surface.stick > 0 ? capsule_moments(surface.axes.x, surface.stick) : moments_of(surface);
    ConvexShape shape = hull_shape(given.name, points_on(surface, given.name));
    keep_frame(shape);
    // Of the ball about the body, not about its polyhedron.
    const double R = std::max(shape.bounding_radius, farthest_point(surface)), smaller = shape.bounding_radius / R;
    for (Vec3& p : shape.vertex) p *= smaller;
    for (double& h : shape.offset) h *= smaller;
    shape.box_min *= smaller;
    shape.box_max *= smaller;
    shape.inradius *= smaller;
    shape.bounding_radius = R;
    surface.axes = surface.axes / R;
    surface.stick /= R;
    shape.smooth = surface;
    shape.volume = moments.volume / (R * R * R);
    const Vec3 s = moments.second / (moments.volume * R * R);
    shape.inertia = {s.y + s.z, s.z + s.x, s.x + s.y};
    return shape;
}

ConvexShape prism(const SceneShape& shape) {
    std::vector<Vec3> vertex;
    std::vector<std::vector<std::int32_t>> faces(2);
    const std::int32_t n = static_cast<std::int32_t>(shape.sides);
    for (std::int32_t k = 0; k < n; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / n;
        const double x = shape.base_radius * std::cos(angle), y = shape.base_radius * std::sin(angle);
        vertex.push_back({x, y, -0.5 * shape.height});
        vertex.push_back({x, y, 0.5 * shape.height});
        faces[0].push_back(2 * (n - 1 - k));
        faces[1].push_back(2 * k + 1);
        const std::int32_t next = 2 * ((k + 1) % n);
        faces.push_back({2 * k, next, next + 1, 2 * k + 1});
    }
    return make_convex_shape(shape.name, vertex, faces);
}

/// A prism whose base has the area of a circle.
ConvexShape cylinder(SceneShape shape) {
    if (shape.sides == 0) shape.sides = 24;
    const double angle = 2 * std::numbers::pi / static_cast<double>(shape.sides);
    shape.base_radius *= std::sqrt(angle / std::sin(angle));
    return prism(shape);
}

ConvexShape polygon(const SceneShape& shape) {
    if (!shape.vertices.empty()) return planar_shape(shape.name, planar_hull(shape.vertices));
    const double half = std::numbers::pi / static_cast<double>(shape.sides), R = shape.edge ? *shape.edge / (2 * std::sin(half)) : 1.0;
    std::vector<Vec3> corners;
    // One side below and level, as most bodies stand.
    for (std::int64_t k = 0; k < shape.sides; ++k) {
        const double angle = -0.5 * std::numbers::pi + half * static_cast<double>(2 * k + 1);
        corners.push_back({R * std::cos(angle), R * std::sin(angle), 0});
    }
    return planar_shape(shape.name, corners);
}

ConvexShape mesh_shape(const Scene& scene, const SceneShape& shape) {
    const TriangleMesh mesh = read_mesh(resolved_path(scene.folder, shape.file), shape.scale, {}, shape.file_place);
    if (shape.hull) return hull_shape(shape.name, mesh.vertices);
    std::vector<std::vector<std::int32_t>> faces;
    faces.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles) faces.push_back({t[0], t[1], t[2]});
    return make_convex_shape(shape.name, mesh.vertices, faces);
}

ConvexShape sharp_shape(const Scene& scene, const SceneShape& shape) {
    if (shape.kind == "box") return box_shape(shape.name, shape.edges);
    if (shape.kind == "polyhedron") return hull_shape(shape.name, shape.vertices);
    if (shape.kind == "mesh") return mesh_shape(scene, shape);
    if (shape.kind == "prism") return prism(shape);
    if (shape.kind == "cylinder") return cylinder(shape);
    if (shape.kind == "polygon") return polygon(shape);
    if (shape.kind == "geodesic") return geodesic(shape.name, shape.faces);
    if (shape.kind == "ellipsoid" || shape.kind == "superquadric" || shape.kind == "capsule") return smooth_shape(shape);
    for (const char* kind : {"tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"})
        if (shape.kind == kind) {
            auto [points, edge] = regular_solid(kind);
            const double scale = shape.edge.value_or(edge / norm(points[0])) / edge;
            for (Vec3& p : points) p *= scale;
            return hull_shape(shape.name, points);
        }
    throw Error(fmt::format("shapes of kind \"{}\" are not available", shape.kind));
}

ConvexShape shape_of_kind(const Scene& scene, const SceneShape& shape) {
    const ConvexShape sharp = sharp_shape(scene, shape);
    return shape.rounding > 0 ? rounded_shape(sharp, shape.rounding, static_cast<int>(shape.bevels)) : sharp;
}

}  // namespace

ConvexShape build_shape(const Scene& scene, const SceneShape& shape) {
    try {
        return shape_of_kind(scene, shape);
    } catch (const Error& fault) {
        const std::string what = fault.what();
        if (what.starts_with(shape.place.file)) throw;  // says where already
        throw Error(shape.place, what);
    }
}

SizeDistribution sizes_of(const Scene& scene, const SceneShape& shape, const ConvexShape* natural) {
    SizeDistribution sizes = shape.size;
    if (natural != nullptr && shape.kind == "packed") sizes = {};  // those are of the spheres in it
    if (natural != nullptr && sizes.kind == SizeDistribution::Kind::Single && sizes.radius == 0.0) sizes.radius = natural->bounding_radius;
    if (!sizes.file.empty()) read_sieves(resolved_path(scene.folder, sizes.file), sizes);
    return sizes;
}

}  // namespace scree
