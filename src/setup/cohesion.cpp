#include "setup/cohesion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "laws/cohesion.hpp"
#include "model/compounds.hpp"
#include "model/contact_parameters.hpp"
#include "model/pulls.hpp"
#include "setup/materials.hpp"

namespace scree {

namespace {

[[noreturn]] void refuse(const Scene& scene, const std::string& why) {
    throw Error(scene.method.cohesion_place, fmt::format("[method] cohesion: \"{}\" {}", scene.method.cohesion, why));
}

/// The laws that read a parameter, as they stand in a scene.
std::string readers_of(const std::string& parameter) {
    std::vector<std::string> names;
    for (const LawPart* part : cohesion_parts)
        if (part->index_of(parameter) >= 0) names.push_back(fmt::format("\"{}\"", part->name));
    return fmt::format("{}", fmt::join(names, " or "));
}

/// Is everything that is given read? A scene that asks for the law under another method was told so.
template <class Materials>
void check_given(const Scene& scene, const std::string& label, const Materials& of) {
    const LawPart* asked = nullptr;
    for (const LawPart* part : cohesion_parts)
        if (scene.method.cohesion == part->name) asked = part;
    for (const auto& [name, value] : of.law_values) {
        if (asked != nullptr && asked->index_of(name) >= 0) continue;
        const auto at = of.given.find(name);
        throw Error(at == of.given.end() ? of.place : at->second,
                    fmt::format("{} {}: read with cohesion = {} in [method], which has \"{}\". Choose it there, or leave this out", label,
                                name, readers_of(name), scene.method.cohesion));
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

double mixed(double a, double b, Mixing mixing) {
    if (a == b) return a;
    return mixing == Mixing::GeometricMean ? std::sqrt(a * b) : 0.5 * (a + b);
}

}  // namespace

Cohesion build_cohesion(const SceneMethod& method) {
    if (method.kind != "penalty") return Cohesion::None;
    for (std::size_t k = 0; k < std::size(cohesion_parts); ++k)
        if (method.cohesion == cohesion_parts[k]->name) return static_cast<Cohesion>(k + 1);
    if (method.cohesion != "none")
        throw Error(method.cohesion_place, fmt::format("[method] cohesion: unknown law \"{}\"", method.cohesion));
    return Cohesion::None;
}

void build_pulls(const Scene& scene, Model& model) {
    const LawPart* part = part_of(model.penalty.cohesion);
    for (const SceneMaterial& m : scene.materials) check_given(scene, fmt::format("[material.{}]", m.name), m);
    for (const SceneMaterialPair& pair : scene.material_pairs) check_given(scene, "[[material_pair]]", pair);
    if (part == nullptr) return;
    if (scene.method.law != "hertz" && (part->needs_modulus || scene.method.law != "linear"))
        refuse(scene, fmt::format("needs law = \"hertz\"{}, not \"{}\"", part->needs_modulus ? "" : " or \"linear\"", scene.method.law));
    for (const SceneMaterial& m : scene.materials) {
        for (int k = 0; k < part->count; ++k)
            if (value_of(m, *part->parameters[k]) < 0)
                throw Error(m.place, fmt::format("[material.{}]: cohesion = \"{}\" needs {} [{}] of every material: {}", m.name, part->name,
                                                 part->parameters[k]->name, part->parameters[k]->unit, part->parameters[k]->doc));
    }
    const std::size_t count = scene.materials.size();
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            PairProperties p = model.pairs(a, b);
            for (int k = 0; k < part->count; ++k) {
                const LawParameter& parameter = *part->parameters[k];
                p.cohesion_values[static_cast<std::size_t>(k)] =
                    mixed(value_of(scene.materials[a], parameter), value_of(scene.materials[b], parameter), parameter.mixing);
            }
            model.pairs.set(a, b, p);
        }
    }
    for (const SceneMaterialPair& pair : scene.material_pairs) {
        const auto a = static_cast<std::size_t>(material_index(scene, pair.first, pair.place));
        const auto b = static_cast<std::size_t>(material_index(scene, pair.second, pair.place));
        PairProperties p = model.pairs(a, b);
        for (int k = 0; k < part->count; ++k)
            if (const auto value = given_value(pair, *part->parameters[k])) p.cohesion_values[static_cast<std::size_t>(k)] = *value;
        model.pairs.set(a, b, p);
    }
}

void check_pulls(const Scene& scene, const Model& model) {
    const LawPart* part = part_of(model.penalty.cohesion);
    if (part == nullptr || model.bodies.size() == 0) return;  // of a scene without bodies that is told already
    if (model.dimensions == 2) refuse(scene, "is of spheres: scenes of two dimensions have none. Leave it out");
    const std::vector<std::int32_t>& shapes = model.bodies.shape;
    if (std::any_of(shapes.begin(), shapes.end(), [&](std::int32_t s) { return s >= 0 && !is_compound_shape(model, s); }))
        refuse(scene, "is of spheres, but the scene has bodies with faces: leave it out, or give them round shapes");
    const std::size_t count = model.materials.size();
    const std::vector<char> meet = materials_that_meet(model);
    const RadiusRange radius = radius_range(model);
    const std::vector<LawParameters> laws = law_table(model);
    bool pulls = false;
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            const LawValues q = cohesion_values(model, a, b);
            if (meet[a * count + b] == 0 || !(q.value[0] > 0)) continue;
            pulls = true;
            const std::string pair = fmt::format("of \"{}\" on \"{}\"", model.materials[a].name, model.materials[b].name);
            if (model.penalty.cohesion == Cohesion::VanDerWaals && !(q.value[2] > q.value[1]))
                refuse(scene,
                       fmt::format("{} has a vdw_cutoff of {} m, which must be above vdw_separation, {} m", pair, q.value[2], q.value[1]));
            for (const double r : {radius.least, radius.most}) {
                for (const double R : {0.5 * r, r}) {
                    const double delta = model.penalty.overlap_limit * r, k = laws[a * count + b].k_n;
                    const double holds = model.penalty.law == Law::Linear ? k * delta : k * std::sqrt(R * delta) * delta;
                    double draws = 0;
                    with_cohesion(model.penalty.cohesion, [&](auto law) { draws = decltype(law)::pull(q, R, -delta); });
                    if (!(draws < holds))
                        refuse(
                            scene,
                            fmt::format("{} draws spheres of radius {} m into each other: at overlap_limit it pulls with {:.3g} N, and the "
                                        "normal force is {:.3g} N. Weaken it, or stiffen the material",
                                        pair, r, draws, holds));
                }
            }
        }
    }
    if (!pulls) refuse(scene, fmt::format("has nothing to go by: {} of all that meets is zero", part->parameters[0]->name));
    const double reach = cohesion_reach(model);
    if (reach > radius.least)
        refuse(scene, fmt::format("reaches {:.3g} m beyond touch, more than the smallest radius, {:.3g} m, where its formula does not hold",
                                  reach, radius.least));
}

}  // namespace scree
