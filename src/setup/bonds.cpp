#include "setup/bonds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/cell.hpp"
#include "model/compounds.hpp"
#include "model/made_bonds.hpp"
#include "model/motion.hpp"
#include "scene/files_of.hpp"
#include "setup/bond_pairs.hpp"
#include "setup/placement/region.hpp"
#include "setup/placement/text_rows.hpp"
#include "setup/wall_bonds.hpp"

namespace scree {

namespace {

constexpr const char* clump_skips = "bodies that are parts of a clump touch with all of it, bonded or not: set contact = \"keep\"";

BondKind kind_of(const SceneBond& given, const Model& model) {
    const std::size_t number = model.bond_kinds.size() + 1;
    BondKind kind;
    kind.name = given.name.empty() ? fmt::format("bond{}", number) : given.name;
    kind.law = BondLaws::number(given.law);
    const LawPart& part = *BondLaws::parts[kind.law - 1];
    for (int k = 0; k < part.count; ++k) {
        const auto at = given.values.find(part.parameters[k]->name);
        kind.values.value[k] = at == given.values.end() ? part.parameters[k]->fallback : at->second;
    }
    kind.radius_share = given.radius_share;
    kind.tensile_strength = given.tensile;
    kind.shear_strength = given.shear;
    kind.bending_strength = given.bending;
    kind.friction = std::tan(given.friction_angle);
    kind.moment_share = given.moment_share;
    kind.scatter = given.weibull.value_or(0.0);
    kind.seed = given.seed;
    kind.damping = given.damping;
    kind.keeps_contact = given.contact == "keep";
    kind.on_touch = given.on_touch;
    kind.gap = given.gap.value_or(0.0);
    kind.from = given.on_touch ? given.from.value_or(0.0) : given.at;
    kind.until = given.until.value_or(kind.until);
    kind.every = given.every.value_or(0.0);
    for (const std::string& name : given.materials)
        for (std::size_t m = 0; m < model.materials.size(); ++m)
            if (model.materials[m].name == name) kind.materials.push_back(static_cast<std::int32_t>(m));
    return kind;
}

/// Pairs of bodies that may be bonded, whose surfaces are no farther apart than the gap.
std::vector<BodyPair> neighbours(const SceneBond& given, const BondKind& kind, const Agglomerates& agglomerates, const Model& model) {
    std::vector<std::int32_t> ids;
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
        if (may_be_bonded(model, kind, i)) ids.push_back(static_cast<std::int32_t>(i));
    std::vector<BodyPair> found =
        pairs_within(*given.gap, ids, model.bodies.position, model, cell_of(model),
                     [&](std::int32_t a, std::int32_t b) { return !are_apart(given.within, agglomerates, a, b); });
    if (found.size() > most_bonds) throw Error(given.place, "there are more bonds than can be numbered: give a narrower gap");
    return found;
}

/// Two bodies that are named, and where.
struct NamedPair {
    double a, b;
    SourcePlace place;
};

/// Columns a and b of a text file; others are passed over.
std::vector<NamedPair> pairs_in_file(const SceneBond& given, const Scene& scene) {
    const std::string path = resolved_path(scene.folder, given.file);
    TextRows rows(path, given.file_place);
    std::vector<std::string_view> row;
    if (!rows.next(row)) throw Error(given.file_place, fmt::format("\"{}\" is empty", path));
    const auto column = [&](std::string_view name) {
        const auto at = std::find(row.begin(), row.end(), name);
        if (at == row.end())
            throw Error(rows.here(),
                        fmt::format("no column \"{}\": the first line names the columns, of which a and b are the bodies", name));
        return static_cast<std::size_t>(at - row.begin());
    };
    const std::size_t a = column("a"), b = column("b"), fields = row.size();
    std::vector<NamedPair> pairs;
    while (rows.next(row)) {
        if (row.size() != fields) throw Error(rows.here(), fmt::format("expected {} fields, not {}", fields, row.size()));
        pairs.push_back({number_or_throw(row[a], rows.here(row[a])), number_or_throw(row[b], rows.here(row[b])), rows.here()});
    }
    return pairs;
}

/// Why a compound itself has no bonds.
std::string no_surface(const Model& model, std::size_t id) {
    const bool members = id + 1 < model.bodies.size() && model.bodies.owner_of(id + 1) == static_cast<std::int32_t>(id);
    return members ? fmt::format("[[bond]] names body {}, a compound: name one of its members, whose numbers follow it", id)
                   : fmt::format("[[bond]] names body {}, which has no shape to be bonded at: give it one, or hold it by a [[joint]]", id);
}

std::vector<BodyPair> named_pairs(const SceneBond& given, const Scene& scene, const Model& model) {
    std::vector<NamedPair> named;
    for (std::size_t k = 0; k + 1 < given.pairs.size(); k += 2) named.push_back({given.pairs[k], given.pairs[k + 1], given.place});
    if (!given.file.empty()) named = pairs_in_file(given, scene);
    std::vector<BodyPair> pairs;
    std::set<BodyPair> seen;
    const auto n = static_cast<double>(model.bodies.size());
    for (const auto& [a, b, place] : named) {
        for (const double id : {a, b}) {
            if (id != std::floor(id) || id < 0 || !(id < n))
                throw Error(place, fmt::format("[[bond]] names body {}, but the bodies are 0 to {}", id, n - 1));
            if (is_compound(model, static_cast<std::size_t>(id))) throw Error(place, no_surface(model, static_cast<std::size_t>(id)));
        }
        const auto low = static_cast<std::int32_t>(std::min(a, b)), high = static_cast<std::int32_t>(std::max(a, b));
        if (low == high || are_one(model.bodies, low, high))
            throw Error(place, fmt::format("[[bond]] bonds body {} to {}, which are one: take them out", low, high));
        if (!seen.insert({low, high}).second) throw Error(place, fmt::format("[[bond]] bonds bodies {} and {} twice", low, high));
        pairs.emplace_back(low, high);
    }
    return pairs;
}

/// Bonds that will be made: fails where some of the bodies could not have them.
void check_made_later(const SceneBond& given, const BondKind& kind, const Model& model) {
    double largest = 0;
    bool any = false;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (!may_be_bonded(model, kind, i)) continue;
        any = true;
        largest = std::max(largest, model.bodies.radius[i]);
        if (!kind.keeps_contact && is_of_many(model.bodies, static_cast<std::int32_t>(i))) throw Error(given.place, clump_skips);
    }
    const Cell cell = cell_of(model);
    for (int axis = 0; axis < 3; ++axis)
        if (any && cell.periodic[axis] && 2 * largest + kind.gap > 0.4 * cell.length[axis])
            throw Error(given.place, fmt::format("[[bond]] \"{}\" may make bonds of {:.3g} m, longer than 0.4 of the period along {}: make "
                                                 "the domain longer there",
                                                 kind.name, 2 * largest + kind.gap, "xyz"[axis]));
}

std::vector<BondBreaking> build_breakings(const Scene& scene, const Model& model) {
    std::vector<BondBreaking> all;
    std::set<std::string> names;
    for (const SceneBreak& given : scene.breaks) {
        if (scene.bonds.empty()) throw Error(given.place, "[[break]] breaks bonds, but the scene has no [[bond]]");
        const std::string name = given.name.empty() ? fmt::format("break{}", all.size() + 1) : given.name;
        if (!names.insert(name).second)
            throw Error(given.place, fmt::format("two [[break]] tables are called \"{}\"; give each its own name", name));
        BondBreaking one;
        one.region = looked_at(given.region, scene.dimensions == 2);
        one.kinds.assign(model.bond_kinds.size(), given.bonds.empty() ? 1 : 0);
        for (const std::string& bond : given.bonds) {
            const auto found =
                std::find_if(model.bond_kinds.begin(), model.bond_kinds.end(), [&](const BondKind& kind) { return kind.name == bond; });
            if (found == model.bond_kinds.end())
                throw Error(given.bonds_place, fmt::format("[[break]] bond: no [[bond]] has the name \"{}\"", bond));
            one.kinds[static_cast<std::size_t>(found - model.bond_kinds.begin())] = 1;
        }
        one.from = given.at.value_or(given.from.value_or(0.0));
        one.to = given.until.value_or(one.to);
        one.every = given.every.value_or(0.0);
        all.push_back(std::move(one));
    }
    return all;
}

/// The wall that a table bonds bodies to, -1: none.
std::int32_t wall_of(const SceneBond& given, const BondKind& kind, const Model& model) {
    if (given.wall.empty()) return -1;
    const auto found = std::find_if(model.walls.begin(), model.walls.end(), [&](const Wall& wall) { return wall.name == given.wall; });
    if (found == model.walls.end()) throw Error(given.place, fmt::format("[[bond]] wall: no wall has the name \"{}\"", given.wall));
    if (found->motion.surface)
        throw Error(given.place,
                    fmt::format("wall \"{}\" stays in its place while its surface moves: nothing can be bonded to it", given.wall));
    if (!(found->active_from <= kind.from && kind.from < found->active_to))
        throw Error(given.place,
                    fmt::format("wall \"{}\" is not there at {} s, when bodies are to be bonded to it", given.wall, kind.from));
    if (found->body >= 0 && is_made_later(kind))
        throw Error(given.place,
                    fmt::format("bonds to wall \"{}\", which a body carries, are made at the start: take `at` out", given.wall));
    if (!model.domain.stages.empty() || model.domain.shear.on)
        throw Error(given.place, "bonds to walls are not of a domain that is sheared or driven, whose images move past its walls");
    return static_cast<std::int32_t>(found - model.walls.begin());
}

/// All that a table bonds to a wall at the start.
std::vector<Bond> held_by_wall(const SceneBond& given, const BondKind& kind, std::int32_t number, std::int32_t wall, const Model& model) {
    std::vector<std::int32_t> ids;
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
        if (may_be_bonded(model, kind, i)) ids.push_back(static_cast<std::int32_t>(i));
    const auto w = static_cast<std::size_t>(wall);
    const std::vector<Bond> found = bonds_to_wall(model, number, w, pose_at(model.walls[w].motion, 0.0), ids, model.bodies.position);
    if (found.empty())
        throw Error(given.place, fmt::format("[[bond]] \"{}\" bonds nothing: no body is within its gap of wall \"{}\"{}", kind.name,
                                             given.wall, given.materials.empty() ? "" : ", of its materials"));
    for (const Bond& bond : found) {
        if (!kind.keeps_contact && is_of_many(model.bodies, bond.a)) throw Error(given.place, clump_skips);
        const BondSize size = size_of(model, bond);
        if (!(size.length > 1e-6 * size.radius))
            throw Error(given.place,
                        fmt::format("the centre of body {} lies on wall \"{}\", where a bond has no length", bond.a, given.wall));
    }
    return found;
}

void check_method(const SceneBond& given, const Model& model) {
    if (model.method == Method::Cone && given.law == "softening")
        throw Error(
            given.place,
            "[[bond]] law = \"softening\" is of kind = \"penalty\": its damage follows the stretch on its way past the strength, which a "
            "step of the cone method may pass at once; take \"parallel\", which breaks at its strength");
    if (model.method != Method::Penalty && model.method != Method::Cone)
        throw Error(given.place,
                    "[[bond]] is of kind = \"penalty\" and \"cone\": use one of them, or hold bodies together by compounds or joints");
}

}  // namespace

BondPlan build_bonds(const Scene& scene, const std::vector<Origin>& origins, const Agglomerates& agglomerates, Model& model) {
    BondPlan plan;
    if (scene.output.bonds && scene.bonds.empty())
        throw Error(scene.output.place, "[output] bonds writes bonds into frames, but the scene has no [[bond]]");
    plan.agglomerates = agglomerates;
    for (const CellStage& stage : model.domain.stages)
        if (!scene.bonds.empty() && stage.by_stress())
            throw Error(scene.bonds.front().place,
                        "a domain that is driven by a stress answers to contacts alone, not to bonds: give its stages rates");
    std::set<BodyPair> bonded;
    std::set<std::string> names;
    for (const SceneBond& given : scene.bonds) {
        check_method(given, model);
        const BondKind kind = kind_of(given, model);
        if (!names.insert(kind.name).second)
            throw Error(given.place, fmt::format("two [[bond]] tables are called \"{}\"; give each its own name", kind.name));
        const auto number = static_cast<std::int32_t>(model.bond_kinds.size());
        model.bond_kinds.push_back(kind);
        const std::int32_t wall = wall_of(given, kind, model);
        if (is_made_later(kind)) {
            plan.makings.push_back({number, given.within, wall});
            model.track_orientation = true;  // bonds will turn with their bodies
            continue;
        }
        if (wall >= 0) {
            const std::vector<Bond> held = held_by_wall(given, kind, number, wall, model);
            model.bonds.insert(model.bonds.end(), held.begin(), held.end());
            continue;
        }
        const std::size_t before = model.bonds.size();
        std::size_t taken = 0;
        for (const auto& [a, b] : given.gap ? neighbours(given, kind, agglomerates, model) : named_pairs(given, scene, model)) {
            if (!bonded.insert({a, b}).second) {
                ++taken;
                if (given.gap) continue;  // the first table that bonds two bodies has them
                throw Error(given.place, fmt::format("[[bond]] pairs bonds bodies {} and {}, which are bonded already", a, b));
            }
            if (!kind.keeps_contact && (is_of_many(model.bodies, a) || is_of_many(model.bodies, b))) throw Error(given.place, clump_skips);
            model.bonds.push_back({a, b, number});
            const BondSize size = size_of(model, model.bonds.back());
            if (!(size.length > 1e-6 * size.radius))
                throw Error(given.place, fmt::format("bodies {} ({}) and {} lie in the same place, where a bond has no length", a,
                                                     origin_of(origins, static_cast<std::size_t>(a)).label, b));
            const Cell cell = cell_of(model);
            for (int axis = 0; axis < 3; ++axis)
                if (cell.periodic[axis] && size.length > 0.4 * cell.length[axis])
                    throw Error(given.place, fmt::format("a bond of {:.3g} m between bodies {} and {} is longer than 0.4 of the period "
                                                         "along {}: make the domain longer there",
                                                         size.length, a, b, "xyz"[axis]));
        }
        if (model.bonds.size() == before)
            throw Error(given.place,
                        taken > 0
                            ? fmt::format("[[bond]] \"{}\" bonds nothing: the tables before it have bonded all {} pairs within its gap",
                                          kind.name, taken)
                            : fmt::format("[[bond]] \"{}\" bonds nothing: no two bodies are within its gap{}", kind.name,
                                          given.materials.empty() ? "" : ", of its materials"));
    }
    if (model.bonds.size() > most_bonds) throw Error(scene.bonds.front().place, "there are more bonds than can be numbered");
    plan.breakings = build_breakings(scene, model);
    return plan;
}

void check_made_bonds(const Scene& scene, const Model& model) {
    for (std::size_t k = 0; k < scene.bonds.size(); ++k)
        if (is_made_later(model.bond_kinds[k])) check_made_later(scene.bonds[k], model.bond_kinds[k], model);
}

}  // namespace scree
