// Random placement: sequential addition, then relaxation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "setup/placement/placement.hpp"
#include "setup/placement/placement_relax.hpp"
#include "setup/meshes/process_memory.hpp"
#include "setup/placement/region.hpp"
#include "setup/placement/sphere_grid.hpp"

namespace scree {

namespace {

/// Places tried for one sphere before sequential addition counts as stalled; relaxation then costs less than more tries.
constexpr int kTries = 64;

/// Looks at pairs that relaxation may spend, a minute or two; and, where that has failed, those of finding what fraction fits.
constexpr std::int64_t kMostLooks = 6'000'000'000, kLooksForFraction = 3'000'000'000;

/// Of a ball, or the area of a disk.
double volume_of(double r, int dimensions) {
    return dimensions == 2 ? 3.14159265358979324 * r * r : 4.18879020478639098 * r * r * r;
}

/// Radii of as many bodies as are wanted, by number or until their volume is nearest to the wanted fraction.
std::vector<double> wanted_radii(const ScenePlacement& p, const Sizes& sizes, const PlaceRegion& region, double solid, int dimensions,
                                 const SourcePlace& place) {
    std::vector<double> radius;
    if (p.bodies) {
        require_room(static_cast<double>(*p.bodies), available_memory(), place);
        for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(*p.bodies); ++k) radius.push_back(sizes.radius(k));
        return radius;
    }
    if (!p.fraction) throw Error(place, "random placement needs fraction or bodies");
    if (!(*p.fraction > 0.0 && *p.fraction < 1.0)) throw Error(place, fmt::format("fraction {} must lie between 0 and 1", *p.fraction));
    const double wanted = *p.fraction * region.volume() / solid;  // volume of (bounding) spheres
    double sum = 0.0;
    constexpr std::uint64_t now_and_then = std::uint64_t{1} << 20;
    for (std::uint64_t k = 0;; ++k) {
        const double r = sizes.radius(k);
        if (k > 0 && k % now_and_then == 0) {
            const double drawn = static_cast<double>(k), about = drawn * wanted / sum;  // rare large ones may make it less
            if (!has_room(std::max(drawn, 0.25 * about), available_memory())) require_room(about, available_memory(), place);
        }
        if (sum + 0.5 * volume_of(r, dimensions) > wanted) break;
        sum += volume_of(r, dimensions);
        radius.push_back(r);
    }
    if (radius.empty()) throw Error(place, fmt::format("fraction {} is less than one body in this region", *p.fraction));
    return radius;
}

/// Bodies of earlier groups, and their images across periodic borders, that reach into the region's bounds, or to spheres of this radius
/// that reach out of them.
Obstacles obstacles_in(const PlaceRegion& region, const BodyTable& earlier, const Cell& cell, double largest) {
    Obstacles found;
    const Aabb bounds = region.bounds();
    for (std::size_t i = 0; i < earlier.size(); ++i) {
        const double r = earlier.radius[i];
        for (const ImageStep& step : nearest_images(cell, earlier.position[i])) {
            const Vec3 at = earlier.position[i] + cell.shift(step);
            if (!grown(bounds, cell.any() ? r + largest : r).contains(at)) continue;
            found.position.push_back(at);
            found.radius.push_back(r);
        }
    }
    return found;
}

/// Adds spheres one by one in the given order; returns how many found a place before the first that did not.
std::size_t add_sequentially(const PlaceRegion& region, const std::vector<std::size_t>& order, std::uint64_t seed,
                             const Obstacles& obstacles, Placed& placed) {
    const std::size_t n = order.size(), fixed = obstacles.position.size();
    double smallest = placed.radius[order.back()];
    for (const double r : obstacles.radius) smallest = std::min(smallest, r);
    SphereGrid grid(smallest, n + fixed);
    // In the grid obstacles have the numbers from n on.
    for (std::size_t i = 0; i < fixed; ++i) grid.insert(static_cast<std::int32_t>(n + i), obstacles.position[i], obstacles.radius[i]);
    // And behind those images across the borders of a periodic cell.
    std::vector<Vec3> image;
    std::vector<double> image_radius;
    const double largest = placed.radius[order.front()];
    const auto centre = [&](std::size_t j) {
        return j < n ? placed.position[j] : (j < n + fixed ? obstacles.position[j - n] : image[j - n - fixed]);
    };
    const auto size = [&](std::size_t j) {
        return j < n ? placed.radius[j] : (j < n + fixed ? obstacles.radius[j - n] : image_radius[j - n - fixed]);
    };
    for (std::size_t at = 0; at < n; ++at) {
        const std::size_t k = order[at];
        const double r = placed.radius[k];
        Rng rng = draw_stream(seed, Draw::Position, k);
        bool free = false;
        for (int i = 0; i < kTries && !free; ++i) {
            const Vec3 p = region.random_centre(rng, r);
            free = true;
            grid.near(p, r, [&](std::int32_t j) {
                const std::size_t other = static_cast<std::size_t>(j);
                const double touch = r + size(other);
                free = norm2(centre(other) - p) >= touch * touch;
                return free;
            });
            placed.position[k] = p;
        }
        if (!free) return at;
        grid.insert(static_cast<std::int32_t>(k), placed.position[k], r);
        for (const Vec3& way : region.images(placed.position[k], r + largest)) {
            grid.insert(static_cast<std::int32_t>(n + fixed + image.size()), placed.position[k] + way, r);
            image.push_back(placed.position[k] + way);
            image_radius.push_back(r);
        }
    }
    return n;
}

/// The fraction that fits without overlap: radii are lowered by 2 % at a time from where relaxation gave up.
double fraction_reached(const PlaceRegion& region, const Obstacles& obstacles, double fraction, int dimensions, Placed& placed) {
    std::int64_t looks = kLooksForFraction;
    for (int i = 1; i <= 10 && looks > 0; ++i) {
        const double shrunk = 1.0 - 0.02 * i, lower = fraction * std::pow(shrunk, dimensions);
        std::vector<double> radius = placed.radius;
        for (double& r : radius) r *= shrunk;
        if (relax_overlaps(region, radius, placed.position, obstacles, lower, looks) >= 1.0) return lower;
    }
    return 0.0;
}

}  // namespace

Placed place_random(const ScenePlacement& placement, const Sizes& sizes, std::uint64_t seed, const BodyTable& earlier,
                    const SourcePlace& place, double solid, int dimensions, const Cell& cell) {
    std::optional<PlaceRegion> region = PlaceRegion::of(placement, place, dimensions == 2);
    if (!region) throw Error(place, "random placement needs a region: box, cylinder, sphere or circle");
    region->repeat(cell);
    Placed placed;
    placed.radius = wanted_radii(placement, sizes, *region, solid, dimensions, place);
    const std::size_t n = placed.radius.size();
    if (n == 0) return placed;
    placed.position.resize(n);

    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return placed.radius[a] > placed.radius[b]; });
    const double largest = placed.radius[order.front()];
    if (largest > region->inradius())
        throw Error(place, fmt::format("a sphere of radius {} m does not fit into the region, which holds radii up to {} m", largest,
                                       region->inradius()));

    double volume = 0.0;
    for (const double r : placed.radius) volume += volume_of(r, dimensions);
    const double fraction = volume / region->volume();
    const char* what = solid < 1.0 ? "bounding spheres of bodies" : "bodies";
    if (fraction >= 1.0) throw Error(place, fmt::format("{} {} have {:.3g} times the volume of their region", n, what, fraction));
    const Obstacles obstacles = obstacles_in(*region, earlier, cell, largest);
    const std::size_t added = add_sequentially(*region, order, seed, obstacles, placed);
    if (added == n) return placed;
    for (std::size_t at = added; at < n; ++at) {
        Rng rng = draw_stream(seed, Draw::Position, order[at]);
        placed.position[order[at]] = region->random_centre(rng, placed.radius[order[at]]);
    }
    std::int64_t looks = kMostLooks;
    if (relax_overlaps(*region, placed.radius, placed.position, obstacles, fraction, looks) < 1.0) {
        const double reached = fraction_reached(*region, obstacles, fraction, dimensions, placed);
        const std::string found = reached > 0.0 ? fmt::format("about {:.3f} was reached", reached) : "none was found";
        const char* spent = looks > 0 ? "" : " within the work that a placement may take";
        throw Error(place,
                    fmt::format("{} {} would fill {:.4f} of the region without overlap; {}{}. Ask for fewer bodies or a larger region", n,
                                what, fraction, found, spent));
    }
    return placed;
}

}  // namespace scree
