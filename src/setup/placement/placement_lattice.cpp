// Explicit centres and lattices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "setup/placement/placement.hpp"
#include "setup/meshes/process_memory.hpp"
#include "setup/placement/region.hpp"

namespace scree {

namespace {

constexpr double kMostSites = 2147483647.0;  // ids have 32 bits
constexpr int kJitterTries = 100;

/// A lattice as a box-shaped cell with sites in it, in the order of z so that a cell fills upwards.
struct Cell {
    Vec3 size;                // [m]
    std::vector<Vec3> sites;  // from the cell's first site [m]
    std::size_t layers;       // sites at one height belong to one layer; all layers have the same number of sites
};

Cell cell_of(const std::string& lattice, double spacing, const SourcePlace& place) {
    const double s = spacing;
    if (lattice == "sc") return {{s, s, s}, {{0, 0, 0}}, 1};
    if (lattice == "fcc") {
        const double a = s * std::sqrt(2.0), h = 0.5 * a;
        return {{a, a, a}, {{0, 0, 0}, {h, h, 0}, {h, 0, h}, {0, h, h}}, 2};
    }
    if (lattice == "hcp") {
        // Layers A and B; B sits over the hollows of A, s / sqrt(3) aside and s sqrt(2/3) up.
        const double w = s * std::sqrt(3.0), h = s * std::sqrt(2.0 / 3.0);
        return {{s, w, 2.0 * h}, {{0, 0, 0}, {0.5 * s, 0.5 * w, 0}, {0.5 * s, w / 6.0, h}, {0, w * 2.0 / 3.0, h}}, 2};
    }
    throw Error(place, fmt::format("unknown lattice \"{}\": use sc, fcc or hcp", lattice));
}

/// One layer of a lattice, in the plane.
Cell planar_cell_of(const std::string& lattice, double spacing, const SourcePlace& place) {
    const double s = spacing, w = s * std::sqrt(3.0);
    if (lattice == "sc") return {{s, s, s}, {{0, 0, 0}}, 1};
    if (lattice == "hcp") return {{s, w, s}, {{0, 0, 0}, {0.5 * s, 0.5 * w, 0}}, 1};
    throw Error(place, fmt::format("lattice \"{}\" has no layer of its own in two dimensions: use sc or hcp", lattice));
}

/// Cells [first, last) along one axis.
struct Span {
    std::int64_t first, last;
};

/// All cells with a site between low and high, or the given number of cells.
Span span_of(std::int64_t count, double origin, double cell, double low, double high) {
    if (count > 0) return {0, count};
    return {static_cast<std::int64_t>(std::floor((low - origin) / cell)) - 1,
            static_cast<std::int64_t>(std::ceil((high - origin) / cell)) + 1};
}

/// Sites in order of height that the region (if any) holds, with their radii.
Placed place_sites(const ScenePlacement& p, const Sizes& sizes, const std::optional<PlaceRegion>& region, bool planar,
                   const SourcePlace& place) {
    const Cell cell = planar ? planar_cell_of(p.lattice, p.spacing, place) : cell_of(p.lattice, p.spacing, place);
    const Aabb bounds = region ? region->bounds() : Aabb{};
    const Vec3 half{0.5 * p.spacing, 0.5 * p.spacing, planar ? 0.0 : 0.5 * p.spacing};
    const Vec3 origin = p.origin ? *p.origin : (region ? bounds.min : Vec3{}) + half;
    const Span x = span_of(p.count[0], origin.x, cell.size.x, bounds.min.x, bounds.max.x);
    const Span y = span_of(p.count[1], origin.y, cell.size.y, bounds.min.y, bounds.max.y);
    const Span z = planar ? Span{0, 1} : span_of(p.count[2], origin.z, cell.size.z, bounds.min.z, bounds.max.z);
    const auto width = [](Span s) { return static_cast<double>(s.last - s.first); };
    const double sites = width(x) * width(y) * width(z) * static_cast<double>(cell.sites.size());
    if (sites > kMostSites) throw Error(place, fmt::format("the lattice has {:.3g} sites, more than ids can number", sites));
    constexpr double any = std::numeric_limits<double>::infinity();
    const double cells = region ? region->volume() / (cell.size.x * cell.size.y * (planar ? 1.0 : cell.size.z)) : any;  // that it holds
    const double most = p.bodies ? static_cast<double>(*p.bodies) : any;
    require_room(std::min({sites, cells * static_cast<double>(cell.sites.size()), most}), available_memory(), place);

    Placed placed;
    const std::size_t per_layer = cell.sites.size() / cell.layers;
    for (std::int64_t k = z.first; k < z.last; ++k)
        for (std::size_t layer = 0; layer < cell.layers; ++layer)
            for (std::int64_t j = y.first; j < y.last; ++j)
                for (std::int64_t i = x.first; i < x.last; ++i)
                    for (std::size_t b = layer * per_layer; b < (layer + 1) * per_layer; ++b) {
                        if (static_cast<double>(placed.position.size()) >= most) return placed;
                        const Vec3 corner{static_cast<double>(i) * cell.size.x, static_cast<double>(j) * cell.size.y,
                                          static_cast<double>(k) * cell.size.z};
                        const Vec3 site = origin + corner + cell.sites[b];
                        if (region && !region->holds(site, 0.0)) continue;  // spares the draw of a radius
                        const double r = sizes.radius(placed.position.size());
                        if (region && !region->holds(site, r)) continue;
                        placed.position.push_back(site);
                        placed.radius.push_back(r);
                    }
    return placed;
}

/// A point of the unit ball, or of the unit disk.
Vec3 in_ball(Rng& rng, bool planar) {
    for (;;) {
        const double x = rng.uniform(-1.0, 1.0), y = rng.uniform(-1.0, 1.0);
        const Vec3 p{x, y, planar ? 0.0 : rng.uniform(-1.0, 1.0)};
        if (norm2(p) <= 1.0) return p;
    }
}

/// Moves every sphere within a ball of `reach` [m], inside the region: two neighbours approach by 2 reach at most.
void shake(Placed& placed, double reach, std::uint64_t seed, const std::optional<PlaceRegion>& region, bool planar) {
    for (std::size_t k = 0; k < placed.position.size(); ++k) {
        Rng rng = draw_stream(seed, Draw::Jitter, k);
        const Vec3 site = placed.position[k];
        for (int i = 0; i < kJitterTries; ++i) {  // a site tight in its region may keep no room: it then stays
            const Vec3 moved = site + reach * in_ball(rng, planar);
            if (region && !region->holds(moved, placed.radius[k])) continue;
            placed.position[k] = moved;
            break;
        }
    }
}

}  // namespace

Placed place_at(const ScenePlacement& placement, const Sizes& sizes) {
    Placed placed;
    placed.position = placement.at;
    for (std::size_t k = 0; k < placed.position.size(); ++k) placed.radius.push_back(sizes.radius(k));
    return placed;
}

Placed place_lattice(const ScenePlacement& placement, const Sizes& sizes, std::uint64_t seed, const SourcePlace& place, int dimensions) {
    if (!(placement.spacing > 0.0) || !std::isfinite(placement.spacing))
        throw Error(place, fmt::format("spacing {} must be positive", placement.spacing));
    const bool planar = dimensions == 2;
    const std::optional<PlaceRegion> region = PlaceRegion::of(placement, place, planar);
    if (!region)
        for (const std::int64_t count : placement.count)
            if (count <= 0) throw Error(place, "a lattice needs counts along its axes, or a region to fill");
    Placed placed = place_sites(placement, sizes, region, planar, place);
    if (placed.position.empty())
        throw Error(place, "the region holds no site of the lattice with its whole sphere: make it larger or the spacing smaller");
    if (placement.bodies && placed.position.size() < static_cast<std::size_t>(*placement.bodies))
        throw Error(place,
                    fmt::format("{} bodies are wanted, but the lattice has {} sites{}: ask for at most {}, {}or make spacing smaller",
                                *placement.bodies, placed.position.size(), region ? " in its region" : "", placed.position.size(),
                                region ? "make the region larger, " : "give higher counts, "));
    if (placement.jitter > 0.0) {
        const double largest = *std::max_element(placed.radius.begin(), placed.radius.end());
        const double gap = placement.spacing - 2.0 * largest;
        if (gap <= 0.0)
            throw Error(place, fmt::format("jitter needs a gap, but spacing {} is not above the largest diameter {}", placement.spacing,
                                           2.0 * largest));
        shake(placed, 0.5 * placement.jitter * gap, seed, region, planar);
    }
    return placed;
}

}  // namespace scree
