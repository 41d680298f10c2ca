#include "setup/streams/removals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "setup/materials.hpp"
#include "setup/sizes.hpp"
#include "setup/solids.hpp"
#include "setup/streams/room.hpp"

namespace scree {

namespace {

constexpr int kSamples = 64;

Recycling build_recycling(const Scene& scene, const SceneRecycling& given, const Removal& removal, Model& model) {
    const auto at = given.given.find("region");
    const SourcePlace& place = at == given.given.end() ? given.place : at->second;
    const std::string who = fmt::format("[[remove]] \"{}\" recycle", removal.name);
    Recycling built;
    built.region = *PlaceRegion::of(given.region, place, scene.dimensions == 2);
    built.velocity = given.velocity;
    built.angular_velocity = given.angular_velocity;
    built.random_turn = given.orientation == "random";
    built.tries = given.tries;
    built.seed = given.seed;
    BodyTable& bodies = model.bodies;
    bodies.later.resize(bodies.size(), 0);
    double largest = 0, smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::int32_t owner = bodies.owner_of(i);
        if (!removal.takes(bodies, owner < 0 ? i : static_cast<std::size_t>(owner))) continue;
        if (bodies.later[i] == 0) bodies.later[i] = BodyTable::comes_back;
        if (owner >= 0) continue;
        largest = std::max(largest, bodies.radius[i]);
        smallest = std::min(smallest, bodies.radius[i]);
    }
    if (largest == 0) return built;
    check_room(scene, model, built.region, largest, built.seed, who, place);
    Rng rng = draw_stream(built.seed, Draw::Position, 0);
    for (int k = 0; k < kSamples; ++k)
        if (removal.region.contains(built.region.random_centre(rng, smallest)))
            throw Error(place,
                        fmt::format("{}: what comes back there would be taken again at the next look, as it is inside the region that "
                                    "takes: move one of them",
                                    who));
    return built;
}

}  // namespace

bool Removal::takes(const BodyTable& bodies, std::size_t id) const {
    const bool named = id < bodies.name.size() && !bodies.name[id].empty();
    if (named || (material >= 0 && bodies.material[id] != material)) return false;
    return shapes.empty() || std::find(shapes.begin(), shapes.end(), bodies.scene_shape[id]) != shapes.end();
}

std::vector<Removal> build_removals(const Scene& scene, const std::vector<Insertion>& insertions, Model& model) {
    std::vector<Removal> all;
    if (scene.removals.empty()) return all;
    if (model.method != Method::Penalty && model.method != Method::Cone)
        throw Error(scene.removals.front().place, "[[remove]] is of kind = \"penalty\" and \"cone\": here all bodies stay to the end");
    std::set<std::string> names;
    for (const Insertion& insertion : insertions) names.insert(insertion.name);
    for (const SceneRemoval& given : scene.removals) {
        Removal one;
        one.name = given.name.empty() ? fmt::format("remove{}", all.size() + 1) : given.name;
        if (!names.insert(one.name).second)
            throw Error(given.place, fmt::format("two [[insert]] or [[remove]] have the name \"{}\": give one another", one.name));
        one.region = looked_at(given.region, scene.dimensions == 2);
        if (!given.material.empty()) one.material = material_index(scene, given.material, given.place);
        for (const std::string& name : given.shape) one.shapes.push_back(shape_index(scene, name, given.place));
        one.from = given.at.value_or(given.from);
        one.to = given.to;
        one.every = given.every.value_or(0);
        if (given.recycle) one.recycle = build_recycling(scene, *given.recycle, one, model);
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace scree
