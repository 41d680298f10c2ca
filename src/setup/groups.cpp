#include "setup/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "setup/materials.hpp"
#include "setup/placement/placement.hpp"
#include "setup/shapes.hpp"
#include "model/limits.hpp"

namespace scree {

namespace {

constexpr double kBall = 4.18879020478639098;  // 4 pi / 3

Template make_template(const Scene& scene, const std::string& name, const SceneBodies& group, Model& model) {
    const SceneShape& shape = shape_named(scene, name, place_of(group));
    const bool packed = shape.kind == "packed";
    if (shape.kind != "clump" && shape.kind != "compound" && !packed && !is_approximation(shape))
        return {polyhedron_index(scene, shape, model), {}, {}};
    SceneShape natural = shape;  // sizes scale the template body by body
    if (!packed) natural.size = {};
    Compound compound = compound_of(shape.name, solid_of(scene, natural, model), model);
    if (packed && !shape.rigid) return {BodyTable::sphere_shape, std::move(compound.members), std::move(compound.shape)};
    model.shapes.push_back(std::move(compound.shape));
    return {static_cast<std::int32_t>(model.shapes.size() - 1), std::move(compound.members), {}};
}

Placed place_group(const Scene& scene, const SceneBodies& group, const ConvexShape* own, const BodyTable& earlier, const Cell& cell) {
    const int dimensions = static_cast<int>(scene.dimensions);
    const double round = dimensions == 2 ? std::numbers::pi : kBall;
    std::optional<Sizes> sizes;
    if (!group.shape.empty()) {
        const SceneShape& shape = shape_named(scene, group.shape, group.place);
        sizes.emplace(sizes_of(scene, shape, own), group.seed, shape.place, dimensions);
    } else if (group.placement.kind != ScenePlacement::Kind::File) {
        throw Error(group.place, "[[bodies]] needs a shape");
    }
    switch (group.placement.kind) {
        case ScenePlacement::Kind::Single:
            return place_at(group.placement, *sizes);
        case ScenePlacement::Kind::Lattice:
            return place_lattice(group.placement, *sizes, group.seed, place_of(group), dimensions);
        case ScenePlacement::Kind::Random:
            return place_random(group.placement, *sizes, group.seed, earlier, place_of(group), own ? own->volume / round : 1.0, dimensions,
                                cell);
        case ScenePlacement::Kind::File:
            return place_file(scene, group, sizes, own == nullptr);
    }
    return {};
}

/// Normally distributed velocities of a group, which has no momentum by them. Depends on (seed, k), and on all masses for the mean.
std::vector<Vec3> thermal_velocities(const SceneBodies& group, const std::vector<double>& mass, int dimensions) {
    std::vector<Vec3> all(mass.size());
    if (!(group.velocity_deviation > 0.0)) return all;
    Vec3 momentum;
    double total = 0.0;
    for (std::size_t k = 0; k < mass.size(); ++k) {
        Rng rng = draw_stream(group.seed, Draw::Velocity, k);
        const double x = rng.normal(), y = rng.normal();
        all[k] = group.velocity_deviation * Vec3{x, y, dimensions == 2 ? 0.0 : rng.normal()};
        momentum += mass[k] * all[k];
        total += mass[k];
    }
    for (Vec3& v : all) v -= momentum / total;
    return all;
}

/// Of bodies of a shape that a file names and gives no size.
Sizes natural_sizes(const Scene& scene, const SceneBodies& group, const std::string& name, const ConvexShape* own) {
    if (name.empty()) throw Error(place_of(group), "the file names spheres and gives no radius: add a column radius");
    const SceneShape& shape = shape_named(scene, name, group.place);
    return Sizes(sizes_of(scene, shape, own), group.seed, shape.place, static_cast<int>(scene.dimensions));
}

/// The volume law knows neither spheres nor smooth bodies.
void check_law(const SceneBodies& group, const std::string& name, const Template& own, const Model& model) {
    if (model.method != Method::Penalty || model.penalty.law != Law::Volume) return;
    const auto is_round = [&](std::int32_t shape) {
        return shape == BodyTable::sphere_shape || model.shapes[static_cast<std::size_t>(shape)].smooth.any();
    };
    bool has_sphere = is_round(own.index);
    for (const Member& member : own.members) has_sphere |= is_round(member.shape);
    if (has_sphere)
        throw Error(group.place,
                    fmt::format("law = \"volume\" is for polyhedra alone, but the bodies of {} are spheres or smooth: use hertz",
                                name.empty() ? "this group" : "shape \"" + name + "\""));
}

/// Of each shape that is placed its index among the scene's, -1 where the radius alone was given; none where nothing asks.
std::vector<std::int32_t> asked_shapes(const Scene& scene, const SceneBodies& group, const std::vector<std::string>& names) {
    std::vector<std::int32_t> indices;
    const auto asks = [](const SceneRemoval& removal) { return !removal.shape.empty(); };
    if (std::none_of(scene.removals.begin(), scene.removals.end(), asks)) return indices;
    for (const std::string& name : names) indices.push_back(name.empty() ? -1 : shape_index(scene, name, group.place));
    return indices;
}

/// Adds the spheres of an agglomerate, which move as if they were one body. Their masses have one ratio to those of balls of the material,
/// so that they add up to that of the solid.
void add_spheres(BodyTable& bodies, const std::vector<Member>& members, const CompoundStart& start) {
    double cubes = 0.0;
    for (const Member& member : members) cubes += member.radius * member.radius * member.radius;
    const double density = start.mass / (kBall * cubes * start.radius * start.radius * start.radius);
    for (const Member& member : members) {
        const Vec3 arm = rotate(start.orientation, start.radius * member.offset);
        bodies.add_sphere(start.position + arm, start.radius * member.radius, start.material, density,
                          start.velocity + cross(start.angular_velocity, arm), start.angular_velocity);
    }
}

}  // namespace

const SourcePlace& place_of(const SceneBodies& group) {
    return group.placement.place.line > 0 ? group.placement.place : group.place;
}

/// Four normal numbers have no preferred direction (Marsaglia 1972).
Quat random_turn(Rng& rng, bool planar) {
    if (planar) return rotation_by(Vec3{0, 0, rng.uniform(-std::numbers::pi, std::numbers::pi)});
    const double w = rng.normal(), x = rng.normal(), y = rng.normal();
    return {w, x, y, rng.normal()};
}

void add_group(const Scene& scene, const SceneBodies& group, const BodyTable& obstacles, Model& model,
               std::map<std::string, Template>& made, Agglomerates* agglomerates) {
    const std::int32_t material = material_index(scene, group.material, group.place);
    const auto made_of = [&](const std::string& name) -> const Template& {
        if (!made.contains(name)) made[name] = name.empty() ? Template{} : make_template(scene, name, group, model);
        check_law(group, name, made.at(name), model);
        if (made.at(name).loose && agglomerates == nullptr)
            throw Error(group.place,
                        fmt::format("bodies of shape \"{}\" are loose spheres from the start, but here each has to be one body: "
                                    "set rigid = true",
                                    name));
        return made.at(name);
    };
    const auto shape_of = [&](const Template& of) -> const ConvexShape* {
        if (of.loose) return &*of.loose;
        return of.index == BodyTable::sphere_shape ? nullptr : &model.shapes[static_cast<std::size_t>(of.index)];
    };
    const Template& of_group = made_of(group.shape);
    Placed placed = place_group(scene, group, shape_of(of_group), obstacles, cell_of(model));
    if (placed.shapes.empty()) {
        placed.shapes = {group.shape};
        placed.shape.assign(placed.position.size(), 0);
        if (shape_of(of_group) == nullptr && !placed.orientation.empty() && !placed.principal)
            throw Error(
                place_of(group),
                "the file's columns of orientations turn polyhedra or polygons; name the shape, or leave them out for round bodies");
    }
    std::vector<Template> templates;
    templates.reserve(placed.shapes.size());
    for (const std::string& name : placed.shapes) templates.push_back(made_of(name));
    const auto template_of = [&](std::size_t k) -> const Template& { return templates[static_cast<std::size_t>(placed.shape[k])]; };
    double bodies = static_cast<double>(model.bodies.size());
    for (std::size_t k = 0; k < placed.position.size(); ++k)
        bodies += (template_of(k).loose ? 0.0 : 1.0) + static_cast<double>(template_of(k).members.size());
    if (bodies > static_cast<double>(count_limits().bodies))
        throw Error(group.place, past_limit(bodies, count_limits().bodies, "bodies", fewer_bodies));
    const auto material_of = [&](std::size_t k) { return placed.material.empty() ? material : placed.material[k]; };
    const auto density_of = [&](std::size_t k) { return model.materials[static_cast<std::size_t>(material_of(k))].density; };
    std::vector<double> share;  // of each body in the group's mass
    std::map<std::string, Sizes> natural;
    for (std::size_t k = 0; k < placed.radius.size(); ++k) {
        const ConvexShape* shape = shape_of(template_of(k));
        if (shape != nullptr && shape->compound() && !placed.mass.empty())
            placed.radius[k] = std::cbrt(placed.mass[k] / (density_of(k) * shape->volume));
        if (placed.radius[k] == 0.0) {
            const std::string& name = placed.shapes[static_cast<std::size_t>(placed.shape[k])];
            if (!natural.contains(name)) natural.emplace(name, natural_sizes(scene, group, name, shape));
            placed.radius[k] = natural.at(name).radius(k);
        }
        share.push_back(density_of(k) * std::pow(placed.radius[k], static_cast<double>(model.dimensions)));
    }
    const bool planar = scene.dimensions == 2;
    const std::vector<Vec3> thermal = thermal_velocities(group, share, model.dimensions);
    const auto add = [&](std::size_t k) {
        const Template& own_template = template_of(k);
        const ConvexShape* shape = shape_of(own_template);
        const std::int32_t own = material_of(k);
        const double density = density_of(k), R = placed.radius[k];
        const Vec3 v = (placed.velocity.empty() ? group.velocity : placed.velocity[k]) + thermal[k];
        const Vec3 w = placed.angular_velocity.empty() ? group.angular_velocity : placed.angular_velocity[k];
        if (shape == nullptr) {
            if (planar)
                model.bodies.add_disk(placed.position[k], R, own, density, v, w);
            else
                model.bodies.add_sphere(placed.position[k], R, own, density, v, w);
            return;
        }
        Rng of_turn = draw_stream(group.seed, Draw::Orientation, k);
        const Quat given = normalized(!placed.orientation.empty() ? placed.orientation[k]
                                      : group.random_orientation  ? random_turn(of_turn, planar)
                                                                  : group.orientation);
        // The scene turns the shape as it is given, the model its principal frame.
        const Quat q = placed.principal && !placed.orientation.empty() ? given : normalized(given * shape->to_given);
        const CompoundStart start{placed.position[k], q, R, density * shape->volume * R * R * R, own, v, w};
        if (own_template.loose) {
            const std::size_t first = model.bodies.size();
            add_spheres(model.bodies, own_template.members, start);
            agglomerates->add(first, model.bodies.size());
            return;
        }
        if (planar)
            model.bodies.add_polygon(placed.position[k], q, own_template.index, *shape, R, own, density, v, w);
        else if (!shape->compound())
            model.bodies.add_convex(placed.position[k], q, own_template.index, *shape, R, own, density, v, w);
        else
            add_compound(model.bodies, own_template.index, own_template.members, start);
    };
    const std::vector<std::int32_t> asked = asked_shapes(scene, group, placed.shapes);
    if (!asked.empty()) model.bodies.scene_shape.resize(model.bodies.size(), -1);
    for (std::size_t k = 0; k < placed.position.size(); ++k) {
        add(k);
        if (!asked.empty()) model.bodies.scene_shape.resize(model.bodies.size(), asked[static_cast<std::size_t>(placed.shape[k])]);
    }
}

}  // namespace scree
