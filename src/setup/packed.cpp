#include "setup/packed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "model/limits.hpp"
#include "scene/files_of.hpp"
#include "setup/meshes/mesh_depth.hpp"
#include "setup/meshes/process_memory.hpp"
#include "setup/placement/placement.hpp"
#include "setup/placement/placement_relax.hpp"
#include "setup/placement/region.hpp"
#include "setup/placement/sphere_grid.hpp"
#include "setup/walls.hpp"

namespace scree {

namespace {

constexpr double kBall = 4.18879020478639098;  // 4 pi / 3
/// What random spheres fill of their room: relaxation stalls near 0.6.
constexpr double kRandomFraction = 0.53;
/// Room of spheres begins this share of their mean radius below the surface: what a wall keeps free of them, about.
constexpr double kFreeBelow = 0.35;
/// Looks at pairs that may be spent on each sphere: where most overlaps are gone, and what is left over costs little to leave out.
constexpr std::int64_t kLooks = 2000;
/// Rounding that a sphere which fits exactly is allowed, over its radius.
constexpr double kSlack = 1e-9;

double depth_of(const Filling& filling, double radius) {
    return (1 - filling.surface - kSlack) * radius;
}

[[noreturn]] void fail_to_fit(const MeshDepth& depth, const Filling& filling, double radius, const std::string& label,
                              const SourcePlace& place) {
    throw Error(place, fmt::format("no sphere of radius {:.4g} m fits into {}: it holds radii up to {:.4g} m with surface = {}", radius,
                                   label, depth.most() / std::max(1 - filling.surface, 1e-3), filling.surface));
}

/// Close-packed sites, touching, in layers across z, of which one is at `from`: spheres at those that are deep enough.
std::vector<Ball> lattice(const MeshDepth& depth, Vec3 from, double r, double least) {
    std::vector<Ball> spheres;
    const double row = std::numbers::sqrt3 * r, layer = 2 * std::sqrt(2.0 / 3.0) * r;
    const Aabb& box = depth.bounds();
    const auto steps = [](double low, double at, double step) { return static_cast<std::int64_t>(std::ceil((low - at) / step)); };
    for (std::int64_t k = steps(box.min.z, from.z, layer); from.z + static_cast<double>(k) * layer <= box.max.z; ++k) {
        const double z = from.z + static_cast<double>(k) * layer, y0 = from.y + (k % 2 != 0 ? row / 3 : 0.0);
        for (std::int64_t j = steps(box.min.y, y0, row); y0 + static_cast<double>(j) * row <= box.max.y; ++j) {
            const double y = y0 + static_cast<double>(j) * row, x0 = from.x + ((j + k) % 2 != 0 ? r : 0.0);
            for (std::int64_t i = steps(box.min.x, x0, 2 * r); x0 + 2 * r * static_cast<double>(i) <= box.max.x; ++i) {
                const Vec3 p{x0 + 2 * r * static_cast<double>(i), y, z};
                if (depth.is_deep(p, least)) spheres.push_back({p.x, p.y, p.z, r});
            }
        }
    }
    return spheres;
}

std::vector<Ball> fill_regularly(const MeshDepth& depth, const Filling& filling, const std::string& label, const SourcePlace& place) {
    const double r = filling.size.radius, least = depth_of(filling, r);
    if (!(depth.most() >= least)) fail_to_fit(depth, filling, r, label, place);
    std::vector<Ball> best = lattice(depth, depth.deepest(), r, least);
    // The lattice repeats itself after 2 r, 2 sqrt(3) r and 4 sqrt(2 / 3) r.
    const Vec3 half{r, std::numbers::sqrt3 * r, 2 * std::sqrt(2.0 / 3.0) * r}, middle = 0.5 * (depth.bounds().min + depth.bounds().max);
    for (int k = 0; k < 8; ++k) {
        const Vec3 from = middle + 0.5 * Vec3{half.x * (k % 2), half.y * (k / 2 % 2), half.z * (k / 4)};
        std::vector<Ball> other = lattice(depth, from, r, least);
        if (other.size() > best.size()) best = std::move(other);
    }
    return best;
}

/// Volume of the part that is `least` deep or more, by samples on a lattice [m3].
double room_of(const MeshDepth& depth, double step, double least) {
    const Aabb& box = depth.bounds();
    const Vec3 size = box.max - box.min;
    step = std::max(step, std::cbrt(size.x * size.y * size.z / 4e6));
    const auto cells = [step](double length) { return std::max<std::int64_t>(4, static_cast<std::int64_t>(std::ceil(length / step))); };
    const std::int64_t n[3] = {cells(size.x), cells(size.y), cells(size.z)};
    std::int64_t inside = 0;
    for (std::int64_t z = 0; z < n[2]; ++z)
        for (std::int64_t y = 0; y < n[1]; ++y)
            for (std::int64_t x = 0; x < n[0]; ++x) {
                const auto at = [](std::int64_t k, std::int64_t of) { return (static_cast<double>(k) + 0.5) / static_cast<double>(of); };
                inside += depth.is_deep(box.min + Vec3{at(x, n[0]) * size.x, at(y, n[1]) * size.y, at(z, n[2]) * size.z}, least) ? 1 : 0;
            }
    return size.x * size.y * size.z * static_cast<double>(inside) / static_cast<double>(n[0] * n[1] * n[2]);
}

/// Radii of as many spheres as fill the room, at least one.
std::vector<double> radii_for(const MeshDepth& depth, const Filling& filling, const std::string& label, const SourcePlace& place) {
    const Sizes sizes(filling.size, filling.seed, place);
    double mean = 0;
    constexpr std::uint64_t drawn = 100;
    for (std::uint64_t k = 0; k < drawn; ++k) mean += sizes.radius(k) / static_cast<double>(drawn);
    const double wanted = kRandomFraction * room_of(depth, 0.75 * mean, std::max(0.0, kFreeBelow - filling.surface) * mean);
    std::vector<double> radius;
    double sum = 0;
    for (std::uint64_t k = 0;; ++k) {
        const double r = sizes.radius(k), volume = kBall * r * r * r;
        if (!(depth.most() >= depth_of(filling, r))) fail_to_fit(depth, filling, r, label, place);
        if (k > 0 && sum + 0.5 * volume > wanted) return radius;
        if (k % (1 << 16) == 0) require_room(wanted / volume, available_memory(), place);
        sum += volume;
        radius.push_back(r);
    }
}

/// Those that stick out, or overlap one that is kept.
std::vector<Ball> without_faults(const MeshDepth& depth, const Filling& filling, const std::vector<double>& radius,
                                 const std::vector<Vec3>& position) {
    std::vector<Ball> kept;
    SphereGrid grid(*std::min_element(radius.begin(), radius.end()), radius.size());
    for (std::size_t k = 0; k < radius.size(); ++k) {
        const double r = radius[k];
        bool free = depth.is_deep(position[k], depth_of(filling, r));
        grid.near(position[k], r, [&](std::int32_t other) {
            const auto j = static_cast<std::size_t>(other);
            free = free && norm(position[j] - position[k]) >= (1 - kSlack) * (r + radius[j]);
            return free;
        });
        if (!free) continue;
        grid.insert(static_cast<std::int32_t>(k), position[k], r);
        kept.push_back({position[k].x, position[k].y, position[k].z, r});
    }
    const Vec3 p = depth.deepest();  // where each fits that fits anywhere
    if (kept.empty()) kept.push_back({p.x, p.y, p.z, radius.front()});
    return kept;
}

std::vector<Ball> fill_at_random(const MeshDepth& depth, const Filling& filling, const std::string& label, const SourcePlace& place) {
    const std::vector<double> radius = radii_for(depth, filling, label, place);
    const PlaceRegion region = PlaceRegion::of(depth, 1 - filling.surface);
    std::vector<Vec3> position;
    for (std::size_t k = 0; k < radius.size(); ++k) {
        Rng rng = draw_stream(filling.seed, Draw::Position, k);
        position.push_back(region.random_centre(rng, radius[k]));
    }
    std::int64_t looks = kLooks * static_cast<std::int64_t>(radius.size());
    (void)relax_overlaps(region, radius, position, {}, kRandomFraction, looks);
    return without_faults(depth, filling, radius, position);
}

std::string label_of(const std::string& file) {
    return fmt::format("the mesh of \"{}\"", file);
}

}  // namespace

std::vector<Ball> fill(const ClosedMesh& mesh, const Filling& filling, const std::string& label, const SourcePlace& place) {
    const Aabb box = bounds_of(mesh);
    const double extent = norm(box.max - box.min);
    const double r = filling.size.radius;  // 0 of several sizes
    const double about = r > 0 ? kRandomFraction * moments_of(mesh).volume / (kBall * r * r * r) : 0;
    if (!(about < static_cast<double>(count_limits().bodies)))
        throw Error(place, past_limit(about, count_limits().bodies, "spheres in one shape", "give them a larger radius"));
    require_room(about, available_memory(), place);
    const double width = r > 0 ? (filling.random ? r : 2 * r) : extent / 100;
    const MeshDepth depth(mesh, width);
    return filling.random ? fill_at_random(depth, filling, label, place) : fill_regularly(depth, filling, label, place);
}

ClosedMesh packed_mesh(const Scene& scene, const SceneShape& shape) {
    const std::string path = resolved_path(scene.folder, shape.file);
    return closed_mesh(read_mesh(path, shape.scale, {}, shape.file_place), label_of(shape.file), shape.file_place);
}

Solid packed_solid(const Scene& scene, const SceneShape& shape) {
    const ClosedMesh mesh = packed_mesh(scene, shape);
    const Moments moments = moments_of(mesh);
    Filling filling{shape.fill == "random", shape.size, shape.surface, shape.seed};
    if (!filling.size.file.empty()) read_sieves(resolved_path(scene.folder, filling.size.file), filling.size);
    Solid solid;
    for (const Ball& b : fill(mesh, filling, label_of(shape.file), shape.place))
        solid.parts.push_back({{{}, {b[0], b[1], b[2]}}, b[3], BodyTable::sphere_shape});
    solid.volume = moments.volume;
    solid.centre = moments.first / moments.volume;
    solid.inertia = central_inertia(moments);
    return solid;
}

}  // namespace scree
