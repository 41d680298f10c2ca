#include "setup/streams/room.hpp"

#include <fmt/format.h>

#include "setup/sizes.hpp"
#include "setup/wall_overlaps.hpp"

namespace scree {

namespace {

constexpr int kSamples = 64;

}  // namespace

void check_room(const Scene& scene, const Model& model, const PlaceRegion& region, double radius, std::uint64_t seed,
                const std::string& who, const SourcePlace& place) {
    if (radius > region.inradius())
        throw Error(place, fmt::format("{}: a body of radius {:.4g} m does not fit into its region, which holds radii up to {:.4g} m", who,
                                       radius, region.inradius()));
    Model trial = model;
    trial.bodies = {};
    Rng rng = draw_stream(seed, Draw::Position, 0);
    for (int k = 0; k < kSamples; ++k) trial.bodies.add_sphere(region.random_centre(rng, radius), radius, 0, 1.0);
    const std::vector<WallOverlap> found = find_wall_overlaps(scene, trial, 1e-6, 1e-6);
    for (std::size_t w = 0; w < found.size(); ++w)
        if (found[w].past_limit > 0)
            throw Error(place, fmt::format("{}: a body of radius {:.4g} m in its region may start {:.3g} m deep in wall \"{}\". Make the "
                                           "region smaller, or move it or the wall",
                                           who, radius, found[w].depth_past_limit, model.walls[w].name));
    const Aabb around = region.bounds();
    if (!model.domain.box.contains(around.min) || !model.domain.box.contains(around.max))
        throw Error(place, fmt::format("{}: its region reaches out of the domain, which what comes would leave at once: make the one "
                                       "smaller or the other larger",
                                       who));
}

}  // namespace scree
