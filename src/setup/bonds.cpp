#include "setup/bonds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/cell.hpp"
#include "model/compounds.hpp"
#include "scene/files_of.hpp"
#include "setup/placement/sphere_grid.hpp"
#include "setup/placement/text_rows.hpp"

namespace scree {

namespace {

constexpr std::size_t most_bonds = std::size_t{1} << 30;  // entries name them in 31 bits

BondKind kind_of(const SceneBond& given, std::size_t number) {
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
    return kind;
}

/// Bodies that may be bonded: those with a surface.
std::vector<std::int32_t> chosen(const SceneBond& given, const Model& model) {
    std::vector<char> taken(model.materials.size(), given.materials.empty() ? 1 : 0);
    for (const std::string& name : given.materials)
        for (std::size_t m = 0; m < model.materials.size(); ++m)
            if (model.materials[m].name == name) taken[m] = 1;
    std::vector<std::int32_t> ids;
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
        if (!is_compound(model, i) && taken[static_cast<std::size_t>(model.bodies.material[i])] != 0)
            ids.push_back(static_cast<std::int32_t>(i));
    return ids;
}

bool are_one(const BodyTable& t, std::int32_t a, std::int32_t b) {
    const std::int32_t one = t.owner_of(static_cast<std::size_t>(a)), other = t.owner_of(static_cast<std::size_t>(b));
    return one >= 0 && one == other;
}

/// Is it one of several colliders of a compound? Members follow it.
bool is_of_many(const BodyTable& t, std::int32_t id) {
    const auto i = static_cast<std::size_t>(id);
    const std::int32_t owner = t.owner_of(i);
    return owner >= 0 && ((i > 0 && t.owner_of(i - 1) == owner) || (i + 1 < t.size() && t.owner_of(i + 1) == owner));
}

/// Does the table leave the two apart, as one is of another agglomerate?
bool are_apart(const SceneBond& given, const Agglomerates& agglomerates, std::int32_t a, std::int32_t b) {
    const std::int32_t one = agglomerates.of(a), other = agglomerates.of(b);
    if (given.within) return *given.within && (one == Agglomerates::none || one != other);
    return one != Agglomerates::none && other != Agglomerates::none && one != other;
}

/// Pairs, lower id first, whose surfaces are no farther apart than the gap; across periodic borders, too.
std::vector<std::pair<std::int32_t, std::int32_t>> neighbours(const SceneBond& given, const Agglomerates& agglomerates,
                                                              const Model& model) {
    std::vector<std::pair<std::int32_t, std::int32_t>> found;
    const BodyTable& t = model.bodies;
    const std::vector<std::int32_t> ids = chosen(given, model);
    if (ids.empty()) return found;
    const auto radius = [&](std::int32_t id) { return t.radius[static_cast<std::size_t>(id)]; };
    const auto place = [&](std::int32_t id) { return t.position[static_cast<std::size_t>(id)]; };
    double smallest = radius(ids.front()), largest = smallest;
    for (const std::int32_t id : ids) {
        smallest = std::min(smallest, radius(id));
        largest = std::max(largest, radius(id));
    }
    SphereGrid grid(smallest, ids.size());
    for (const std::int32_t id : ids) grid.insert(id, place(id), radius(id));
    const Cell cell = cell_of(model);
    for (const std::int32_t id : ids) {
        for (const ImageStep& step : nearest_images(cell, place(id))) {
            const Vec3 x = place(id) + cell.shift(step);
            grid.near(x, radius(id) + *given.gap, [&](std::int32_t other) {
                if (other <= id || are_one(t, id, other) || are_apart(given, agglomerates, id, other)) return true;
                const double reach = radius(id) + radius(other) + *given.gap;
                if (norm2(place(other) - x) <= reach * reach * (1 + 1e-12)) found.emplace_back(id, other);
                if (found.size() > most_bonds) throw Error(given.place, "there are more bonds than can be numbered: give a narrower gap");
                return true;
            });
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
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

std::vector<std::pair<std::int32_t, std::int32_t>> named_pairs(const SceneBond& given, const Scene& scene, const Model& model) {
    std::vector<NamedPair> named;
    for (std::size_t k = 0; k + 1 < given.pairs.size(); k += 2) named.push_back({given.pairs[k], given.pairs[k + 1], given.place});
    if (!given.file.empty()) named = pairs_in_file(given, scene);
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    std::set<std::pair<std::int32_t, std::int32_t>> seen;
    const auto n = static_cast<double>(model.bodies.size());
    for (const auto& [a, b, place] : named) {
        for (const double id : {a, b}) {
            if (id != std::floor(id) || id < 0 || !(id < n))
                throw Error(place, fmt::format("[[bond]] names body {}, but the bodies are 0 to {}", id, n - 1));
            if (is_compound(model, static_cast<std::size_t>(id)))
                throw Error(place, fmt::format("[[bond]] names body {}, a compound: name one of its members, whose numbers follow it", id));
        }
        const auto low = static_cast<std::int32_t>(std::min(a, b)), high = static_cast<std::int32_t>(std::max(a, b));
        if (low == high || are_one(model.bodies, low, high))
            throw Error(place, fmt::format("[[bond]] bonds body {} to {}, which are one: take them out", low, high));
        if (!seen.insert({low, high}).second) throw Error(place, fmt::format("[[bond]] bonds bodies {} and {} twice", low, high));
        pairs.emplace_back(low, high);
    }
    return pairs;
}

void check_method(const SceneBond& given, const Model& model) {
    if (model.method != Method::Penalty)
        throw Error(given.place, "[[bond]] is of kind = \"penalty\": use it, or hold bodies together by compounds or joints");
}

}  // namespace

void build_bonds(const Scene& scene, const std::vector<Origin>& origins, const Agglomerates& agglomerates, Model& model) {
    for (const CellStage& stage : model.domain.stages)
        if (!scene.bonds.empty() && stage.by_stress())
            throw Error(scene.bonds.front().place,
                        "a domain that is driven by a stress answers to contacts alone, not to bonds: give its stages rates");
    std::set<std::pair<std::int32_t, std::int32_t>> bonded;
    std::set<std::string> names;
    for (const SceneBond& given : scene.bonds) {
        check_method(given, model);
        const BondKind kind = kind_of(given, model.bond_kinds.size() + 1);
        if (!names.insert(kind.name).second)
            throw Error(given.place, fmt::format("two [[bond]] tables are called \"{}\"; give each its own name", kind.name));
        const auto number = static_cast<std::int32_t>(model.bond_kinds.size());
        model.bond_kinds.push_back(kind);
        const std::size_t before = model.bonds.size();
        std::size_t taken = 0;
        for (const auto& [a, b] : given.gap ? neighbours(given, agglomerates, model) : named_pairs(given, scene, model)) {
            if (!bonded.insert({a, b}).second) {
                ++taken;
                if (given.gap) continue;  // the first table that bonds two bodies has them
                throw Error(given.place, fmt::format("[[bond]] pairs bonds bodies {} and {}, which are bonded already", a, b));
            }
            if (!kind.keeps_contact && (is_of_many(model.bodies, a) || is_of_many(model.bodies, b)))
                throw Error(given.place, "bodies that are parts of a clump touch with all of it, bonded or not: set contact = \"keep\"");
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
}

}  // namespace scree
