#include "setup/streams/insertions.hpp"

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
#include "setup/sizes.hpp"
#include "setup/streams/mixture.hpp"
#include "setup/streams/room.hpp"

namespace scree {

namespace {

/// Random placement fills no more than this of a region at once, about.
constexpr double kFillsAtOnce = 0.3;

SourcePlace place_of(const SceneBodies& insert, const std::string& key) {
    const auto at = insert.given.find(key);
    return at == insert.given.end() ? insert.place : at->second;
}

double ball_volume(double r, int dimensions) {
    return dimensions == 2 ? 3.14159265358979324 * r * r : 4.18879020478639098 * r * r * r;
}

/// A part of what a table brings, as a group of its own.
struct PartGroup {
    SceneBodies group;
    std::string name;
    double share{1};
};

std::vector<PartGroup> parts_of(const SceneBodies& insert) {
    if (insert.stream.mixture.empty()) return {{insert, "", 1}};
    std::vector<PartGroup> parts;
    for (const SceneMixturePart& part : insert.stream.mixture) {
        PartGroup own{insert, part.shape + "/" + part.material, part.share};
        own.group.shape = part.shape;
        own.group.material = part.material;
        own.group.seed = hash_combine(insert.seed, parts.size() + 1);
        parts.push_back(std::move(own));
    }
    return parts;
}

/// As a group that is placed elsewhere: one by one, far apart. `before` of `all` places are taken.
SceneBodies group_of(const SceneBodies& insert, std::size_t count, std::size_t before, std::size_t all) {
    SceneBodies group = insert;
    group.velocity_deviation = 0;
    group.placement = {};
    group.placement.place = insert.place;
    const auto across = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(all))));
    for (std::size_t k = before; k < before + count; ++k) {
        const std::size_t row = k / across, layer = row / across;
        group.placement.at.push_back(Vec3{static_cast<double>(k % across), static_cast<double>(row % across), static_cast<double>(layer)});
    }
    return group;
}

/// Masses of the first bodies of a group [kg].
std::vector<double> masses_of(const Scene& scene, const SceneBodies& group, std::size_t count, const Model& model,
                              const std::map<std::string, Template>& made) {
    Model trial = model;
    trial.bodies = {};
    std::map<std::string, Template> own = made;
    add_group(scene, group_of(group, count, 0, count), trial.bodies, trial, own);
    std::vector<double> masses;
    for (std::size_t i = 0; i < trial.bodies.size(); ++i)
        if (trial.bodies.owner_of(i) < 0) masses.push_back(trial.bodies.mass[i]);
    return masses;
}

/// The part of each body that comes, in their order: as many as come in all.
std::vector<std::uint8_t> order_of(const Scene& scene, const SceneBodies& insert, const std::vector<PartGroup>& parts, const Model& model,
                                   const std::map<std::string, Template>& made) {
    const SceneStream& s = insert.stream;
    const bool by_number = s.count || (!s.mass && s.rate);
    const double number = s.count ? static_cast<double>(*s.count) : by_number ? std::floor(*s.rate * (s.to - s.from) + 1e-9) : 0.0;
    require_room(number, available_memory(), insert.place);
    std::vector<std::uint8_t> order(static_cast<std::size_t>(number), 0);
    if (by_number && parts.size() == 1) return order;
    const double wanted = s.mass ? *s.mass : by_number ? 0.0 : *s.mass_rate * (s.to - s.from) * (1 + 1e-12);
    const double left = s.mass ? 0.5 : 1.0;  // of the last one that has to be left over for it
    std::vector<double> shares;
    shares.reserve(parts.size());
    for (const PartGroup& part : parts) shares.push_back(part.share);
    // Masses are those of the bodies themselves: as many are made as it takes.
    for (std::size_t guess = 64;; guess *= 2) {
        std::vector<std::vector<double>> masses;
        masses.reserve(parts.size());
        for (const PartGroup& part : parts) masses.push_back(masses_of(scene, part.group, guess, model, made));
        MixtureOrder mixture(shares, draw_stream(insert.seed, Draw::Part, 0));
        std::vector<std::size_t> used(parts.size(), 0);
        double sum = 0;
        order.clear();
        while (std::all_of(used.begin(), used.end(), [guess](std::size_t n) { return n < guess; })) {
            if (by_number && static_cast<double>(order.size()) == number) return order;
            std::vector<double> counts;
            for (std::size_t p = 0; p < parts.size(); ++p) counts.push_back(s.shares_of == "mass" ? masses[p][used[p]] : 1.0);
            const std::size_t part = mixture.next(counts);
            const double mass = masses[part][used[part]++];
            if (!by_number && sum + left * mass > wanted) return order;
            sum += mass;
            order.push_back(static_cast<std::uint8_t>(part));
        }
        const double more = by_number ? number : 0.5 * wanted / sum * static_cast<double>(guess);
        require_room(std::max(2 * static_cast<double>(guess), more), available_memory(), insert.place);
    }
}

/// The time in which a body of this size gets out of the way of the next.
double time_between(const SceneBodies& insert, double diameter, Vec3 gravity) {
    const double v = norm(insert.velocity), g = norm(gravity);
    if (g > 0) return (std::sqrt(v * v + 2 * g * diameter) - v) / g;
    return v > 0 ? diameter / v : 0;
}

/// A corner beside the bodies of the start, the first `count` of the model.
Vec3 corner_beside(const Model& model, std::size_t count) {
    Aabb all;
    for (std::size_t i = 0; i < count; ++i) all.include(model.bodies.position[i]);
    return count > 0 ? Vec3{all.max.x, all.min.y, all.min.z} : Vec3{};
}

/// Brings bodies from where they were made, one length apart, to places at a corner of their region, or of where bodies are: what looks at
/// the start of a scene (memory, pictures of endless walls) looks there.
void gather(const Insertion& built, Vec3 corner, double largest, Model& model) {
    std::vector<Vec3>& position = model.bodies.position;
    for (std::size_t k = 0; k < built.size(); ++k) {
        const auto begin = static_cast<std::size_t>(built.first_id[k]);
        const std::size_t end = begin + 1 + built.parts[built.part_of(k)].members.size();
        const Vec3 made = position[begin], shift = corner + 2.5 * largest * made - made;
        for (std::size_t i = begin; i < end; ++i) position[i] += shift;
    }
}

/// Appends the bodies to the model, part by part, and lists them in the order in which they come.
void add_bodies(const Scene& scene, const SceneBodies& insert, Insertion& built, Model& model, std::map<std::string, Template>& made) {
    const std::vector<PartGroup> parts = parts_of(insert);
    const std::vector<std::uint8_t> order = order_of(scene, insert, parts, model, made);
    if (order.empty())
        throw Error(insert.place,
                    fmt::format("[[insert]] \"{}\": less than one body comes in all: raise its count, mass, or rate", built.name));
    std::vector<std::size_t> next;  // id of each part
    std::size_t before = 0;
    bool round = true;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto count = static_cast<std::size_t>(std::count(order.begin(), order.end(), p));
        next.push_back(model.bodies.size());
        add_group(scene, group_of(parts[p].group, count, before, order.size()), model.bodies, model, made);
        before += count;
        const Template& own = made.at(parts[p].group.shape);
        built.parts.push_back({parts[p].name, own.index, own.members});
        round = round && own.index == BodyTable::sphere_shape;
    }
    if (parts.size() > 1) built.part = order;
    double sum = 0;
    for (const std::uint8_t p : order) {
        const std::size_t i = next[p];
        next[p] += 1 + built.parts[p].members.size();
        built.first_id.push_back(static_cast<std::int32_t>(i));
        if (!round) built.orientation.push_back(model.bodies.orientation[i]);
        built.total_mass.push_back(sum += model.bodies.mass[i]);
    }
}

Insertion build_insertion(const Scene& scene, const SceneBodies& insert, const std::string& name, Model& model,
                          std::map<std::string, Template>& made) {
    const SceneStream& s = insert.stream;
    Insertion built;
    built.name = name;
    if (const auto region = PlaceRegion::of(insert.placement, place_of(insert, "region"), scene.dimensions == 2)) {
        built.region = *region;
        built.has_region = true;
    }
    const std::size_t before = model.bodies.size();
    add_bodies(scene, insert, built, model, made);
    built.begin = static_cast<std::int32_t>(before);
    built.end = static_cast<std::int32_t>(model.bodies.size());
    double largest = 0, most_volume = 0;
    for (const std::int32_t id : built.first_id) {
        const double r = model.bodies.radius[static_cast<std::size_t>(id)];
        largest = std::max(largest, r);
        most_volume += ball_volume(r, model.dimensions);
    }
    const auto count = static_cast<double>(built.size()), sum = built.total_mass.back();
    gather(built, built.has_region ? built.region.bounds().min : corner_beside(model, before), largest, model);
    if (built.has_region)
        check_room(scene, model, built.region, largest, insert.seed, fmt::format("[[insert]] \"{}\"", name), place_of(insert, "region"));
    built.rate = s.rate.value_or(0);
    built.mass_rate = s.mass_rate.value_or(0);
    built.from = s.from;
    built.to = s.to;
    built.tries = s.tries;
    built.velocity = insert.velocity;
    built.angular_velocity = insert.angular_velocity;
    built.velocity_deviation = insert.velocity_deviation;
    built.seed = insert.seed;
    built.on_call = s.on_call;
    if (built.on_call) return built;
    built.every = s.every > 0 ? s.every : time_between(insert, 2 * largest, model.gravity);
    if (!(built.every > 0))
        throw Error(insert.place, fmt::format("[[insert]] \"{}\": what comes stays where it appears, as it has no velocity and there is no "
                                              "gravity: give velocity, or `every`",
                                              name));
    // What comes while the region empties itself has to fit into it.
    const Aabb bounds = built.region.bounds();
    const Vec3 edge = bounds.max - bounds.min;
    const double per_time = built.rate > 0        ? built.rate * most_volume / count
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

std::int32_t Insertion::lowest_id() const {
    return *std::min_element(first_id.begin(), first_id.end());
}

Vec3 Insertion::velocity_of(std::uint64_t come, bool planar) const {
    if (!(velocity_deviation > 0)) return velocity;
    Rng rng = draw_stream(seed, Draw::Velocity, come);
    const double x = rng.normal(), y = rng.normal();
    return velocity + velocity_deviation * Vec3{x, y, planar ? 0.0 : rng.normal()};
}

std::size_t Insertion::due(double time) const {
    if (on_call || time < from) return 0;
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
    model.bodies.later.assign(model.bodies.size(), BodyTable::comes_later);
    std::fill_n(model.bodies.later.begin(), there, std::uint8_t{0});
    return all;
}

}  // namespace scree
