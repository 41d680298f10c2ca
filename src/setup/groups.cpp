#include "setup/groups.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "setup/materials.hpp"
#include "setup/placement.hpp"
#include "setup/shapes.hpp"
#include "model/limits.hpp"

namespace scree {

namespace {

constexpr double kBall = 4.18879020478639098;  // 4 pi / 3

Template make_template(const Scene& scene, const SceneBodies& group, Model& model) {
    const SceneShape& shape = shape_named(scene, group.shape, group.place);
    if (shape.kind != "clump" && shape.kind != "compound") return {polyhedron_index(scene, shape, model), {}};
    SceneShape natural = shape;  // sizes scale the template body by body
    natural.size = {};
    Compound compound = compound_of(shape.name, solid_of(scene, natural, model), model);
    model.shapes.push_back(std::move(compound.shape));
    return {static_cast<std::int32_t>(model.shapes.size() - 1), std::move(compound.members)};
}

Placed place_group(const Scene& scene, const SceneBodies& group, const ConvexShape* own, const BodyTable& earlier) {
    const int dimensions = static_cast<int>(scene.dimensions);
    const double round = dimensions == 2 ? std::numbers::pi : kBall;
    std::optional<Sizes> sizes;
    if (!group.shape.empty()) {
        const SceneShape& shape = shape_named(scene, group.shape, group.place);
        sizes.emplace(own ? sizes_of(shape, *own) : shape.size, group.seed, shape.place, dimensions);
    } else if (group.placement.kind != ScenePlacement::Kind::File) {
        throw Error(group.place, "[[bodies]] needs a shape");
    }
    switch (group.placement.kind) {
        case ScenePlacement::Kind::Single:
            return place_at(group.placement, *sizes);
        case ScenePlacement::Kind::Lattice:
            return place_lattice(group.placement, *sizes, group.seed, place_of(group), dimensions);
        case ScenePlacement::Kind::Random:
            return place_random(group.placement, *sizes, group.seed, earlier, place_of(group), own ? own->volume / round : 1.0, dimensions);
        case ScenePlacement::Kind::File:
            return place_file(scene, group, sizes);
    }
    return {};
}

/// Uniform over all rotations, in the plane over all angles: four normal numbers have no preferred direction (Marsaglia 1972). Depends on
/// (seed, k) only.
Quat random_orientation(std::uint64_t seed, std::uint64_t k, bool planar) {
    Rng rng = draw_stream(seed, Draw::Orientation, k);
    if (planar) return rotation_by(Vec3{0, 0, rng.uniform(-std::numbers::pi, std::numbers::pi)});
    const double w = rng.normal(), x = rng.normal(), y = rng.normal();
    return {w, x, y, rng.normal()};
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

/// The volume law knows no spheres.
void check_law(const SceneBodies& group, const Template& own, const Model& model) {
    if (model.method != Method::Penalty || model.penalty.law != Law::Volume) return;
    bool has_sphere = own.index == BodyTable::sphere_shape;
    for (const Member& member : own.members) has_sphere |= member.shape == BodyTable::sphere_shape;
    if (has_sphere)
        throw Error(group.place, fmt::format("law = \"volume\" is for polyhedra alone, but the bodies of {} are spheres: use hertz",
                                             group.shape.empty() ? "this group" : "shape \"" + group.shape + "\""));
}

}  // namespace

const SourcePlace& place_of(const SceneBodies& group) {
    return group.placement.place.line > 0 ? group.placement.place : group.place;
}

void add_group(const Scene& scene, const SceneBodies& group, const BodyTable& obstacles, Model& model,
               std::map<std::string, Template>& made) {
    const std::int32_t material = material_index(scene, group.material, group.place);
    if (!group.shape.empty() && !made.contains(group.shape)) made[group.shape] = make_template(scene, group, model);
    const Template own_template = group.shape.empty() ? Template{} : made.at(group.shape);
    check_law(group, own_template, model);
    const bool planar = scene.dimensions == 2;
    const bool is_sphere = own_template.index == BodyTable::sphere_shape;
    const ConvexShape* shape = is_sphere ? nullptr : &model.shapes[static_cast<std::size_t>(own_template.index)];
    const Placed placed = place_group(scene, group, shape, obstacles);
    if (is_sphere && !placed.orientation.empty())
        throw Error(place_of(group),
                    "the file's columns of orientations turn polyhedra or polygons; name the shape, or leave them out for round bodies");
    const double bodies = static_cast<double>(model.bodies.size() + placed.position.size() * (1 + own_template.members.size()));
    if (bodies > static_cast<double>(count_limits().bodies))
        throw Error(group.place, past_limit(bodies, count_limits().bodies, "bodies", fewer_bodies));
    const auto material_of = [&](std::size_t k) { return placed.material.empty() ? material : placed.material[k]; };
    const auto density_of = [&](std::size_t k) { return model.materials[static_cast<std::size_t>(material_of(k))].density; };
    std::vector<double> share;  // of each body in the group's mass
    for (std::size_t k = 0; k < placed.radius.size(); ++k)
        share.push_back(density_of(k) * std::pow(placed.radius[k], static_cast<double>(model.dimensions)));
    const std::vector<Vec3> thermal = thermal_velocities(group, share, model.dimensions);
    for (std::size_t k = 0; k < placed.position.size(); ++k) {
        const std::int32_t own = material_of(k);
        const double density = density_of(k);
        const Vec3 v = (placed.velocity.empty() ? group.velocity : placed.velocity[k]) + thermal[k];
        const Vec3 w = placed.angular_velocity.empty() ? group.angular_velocity : placed.angular_velocity[k];
        if (is_sphere) {
            if (planar)
                model.bodies.add_disk(placed.position[k], placed.radius[k], own, density, v, w);
            else
                model.bodies.add_sphere(placed.position[k], placed.radius[k], own, density, v, w);
            continue;
        }
        const Quat given = !placed.orientation.empty() ? placed.orientation[k]
                           : group.random_orientation  ? random_orientation(group.seed, k, planar)
                                                       : group.orientation;
        // The scene turns the shape as it is given, the model its principal frame.
        const Quat q = normalized(normalized(given) * shape->to_given);
        const double R = placed.radius[k];
        if (planar)
            model.bodies.add_polygon(placed.position[k], q, own_template.index, *shape, R, own, density, v, w);
        else if (!shape->compound())
            model.bodies.add_convex(placed.position[k], q, own_template.index, *shape, R, own, density, v, w);
        else
            add_compound(model.bodies, own_template.index, own_template.members,
                         {placed.position[k], q, R, density * shape->volume * R * R * R, own, v, w});
    }
}

}  // namespace scree
