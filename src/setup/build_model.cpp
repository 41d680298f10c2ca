// Scene -> Model, in the order in which the parts need each other: materials, walls, bodies, then the step.
#include "setup/build_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/contact_parameters.hpp"
#include "model/mesh_topology.hpp"
#include "setup/materials.hpp"
#include "setup/overlaps.hpp"
#include "setup/placement.hpp"
#include "setup/shapes.hpp"
#include "setup/walls.hpp"

namespace scree {

namespace {

constexpr double kBall = 4.18879020478639098;  // 4 pi / 3

const SourcePlace& place_of(const SceneBodies& group) {
    return group.placement.place.line > 0 ? group.placement.place : group.place;
}

const SceneShape& shape_of(const Scene& scene, const SceneBodies& group) {
    for (const SceneShape& shape : scene.shapes)
        if (shape.name == group.shape) return shape;
    throw Error(group.place, fmt::format("unknown shape \"{}\": add a table [shape.{}]", group.shape, group.shape));
}

Domain build_domain(const SceneDomain& given) {
    if (!(given.min.x < given.max.x && given.min.y < given.max.y && given.min.z < given.max.z))
        throw Error(given.place, "the domain's max must be above its min in x, y and z");
    if (given.check_every < 1) throw Error(given.place, fmt::format("check_every {} must be 1 or more", given.check_every));
    return {{given.min, given.max}, given.leave == "remove" ? Leave::Remove : Leave::Stop, given.check_every};
}

PenaltySettings build_penalty(const SceneMethod& given) {
    if (given.kind != "penalty") throw Error(given.place, fmt::format("method \"{}\" is not available: use penalty", given.kind));
    if (!(given.overlap_warning > 0.0 && given.overlap_warning <= given.overlap_limit))
        throw Error(given.place, fmt::format("overlap_warning {} must be positive and not above overlap_limit {}", given.overlap_warning,
                                             given.overlap_limit));
    PenaltySettings penalty;
    if (given.law == "hertz")
        penalty.law = Law::Hertz;
    else if (given.law == "linear")
        penalty.law = Law::Linear;
    else if (given.law == "volume")
        penalty.law = Law::Volume;
    else if (given.law == "power")
        penalty.law = Law::Power;
    else
        throw Error(given.place, fmt::format("unknown law \"{}\": use hertz, linear, volume or power", given.law));
    penalty.patch = given.patch == "vertices" ? Patch::Vertices : Patch::Overlap;
    if (penalty.patch == Patch::Vertices && penalty.law != Law::Power && penalty.law != Law::Linear)
        throw Error(given.place,
                    fmt::format("patch = \"vertices\" has no area, which law = \"{}\" needs: use law = \"power\" or \"linear\", or "
                                "patch = \"overlap\"",
                                given.law));
    penalty.overlap_warning = given.overlap_warning;
    penalty.overlap_limit = given.overlap_limit;
    penalty.skin = given.skin.value_or(0.0);
    if (given.search == "auto")
        penalty.search = Search::Auto;
    else if (given.search == "brute")
        penalty.search = Search::BruteForce;
    else if (given.search == "grid")
        penalty.search = Search::Grid;
    else if (given.search == "levels")
        penalty.search = Search::Levels;
    else
        throw Error(given.place, fmt::format("unknown search \"{}\": use auto, brute, grid or levels", given.search));
    return penalty;
}

/// Index in the model of the group's polyhedron, made when the first group needs it; sphere_shape for spheres.
std::int32_t shape_index(const Scene& scene, const SceneBodies& group, Model& model) {
    if (group.shape.empty()) return BodyTable::sphere_shape;
    const SceneShape& shape = shape_of(scene, group);
    if (shape.kind == "sphere") return BodyTable::sphere_shape;
    for (std::size_t i = 0; i < model.shapes.size(); ++i)
        if (model.shapes[i].name == shape.name) return static_cast<std::int32_t>(i);
    model.shapes.push_back(build_shape(scene, shape));
    return static_cast<std::int32_t>(model.shapes.size() - 1);
}

Placed place_group(const Scene& scene, const SceneBodies& group, const ConvexShape* polyhedron, const BodyTable& earlier) {
    std::optional<Sizes> sizes;
    if (!group.shape.empty()) {
        const SceneShape& shape = shape_of(scene, group);
        sizes.emplace(polyhedron ? sizes_of(shape, *polyhedron) : shape.size, group.seed, shape.place);
    } else if (group.placement.kind != ScenePlacement::Kind::File) {
        throw Error(group.place, "[[bodies]] needs a shape");
    }
    switch (group.placement.kind) {
        case ScenePlacement::Kind::Single:
            return place_at(group.placement, *sizes);
        case ScenePlacement::Kind::Lattice:
            return place_lattice(group.placement, *sizes, group.seed, place_of(group));
        case ScenePlacement::Kind::Random:
            return place_random(group.placement, *sizes, group.seed, earlier, place_of(group),
                                polyhedron ? polyhedron->volume / kBall : 1.0);
        case ScenePlacement::Kind::File:
            return place_file(scene, group, sizes);
    }
    return {};
}

/// Uniform over all rotations: four normal numbers have no preferred direction (Marsaglia 1972). Depends on (seed, k) only.
Quat random_orientation(std::uint64_t seed, std::uint64_t k) {
    Rng rng = draw_stream(seed, Draw::Orientation, k);
    const double w = rng.normal(), x = rng.normal(), y = rng.normal();
    return {w, x, y, rng.normal()};
}

/// Adds one group to the bodies of the model.
void add_group(const Scene& scene, const SceneBodies& group, Model& model) {
    const std::int32_t material = material_index(scene, group.material, group.place);
    const std::int32_t index = shape_index(scene, group, model);
    const bool is_sphere = index == BodyTable::sphere_shape;
    if (is_sphere && model.penalty.law == Law::Volume)
        throw Error(group.place, fmt::format("law = \"volume\" is for polyhedra alone, but the bodies of {} are spheres: use hertz",
                                             group.shape.empty() ? "this group" : "shape \"" + group.shape + "\""));
    const ConvexShape* polyhedron = is_sphere ? nullptr : &model.shapes[static_cast<std::size_t>(index)];
    const Placed placed = place_group(scene, group, polyhedron, model.bodies);
    if (is_sphere && !placed.orientation.empty())
        throw Error(place_of(group), "the file's columns qw, qx, qy, qz turn polyhedra; name the shape, or leave them out for spheres");
    if (model.bodies.size() + placed.position.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw Error(group.place, "more bodies than ids can number (2^31)");
    for (std::size_t k = 0; k < placed.position.size(); ++k) {
        const std::int32_t own = placed.material.empty() ? material : placed.material[k];
        const double density = model.materials[static_cast<std::size_t>(own)].density;
        const Vec3 v = placed.velocity.empty() ? group.velocity : placed.velocity[k];
        const Vec3 w = placed.angular_velocity.empty() ? group.angular_velocity : placed.angular_velocity[k];
        if (is_sphere) {
            model.bodies.add_sphere(placed.position[k], placed.radius[k], own, density, v, w);
            continue;
        }
        const Quat given = !placed.orientation.empty() ? placed.orientation[k]
                           : group.random_orientation  ? random_orientation(group.seed, k)
                                                       : group.orientation;
        // The scene turns the shape as it is given, the model its principal frame.
        const Quat q = normalized(normalized(given) * polyhedron->to_given);
        model.bodies.add_convex(placed.position[k], q, index, *polyhedron, placed.radius[k], own, density, v, w);
    }
}

/// Fails on overlaps past the limit, warns of those past the warning; `first_id[g]` is the first body of group g.
void check_overlaps(const Scene& scene, const Model& model, const std::vector<std::size_t>& first_id, std::vector<std::string>& warnings) {
    const double warning = model.penalty.overlap_warning, limit = model.penalty.overlap_limit;
    const Overlaps found = find_overlaps(model.bodies, warning, limit);
    if (found.past_warning == 0) return;
    const auto group_of = [&](std::int32_t id) {
        return static_cast<std::size_t>(std::upper_bound(first_id.begin(), first_id.end(), static_cast<std::size_t>(id)) -
                                        first_id.begin()) -
               1;
    };
    const std::size_t a = group_of(found.first), b = group_of(found.second);
    const std::string worst = fmt::format("bodies {} (group {}) and {} (group {}) overlap by {:.1f} % of the smaller radius", found.first,
                                          a + 1, found.second, b + 1, 100.0 * found.worst);
    if (found.past_limit > 0)
        throw Error(place_of(scene.bodies[b]),
                    fmt::format("{}, past overlap_limit = {}; {} such pairs. Move the groups apart or widen the spacing", worst, limit,
                                found.past_limit));
    warnings.push_back(
        fmt::format("{} pairs overlap at the start past overlap_warning = {}; worst: {}", found.past_warning, warning, worst));
}

/// Bodies that the first check of the domain would remove, or stop the run for.
void check_domain(const Model& model, std::vector<std::string>& warnings) {
    std::size_t outside = 0;
    for (const Vec3& p : model.bodies.position) outside += model.domain.box.contains(p) ? 0 : 1;
    if (outside > 0)
        warnings.push_back(fmt::format("{} bodies start outside the domain and {}", outside,
                                       model.domain.leave == Leave::Remove ? "will be removed" : "will stop the run"));
}

void check_meshes(const Model& model, std::vector<std::string>& warnings) {
    for (const Wall& wall : model.walls) {
        if (wall.mesh.triangles.empty()) continue;
        const std::int64_t dropped = mesh_topology(wall.mesh).dropped;
        if (dropped > 0)
            warnings.push_back(fmt::format("wall \"{}\": {} of {} triangles have no area and are left out", wall.name, dropped,
                                           wall.mesh.triangles.size()));
    }
}

void choose_step(const Scene& scene, BuiltModel& built) {
    const StepLimits limits = step_limits(built.model);
    built.stable_step = limits.stable;
    if (!scene.time.step) {
        if (!std::isfinite(limits.automatic))
            throw Error(scene.time.step_place, "without bodies a step cannot be chosen: give time.step a number");
        built.model.dt = limits.automatic;
        return;
    }
    built.model.dt = *scene.time.step;
    if (!(std::isfinite(built.model.dt) && built.model.dt > 0.0))
        throw Error(scene.time.step_place, fmt::format("time.step {} must be positive", built.model.dt));
    if (built.model.dt > limits.stable)
        built.warnings.push_back(fmt::format("time.step = {:.3g} s is past the stable limit {:.3g} s; \"auto\" would take {:.3g} s",
                                             built.model.dt, limits.stable, limits.automatic));
}

}  // namespace

BuiltModel build_model(const Scene& scene) {
    if (scene.dimensions != 3)
        throw Error(SourcePlace{scene.file, 0, 0}, fmt::format("dimensions = {}: only 3 is available", scene.dimensions));
    BuiltModel built;
    Model& model = built.model;
    model.gravity = scene.domain.gravity;
    model.domain = build_domain(scene.domain);
    model.penalty = build_penalty(scene.method);
    model.materials = build_materials(scene);
    model.pairs = build_pairs(scene);
    model.track_orientation = scene.output.orientation;
    for (const SceneWall& wall : scene.walls) model.walls.push_back(build_wall(scene, wall, model.walls.size() + 1));
    std::vector<std::size_t> first_id;
    for (const SceneBodies& group : scene.bodies) {
        first_id.push_back(model.bodies.size());
        add_group(scene, group, model);
    }
    check_overlaps(scene, model, first_id, built.warnings);
    check_domain(model, built.warnings);
    check_meshes(model, built.warnings);
    choose_step(scene, built);
    return built;
}

}  // namespace scree
