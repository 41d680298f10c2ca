#include "setup/insertions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/compounds.hpp"
#include "setup/groups.hpp"
#include "setup/meshes/process_memory.hpp"
#include "setup/materials.hpp"
#include "setup/placement/placement.hpp"
#include "setup/shapes.hpp"
#include "setup/wall_overlaps.hpp"

namespace scree {

namespace {

/// Random placement fills no more than this of a region at once, about.
constexpr double kFillsAtOnce = 0.3;
constexpr int kSamples = 64;

SourcePlace place_of(const SceneBodies& insert, const std::string& key) {
    const auto at = insert.given.find(key);
    return at == insert.given.end() ? insert.place : at->second;
}

double ball_volume(double r, int dimensions) {
    return dimensions == 2 ? 3.14159265358979324 * r * r : 4.18879020478639098 * r * r * r;
}

/// As a group that is placed elsewhere: one by one, far apart.
SceneBodies group_of(const SceneBodies& insert, std::size_t count, double spacing) {
    SceneBodies group = insert;
    group.velocity_deviation = 0;
    group.placement = {};
    group.placement.place = insert.place;
    const auto across = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(count))));
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t row = k / across, layer = row / across;
        group.placement.at.push_back(spacing *
                                     Vec3{static_cast<double>(k % across), static_cast<double>(row % across), static_cast<double>(layer)});
    }
    return group;
}

/// How many bodies come in all.
std::size_t count_of(const Scene& scene, const SceneBodies& insert, const Model& model, const std::map<std::string, Template>& made) {
    const SceneStream& s = insert.stream;
    const auto whole = [&](double count) {
        require_room(count, available_memory(), insert.place);
        return static_cast<std::size_t>(count);
    };
    if (s.count) return whole(static_cast<double>(*s.count));
    if (!s.mass && s.rate) return whole(std::floor(*s.rate * (s.to - s.from) + 1e-9));
    const double wanted = s.mass ? *s.mass : *s.mass_rate * (s.to - s.from) * (1 + 1e-12);
    const double share = s.mass ? 0.5 : 1.0;  // of the last one that has to be left over for it
    // Masses are those of the bodies themselves: as many are made as it takes.
    for (std::size_t guess = 64;; guess *= 2) {
        Model trial = model;
        trial.bodies = {};
        std::map<std::string, Template> own = made;
        add_group(scene, group_of(insert, guess, 1.0), trial.bodies, trial, own);
        double sum = 0;
        std::size_t bodies = 0;
        for (std::size_t i = 0; i < trial.bodies.size(); ++i) {
            if (trial.bodies.owner_of(i) >= 0) continue;
            if (sum + share * trial.bodies.mass[i] > wanted) return bodies;
            sum += trial.bodies.mass[i];
            ++bodies;
        }
        require_room(std::max(2 * static_cast<double>(guess), 0.5 * wanted / sum * static_cast<double>(guess)), available_memory(),
                     insert.place);
    }
}

/// The time in which a body of this size gets out of the way of the next.
double time_between(const SceneBodies& insert, double diameter, Vec3 gravity) {
    const double v = norm(insert.velocity), g = norm(gravity);
    if (g > 0) return (std::sqrt(v * v + 2 * g * diameter) - v) / g;
    return v > 0 ? diameter / v : 0;
}

/// Brings bodies from where they were made, one length apart, to places near their region: what looks at the start of a scene (memory,
/// pictures of endless walls) looks there.
void gather(const Insertion& built, double largest, Model& model) {
    const Vec3 corner = built.region.bounds().min;
    std::vector<Vec3>& position = model.bodies.position;
    for (std::size_t k = 0; k < built.size(); ++k) {
        const auto begin = static_cast<std::size_t>(built.first_id[k]);
        const std::size_t end = k + 1 < built.size() ? static_cast<std::size_t>(built.first_id[k + 1]) : position.size();
        const Vec3 made = position[begin], shift = corner + 2.5 * largest * made - made;
        for (std::size_t i = begin; i < end; ++i) position[i] += shift;
    }
}

/// Fails where what comes would start in a wall.
void check_walls(const Scene& scene, const SceneBodies& insert, const Insertion& built, const Model& model, double radius) {
    Model trial = model;
    trial.bodies = {};
    Rng rng = draw_stream(insert.seed, Draw::Position, 0);
    for (int k = 0; k < kSamples; ++k) trial.bodies.add_sphere(built.region.random_centre(rng, radius), radius, 0, 1.0);
    const std::vector<WallOverlap> found = find_wall_overlaps(scene, trial, 1e-6, 1e-6);
    for (std::size_t w = 0; w < found.size(); ++w)
        if (found[w].past_limit > 0)
            throw Error(place_of(insert, "region"),
                        fmt::format("[[insert]] \"{}\": a body of radius {:.4g} m in its region may start {:.3g} m deep in "
                                    "wall \"{}\". Make the region smaller, or move it or the wall",
                                    built.name, radius, found[w].depth_past_limit, model.walls[w].name));
}

Insertion build_insertion(const Scene& scene, const SceneBodies& insert, const std::string& name, Model& model,
                          std::map<std::string, Template>& made) {
    const SceneStream& s = insert.stream;
    Insertion built;
    built.name = name;
    built.region = *PlaceRegion::of(insert.placement, place_of(insert, "region"), scene.dimensions == 2);
    const std::size_t first = model.bodies.size(), count = count_of(scene, insert, model, made);
    if (count == 0)
        throw Error(insert.place, fmt::format("[[insert]] \"{}\": less than one body comes in all: raise its count, mass, or rate", name));
    add_group(scene, group_of(insert, count, 1.0), model.bodies, model, made);
    const Template& own = made.at(insert.shape);
    built.shape = own.index;
    built.members = own.members;
    double sum = 0, largest = 0, most_volume = 0;
    const bool round = own.index == BodyTable::sphere_shape;
    for (std::size_t i = first; i < model.bodies.size(); i += 1 + own.members.size()) {
        built.first_id.push_back(static_cast<std::int32_t>(i));
        if (!round) built.orientation.push_back(model.bodies.orientation[i]);
        built.total_mass.push_back(sum += model.bodies.mass[i]);
        largest = std::max(largest, model.bodies.radius[i]);
        most_volume += ball_volume(model.bodies.radius[i], model.dimensions);
    }
    gather(built, largest, model);
    if (largest > built.region.inradius())
        throw Error(place_of(insert, "region"),
                    fmt::format("[[insert]] \"{}\": a body of radius {:.4g} m does not fit into its region, which "
                                "holds radii up to {:.4g} m",
                                name, largest, built.region.inradius()));
    check_walls(scene, insert, built, model, largest);
    const Aabb around = built.region.bounds();
    if (!model.domain.box.contains(around.min) || !model.domain.box.contains(around.max))
        throw Error(place_of(insert, "region"),
                    fmt::format("[[insert]] \"{}\": its region reaches out of the domain, which what comes would "
                                "leave at once: make the one smaller or the other larger",
                                name));
    built.rate = s.rate.value_or(0);
    built.mass_rate = s.mass_rate.value_or(0);
    built.from = s.from;
    built.to = s.to;
    built.tries = s.tries;
    built.velocity = insert.velocity;
    built.angular_velocity = insert.angular_velocity;
    built.velocity_deviation = insert.velocity_deviation;
    built.seed = insert.seed;
    built.every = s.every > 0 ? s.every : time_between(insert, 2 * largest, model.gravity);
    if (!(built.every > 0))
        throw Error(insert.place, fmt::format("[[insert]] \"{}\": what comes stays where it appears, as it has no velocity and there is no "
                                              "gravity: give velocity, or `every`",
                                              name));
    // What comes while the region empties itself has to fit into it.
    const Aabb bounds = built.region.bounds();
    const Vec3 edge = bounds.max - bounds.min;
    const double per_time = built.rate > 0        ? built.rate * most_volume / static_cast<double>(count)
                            : built.mass_rate > 0 ? built.mass_rate * most_volume / sum
                                                  : 0.0;
    const double empties = std::max(built.every, time_between(insert, std::max({edge.x, edge.y, edge.z}), model.gravity));
    if (per_time * empties > kFillsAtOnce * built.region.volume())
        throw Error(
            place_of(insert, built.rate > 0 ? "rate" : "mass_rate"),
            fmt::format(
                "[[insert]] \"{}\": in the {:.3g} s in which its region empties {:.3g} times what it can hold would come. Lower the "
                "rate, make the region wider, or give more velocity",
                name, empties, per_time * empties / (kFillsAtOnce * built.region.volume())));
    return built;
}

}  // namespace

std::size_t Insertion::due(double time) const {
    if (time < from) return 0;
    const double flows = std::min(time, to) - from;
    if (rate > 0) return std::min(size(), static_cast<std::size_t>(std::floor(rate * flows + 1e-9)));
    if (!(mass_rate > 0)) return time < to ? size() : 0;
    const double mass = mass_rate * flows * (1 + 1e-12);
    return static_cast<std::size_t>(std::upper_bound(total_mass.begin(), total_mass.end(), mass) - total_mass.begin());
}

std::vector<Insertion> build_insertions(const Scene& scene, Model& model) {
    std::vector<Insertion> all;
    if (scene.inserts.empty()) return all;
    if (model.method != Method::Penalty && model.method != Method::Cone)
        throw Error(scene.inserts.front().place,
                    "[[insert]] is of kind = \"penalty\" and \"cone\": here all bodies are there from the start");
    const std::size_t there = model.bodies.size();
    std::map<std::string, Template> made;
    std::set<std::string> names;
    for (const SceneBodies& insert : scene.inserts) {
        const std::string name = insert.stream.name.empty() ? fmt::format("insert{}", all.size() + 1) : insert.stream.name;
        if (!names.insert(name).second)
            throw Error(insert.place, fmt::format("two [[insert]] have the name \"{}\": give one another", name));
        all.push_back(build_insertion(scene, insert, name, model, made));
    }
    if (!model.bodies.owner.empty()) complete_owners(model.bodies);
    model.bodies.later.assign(model.bodies.size(), 1);
    std::fill_n(model.bodies.later.begin(), there, std::uint8_t{0});
    return all;
}

}  // namespace scree
