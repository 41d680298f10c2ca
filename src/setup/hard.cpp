#include "setup/hard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "model/hard_box.hpp"
#include "setup/placement/overlaps.hpp"

namespace scree {

namespace {

void check_scene(const Scene& scene) {
    if (norm2(scene.domain.gravity) > 0)
        throw Error(scene.domain.place.line > 0 ? scene.domain.place : scene.method.place,  // gravity is there unless it is set to 0
                    fmt::format("hard particles fly straight: set gravity = [0, 0{}] in [domain], or use method.kind = \"penalty\" or "
                                "\"cone\"",
                                scene.dimensions == 2 ? "" : ", 0"));
    if (!scene.joints.empty())
        throw Error(scene.joints.front().place, "hard particles cannot be joined: leave the joint out, or use another method.kind");
    if (!scene.named_bodies.empty())
        throw Error(scene.named_bodies.front().place,
                    "[[body]] makes a compound, and hard particles are spheres or disks of [[bodies]]: use that, or another method.kind");
    for (const SceneMeasure& measure : scene.measures) {
        if (measure.kind == "wall_load")
            throw Error(measure.place, "collisions that take no time make no load at any one time: use kind = \"pressure\"");
        if (measure.kind == "coordination" || measure.kind == "contact_kinds" || measure.kind == "stress")
            throw Error(measure.place, fmt::format("hard particles touch for no time, so kind = \"{}\" has nothing to count: leave it "
                                                   "out, or use kind = \"pressure\"",
                                                   measure.kind));
    }
    if (scene.output.contacts) throw Error(scene.output.place, "hard particles touch for no time: leave contacts = true out");
}

/// The first layer of a lattice is the plane, wherever its origin is.
void check_lattices(const Scene& scene) {
    for (const SceneBodies& group : scene.bodies) {
        const ScenePlacement& p = group.placement;
        if (scene.dimensions == 2 && p.kind == ScenePlacement::Kind::Lattice && p.origin && p.origin->z != 0)
            throw Error(p.place.line > 0 ? p.place : group.place,
                        fmt::format("in two dimensions bodies lie in the plane z = 0: set the z of the lattice's origin to 0, not {}",
                                    p.origin->z));
    }
}

void check_domain(const Scene& scene, const Model& model) {
    for (int a = 0; a < 3; ++a) {
        const double low = along(scene.domain.min, a), high = along(scene.domain.max, a);
        const char axis = "xyz"[a];
        if (a < model.dimensions && !model.domain.periodic[a] && (std::isfinite(low) || std::isfinite(high)))
            throw Error(
                scene.domain.place,
                fmt::format("hard particles leave no domain: bound {} by walls, make it periodic, or leave min and max open", axis));
    }
}

void check_wall(const SceneWall& given, const Wall& wall) {
    if (wall.planes.empty())
        throw Error(given.place, fmt::format("hard particles bounce off planes alone, not off kind = \"{}\"{}: use planes or a box",
                                             given.kind, given.kind == "box" ? " with side = \"outside\"" : ""));
    if (wall.motion.moves) throw Error(given.place, "walls of hard particles are at rest: leave motion out");
    if (given.mass || !given.body.empty()) throw Error(given.place, "walls of hard particles are not carried by bodies");
    if (given.active_from > 0 || std::isfinite(given.active_to))
        throw Error(given.place, "walls of hard particles are there all the time: leave active out");
}

/// Planes across the plane of motion, such as a box has, mean nothing there.
void flatten(Wall& wall) {
    std::erase_if(wall.planes, [](const Plane& p) { return p.normal.x == 0 && p.normal.y == 0; });
}

/// A plane with a component along a periodic axis would stand elsewhere in each period.
void check_periods_of(const SceneWall& given, const Wall& wall, const HardBox& box) {
    for (const Plane& plane : wall.planes)
        for (int a = 0; a < box.dimensions; ++a)
            if (box.periodic[a] && std::abs(along(plane.normal, a)) > 1e-12)  // rounding of a direction
                throw Error(given.place,
                            fmt::format("wall \"{0}\": the plane with normal ({1:.4g}, {2:.4g}, {3:.4g}) is not the same in each period "
                                        "along {4}: use planes without {4} in their normals, or leave {4} out of domain.periodic",
                                        wall.name, plane.normal.x, plane.normal.y, plane.normal.z, "xyz"[a]));
}

/// Brings bodies into the periods; refuses what is neither sphere nor disk.
void settle_bodies(const std::vector<Origin>& origins, Model& model) {
    const HardBox box = hard_box(model);
    BodyTable& bodies = model.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto refuse = [&](const std::string& text) { throw Error(origin_of(origins, i).place, text); };
        if (bodies.shape[i] != BodyTable::sphere_shape || bodies.owner_of(i) >= 0)
            refuse(fmt::format("hard particles are {0}s: use kind = \"{0}\", or another method.kind",
                               model.dimensions == 2 ? "disk" : "sphere"));
        for (int a = 0; a < 3; ++a) {
            double& x = along(bodies.position[i], a);
            if (box.periodic[a]) x -= box.length(a) * std::floor((x - box.low[a]) / box.length(a));
        }
        if (model.dimensions != 2) continue;
        if (bodies.position[i].z != 0 || bodies.velocity[i].z != 0)
            refuse(fmt::format("in two dimensions bodies move in the plane z = 0, but body {} is at z = {} with velocity {}", i,
                               bodies.position[i].z, bodies.velocity[i].z));
    }
}

double largest_diameter(const BodyTable& bodies) {
    return bodies.radius.empty() ? 0.0 : 2 * *std::max_element(bodies.radius.begin(), bodies.radius.end());
}

/// Refuses speeds whose squares or paths overflow: sums would be no numbers, and periods crossed past counting.
void check_speeds(const Scene& scene, const std::vector<Origin>& origins, const Model& model) {
    const HardBox box = hard_box(model);
    double energy = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        const Vec3 v = model.bodies.velocity[i];
        energy += 0.5 * model.bodies.mass[i] * norm2(v);
        const auto refuse = [&](const std::string& text) {
            throw Error(origin_of(origins, i).place, fmt::format("body {} ({}) {}", i, origin_of(origins, i).label, text));
        };
        if (!std::isfinite(energy)) refuse("brings the kinetic energy past all numbers: make velocities smaller");
        for (int a = 0; a < model.dimensions; ++a)
            if (box.periodic[a] && std::abs(along(v, a)) * scene.time.end > 1e9 * box.length(a))
                refuse(fmt::format("at {:.4g} m/s crosses the period along {} more than 1e9 times: make time.end or velocities smaller",
                                   along(v, a), "xyz"[a]));
    }
}

/// Two images of a body must not be near another at once.
void check_periods(const Scene& scene, const Model& model) {
    const HardBox box = hard_box(model);
    const double largest = largest_diameter(model.bodies);
    for (int a = 0; a < model.dimensions; ++a)
        // 1e-6: cells of that width, rounded, still are three.
        if (box.periodic[a] && box.length(a) < 3 * largest * (1 + 1e-6))
            throw Error(scene.domain.place,
                        fmt::format("the period along {} is {:.6g} m, shorter than three of the largest diameters, {:.6g} m each: make "
                                    "the domain larger, or the bodies smaller",
                                    "xyz"[a], box.length(a), largest));
}

/// Bodies and, behind the far end of each period, images of those near its start; `source`: the body of each image.
BodyTable with_images(const Model& model, std::vector<std::size_t>& source) {
    const HardBox box = hard_box(model);
    const double reach = largest_diameter(model.bodies);
    BodyTable all;
    const auto add = [&](Vec3 at, std::size_t i) {
        all.position.push_back(at);
        all.radius.push_back(model.bodies.radius[i]);
        all.shape.push_back(BodyTable::sphere_shape);
        source.push_back(i);
    };
    for (std::size_t i = 0; i < model.bodies.size(); ++i) add(model.bodies.position[i], i);
    for (int a = 0; a < 3; ++a) {
        if (!box.periodic[a]) continue;
        for (std::size_t k = 0, count = source.size(); k < count; ++k) {  // images along one axis have images along the next
            Vec3 at = all.position[k];
            if (along(at, a) - box.low[a] > reach) continue;
            along(at, a) += box.length(a);
            add(at, source[k]);
        }
    }
    return all;
}

/// What bodies meant to touch may overlap by, over the smaller radius: rounding of their places.
constexpr double touching = 1e-9;

void check_start(const std::vector<Origin>& origins, const Model& model) {
    std::vector<std::size_t> source;
    const BodyTable all = with_images(model, source);
    const Overlaps found = find_overlaps(all, model.shapes, touching, touching);
    if (found.past_limit > 0) {
        const auto [i, j] = std::minmax(source[static_cast<std::size_t>(found.first)], source[static_cast<std::size_t>(found.second)]);
        const bool across = static_cast<std::size_t>(found.second) >= model.bodies.size();
        throw Error(
            origin_of(origins, j).place,
            fmt::format("bodies {} ({}) and {} ({}) overlap by {:.1f} % of the smaller radius{}, which hard particles cannot: widen "
                        "the spacing, or make the bodies smaller",
                        i, origin_of(origins, i).label, j, origin_of(origins, j).label, 100.0 * found.worst,
                        across ? " across the domain's border" : ""));
    }
    for (const Wall& wall : model.walls)
        for (const Plane& plane : wall.planes)
            for (std::size_t i = 0; i < model.bodies.size(); ++i) {
                const double gap = dot(plane.normal, model.bodies.position[i] - plane.point) - model.bodies.radius[i];
                if (gap >= -touching * model.bodies.radius[i]) continue;
                throw Error(origin_of(origins, i).place, fmt::format("body {} ({}) reaches {:.3g} m into wall \"{}\", which hard particles "
                                                                     "cannot: move it out of the wall",
                                                                     i, origin_of(origins, i).label, -gap, wall.name));
            }
}

}  // namespace

void settle_hard(const Scene& scene, const std::vector<Origin>& origins, Model& model) {
    check_scene(scene);
    check_lattices(scene);
    check_domain(scene, model);
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        check_wall(scene.walls[w], model.walls[w]);
        if (model.dimensions == 2) flatten(model.walls[w]);
        check_periods_of(scene.walls[w], model.walls[w], hard_box(model));
    }
    settle_bodies(origins, model);
    check_periods(scene, model);
    check_speeds(scene, origins, model);
    check_start(origins, model);
}

void check_hard_step(const Scene& scene, const Model& model) {
    if (model.hard.stepping != HardStepping::Steps) return;
    const HardBox box = hard_box(model);
    const double largest = largest_diameter(model.bodies);
    double fastest = 0, allowed = largest;
    for (const Vec3& v : model.bodies.velocity) fastest = std::max(fastest, norm(v));
    // Rows of neighbours reach six flights farther than they must, and not past half a period (engine/hard/neighbours.cpp); the third of
    // what that leaves, as of the three diameters there, since speeds of a gas spread.
    for (int a = 0; a < model.dimensions; ++a)
        if (box.periodic[a]) allowed = std::min(allowed, (box.length(a) - 2 * largest) / 36);
    if (fastest * model.dt > allowed)
        throw Error(
            scene.time.step_place,
            fmt::format("in a step of {:.4g} s the fastest body flies {:.4g} m, farther than {:.4g} m, {}: shorten time.step to "
                        "{:.3g} s, or use method.stepping = \"events\"",
                        model.dt, fastest * model.dt, allowed,
                        allowed < largest ? "which is what so small a domain allows" : "the largest diameter", 0.1 * allowed / fastest));
}

}  // namespace scree
