#include "setup/periods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "model/cell.hpp"
#include "model/compounds.hpp"
#include "model/motion.hpp"
#include "model/pulls.hpp"

namespace scree {

namespace {

/// Diameters that a period has at the least: two, and the margin in which pairs are looked for.
constexpr double kDiameters = 2.2;
/// How far walls keep from borders, or reach past them, in largest diameters: bodies are past a border by up to 1.25 radii before they come
/// back, and reach a radius further.
constexpr double kMargin = 1.25;

/// Of the sphere that bounds body i, a compound by its members; 0 of one that touches nothing.
std::vector<double> diameters(const Model& model) {
    const BodyTable& bodies = model.bodies;
    std::vector<double> d(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (is_compound(model, i)) continue;
        d[i] = 2 * bodies.radius[i];
        const std::int32_t owner = bodies.owner_of(i);
        if (owner < 0) continue;
        double& whole = d[static_cast<std::size_t>(owner)];
        whole = std::max(whole, 2 * (norm(bodies.offset[i]) + bodies.radius[i]));
    }
    return d;
}

void check_bodies(const Scene& scene, const std::vector<Origin>& origins, const Model& model, const Cell& cell,
                  const std::vector<double>& d) {
    const double pull = 2.1 * cohesion_reach(model);
    for (std::size_t i = 0; i < d.size(); ++i) {
        for (int a = 0; a < 3; ++a) {
            if (!cell.periodic[a] || d[i] * kDiameters + pull <= cell.length[a] * (1 + 1e-9)) continue;
            const std::size_t of = model.bodies.owner_of(i) >= 0 ? static_cast<std::size_t>(model.bodies.owner_of(i)) : i;
            const std::string beyond = pull > 0 ? fmt::format(" and {:.3g} m for what pulls beyond touch", pull) : "";
            throw Error(
                scene.domain.place,
                fmt::format("the period along {} is {:.6g} m, but body {} ({}) is {:.6g} m across: a period holds {} of the largest "
                            "bodies{} or more. Make the domain longer there, or the bodies smaller",
                            "xyz"[a], cell.length[a], of, origin_of(origins, of).label, d[of], kDiameters, beyond));
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

/// A round surface about an axis along the period: the same everywhere, at rest and as it turns about itself.
bool is_drum(const Wall& wall, int axis) {
    const auto is_along = [axis](Vec3 v) { return std::abs(std::abs(along(v, axis)) - 1) < 1e-12; };
    if (!wall.planes.empty() || !wall.mesh.vertices.empty() || wall.cylinders.empty()) return false;
    return std::all_of(wall.cylinders.begin(), wall.cylinders.end(), [&](const Cylinder& c) {
        const Vec3 arm = wall.motion.point - c.point;
        const bool own = !turns(wall.motion) || (is_along(wall.motion.axis) && norm(arm - dot(arm, c.axis) * c.axis) <= 1e-9 * c.radius);
        return is_along(c.axis) && own;
    });
}

/// A wall either is the same along the period and reaches past both borders, or keeps away from them.
void check_wall(const SceneWall& given, Wall& wall, const Cell& cell, double largest) {
    const auto refuse = [&](const std::string& why) { throw Error(given.place, fmt::format("wall \"{}\": {}", wall.name, why)); };
    const Motion& motion = wall.motion;
    const Aabb box = box_of(wall);
    const bool finite = !wall.mesh.vertices.empty() || !wall.cylinders.empty();
    for (int a = 0; a < 3; ++a) {
        if (!cell.periodic[a]) continue;
        const char axis = "xyz"[a];
        for (Plane& plane : wall.planes) {
            double& n = along(plane.normal, a);
            if (std::abs(n) > 1e-12)  // rounding of a direction
                refuse(
                    fmt::format("the plane with normal ({:.4g}, {:.4g}, {:.4g}) is not the same in each period along {}: use planes "
                                "without {} in their normals, or leave {} out of domain.periodic",
                                plane.normal.x, plane.normal.y, plane.normal.z, axis, axis, axis));
            n = 0;
        }
        for (const Cylinder& c : wall.cylinders)
            if (!std::isfinite(c.length) && std::abs(std::abs(along(c.axis, a)) - 1) > 1e-12 && along(c.axis, a) != 0)
                refuse(
                    fmt::format("an endless tube that is aslant to {} is not the same in each period: lay it along {}, or give it a length",
                                axis, axis));
        const double low = cell.low[a], high = cell.low[a] + cell.length[a], from = along(box.min, a), to = along(box.max, a);
        const double margin = kMargin * largest;
        const bool spans = finite && from <= low - margin && to >= high + margin;
        const bool within = finite && from >= low + margin && to <= high - margin && wall.planes.empty();
        if (finite && !spans && !within)
            refuse(fmt::format(
                "it reaches from {0} = {1:.6g} to {2:.6g} m, near or across a border of the period from {3:.6g} to {4:.6g} m: "
                "let it end {5} of the largest diameters{6} or more within the borders, or as far beyond both",
                axis, from, to, low, high, kMargin,
                margin > 0 ? fmt::format(" ({:.4g} m)", margin) : std::string(", of bodies that the scene does not have yet,")));
        for (const auto& t : wall.mesh.triangles) {
            const Vec3 p = wall.mesh.vertices[static_cast<std::size_t>(t[0])];
            const Vec3 n =
                cross(wall.mesh.vertices[static_cast<std::size_t>(t[1])] - p, wall.mesh.vertices[static_cast<std::size_t>(t[2])] - p);
            if (spans && std::abs(along(n, a)) > 1e-9 * norm(n))
                refuse(fmt::format(
                    "it reaches past both borders of the period along {0}, but a triangle of it rises along {0}, so that it is not "
                    "the same in each period: use faces along {0}, or let it end within the borders",
                    axis));
        }
        if (!motion.moves) continue;
        if (turns(motion) && !is_drum(wall, a) && !(within && motion.surface))
            refuse(fmt::format("it turns, but the space repeats itself along {0}: only tubes about an axis along {0} may turn", axis));
        bool goes = along(motion.velocity, a) != 0;
        for (const Harmonic& h : motion.harmonics) goes = goes || along(h.amplitude, a) != 0;
        goes = goes || (motion.servo.on && along(motion.servo.direction, a) != 0);
        for (const Vec3& shift : motion.shift) goes = goes || along(shift, a) != 0;
        if (goes && finite && !motion.surface)
            refuse(
                fmt::format("it moves along {}, along which the space repeats itself: use a plane, or surface = true, or leave {} out of "
                            "domain.periodic",
                            axis, axis));
    }
}

/// Fails where a wall is not the same for a body as for its images, which move by themselves: only planes that nothing rubs on are.
void check_smooth_plane(const Scene& scene, std::size_t w, const Model& model) {
    const Wall& wall = model.walls[w];
    const auto refuse = [&](const std::string& why) {
        throw Error(scene.walls[w].place, fmt::format("wall \"{}\": {}, or leave out what moves the domain", wall.name, why));
    };
    if (!wall.mesh.vertices.empty() || !wall.cylinders.empty() || wall.planes.empty())
        refuse(
            "the images of a domain that is sheared or driven move by themselves, so that its walls are planes along all directions in "
            "which "
            "it repeats itself: use kind = \"plane\"");
    for (const SceneBond& bond : scene.bonds)
        if (bond.wall == wall.name) refuse("what is bonded to it would stay while its images move: leave out the bonds");
    const std::set<std::int32_t> materials(model.bodies.material.begin(), model.bodies.material.end());
    for (const std::int32_t m : materials) {
        const auto a = static_cast<std::size_t>(wall.material), b = static_cast<std::size_t>(m);
        const bool smooth = model.method == Method::Penalty && laws_of(model, a, b).tangential == Tangential::None;
        if (smooth || !(model.pairs(a, b).friction > 0)) continue;
        refuse(
            fmt::format("a body that rubs on it would be held back at another speed than its images, which move by themselves: give it a "
                        "material without friction, as by [[material_pair]] between = [\"{}\", \"{}\"] with friction = 0",
                        model.materials[a].name, model.materials[b].name));
    }
}

}  // namespace

void check_motion_in_periods(const SceneWall& given, const Wall& wall, const Model& model) {
    const Cell cell = cell_of(model);
    if (!cell.any()) return;
    if (cell.moves)
        throw Error(given.place,
                    fmt::format("wall \"{}\": walls of a domain that is sheared or driven take no motions by calls", wall.name));
    Wall moved = wall;
    check_wall(given, moved, cell, 0.0);  // where its surfaces end has been checked with the margins of bodies
}

void build_periods(const Scene& scene, Model& model) {
    const SceneDomain& given = scene.domain;
    const bool periodic = given.periodic != "none";
    if (periodic && model.method == Method::Fluid)
        throw Error(given.place,
                    fmt::format("periodic = \"{}\": a fluid has no periods; bound it by walls and leave it out", given.periodic));
    if (!periodic) return;
    for (int a = 0; a < 3; ++a) {
        if (!model.domain.periodic[a]) continue;
        if (a >= model.dimensions)
            throw Error(given.place, fmt::format("periodic = \"{}\": there is no {} in two dimensions", given.periodic, "xyz"[a]));
        if (!std::isfinite(along(given.min, a)) || !std::isfinite(along(given.max, a)))
            throw Error(given.place, fmt::format("the period along {} is max less min: give both as numbers", "xyz"[a]));
    }
}

void check_periods(const Scene& scene, const std::vector<Origin>& origins, Model& model) {
    const Cell cell = cell_of(model);
    if (!cell.any()) return;
    const std::vector<double> across = diameters(model);
    check_bodies(scene, origins, model, cell, across);
    const double largest = across.empty() ? 0.0 : *std::max_element(across.begin(), across.end());
    for (std::size_t w = 0; w < model.walls.size() && w < scene.walls.size(); ++w) {
        if (model.walls[w].body >= 0)
            throw Error(scene.walls[w].place, fmt::format("wall \"{}\" is carried by a body, which periods do not allow: leave out "
                                                          "domain.periodic",
                                                          model.walls[w].name));
        if (cell.moves) check_smooth_plane(scene, w, model);
        check_wall(scene.walls[w], model.walls[w], cell, largest);
    }
}

void settle_periods(const Scene& scene, const std::vector<Origin>& origins, Model& model) {
    const Cell cell = cell_of(model);
    if (!cell.any()) return;
    if (!model.joints.empty() && cell.moves)
        throw Error(
            scene.joints.front().place,
            "joints hold bodies at rest to each other, but the images of a domain that is sheared or driven move by themselves: leave "
            "out the joints, or what moves the domain");
    check_periods(scene, origins, model);
    BodyTable& bodies = model.bodies;
    std::vector<ImageStep> to(bodies.size(), ImageStep{{0, 0, 0}});
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::int32_t owner = bodies.owner_of(i);  // before its members
        if (owner >= 0) {
            to[i] = to[static_cast<std::size_t>(owner)];
        } else if (!bodies.is_later(i)) {
            to[i] = cell.home(bodies.position[i], 0.0);
        }
        bodies.position[i] += cell.shift(to[i]);
        bodies.velocity[i] += cell.drift(to[i]);
    }
}

}  // namespace scree
