#include "scene/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

namespace scree {
namespace {

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const Item& item : items) names.push_back(item.name);
    return names;
}

template <class Item>
void check_unique(const std::vector<Item>& items, const char* what) {
    std::set<std::string> seen;
    for (const Item& item : items)
        if (!seen.insert(item.name).second)
            throw Error(item.place, fmt::format("two {}s are called \"{}\"; give each its own name", what, item.name));
}

void check_pairs(const Scene& scene) {
    std::set<std::pair<std::string, std::string>> seen;
    for (const SceneMaterialPair& pair : scene.material_pairs)
        if (!seen.insert(std::minmax(pair.first, pair.second)).second)
            throw Error(pair.place, fmt::format("the material pair \"{}\", \"{}\" is listed twice; keep one", pair.first, pair.second));
}

void check_bodies_apart(const Scene& scene) {
    std::set<std::string> seen;
    const auto add = [&](const std::string& name, const SourcePlace& place) {
        if (name == "ground") throw Error(place, "a body cannot be called \"ground\": joints mean the world by it");
        if (!seen.insert(name).second)
            throw Error(place,
                        fmt::format("two bodies are called \"{}\"; give each its own name (a wall with a mass is a body too)", name));
    };
    for (const SceneBody& body : scene.named_bodies) add(body.name, body.place);
    for (const SceneWall& wall : scene.walls)
        if (wall.mass) add(wall.name, wall.place);
}

const SceneJoint* joint_of(const Scene& scene, const std::string& name) {
    const auto found = std::find_if(scene.joints.begin(), scene.joints.end(), [&](const SceneJoint& j) { return j.name == name; });
    return found == scene.joints.end() ? nullptr : &*found;
}

/// Gears and racks couple joints that turn or travel; unknown names are left to the check of references.
void check_couplings(const Scene& scene) {
    for (const SceneJoint& joint : scene.joints) {
        if (joint.kind != "gear" && joint.kind != "rack") continue;
        const SceneJoint *first = joint_of(scene, joint.first), *second = joint_of(scene, joint.second);
        const auto require = [&](const SceneJoint* one, bool able, const char* what, const char* kinds) {
            if (one && !able)
                throw Error(joint.place, fmt::format("the {} \"{}\" needs a joint that {} ({}), but \"{}\" is {}", joint.kind, joint.name,
                                                     what, kinds, one->name, one->kind));
        };
        require(first, first && turns_about_axis(first->kind), "turns", "revolute or cylindrical");
        if (joint.kind == "gear") require(second, second && turns_about_axis(second->kind), "turns", "revolute or cylindrical");
        if (joint.kind == "rack")
            require(second, second && travels_along_axis(second->kind), "travels", "prismatic, cylindrical or point_on_line");
    }
}

const SceneShape* shape_of(const Scene& scene, const std::string& name) {
    const auto found = std::find_if(scene.shapes.begin(), scene.shapes.end(), [&](const SceneShape& s) { return s.name == name; });
    return found == scene.shapes.end() ? nullptr : &*found;
}

bool has_one_size(const SceneShape& shape) {
    return shape.size.kind == SizeDistribution::Kind::Single;
}

void check_parts(const Scene& scene) {
    for (const SceneShape& shape : scene.shapes)
        for (const ScenePart& part : shape.parts) {
            const SceneShape* own = shape_of(scene, part.shape);
            if (!own) continue;
            if (own->kind == "compound")
                throw Error(part.place, fmt::format("shape \"{}\" is a compound itself; list its parts here in its place", own->name));
            if (!has_one_size(*own))
                throw Error(part.place,
                            fmt::format("shape \"{}\" has a distribution of sizes; a part has one: give it a radius", own->name));
        }
    for (const SceneBody& body : scene.named_bodies) {
        const SceneShape* own = shape_of(scene, body.shape);
        if (own && !has_one_size(*own))
            throw Error(body.place,
                        fmt::format("shape \"{}\" has a distribution of sizes; the one body \"{}\" needs a radius", own->name, body.name));
    }
}

/// The interior-point method needs the matrix of the contacts written out, which joints, bonds and couples are no part of.
void check_solver(const Scene& scene) {
    const SceneMethod& method = scene.method;
    if (method.kind != "cone" || method.solver != "interior_point") return;
    const auto refuse = [&](const std::string& what) {
        throw Error(method.solver_place,
                    fmt::format("[method] solver: \"interior_point\" solves contacts alone, but {}; use \"auto\" or \"apgd\"", what));
    };
    if (!scene.joints.empty()) refuse("the scene has joints");
    if (!scene.bonds.empty()) refuse("the scene has bonds");
    for (const SceneMaterial& m : scene.materials)
        if (m.rolling_friction > 0 || m.spinning_friction > 0)
            refuse(fmt::format("material \"{}\" has rolling or spinning friction", m.name));
    for (const SceneMaterialPair& pair : scene.material_pairs)
        if (pair.rolling_friction.value_or(0) > 0 || pair.spinning_friction.value_or(0) > 0)
            refuse(fmt::format("the pair \"{}\", \"{}\" has rolling or spinning friction", pair.first, pair.second));
}

/// Eigenvalues of a symmetric matrix (xx, yy, zz, xy, xz, yz), ascending, to about 1e-8 of the largest (Smith 1961, Comm. ACM 4:168).
std::array<double, 3> eigenvalues(const std::array<double, 6>& m) {
    const double mean = (m[0] + m[1] + m[2]) / 3;
    const double off = m[3] * m[3] + m[4] * m[4] + m[5] * m[5];
    const double a = m[0] - mean, b = m[1] - mean, c = m[2] - mean;
    const double p = std::sqrt((a * a + b * b + c * c + 2 * off) / 6);
    if (p == 0) return {mean, mean, mean};
    const double determinant = a * (b * c - m[5] * m[5]) - m[3] * (m[3] * c - m[5] * m[4]) + m[4] * (m[3] * m[5] - b * m[4]);
    const double angle = std::acos(std::clamp(determinant / (2 * p * p * p), -1.0, 1.0)) / 3;
    const double most = mean + 2 * p * std::cos(angle), least = mean + 2 * p * std::cos(angle + 2 * std::numbers::pi / 3);
    return {least, 3 * mean - most - least, most};
}

}  // namespace

bool turns_about_axis(const std::string& joint_kind) {
    return joint_kind == "revolute" || joint_kind == "cylindrical";
}

bool travels_along_axis(const std::string& joint_kind) {
    return joint_kind == "prismatic" || joint_kind == "cylindrical" || joint_kind == "point_on_line";
}

std::string problem_of_inertia(const std::vector<double>& entries) {
    if (entries.size() != 3 && entries.size() != 6)
        return fmt::format("expected three numbers [xx, yy, zz] or six [xx, yy, zz, xy, xz, yz], not {}", entries.size());
    std::array<double, 6> m{};
    std::copy(entries.begin(), entries.end(), m.begin());
    const double scale = std::max({std::abs(m[0]), std::abs(m[1]), std::abs(m[2]), std::abs(m[3]), std::abs(m[4]), std::abs(m[5])});
    if (scale == 0) return "all moments are 0; a rigid body has three above 0";
    for (double& entry : m) entry /= scale;  // so that no square under- or overflows
    const auto [least, middle, most] = eigenvalues(m);
    const auto shown = [&](double moment) { return std::abs(moment) < 1e-12 ? 0.0 : scale * moment; };  // 1e-12: rounding
    const std::string principal = fmt::format("{:.6g}, {:.6g} and {:.6g}", shown(least), shown(middle), shown(most));
    // 1e-7: what the eigenvalues are good for, with room.
    if (!(least > 1e-7 * most)) return fmt::format("the principal moments must be above 0, but are {}", principal);
    // 1e-4: entries that were rounded to four digits pass.
    if (most > (1 + 1e-4) * (least + middle))
        return fmt::format("no mass is spread so that one principal moment exceeds the sum of the other two, but they are {}", principal);
    return "";
}

std::string problem_of_sieves(const SizeDistribution& size) {
    const std::vector<double>&r = size.sieve_radius, &share = size.passing;
    if (r.size() < 2) return "a table of sieves needs two or more";
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (!(r[i] > 0 && std::isfinite(r[i]))) return fmt::format("apertures must be above 0, not {}", 2 * r[i]);
        if (!(share[i] >= 0 && share[i] <= 1)) return fmt::format("passing must be a share from 0 to 1, not {}", share[i]);
        if (i == 0) continue;
        if (!(r[i] > r[i - 1])) return fmt::format("apertures must rise; {} m follows {} m", 2 * r[i], 2 * r[i - 1]);
        if (!(share[i] >= share[i - 1])) return fmt::format("what passes must not fall; {} follows {}", share[i], share[i - 1]);
    }
    if (share.front() != 0)
        return fmt::format("{} passes the finest sieve: begin with a finer one that nothing passes (passing = 0)", share.front());
    if (share.back() != 1) return fmt::format("{} passes the widest sieve: end with one that all passes (passing = 1)", share.back());
    return "";
}

void check_scene(Scene& scene, const TableReading&) {
    for (std::size_t i = 0; i < scene.walls.size(); ++i)
        if (scene.walls[i].name.empty()) scene.walls[i].name = fmt::format("wall{}", i + 1);
    for (SceneMeasure& measure : scene.measures)
        if (measure.name.empty()) measure.name = measure.kind;
    if (const auto& steps = scene.time.steps)
        scene.time.step = scene.method.kind == "cone"    ? steps->cone
                          : scene.method.kind == "hard"  ? steps->hard
                          : scene.method.kind == "fluid" ? steps->fluid
                                                         : steps->penalty;
    check_solver(scene);
    check_unique(scene.walls, "wall");
    check_unique(scene.measures, "measure");
    check_unique(scene.joints, "joint");
    check_bodies_apart(scene);
    check_couplings(scene);
    check_parts(scene);
    check_pairs(scene);
}

ScopeWords words_of_scope(const std::string& scope) {
    if (scope == "material") return {"material", "[material.NAME]"};
    if (scope == "shape") return {"shape", "[shape.NAME]"};
    if (scope == "wall") return {"wall", "[[wall]]"};
    if (scope == "bond") return {"bond", "[[bond]]"};
    if (scope == "joint") return {"joint", "[[joint]]"};
    return {"body", "[[body]]"};
}

std::vector<std::string> names_in(const Scene& scene, const std::string& scope) {
    if (scope == "material") return names_of(scene.materials);
    if (scope == "shape") return names_of(scene.shapes);
    if (scope == "wall") return names_of(scene.walls);
    if (scope == "joint") return names_of(scene.joints);
    if (scope == "bond") {
        std::vector<std::string> names;
        for (const SceneBond& bond : scene.bonds)
            names.push_back(bond.name.empty() ? "bond" + std::to_string(names.size() + 1) : bond.name);
        return names;
    }
    std::vector<std::string> bodies = names_of(scene.named_bodies);
    if (scope == "carrier") return bodies;
    for (const SceneWall& wall : scene.walls)
        if (wall.mass) bodies.push_back(wall.name);
    if (scope == "joined") bodies.emplace_back("ground");
    return bodies;
}

}  // namespace scree
