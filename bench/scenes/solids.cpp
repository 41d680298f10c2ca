#include "scenes/solids.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "engine/engine.hpp"
#include "model/contact_parameters.hpp"

namespace scree::bench {

namespace {

constexpr double edge = 0.01;     // of the cubes [m]
constexpr double density = 2500;  // [kg/m3]
constexpr int columns = 10;       // of the first bed, along x and y
constexpr double golden = 1.6180339887498949;

/// All sign changes and even permutations of a point.
void add_even(std::vector<Vec3>& points, double a, double b, double c) {
    for (int signs = 0; signs < 8; ++signs) {
        const double x = (signs & 1) != 0 ? -a : a, y = (signs & 2) != 0 ? -b : b, z = (signs & 4) != 0 ? -c : c;
        for (const Vec3 p : {Vec3{x, y, z}, Vec3{z, x, y}, Vec3{y, z, x}}) {
            const bool known = std::any_of(points.begin(), points.end(), [&](Vec3 q) { return norm2(p - q) < 1e-12; });
            if (!known) points.push_back(p);
        }
    }
}

std::vector<Vec3> corners_of(const std::string& name) {
    std::vector<Vec3> points;
    if (name == "cube") {
        add_even(points, 1, 1, 1);
    } else if (name == "octahedron") {
        add_even(points, 1, 0, 0);
    } else if (name == "dodecahedron") {
        add_even(points, 1, 1, 1);
        add_even(points, 0, 1 / golden, golden);
    } else if (name == "icosahedron") {
        add_even(points, 0, 1, golden);
    } else if (name == "football") {
        add_even(points, 0, 1, 3 * golden);
        add_even(points, 1, 2 + golden, 2 * golden);
        add_even(points, golden, 2, 2 * golden + 1);
    } else {
        throw Error("unknown solid \"" + name + "\": use cube, octahedron, dodecahedron, icosahedron or football");
    }
    return points;
}

/// Faces of the hull of a few points: planes through three of them that have all others on one side. O(n^4), for n up to 60.
std::vector<std::vector<std::int32_t>> faces_of(const std::vector<Vec3>& points) {
    std::vector<std::vector<std::int32_t>> faces;
    const auto n = static_cast<std::int32_t>(points.size());
    const auto at = [&](std::int32_t k) { return points[static_cast<std::size_t>(k)]; };
    for (std::int32_t i = 0; i < n; ++i) {
        for (std::int32_t j = i + 1; j < n; ++j) {
            for (std::int32_t k = j + 1; k < n; ++k) {
                const Vec3 across = cross(at(j) - at(i), at(k) - at(i));
                if (norm(across) < 1e-9) continue;
                const Vec3 normal = dot(across, at(i)) > 0 ? normalized(across) : -normalized(across);
                std::vector<std::int32_t> on;
                bool outer = true;
                for (std::int32_t m = 0; m < n && outer; ++m) {
                    const double height = dot(at(m) - at(i), normal);
                    outer = height < 1e-9;
                    if (std::fabs(height) < 1e-9) on.push_back(m);
                }
                if (!outer || on[0] != i || on[1] != j) continue;  // each face once, from its first two corners
                const auto third = std::find(on.begin() + 2, on.end(), k);
                if (third != on.begin() + 2) continue;
                Vec3 middle{};
                for (const std::int32_t m : on) middle += at(m);
                middle = middle / static_cast<double>(on.size());
                const Vec3 u = normalized(at(on[0]) - middle), v = cross(normal, u);
                std::sort(on.begin(), on.end(), [&](std::int32_t p, std::int32_t q) {
                    return std::atan2(dot(at(p) - middle, v), dot(at(p) - middle, u)) <
                           std::atan2(dot(at(q) - middle, v), dot(at(q) - middle, u));
                });
                faces.push_back(on);
            }
        }
    }
    return faces;
}

Wall box(double width, double depth, bool floor) {
    Wall w;
    w.name = "box";
    w.planes = {{{0, 0, 0}, {1, 0, 0}}, {{width, 0, 0}, {-1, 0, 0}}, {{0, 0, 0}, {0, 1, 0}}, {{0, depth, 0}, {0, -1, 0}}};
    if (floor) w.planes.push_back({{0, 0, 0}, {0, 0, 1}});
    return w;
}

/// A square floor of 2 cm triangles about the bed.
Wall mesh_floor(std::int64_t triangles, double width, double depth) {
    constexpr double cell = 0.02;
    const auto cells = std::max<std::int64_t>(static_cast<std::int64_t>(std::ceil(std::max(width, depth) / cell)) + 2,
                                              std::llround(std::sqrt(static_cast<double>(triangles) / 2)));
    Wall w;
    w.name = "floor";
    const double x0 = 0.5 * width - 0.5 * static_cast<double>(cells) * cell, y0 = 0.5 * depth - 0.5 * static_cast<double>(cells) * cell;
    for (std::int64_t j = 0; j <= cells; ++j) {
        for (std::int64_t i = 0; i <= cells; ++i) {
            // A hundredth of a cell up and down, so that each cell is a face of its own.
            const double z = ((i + j) % 2 == 0 ? 0 : -0.01) * cell;
            w.mesh.vertices.push_back({x0 + static_cast<double>(i) * cell, y0 + static_cast<double>(j) * cell, z});
        }
    }
    const auto at = [cells](std::int64_t i, std::int64_t j) { return static_cast<std::int32_t>(j * (cells + 1) + i); };
    for (std::int64_t j = 0; j < cells; ++j) {
        for (std::int64_t i = 0; i < cells; ++i) {
            w.mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            w.mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return w;
}

Model empty_bed(const SolidBed& bed) {
    Model m;
    Material material;
    material.name = "solid";
    material.density = density;
    material.young = bed.young;
    material.poisson = 0.3;
    m.materials = {material};
    m.pairs = PairTable(1);
    m.pairs.set(0, 0, {0.1, 0.5});
    m.shapes = {solid(bed.shape)};
    return m;
}

void add(Model& m, double radius, Vec3 at, Quat turn, Vec3 v = {}) {
    m.bodies.add_convex(at, turn, 0, m.shapes[0], radius, 0, density, v);
}

/// Lets the bodies fall for half a second.
void settle(Model& m) {
    EngineOptions options;
    options.device = Device::Cpu;
    options.threads = 1;
    const auto engine = make_engine(m, options);
    const auto steps = static_cast<std::int64_t>(0.5 / m.dt);
    if (engine->advance(steps).fault.kind != FaultKind::None) throw RunError("the bed could not be settled");
    const Snapshot s = engine->snapshot();
    m.bodies.position = s.position;
    m.bodies.orientation = s.orientation;
    m.bodies.velocity = s.velocity;
    m.bodies.angular_velocity = s.angular_velocity;
}

/// Mirror images of a bed side by side: nx along x, ny along y.
void mirror(Model& m, std::int64_t nx, std::int64_t ny, double width, double depth) {
    const BodyTable one = m.bodies;
    m.bodies = {};
    for (std::int64_t j = 0; j < ny; ++j) {
        for (std::int64_t i = 0; i < nx; ++i) {
            const bool flip_x = i % 2 == 1, flip_y = j % 2 == 1;
            for (std::size_t k = 0; k < one.size(); ++k) {
                Vec3 x = one.position[k], v = one.velocity[k];
                Quat q = one.orientation[k];
                if (flip_x) {
                    x.x = width - x.x;
                    v.x = -v.x;
                    q = {q.w, q.x, -q.y, -q.z};
                }
                if (flip_y) {
                    x.y = depth - x.y;
                    v.y = -v.y;
                    q = {q.w, -q.x, q.y, -q.z};
                }
                add(m, one.radius[k], x + Vec3{static_cast<double>(i) * width, static_cast<double>(j) * depth, 0}, q, v);
            }
        }
    }
}

}  // namespace

ConvexShape solid(const std::string& name) {
    const std::vector<Vec3> corners = corners_of(name);
    return make_convex_shape(name, corners, faces_of(corners));
}

Model settled_solids(const SolidBed& bed) {
    Model m = empty_bed(bed);
    const double radius = edge / std::cbrt(m.shapes[0].volume);  // all solids have the volume of the cube
    const double spacing = 2.02 * radius;
    const double width = columns * spacing, depth = columns * spacing;
    Rng rng(1, 0);
    for (int k = 0; k < columns * columns * 10; ++k) {
        const auto at = [&](int c) { return (c + 0.5) * spacing + rng.uniform(-0.005, 0.005) * spacing; };
        const double x = at(k % columns), y = at(k / columns % columns), z = at(k / (columns * columns));
        const Vec3 axis{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        add(m, radius, {x, y, z}, rotation_by(rng.uniform(0, 3) * normalized(axis)));
    }
    m.walls = {box(width, depth, true)};
    m.dt = step_limits(m).automatic;
    settle(m);
    mirror_solids(m, std::max<std::int64_t>(1, bed.bodies / 1000));
    const double whole_x = m.walls[0].planes[1].point.x, whole_y = m.walls[0].planes[3].point.y;
    m.walls = {box(whole_x, whole_y, bed.floor_triangles == 0)};
    if (bed.floor_triangles > 0) m.walls.push_back(mesh_floor(bed.floor_triangles, whole_x, whole_y));
    return m;
}

void mirror_solids(Model& m, std::int64_t tiles) {
    const double width = m.walls[0].planes[1].point.x, depth = m.walls[0].planes[3].point.y;
    auto nx = static_cast<std::int64_t>(std::sqrt(static_cast<double>(tiles)));
    while (tiles % nx != 0) --nx;
    mirror(m, nx, tiles / nx, width, depth);
    m.walls = {box(static_cast<double>(nx) * width, static_cast<double>(tiles / nx) * depth, true)};
}

}  // namespace scree::bench
