#include "scenes/cone_beds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "base/mat3.hpp"
#include "base/rng.hpp"
#include "engine/engine.hpp"
#include "scenes/beds.hpp"
#include "scenes/solids.hpp"

namespace scree::bench {

namespace {

constexpr double edge = 0.01;  // of a cube [m]
constexpr double density = 2500;
constexpr std::int64_t tile = 16000;  // spheres that larger beds mirror

Model cone_model(double mu) {
    Model m;
    m.method = Method::Cone;
    Material material;
    material.name = "grain";
    material.density = density;
    material.young = 1e7;
    material.poisson = 0.3;
    material.friction = mu;
    m.materials = {material};
    m.pairs = PairTable(1);
    m.pairs.set(0, 0, {0.0, mu});
    m.penalty.overlap_limit = 1e6;  // few iterations leave overlaps: they are measured, not refused
    m.gravity = {0, 0, -9.81};
    return m;
}

/// Columns from `nx` by `ny`, dropped and left for long enough to come to rest, at a short step.
void drop_cubes(Model& m, int nx, int ny, std::int64_t bodies) {
    const double radius = edge / std::cbrt(m.shapes[0].volume), spacing = 2.02 * radius;
    Rng rng(1, 0);
    for (std::int64_t k = 0; k < bodies; ++k) {
        const auto at = [&](std::int64_t c) { return (static_cast<double>(c) + 0.5) * spacing + rng.uniform(-0.005, 0.005) * spacing; };
        const double x = at(k % nx), y = at(k / nx % ny), z = at(k / (nx * ny));
        const Vec3 axis{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        m.bodies.add_convex({x, y, z}, rotation_by(rng.uniform(0, 3) * normalized(axis)), 0, m.shapes[0], radius, 0, density);
    }
    Wall w;
    w.name = "box";
    w.planes = {{{0, 0, 0}, {1, 0, 0}},
                {{nx * spacing, 0, 0}, {-1, 0, 0}},
                {{0, 0, 0}, {0, 1, 0}},
                {{0, ny * spacing, 0}, {0, -1, 0}},
                {{0, 0, 0}, {0, 0, 1}}};
    m.walls = {w};
    m.dt = 1e-3;
    m.cone.iterations = 40;
    EngineOptions options;
    options.device = Device::Cpu;
    options.threads = 1;
    const auto engine = make_engine(m, options);
    if (engine->advance(700).fault.kind != FaultKind::None) throw RunError("the cubes could not be settled");
    const Snapshot s = engine->snapshot();
    m.bodies.position = s.position;
    m.bodies.orientation = s.orientation;
    m.bodies.velocity = s.velocity;
    m.bodies.angular_velocity = s.angular_velocity;
}

struct Cube {
    Vec3 centre, axis[3];
};

/// Least overlap of two cubes of half edge h over their separating axes, negative where one separates (Gottschalk et al. 1996).
double overlap_of(const Cube& a, const Cube& b, double h) {
    const Vec3 d = b.centre - a.centre;
    double least = 1e9;
    const auto look = [&](Vec3 axis) {
        const double length = norm(axis);
        if (length < 1e-3) return;  // nearly parallel edges: the faces' axes decide
        double reach = 0;
        for (int k = 0; k < 3; ++k) reach += h * (std::fabs(dot(a.axis[k], axis)) + std::fabs(dot(b.axis[k], axis)));
        least = std::min(least, (reach - std::fabs(dot(d, axis))) / length);
    };
    for (int k = 0; k < 3; ++k) {
        look(a.axis[k]);
        look(b.axis[k]);
        for (int l = 0; l < 3; ++l) look(cross(a.axis[k], b.axis[l]));
    }
    return least;
}

std::vector<double> numbers_in(const std::string& text, const std::string& name) {
    const std::size_t at = text.find("Name=\"" + name + "\"");
    if (at == std::string::npos) throw Error("the pile's file has no array \"" + name + "\"");
    const std::size_t begin = text.find('>', at) + 1, end = text.find('<', begin);
    std::istringstream in(text.substr(begin, end - begin));
    std::vector<double> values;
    for (double v = 0; in >> v;) values.push_back(v);
    return values;
}

}  // namespace

Model cone_spheres(std::int64_t bodies, double tilt, const std::string& folder) {
    Bed bed = settled_bed(bodies % tile == 0 ? tile : bodies, 1, folder);
    if (bodies % tile == 0) {
        const std::int64_t tiles = bodies / tile;
        auto ny = static_cast<std::int64_t>(std::sqrt(static_cast<double>(tiles)));
        while (tiles % ny != 0) --ny;
        bed = mirrored(bed, static_cast<int>(tiles / ny), static_cast<int>(ny));
    }
    Model m = cone_model(0.5);
    const Model at_rest = bed_model(bed, 0, tilt);
    m.bodies = at_rest.bodies;
    m.walls = at_rest.walls;
    m.gravity = at_rest.gravity;
    return m;
}

Model cone_cubes(std::int64_t bodies) {
    Model m = cone_model(0.5);
    m.shapes = {solid("cube")};
    if (bodies % 1000 != 0) {
        drop_cubes(m, 8, 8, bodies);
        return m;
    }
    drop_cubes(m, 10, 10, 1000);
    mirror_solids(m, bodies / 1000);
    return m;
}

Model cone_pile(const std::string& path) {
    std::ifstream file(path);
    std::stringstream all;
    all << file.rdbuf();
    if (!file) throw Error("cannot read " + path);
    const std::string text = all.str();
    const std::vector<double> at = numbers_in(text, "Points"), radius = numbers_in(text, "radius"), mass = numbers_in(text, "mass");
    if (radius.empty() || mass.size() != radius.size() || at.size() != 3 * radius.size())
        throw Error(path + ": Points, radius and mass do not fit each other");
    Model m = cone_model(0.4);
    m.gravity = {0, 0, -10};
    for (std::size_t k = 0; k < radius.size(); ++k) {
        m.bodies.add_sphere({at[3 * k], at[3 * k + 1], at[3 * k + 2]}, radius[k], 0, density);
        m.bodies.mass.back() = mass[k];
    }
    Wall floor;
    floor.name = "floor";
    floor.planes = {{{0, 0, 0}, {0, 0, 1}}};
    m.walls = {floor};
    return m;
}

double deepest_of_cubes(const Snapshot& at, const Model& model) {
    const double h = edge / 2, bound = std::sqrt(3.0) * edge;
    std::map<std::array<int, 3>, std::vector<std::size_t>> cells;
    std::vector<Cube> cubes;
    const auto cell_of = [&](Vec3 x) {
        return std::array<int, 3>{static_cast<int>(std::floor(x.x / bound)), static_cast<int>(std::floor(x.y / bound)),
                                  static_cast<int>(std::floor(x.z / bound))};
    };
    double deepest = 0;
    for (std::size_t i = 0; i < at.position.size(); ++i) {
        const Mat3 R = rotation_matrix(at.orientation[i]);
        const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
        const Cube c{at.position[i], {R * x, R * y, R * z}};
        for (const Plane& p : model.walls[0].planes) {
            double below = dot(p.point - c.centre, p.normal);
            for (const Vec3& axis : c.axis) below += h * std::fabs(dot(axis, p.normal));
            deepest = std::max(deepest, below);
        }
        const std::array<int, 3> own = cell_of(c.centre);
        for (int k = 0; k < 27; ++k) {
            const auto found = cells.find({own[0] + k % 3 - 1, own[1] + k / 3 % 3 - 1, own[2] + k / 9 - 1});
            if (found == cells.end()) continue;
            for (const std::size_t j : found->second) deepest = std::max(deepest, overlap_of(cubes[j], c, h));
        }
        cells[own].push_back(i);
        cubes.push_back(c);
    }
    return deepest / edge;
}

}  // namespace scree::bench
