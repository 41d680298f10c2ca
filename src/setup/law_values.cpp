#include "setup/law_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "laws/general_row.hpp"
#include "laws/kinds.hpp"
#include "model/compounds.hpp"
#include "model/contact_parameters.hpp"
#include "model/pulls.hpp"
#include "setup/materials.hpp"

namespace scree {

namespace {

using Values = std::array<double, most_law_parameters>;

[[noreturn]] void refuse(const SceneMethod& method, std::string_view key, const std::string& why) {
    throw Error(law_place(method, key), fmt::format("[method] {}: \"{}\" {}", key, law_word(method, key), why));
}

/// What stands for `key` where materials of a scene give it, or where pairs do.
template <class Materials>
SourcePlace place_of(const Materials& of, const std::string& key) {
    const auto at = of.given.find(key);
    return at == of.given.end() ? of.place : at->second;
}

/// Is everything that is given read? A scene that asks for a law under another method was told so.
template <class Materials>
void check_given(const Scene& scene, const std::string& label, const Materials& of) {
    for (const auto& given : of.law_values) {
        const std::string& name = given.first;
        bool read = false;
        std::vector<std::string> chosen;
        for (const LawKind& kind : law_kinds()) {
            const LawPart* part = kind.find(law_word(scene.method, kind.key));
            read = read || (part != nullptr && part->index_of(name) >= 0);
            const bool could = std::any_of(kind.parts.begin(), kind.parts.end(), [&](const LawPart* p) { return p->index_of(name) >= 0; });
            if (could) chosen.push_back(fmt::format("{} = \"{}\"", kind.key, law_word(scene.method, kind.key)));
        }
        if (read) continue;
        throw Error(place_of(of, name), fmt::format("{} {}: read with {} in [method], which has {}. Choose it there, or leave this out",
                                                    label, name, fmt::join(readers_of(name), " or "), fmt::join(chosen, " and ")));
    }
}

double value_of(const SceneMaterial& m, const LawParameter& parameter) {
    if (&parameter == &cohesion_pull) return m.cohesion;
    const auto at = m.law_values.find(parameter.name);
    return at == m.law_values.end() ? parameter.fallback : at->second;
}

std::optional<double> given_value(const SceneMaterialPair& pair, const LawParameter& parameter) {
    if (&parameter == &cohesion_pull) return pair.cohesion;
    const auto at = pair.law_values.find(parameter.name);
    return at == pair.law_values.end() ? std::nullopt : std::optional<double>(at->second);
}

/// The values of a law for every two materials, into `member` of each pair.
void fill(const Scene& scene, std::string_view key, const LawPart& part, Values PairProperties::*member, Model& model) {
    for (const SceneMaterial& m : scene.materials) {
        for (int k = 0; k < part.count; ++k)
            if (value_of(m, *part.parameters[k]) < 0)
                throw Error(m.place, fmt::format("[material.{}]: {} = \"{}\" needs {} [{}] of every material: {}", m.name, key, part.name,
                                                 part.parameters[k]->name, part.parameters[k]->unit, part.parameters[k]->doc));
    }
    const std::size_t count = scene.materials.size();
    const auto set = [&](std::size_t a, std::size_t b, auto value) {
        PairProperties p = model.pairs(a, b);
        for (int k = 0; k < part.count; ++k)
            if (const std::optional<double> v = value(*part.parameters[k])) (p.*member)[static_cast<std::size_t>(k)] = *v;
        model.pairs.set(a, b, p);
    };
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a; b < count; ++b)
            set(a, b, [&](const LawParameter& q) -> std::optional<double> {
                return mixed(value_of(scene.materials[a], q), value_of(scene.materials[b], q), q.mixing);
            });
    for (const SceneMaterialPair& pair : scene.material_pairs)
        set(static_cast<std::size_t>(material_index(scene, pair.first, pair.place)),
            static_cast<std::size_t>(material_index(scene, pair.second, pair.place)),
            [&](const LawParameter& q) { return given_value(pair, q); });
}

/// Where `parameter` of two materials comes from.
SourcePlace source_of(const Scene& scene, std::size_t a, std::size_t b, const char* parameter) {
    for (const SceneMaterialPair& pair : scene.material_pairs) {
        const auto i = static_cast<std::size_t>(material_index(scene, pair.first, pair.place));
        const auto j = static_cast<std::size_t>(material_index(scene, pair.second, pair.place));
        if (((i == a && j == b) || (i == b && j == a)) && pair.law_values.count(parameter) > 0) return place_of(pair, parameter);
    }
    return place_of(scene.materials[scene.materials[a].law_values.count(parameter) > 0 ? a : b], parameter);
}

/// Values that a law can not use.
void check_values(const Scene& scene, const Model& model) {
    const std::size_t count = model.materials.size();
    const LawPart* law = law_kinds().front().find(scene.method.law);
    const bool unloads = law != nullptr && law->index_of(unloading_stiffness.name) == 0;
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            const PairProperties& p = model.pairs(a, b);
            const std::string pair = fmt::format("\"{}\" on \"{}\"", model.materials[a].name, model.materials[b].name);
            if (unloads && p.plastic_values[0] < p.stiffness)
                throw Error(source_of(scene, a, b, unloading_stiffness.name),
                            fmt::format("{}: unloading_stiffness {} N/m is below the stiffness of loading, {} N/m: what yields unloads "
                                        "more steeply",
                                        pair, p.plastic_values[0], p.stiffness));
            if (model.penalty.tangential == Tangential::Stribeck && p.friction_values[0] > p.friction)
                throw Error(source_of(scene, a, b, dynamic_friction.name),
                            fmt::format("{}: dynamic_friction {} is above friction, {}, which is that of rest", pair, p.friction_values[0],
                                        p.friction));
        }
    }
}

}  // namespace

const std::string& law_word(const SceneMethod& method, std::string_view key) {
    if (key == "law") return method.law;
    if (key == "dashpot") return method.dashpot;
    return key == "tangential" ? method.tangential : method.cohesion;
}

SourcePlace law_place(const SceneMethod& method, std::string_view key) {
    if (key == "law") return method.law_place;
    if (key == "dashpot") return method.dashpot_place;
    return key == "tangential" ? method.tangential_place : method.cohesion_place;
}

void build_laws(const SceneMethod& method, PenaltySettings& penalty) {
    constexpr std::pair<std::string_view, Law> plain[] = {
        {"hertz", Law::Hertz}, {"linear", Law::Linear}, {"volume", Law::Volume}, {"power", Law::Power}};
    bool known = false;
    for (const auto& [name, law] : plain)
        if (method.law == name) {
            penalty.law = law;
            known = true;
        }
    penalty.plastic = PlasticLaws::number(method.law);
    if (penalty.plastic != 0) penalty.law = Law::Plastic;
    if (!known && penalty.plastic == 0) throw Error(method.place, fmt::format("[method] law: unknown law \"{}\"", method.law));
    for (std::size_t k = 0; k < std::size(damping_parts); ++k)
        if (method.dashpot == damping_parts[k].name) penalty.damping = static_cast<Damping>(k);
    for (std::size_t k = 0; k < std::size(tangential_parts); ++k)
        if (method.tangential == tangential_parts[k].name) penalty.tangential = static_cast<Tangential>(k);
    if (method.kind != "penalty" || (penalty.law != Law::Volume && penalty.law != Law::Power)) return;
    const std::string has =
        fmt::format("needs a law with springs for round bodies, not law = \"{}\", whose dashpots and friction are its own", method.law);
    if (penalty.damping != Damping::Restitution) refuse(method, "dashpot", has);
    if (penalty.tangential != Tangential::Spring) refuse(method, "tangential", has);
}

void build_law_values(const Scene& scene, Model& model) {
    for (const SceneMaterial& m : scene.materials) check_given(scene, fmt::format("[material.{}]", m.name), m);
    for (const SceneMaterialPair& pair : scene.material_pairs) check_given(scene, "[[material_pair]]", pair);
    if (model.method != Method::Penalty) return;
    constexpr std::pair<std::string_view, Values PairProperties::*> members[] = {{"law", &PairProperties::plastic_values},
                                                                                 {"dashpot", &PairProperties::damping_values},
                                                                                 {"tangential", &PairProperties::friction_values},
                                                                                 {"cohesion", &PairProperties::cohesion_values}};
    for (const auto& [key, member] : members)
        for (const LawKind& kind : law_kinds())
            if (kind.key == key)
                if (const LawPart* part = kind.find(law_word(scene.method, key))) fill(scene, key, *part, member, model);
    check_values(scene, model);
}

void check_laws(const Scene& scene, const Model& model) {
    if (model.method != Method::Penalty || !is_general(model.penalty)) return;
    const std::vector<LawParameters> laws = law_table(model);
    const RadiusRange radius = radius_range(model);
    for (std::size_t row = 0; row < laws.size() && model.bodies.size() > 0; ++row) {
        for (const double r : {radius.least, radius.most}) {
            const double R = 0.5 * r, delta = model.penalty.overlap_limit * r;
            PlasticLaws::with(model.penalty.plastic, [&](auto law) {
                const PlasticRow own = decltype(law)::row(laws[row].plastic, laws[row].k_n);
                GeneralRowOf<double> q{};
                q.k_n = laws[row].k_n;
                std::copy_n(own.value, plastic_row_values, q.own);
                const double presses = decltype(law)::template load<double>(q, R, delta, {0, 0}).elastic;
                if (!(presses > 0))
                    refuse(scene.method, "law",
                           fmt::format("draws spheres of radius {} m into each other: at overlap_limit its force is {:.3g} N. Weaken its "
                                       "pull, or stiffen the material",
                                       r, presses));
            });
        }
    }
    const std::vector<std::int32_t>& shapes = model.bodies.shape;
    const bool faces = std::any_of(shapes.begin(), shapes.end(), [&](std::int32_t s) { return s >= 0 && !is_compound_shape(model, s); });
    if (!faces) return;
    const char* key = model.penalty.law == Law::Plastic ? "law" : model.penalty.damping != Damping::Restitution ? "dashpot" : "tangential";
    refuse(scene.method, key, "is of spheres and disks, but the scene has bodies with faces: leave it out, or give them round shapes");
}

}  // namespace scree
