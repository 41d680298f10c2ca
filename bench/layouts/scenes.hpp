// Places of particles of diameter 1: anywhere at random, as many neighbours each on average as asked for, or packed without crowding.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "layouts/grid.hpp"
#include "layouts/particles.hpp"

namespace scree::layouts {

struct Scene {
    std::vector<Vec3> position, velocity;
    Vec3 lower, upper;  // corners of the box
};

/// Stands for `neighbours` where particles are packed.
inline constexpr double packed = 0;

namespace detail {

/// n points in a cube; a sphere of radius 1 about one holds 4/3 pi n / volume others.
inline std::vector<Vec3> random_points(Id n, double neighbours, Rng& rng) {
    const double edge = std::cbrt(4.0 / 3.0 * 3.141592653589793 * n / neighbours);
    std::vector<Vec3> points(n);
    for (Vec3& p : points) p = {rng.uniform(0, edge), rng.uniform(0, edge), rng.uniform(0, edge)};
    return points;
}

/// n points near those of a face-centred cubic lattice, in no order. Nearest neighbours are 0.95 apart and shifted by at most 0.012 along
/// each axis, so they stay between 0.90 and 1 apart: twelve neighbours each, and hard spheres of diameter 0.9 would not overlap. The next
/// nearest are 1.3 apart.
inline std::vector<Vec3> packed_points(Id n, Rng& rng) {
    const double cube = 0.95 * std::sqrt(2.0), jitter = 0.012;
    const auto edge = static_cast<int>(std::ceil(std::cbrt(n / 4.0)));
    std::vector<Vec3> points;
    for (int z = 0; points.size() < n; ++z) {
        for (int y = 0; y < edge; ++y) {
            for (int x = 0; x < edge; ++x) {
                for (const Vec3 corner : {Vec3{0, 0, 0}, Vec3{0.5, 0.5, 0}, Vec3{0.5, 0, 0.5}, Vec3{0, 0.5, 0.5}}) {
                    const Vec3 shift{rng.uniform(-jitter, jitter), rng.uniform(-jitter, jitter), rng.uniform(-jitter, jitter)};
                    points.push_back(cube * (Vec3{1.0 * x, 1.0 * y, 1.0 * z} + corner) + shift);
                }
            }
        }
    }
    points.resize(n);
    for (std::size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[rng.bits() % i]);
    return points;
}

}  // namespace detail

/// Corners of the smallest box around the points.
inline void fit_box(Scene& scene) {
    if (scene.position.empty()) return;
    scene.lower = scene.upper = scene.position[0];
    for (const Vec3 p : scene.position) {
        scene.lower = {std::min(scene.lower.x, p.x), std::min(scene.lower.y, p.y), std::min(scene.lower.z, p.z)};
        scene.upper = {std::max(scene.upper.x, p.x), std::max(scene.upper.y, p.y), std::max(scene.upper.z, p.z)};
    }
}

/// The same scene for the same seed.
inline Scene make_scene(Id n, double neighbours, std::uint64_t seed = 1) {
    Scene scene;
    Rng rng(seed, 2);
    scene.position = neighbours == packed ? detail::packed_points(n, rng) : detail::random_points(n, neighbours, rng);
    scene.velocity.resize(n);
    for (Vec3& v : scene.velocity) v = {rng.normal(), rng.normal(), rng.normal()};
    fit_box(scene);
    return scene;
}

/// Numbers particles anew, cell after cell.
inline void sort_by_cells(Scene& scene, const Grid& grid) {
    std::vector<Cell> cells;
    for (const Vec3 p : scene.position) cells.push_back(grid.cell(p));
    std::vector<Id> order(cells.size());
    std::iota(order.begin(), order.end(), Id{0});
    std::stable_sort(order.begin(), order.end(), [&](Id a, Id b) { return cells[a] < cells[b]; });
    const Scene before = scene;
    for (Id k = 0; k < order.size(); ++k) {
        scene.position[k] = before.position[order[k]];
        scene.velocity[k] = before.velocity[order[k]];
    }
}

/// The scene a step of `time` later; who would leave the box stays where it is.
inline Scene moved(Scene scene, double time) {
    const auto inside = [](double x, double low, double high) { return x >= low && x <= high; };
    for (std::size_t i = 0; i < scene.position.size(); ++i) {
        const Vec3 to = scene.position[i] + time * scene.velocity[i];
        if (inside(to.x, scene.lower.x, scene.upper.x) && inside(to.y, scene.lower.y, scene.upper.y) &&
            inside(to.z, scene.lower.z, scene.upper.z)) {
            scene.position[i] = to;
        }
    }
    return scene;
}

template <class Particles>
void load(const Scene& scene, Particles& particles) {
    particles.resize(static_cast<Id>(scene.position.size()));
    for (Id i = 0; i < particles.size(); ++i) particles.set(i, scene.position[i], scene.velocity[i]);
}

}  // namespace scree::layouts
