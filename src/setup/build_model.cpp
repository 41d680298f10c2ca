// Scene -> Model, in the order in which the parts need each other: materials, walls, bodies, joints, then the step.
#include "setup/build_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model/compounds.hpp"
#include "model/surfaces/mesh_topology.hpp"
#include "setup/bodies.hpp"
#include "setup/bonds.hpp"
#include "setup/cell_stages.hpp"
#include "setup/events.hpp"
#include "setup/fields.hpp"
#include "setup/cohesion.hpp"
#include "setup/law_values.hpp"
#include "setup/fluid.hpp"
#include "setup/groups.hpp"
#include "setup/hard.hpp"
#include "setup/joints.hpp"
#include "setup/materials.hpp"
#include "setup/method.hpp"
#include "setup/motion.hpp"
#include "setup/origins.hpp"
#include "setup/placement/overlaps.hpp"
#include "setup/periods.hpp"
#include "setup/plausible.hpp"
#include "setup/step.hpp"
#include "setup/streams/regions_stay.hpp"
#include "setup/wall_overlaps.hpp"
#include "setup/walls.hpp"
#include "model/cell.hpp"
#include "model/limits.hpp"

namespace scree {

namespace {

Domain build_domain(const SceneDomain& given) {
    if (!(given.min.x < given.max.x && given.min.y < given.max.y && given.min.z < given.max.z))
        throw Error(given.place, "the domain's max must be above its min in every direction");
    if (given.check_every < 1) throw Error(given.place, fmt::format("check_every {} must be 1 or more", given.check_every));
    Domain domain;
    domain.box = {given.min, given.max};
    domain.leave = given.leave == "remove" ? Leave::Remove : Leave::Stop;
    domain.check_every = given.check_every;
    for (const char axis : given.periodic == "none" ? std::string() : given.periodic) domain.periodic[axis - 'x'] = true;
    return domain;
}

/// Fails on overlaps past the limit, warns of those past the warning.
void check_overlaps(const Model& model, const std::vector<Origin>& origins, std::vector<std::string>& warnings) {
    const double warning = model.penalty.overlap_warning, limit = model.penalty.overlap_limit;
    const Overlaps found = find_overlaps(model.bodies, model.shapes, warning, limit, pairs_apart(model), cell_of(model));
    if (found.past_warning == 0) return;
    const auto origin = [&](std::int32_t id) { return origin_of(origins, static_cast<std::size_t>(id)); };
    const Origin a = origin(found.first), b = origin(found.second);
    const std::string worst = fmt::format("bodies {} ({}) and {} ({}) overlap by {:.1f} % of the smaller radius", found.first, a.label,
                                          found.second, b.label, 100.0 * found.worst);
    if (found.past_limit > 0)
        throw Error(b.place, fmt::format("{}, past overlap_limit = {}; {} such pairs. Move the groups apart or widen the spacing", worst,
                                         limit, found.past_limit));
    warnings.push_back(
        fmt::format("{} pairs overlap at the start past overlap_warning = {}; worst: {}", found.past_warning, warning, worst));
}

/// Where the bodies of a wall belong, and what to change where they are elsewhere.
std::string side_of(const SceneWall& wall) {
    if (wall.kind == "plane") return "Bodies belong where its normal points: turn the normal, or move the bodies or the plane";
    const bool outside = wall.side == "outside";
    if (wall.kind == "box" && outside) return "The block is solid, bodies belong outside: move them or the block, or set side = \"inside\"";
    if (wall.kind == "box") return "Bodies belong inside the box: move them or the box, or make it larger";
    if (wall.kind == "cylinder" && outside)
        return "The rod is solid, bodies belong outside: move them or the rod, or set side = \"inside\"";
    if (wall.kind == "cylinder" && !std::isfinite(wall.length))
        return "Bodies belong inside the endless tube: move them or the tube, or make it wider";
    return "Move the bodies and the wall apart";
}

std::string place_text(const SourcePlace& place) {
    return place.line > 0 ? fmt::format(" (line {})", place.line) : "";
}

/// Fails on bodies in walls past the limit, warns of those past the warning. A fluid's particles may start in walls, but not beyond them.
void check_walls(const Scene& scene, const Model& model, const std::vector<Origin>& origins, std::vector<std::string>& warnings) {
    const bool fluid = model.method == Method::Fluid;
    const double warning = model.penalty.overlap_warning, limit = fluid ? 1.0 : model.penalty.overlap_limit;
    const std::vector<WallOverlap> found = find_wall_overlaps(scene, model, warning, limit);
    for (std::size_t w = 0; w < found.size(); ++w) {
        const WallOverlap& here = found[w];
        const auto body = [&](std::int32_t id) {
            return fmt::format("body {} ({})", id, origin_of(origins, static_cast<std::size_t>(id)).label);
        };
        if (here.past_limit > 0) {
            const std::int32_t id = here.first_past_limit;
            throw Error(
                origin_of(origins, static_cast<std::size_t>(id)).place,
                fmt::format("{} starts {:.4g} m deep in wall \"{}\"{}, past overlap_limit = {} of its radius, {:.4g} m; {} such {}. "
                            "{}",
                            body(id), here.depth_past_limit, model.walls[w].name, place_text(scene.walls[w].place), limit,
                            model.bodies.radius[static_cast<std::size_t>(id)], here.past_limit, here.past_limit == 1 ? "body" : "bodies",
                            side_of(scene.walls[w])));
        }
        if (here.past_warning > 0 && !fluid)
            warnings.push_back(fmt::format("{} bodies start in wall \"{}\" past overlap_warning = {}; worst: {} by {:.1f} % of its radius",
                                           here.past_warning, model.walls[w].name, warning, body(here.body), 100.0 * here.worst));
    }
}

/// Fails where a wall with a mass flies free among other walls: walls do not touch each other, so that it would fall through them.
void check_free_walls(const Scene& scene, const Model& model) {
    for (std::size_t w = 0; w < scene.walls.size(); ++w) {
        const std::int32_t body = model.walls[w].body;
        if (!scene.walls[w].mass || body < 0) continue;
        const bool held =
            std::any_of(model.joints.begin(), model.joints.end(), [&](const Joint& joint) { return joint.a == body || joint.b == body; });
        const auto other = std::find_if(model.walls.begin(), model.walls.end(), [&](const Wall& wall) { return wall.body != body; });
        if (held || other == model.walls.end()) continue;
        throw Error(
            scene.walls[w].place,
            fmt::format("wall \"{}\" has a mass and no joint, so it would pass through wall \"{}\": walls touch bodies, not each other. "
                        "Make it a [[body]] with a shape, or hold it by a [[joint]] that keeps it off other walls",
                        model.walls[w].name, other->name));
    }
}

/// All surfaces that random places keep clear of: those of the bodies so far, and of the named ones to come.
BodyTable obstacles_of(const Model& model, const std::vector<NamedBody>& named) {
    BodyTable all = model.bodies;
    for (const NamedBody& body : named) add_compound(all, body.shape, body.members, body.start);
    BodyTable found;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::int32_t shape = all.shape[i];
        if (is_compound_shape(model, shape)) continue;
        found.position.push_back(all.position[i]);
        found.radius.push_back(all.radius[i]);
        found.shape.push_back(shape);
    }
    return found;
}

/// Fails where a body is so small, large, light or heavy that its mass or inertia leaves the range of numbers.
void check_masses(const Model& model, const std::vector<Origin>& origins) {
    const BodyTable& bodies = model.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double r = bodies.radius[i], mass = bodies.mass[i];
        Vec3 unit{1, 1, 1};
        if (bodies.shape[i] != BodyTable::sphere_shape) unit = model.shapes[static_cast<std::size_t>(bodies.shape[i])].inertia;
        const double inertia = std::min({unit.x, unit.y, unit.z}) * r * r * mass;
        if (std::isnormal(mass) && std::isnormal(inertia)) continue;
        const Origin& origin = origin_of(origins, i);
        throw Error(origin.place,
                    fmt::format("body {} ({}): radius {} m and its density give a mass of {} kg and an inertia of {} kg m2, past "
                                "the range of numbers: change its radius or density",
                                i, origin.label, r, mass, inertia));
    }
}

/// Bodies in the order of their ids: groups, then named ones. Returns where they come from.
std::vector<Origin> build_bodies(const Scene& scene, Model& model, Agglomerates& agglomerates) {
    std::vector<Origin> origins;
    const std::vector<NamedBody> named = named_bodies(scene, model);
    std::map<std::string, Template> templates;
    for (const SceneBodies& group : scene.bodies) {
        origins.push_back({model.bodies.size(), fmt::format("group {}", origins.size() + 1), place_of(group)});
        const bool random = group.placement.kind == ScenePlacement::Kind::Random;
        const bool plain = named.empty() && model.bodies.owner.empty();
        add_group(scene, group, random && !plain ? obstacles_of(model, named) : model.bodies, model, templates, &agglomerates);
    }
    for (std::size_t k = 0, id = model.bodies.size(); k < named.size(); ++k) {
        origins.push_back({id, fmt::format("body \"{}\"", named[k].name), named[k].place});
        id += 1 + named[k].members.size();
    }
    add_named_bodies(scene, named, model);
    if (!model.bodies.owner.empty()) complete_owners(model.bodies);
    check_masses(model, origins);
    return origins;
}

/// Bodies that the first check of the domain would remove, or stop the run for.
void check_domain(const Model& model, std::vector<std::string>& warnings) {
    std::size_t outside = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
        outside += model.bodies.owner_of(i) >= 0 || open_box(model.domain).contains(model.bodies.position[i]) ? 0 : 1;
    if (outside > 0)
        warnings.push_back(fmt::format("{} bodies start outside the domain and {}", outside,
                                       model.domain.leave == Leave::Remove ? "will be removed" : "will stop the run"));
}

/// What a frame numbers in 32 bits.
void check_surfaces(const Model& model) {
    double numbers = 0;
    for (const std::int32_t shape : model.bodies.shape) {
        if (shape < 0) continue;
        const ConvexShape& polyhedron = model.shapes[static_cast<std::size_t>(shape)];
        // A face of k corners is k - 2 triangles; every edge is a corner of two faces.
        if (!polyhedron.compound())
            numbers += 3.0 * (2.0 * static_cast<double>(polyhedron.edge.size()) - 2.0 * static_cast<double>(polyhedron.faces()));
    }
    require_within<Error>(numbers, count_limits().surface_numbers, "corners of triangles on the polyhedra of a frame",
                          "use fewer bodies, or shapes with fewer faces");
}

void check_meshes(const Scene& scene, const Model& model, std::vector<std::string>& warnings) {
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        const Wall& wall = model.walls[w];
        if (wall.mesh.triangles.empty()) continue;
        const std::int64_t dropped = mesh_topology(wall.mesh).dropped;
        if (dropped == static_cast<std::int64_t>(wall.mesh.triangles.size()))
            throw Error(scene.walls[w].place,
                        fmt::format("wall \"{}\": none of its {} triangles has an area, so nothing would touch it; give "
                                    "it a larger scale or another file",
                                    wall.name, dropped));
        if (dropped > 0)
            warnings.push_back(fmt::format("wall \"{}\": {} of {} triangles have no area and are left out", wall.name, dropped,
                                           wall.mesh.triangles.size()));
    }
}

/// Resistance to rolling and twisting of the penalty method is of round bodies, and has a size.
void check_rolling(const Scene& scene, const Model& model) {
    if (model.method != Method::Penalty) return;
    const bool rolls = model.penalty.rolling != Rolling::None, twists = model.penalty.twisting != Twisting::None;
    const auto refuse = [&](bool rolling, const std::string& why) {
        const char* key = rolling ? "rolling" : "twisting";
        for (const SceneMaterialPair& pair : scene.material_pairs)
            if (pair.laws.count(key) > 0 && LawWords(scene.method).word(key) == "none") LawWords(scene.method, &pair).refuse(key, why);
        LawWords(scene.method).refuse(key, why);
    };
    const std::vector<std::int32_t>& shapes = model.bodies.shape;
    const bool faces = std::any_of(shapes.begin(), shapes.end(), [&](std::int32_t s) { return s >= 0 && !is_compound_shape(model, s); });
    if (faces && (rolls || twists))
        refuse(rolls, "is of spheres and disks, but the scene has bodies with faces: leave it out, or give them round shapes");
    if (twists && model.dimensions == 2)
        refuse(false, "has no meaning in two dimensions, where nothing turns about a normal: leave it out");
    const auto all_zero = [&](double PairProperties::*member) {
        for (std::size_t a = 0; a < model.materials.size(); ++a)
            for (std::size_t b = 0; b < model.materials.size(); ++b)
                if (model.pairs(a, b).*member > 0) return false;
        return true;
    };
    if (rolls && all_zero(&PairProperties::rolling_friction))
        refuse(true, "has nothing to go by: give [material.*] or [[material_pair]] a rolling_friction");
    if (model.penalty.twisting == Twisting::Spring && all_zero(&PairProperties::spinning_friction))
        refuse(false, "has nothing to go by: give [material.*] or [[material_pair]] a spinning_friction");
}

}  // namespace

BuiltModel build_model(const Scene& scene) {
    if (scene.dimensions != 2 && scene.dimensions != 3)
        throw Error(SourcePlace{scene.file, 0, 0}, fmt::format("dimensions = {}: 2 and 3 are available", scene.dimensions));
    if (scene.materials.size() > most_materials) return build_model(with_used_materials(scene));
    BuiltModel built;
    Model& model = built.model;
    model.dimensions = static_cast<int>(scene.dimensions);
    model.gravity = scene.domain.gravity;
    model.domain = build_domain(scene.domain);
    model.method = build_method(scene.method);
    build_periods(scene, model);
    if (model.method == Method::Fluid) check_fluid(scene);
    model.penalty = build_penalty(scene.method);
    model.cone = build_cone(scene.method);
    model.hard = build_hard(scene.method);
    model.fluid = build_fluid(scene.method);
    model.materials = build_materials(scene);
    model.pairs = build_pairs(scene);
    build_pair_laws(scene, model);
    build_law_values(scene, model);
    build_stages(scene, model);
    build_fields(scene, model);
    built.warnings = unmet_wishes(scene);
    model.track_orientation = scene.output.orientation;
    for (const SceneWall& wall : scene.walls) {
        model.walls.push_back(build_wall(scene, wall, model.walls.size() + 1));
        if (wall.motion) check_surface_motion(wall, model.walls.back());
        if (wall.motion && wall.motion->servo) check_servo(wall, model);
    }
    Agglomerates agglomerates;
    std::vector<Origin> origins = build_bodies(scene, model, agglomerates);
    if (model.bodies.size() == 0 && scene.inserts.empty())
        built.warnings.push_back("the scene has no bodies, so nothing will move; is the file whole? [[bodies]] and [[body]] add some");
    model.joints = build_joints(scene, model);
    check_free_walls(scene, model);
    if (model.dimensions == 2) extrude_walls(model);
    for (std::string& warning : motors_that_jump(scene, model.joints)) built.warnings.push_back(std::move(warning));
    const bool hard = model.method == Method::Hard;
    if (hard) {
        if (!scene.bonds.empty() || !scene.breaks.empty() || scene.output.bonds)
            build_bonds(scene, origins, agglomerates, model);  // says what to do
        settle_hard(scene, origins, model);
    } else {
        settle_periods(scene, origins, model);
        built.bond_plan = build_bonds(scene, origins, agglomerates, model);
        check_overlaps(model, origins, built.warnings);
        check_walls(scene, model, origins, built.warnings);
        check_domain(model, built.warnings);
        if (model.method == Method::Fluid) settle_fluid(origins, model);
    }
    built.insertions = build_insertions(scene, model);
    for (std::size_t k = 0; k < built.insertions.size(); ++k)
        origins.push_back({static_cast<std::size_t>(built.insertions[k].lowest_id()),
                           fmt::format("[[insert]] \"{}\"", built.insertions[k].name), scene.inserts[k].place});
    if (!scene.inserts.empty() && !hard) check_periods(scene, origins, model);  // bodies to come, too
    check_made_bonds(scene, model);
    built.events = build_events(scene, model);
    built.removals = build_removals(scene, built.insertions, model);
    check_rolling(scene, model);
    check_laws(scene, model);
    check_pulls(scene, model);
    check_surfaces(model);
    check_meshes(scene, model, built.warnings);
    choose_step(scene, built);
    settle_stages(scene, model);
    check_regions_stay(scene, model, built.insertions, built.removals);
    choose_envelope(model);
    for (std::string& doubt : doubts(scene, model, origins)) built.warnings.push_back(std::move(doubt));
    if (hard) check_hard_step(scene, model);
    return built;
}

}  // namespace scree
