#include "setup/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "setup/materials.hpp"

namespace scree {

namespace {

/// xx, yy, zz, or xx, yy, zz, xy, xz, yz.
Mat3 tensor(const std::vector<double>& entries, const SourcePlace& place) {
    if (entries.size() != 3 && entries.size() != 6) throw Error(place, fmt::format("inertia has 3 or 6 entries, not {}", entries.size()));
    std::vector<double> e = entries;
    e.resize(6, 0.0);
    return {{{e[0], e[3], e[4]}, {e[3], e[1], e[5]}, {e[4], e[5], e[2]}}};
}

Mat3 times(double factor, Mat3 m) {
    for (Vec3& row : m.row) row *= factor;
    return m;
}

/// Stores the template and where the body starts: `solid` is placed by `pose`.
NamedBody start_of(Compound compound, const std::string& name, const Pose& pose, double mass, const SourcePlace& place, Model& model) {
    const Vec3 I = compound.shape.inertia;
    if (!(mass > 0.0 && std::isfinite(mass))) throw Error(place, fmt::format("body \"{}\": mass {} must be above 0", name, mass));
    if (!(I.x > 0.0 && I.y > 0.0 && I.z > 0.0))
        throw Error(place, fmt::format("body \"{}\": the principal moments of inertia must be above 0", name));
    NamedBody body;
    body.name = name;
    body.shape = static_cast<std::int32_t>(model.shapes.size());
    body.members = std::move(compound.members);
    body.place = place;
    body.start.position = placed(pose, compound.shape.centre);
    body.start.orientation = normalized(pose.turn * compound.shape.to_given);
    body.start.radius = compound.shape.bounding_radius;
    body.start.mass = mass;
    model.shapes.push_back(std::move(compound.shape));
    return body;
}

NamedBody named_body(const Scene& scene, const SceneBody& given, Model& model) {
    const bool has_shape = !given.shape.empty();
    if (!has_shape && (!given.mass || given.inertia.empty()))
        throw Error(given.place, fmt::format("body \"{}\" has no shape and needs mass and inertia", given.name));
    const std::int32_t material = given.material.empty() && !has_shape ? 0 : material_index(scene, given.material, given.place);
    Solid solid;
    double mass = given.mass.value_or(0.0);
    if (has_shape) {
        const SceneShape& shape = shape_named(scene, given.shape, given.place);
        if (!shape.rigid)
            throw Error(
                given.place,
                fmt::format("body \"{}\" is one rigid body, but its shape \"{}\" is not: set rigid = true there, or place it by [[bodies]]",
                            given.name, shape.name));
        solid = solid_of(scene, shape, model);
        mass = given.mass.value_or(model.materials[static_cast<std::size_t>(material)].density * solid.volume);
    }
    const Mat3 inertia =
        given.inertia.empty() ? times(1.0 / solid.volume, solid.inertia) : times(1.0 / mass, tensor(given.inertia, given.place));
    Compound compound = compound_of(given.name, solid, given.centre.value_or(solid.centre), inertia, model);
    if (!given.collide) compound.members.clear();
    NamedBody body = start_of(std::move(compound), given.name, {normalized(given.orientation), given.position}, mass, given.place, model);
    body.start.material = material;
    body.start.velocity = given.velocity;
    body.start.angular_velocity = given.angular_velocity;
    return body;
}

NamedBody wall_body(const Scene& scene, const SceneWall& wall, const std::string& name, Model& model) {
    if (!wall.centre) throw Error(wall.place, fmt::format("wall \"{}\" has a mass and needs inertia and centre", name));
    const Mat3 inertia = times(1.0 / *wall.mass, tensor(wall.inertia, wall.place));
    NamedBody body = start_of(compound_of(name, {}, {}, inertia, model), name, {{}, *wall.centre}, *wall.mass, wall.place, model);
    body.start.material = material_index(scene, wall.material, wall.place);
    return body;
}

}  // namespace

std::vector<NamedBody> named_bodies(const Scene& scene, Model& model) {
    std::vector<NamedBody> named;
    named.reserve(scene.named_bodies.size());
    for (const SceneBody& given : scene.named_bodies) named.push_back(named_body(scene, given, model));
    for (std::size_t w = 0; w < scene.walls.size(); ++w)
        if (scene.walls[w].mass) named.push_back(wall_body(scene, scene.walls[w], model.walls[w].name, model));
    return named;
}

void add_named_bodies(const Scene& scene, const std::vector<NamedBody>& named, Model& model) {
    BodyTable& bodies = model.bodies;
    const auto carried_by = [&](const std::string& name) {
        for (std::size_t w = 0; w < scene.walls.size(); ++w) {
            const SceneWall& wall = scene.walls[w];
            const std::string carrier = wall.mass ? model.walls[w].name : wall.body;
            if (!carrier.empty() && carrier == name) model.walls[w].body = static_cast<std::int32_t>(bodies.size());
        }
    };
    for (const NamedBody& body : named) {
        carried_by(body.name);
        bodies.name.resize(bodies.size() + 1);
        bodies.name.back() = body.name;
        add_compound(bodies, body.shape, body.members, body.start);
    }
    for (std::size_t w = 0; w < scene.walls.size(); ++w) {
        const SceneWall& wall = scene.walls[w];
        if ((wall.mass || !wall.body.empty()) && wall.motion)
            throw Error(wall.place, fmt::format("wall \"{}\" moves with a body and has no motion of its own", model.walls[w].name));
        if (!wall.body.empty() && model.walls[w].body < 0)
            throw Error(wall.place, fmt::format("there is no body \"{}\" to carry wall \"{}\"", wall.body, model.walls[w].name));
    }
}

}  // namespace scree
