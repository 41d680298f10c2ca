#include "setup/periods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "model/cell.hpp"
#include "model/motion.hpp"

namespace scree {

namespace {

/// Diameters that a period has at the least: two, and the margin in which pairs are looked for.
constexpr double kDiameters = 2.2;

double component(Vec3 v, int axis) {
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

double diameter(const BodyTable& bodies, std::size_t i) {
    return 2 * bodies.radius[i];
}

void check_bodies(const Scene& scene, const std::vector<Origin>& origins, const Model& model, const Cell& cell) {
    const BodyTable& bodies = model.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (int a = 0; a < 3; ++a) {
            if (!cell.periodic[a] || diameter(bodies, i) * kDiameters <= cell.length[a] * (1 + 1e-9)) continue;
            const std::size_t of = bodies.owner_of(i) >= 0 ? static_cast<std::size_t>(bodies.owner_of(i)) : i;
            throw Error(
                scene.domain.place,
                fmt::format("the period along {} is {:.6g} m, but body {} ({}) is {:.6g} m across: a period holds {} of the largest "
                            "bodies or more. Make the domain longer there, or the bodies smaller",
                            "xyz"[a], cell.length[a], of, origin_of(origins, of).label, diameter(bodies, i), kDiameters));
        }
    }
}

/// Corners of the box about a wall without planes.
Aabb box_of(const Wall& wall) {
    Aabb box;
    for (const Vec3& v : wall.mesh.vertices) box.include(v);
    for (const Cylinder& c : wall.cylinders) {
        const double length = std::isfinite(c.length) ? c.length : 1e30;
        const Vec3 ends[2] = {c.point - (std::isfinite(c.length) ? 0.0 : length) * c.axis, c.point + length * c.axis};
        const auto across = [&](double along) { return c.radius * std::sqrt(std::max(0.0, 1 - along * along)); };
        const Vec3 r{across(c.axis.x), across(c.axis.y), across(c.axis.z)};
        for (const Vec3& end : ends) {
            box.include(end - r);
            box.include(end + r);
        }
    }
    return box;
}

/// A wall either reaches past both borders of a period, where it then is the same, or keeps away from them.
void check_wall(const SceneWall& given, const Wall& wall, const Cell& cell, double largest) {
    const auto refuse = [&](const std::string& why) { throw Error(given.place, fmt::format("wall \"{}\": {}", wall.name, why)); };
    const Aabb box = box_of(wall);
    const bool finite = !wall.mesh.vertices.empty() || !wall.cylinders.empty();
    for (int a = 0; a < 3; ++a) {
        if (!cell.periodic[a]) continue;
        const char axis = "xyz"[a];
        for (const Plane& plane : wall.planes)
            if (component(plane.normal, a) != 0)
                refuse(
                    fmt::format("the plane with normal ({:.4g}, {:.4g}, {:.4g}) is not the same in each period along {}: use planes "
                                "without {} in their normals, or leave {} out of domain.periodic",
                                plane.normal.x, plane.normal.y, plane.normal.z, axis, axis, axis));
        for (const Cylinder& c : wall.cylinders)
            if (!std::isfinite(c.length) && std::abs(std::abs(component(c.axis, a)) - 1) > 1e-12 && component(c.axis, a) != 0)
                refuse(
                    fmt::format("an endless tube that is aslant to {} is not the same in each period: lay it along {}, or give it a length",
                                axis, axis));
        if (!finite) continue;
        const double low = cell.low[a], high = cell.low[a] + cell.length[a], from = component(box.min, a), to = component(box.max, a);
        const bool spans = from <= low - largest && to >= high + largest;
        const bool within = from >= low + largest && to <= high - largest;
        if (!spans && !within)
            refuse(
                fmt::format("it reaches from {0} = {1:.6g} to {2:.6g} m, near or across a border of the period from {3:.6g} to {4:.6g} m: "
                            "let it end {5:.4g} m, the largest diameter, or more within the borders, or as far beyond both",
                            axis, from, to, low, high, largest));
        if (!wall.motion.moves || wall.motion.surface) continue;
        if (turns(wall.motion)) refuse(fmt::format("it turns, but the space repeats itself along {}: only planes and surfaces may", axis));
        bool goes = component(wall.motion.velocity, a) != 0 || component(wall.motion.amplitude, a) != 0;
        for (const Vec3& shift : wall.motion.shift) goes = goes || component(shift, a) != 0;
        if (goes)
            refuse(
                fmt::format("it moves along {}, along which the space repeats itself: use a plane, or surface = true, or leave {} out of "
                            "domain.periodic",
                            axis, axis));
    }
}

}  // namespace

void build_periods(const Scene& scene, Model& model) {
    const SceneDomain& given = scene.domain;
    const bool periodic = given.periodic != "none";
    if (periodic && model.method == Method::Fluid)
        throw Error(given.place,
                    fmt::format("periodic = \"{}\": a fluid has no periods; bound it by walls and leave it out", given.periodic));
    if (given.shear) {
        const SceneShear& shear = *given.shear;
        if (model.method == Method::Hard) throw Error(shear.place, "shear is of kind = \"penalty\" and \"cone\"");
        const int along = shear.along[0] - 'x', across = shear.across[0] - 'x';
        if (along == across) throw Error(shear.place, "shear: along and across are two different directions");
        if (!model.domain.periodic[along] || !model.domain.periodic[across])
            throw Error(shear.place, fmt::format("shear along {} and across {} needs both in domain.periodic, which is \"{}\"", shear.along,
                                                 shear.across, given.periodic));
        if (component(model.gravity, along) != 0 || component(model.gravity, across) != 0)
            throw Error(shear.place, fmt::format("shear along {} and across {} takes no gravity along either: set these components of "
                                                 "domain.gravity to 0",
                                                 shear.along, shear.across));
        model.domain.shear = {shear.rate, along, across};
    }
    if (!periodic || model.method == Method::Hard) return;
    for (int a = 0; a < 3; ++a) {
        if (!model.domain.periodic[a]) continue;
        if (a >= model.dimensions)
            throw Error(given.place, fmt::format("periodic = \"{}\": there is no {} in two dimensions", given.periodic, "xyz"[a]));
        if (!std::isfinite(component(given.min, a)) || !std::isfinite(component(given.max, a)))
            throw Error(given.place, fmt::format("the period along {} is max less min: give both as numbers", "xyz"[a]));
    }
}

void settle_periods(const Scene& scene, const std::vector<Origin>& origins, Model& model) {
    const Cell cell = cell_of(model);
    if (!cell.any()) return;
    if (!model.joints.empty())
        throw Error(scene.domain.place, "joints do not reach across the borders of a period: leave out domain.periodic, or the joints");
    check_bodies(scene, origins, model, cell);
    BodyTable& bodies = model.bodies;
    std::vector<ImageStep> to(bodies.size(), ImageStep{{0, 0, 0}});
    double largest = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        largest = std::max(largest, diameter(bodies, i));
        const std::int32_t owner = bodies.owner_of(i);  // before its members
        if (owner >= 0) {
            to[i] = to[static_cast<std::size_t>(owner)];
        } else if (!bodies.is_later(i)) {
            to[i] = cell.home(bodies.position[i], 0.0, 0.0);
        }
        bodies.position[i] += cell.shift(to[i], 0.0);
        bodies.velocity[i] += cell.drift(to[i]);
    }
    for (std::size_t w = 0; w < model.walls.size() && w < scene.walls.size(); ++w) {
        if (model.walls[w].body >= 0)
            throw Error(scene.walls[w].place, fmt::format("wall \"{}\" is carried by a body, which periods do not allow: leave out "
                                                          "domain.periodic",
                                                          model.walls[w].name));
        check_wall(scene.walls[w], model.walls[w], cell, largest);
    }
}

}  // namespace scree
