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

const LawKind& kind_of(std::string_view key) {
    return *std::find_if(law_kinds().begin(), law_kinds().end(), [&](const LawKind& kind) { return kind.key == key; });
}

/// What stands for `key` where materials of a scene give it, or where pairs do.
template <class Materials>
SourcePlace place_of(const Materials& of, const std::string& key) {
    const auto at = of.given.find(key);
    return at == of.given.end() ? of.place : at->second;
}

/// Is everything that is given read by laws of `pairs`? A scene that asks for a law under another method was told so.
template <class Materials>
void check_given(const std::string& label, const Materials& of, const std::vector<LawWords>& pairs) {
    for (const auto& given : of.law_values) {
        const std::string& name = given.first;
        bool read = false;
        std::vector<std::string> chosen;
        for (const LawWords& words : pairs) {
            for (const LawKind& kind : law_kinds()) {
                const LawPart* part = words.part(kind.key);
                read = read || (part != nullptr && part->index_of(name) >= 0);
                const bool could =
                    std::any_of(kind.parts.begin(), kind.parts.end(), [&](const LawPart* p) { return p->index_of(name) >= 0; });
                const std::string has = fmt::format("{} = \"{}\"", kind.key, words.word(kind.key));
                if (could && std::find(chosen.begin(), chosen.end(), has) == chosen.end()) chosen.push_back(has);
            }
        }
        if (read) continue;
        throw Error(place_of(of, name), fmt::format("{} {}: read with {} in [method], which has {}. Choose it there, or leave this out",
                                                    label, name, fmt::join(readers_of(name), " or "), fmt::join(chosen, " and ")));
    }
}

/// Parameters that the cone method reads too, and that are keys of their own.
constexpr std::pair<const LawParameter*, double SceneMaterial::*> own_members[] = {{&cohesion_pull, &SceneMaterial::cohesion},
                                                                                   {&rolling_friction, &SceneMaterial::rolling_friction},
                                                                                   {&rolling_damping, &SceneMaterial::rolling_damping},
                                                                                   {&spinning_friction, &SceneMaterial::spinning_friction}};
double value_of(const SceneMaterial& m, const LawParameter& parameter) {
    for (const auto& [own, member] : own_members)
        if (own == &parameter) return m.*member;
    const auto at = m.law_values.find(parameter.name);
    return at == m.law_values.end() ? parameter.fallback : at->second;
}

std::optional<double> given_value(const SceneMaterialPair* pair, const LawParameter& parameter) {
    if (pair == nullptr) return std::nullopt;
    if (&parameter == &cohesion_pull) return pair->cohesion;
    const auto at = pair->law_values.find(parameter.name);
    return at == pair->law_values.end() ? std::nullopt : std::optional<double>(at->second);
}

/// The values of a kind of laws for every two materials, into `member` of each pair.
void fill(const Scene& scene, const LawsOfPairs& laws, std::string_view key, Values PairProperties::*member, Model& model) {
    const std::size_t count = scene.materials.size();
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            const LawWords words = laws(a, b);
            const LawPart* part = words.part(key);
            if (part == nullptr || part->count == 0) continue;
            PairProperties p = model.pairs(a, b);
            for (int k = 0; k < part->count; ++k) {
                const LawParameter& q = *part->parameters[k];
                std::optional<double> value = given_value(words.pair(), q);
                for (const std::size_t of : {a, b}) {
                    const SceneMaterial& m = scene.materials[of];
                    if (!value && value_of(m, q) < 0)
                        throw Error(m.place, fmt::format("[material.{}]: {} = \"{}\" needs {} [{}] of every material{}: {}", m.name, key,
                                                         part->name, q.name, q.unit, words.differs() ? " or of the pair" : "", q.doc));
                }
                if (!value) value = mixed(value_of(scene.materials[a], q), value_of(scene.materials[b], q), q.mixing);
                (p.*member)[static_cast<std::size_t>(k)] = *value;
            }
            model.pairs.set(a, b, p);
        }
    }
}

/// Where `parameter` of two materials comes from.
SourcePlace source_of(const Scene& scene, const LawWords& words, std::size_t a, std::size_t b, const char* parameter) {
    if (words.pair() != nullptr && words.pair()->law_values.count(parameter) > 0) return place_of(*words.pair(), parameter);
    return place_of(scene.materials[scene.materials[a].law_values.count(parameter) > 0 ? a : b], parameter);
}

/// Values that a law can not use.
void check_values(const Scene& scene, const LawsOfPairs& laws, const Model& model) {
    const std::size_t count = model.materials.size();
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            const LawWords words = laws(a, b);
            const LawPart* law = words.part("law");
            const bool unloads = law != nullptr && law->index_of(unloading_stiffness.name) == 0;
            const PairProperties& p = model.pairs(a, b);
            const std::string pair = fmt::format("\"{}\" on \"{}\"", model.materials[a].name, model.materials[b].name);
            if (unloads && p.plastic_values[0] < p.stiffness)
                throw Error(source_of(scene, words, a, b, unloading_stiffness.name),
                            fmt::format("{}: unloading_stiffness {} N/m is below the stiffness of loading, {} N/m: what yields unloads "
                                        "more steeply",
                                        pair, p.plastic_values[0], p.stiffness));
            if (laws_of(model, a, b).tangential == Tangential::Stribeck && p.friction_values[0] > p.friction)
                throw Error(source_of(scene, words, a, b, dynamic_friction.name),
                            fmt::format("{}: dynamic_friction {} is above friction, {}, which is that of rest", pair, p.friction_values[0],
                                        p.friction));
        }
    }
}

/// Of round bodies.
bool has_springs(Law law) {
    return law != Law::Power && law != Law::Volume;
}

template <class Choice, std::size_t Count>
Choice chosen(const LawPart (&parts)[Count], const std::string& word, Choice usual) {
    for (std::size_t k = 0; k < Count; ++k)
        if (word == parts[k].name) return static_cast<Choice>(k);
    return usual;
}

}  // namespace

const std::string& LawWords::word(std::string_view key) const {
    if (pair_ != nullptr) {
        const auto at = pair_->laws.find(std::string(key));
        if (at != pair_->laws.end()) return at->second;
    }
    if (key == "law") return method_.law;
    if (key == "dashpot") return method_.dashpot;
    if (key == "tangential") return method_.tangential;
    if (key == "rolling") return method_.rolling;
    return key == "twisting" ? method_.twisting : method_.cohesion;
}

const LawPart* LawWords::part(std::string_view key) const {
    return kind_of(key).find(word(key));
}

void LawWords::refuse(std::string_view key, const std::string& why) const {
    const std::string named(key);
    if (pair_ != nullptr && pair_->laws.count(named) > 0)
        throw Error(place_of(*pair_, pair_key(named)), fmt::format("[[material_pair]] {}: \"{}\" {}", pair_key(named), word(key), why));
    const SourcePlace place = key == "law"          ? method_.law_place
                              : key == "dashpot"    ? method_.dashpot_place
                              : key == "tangential" ? method_.tangential_place
                              : key == "rolling"    ? method_.rolling_place
                              : key == "twisting"   ? method_.twisting_place
                                                    : method_.cohesion_place;
    throw Error(place, fmt::format("[method] {}: \"{}\" {}", key, word(key), why));
}

LawsOfPairs::LawsOfPairs(const Scene& scene) : scene_(scene), pairs_(scene.materials.size() * scene.materials.size(), nullptr) {
    const std::size_t count = scene.materials.size();
    for (const SceneMaterialPair& pair : scene.material_pairs) {
        const auto a = static_cast<std::size_t>(material_index(scene, pair.first, pair.place));
        const auto b = static_cast<std::size_t>(material_index(scene, pair.second, pair.place));
        if (pairs_[a * count + b] != nullptr)
            throw Error(pair.place, fmt::format("the pair \"{}\", \"{}\" is given twice", pair.first, pair.second));
        pairs_[a * count + b] = pairs_[b * count + a] = &pair;
    }
}

std::string LawsOfPairs::any(std::string_view key) const {
    std::string of_method = LawWords(scene_.method).word(key);
    if (of_method != "none") return of_method;
    for (const SceneMaterialPair* pair : pairs_)
        if (LawWords(scene_.method, pair).word(key) != "none") return LawWords(scene_.method, pair).word(key);
    return of_method;
}

ContactLaws build_laws(const SceneMethod& method, const LawWords& words) {
    ContactLaws laws;
    const std::string& law = words.word("law");
    laws.law = chosen(plain_normal_parts, law, Law::Plastic);
    if (laws.law == Law::Plastic) laws.plastic = PlasticLaws::number(law);
    if (laws.law == Law::Plastic && laws.plastic == 0) throw Error(method.place, fmt::format("[method] law: unknown law \"{}\"", law));
    laws.damping = chosen(damping_parts, words.word("dashpot"), Damping::Restitution);
    laws.tangential = chosen(tangential_parts, words.word("tangential"), Tangential::Spring);
    laws.rolling = chosen(rolling_parts, words.word("rolling"), Rolling::None);
    laws.twisting = chosen(twisting_parts, words.word("twisting"), Twisting::None);
    if (method.kind != "penalty") return laws;
    laws.cohesion = CohesionLaws::number(words.word("cohesion"));
    if (laws.cohesion == 0 && words.word("cohesion") != "none") words.refuse("cohesion", "is not a law of cohesion");
    if (laws.twisting == Twisting::Marshall && laws.tangential == Tangential::None)
        words.refuse("twisting",
                     "spreads the tangential spring over the area of contact, but tangential = \"none\" has none: leave one of the two "
                     "out");
    if (has_springs(laws.law)) return laws;
    const std::string own = fmt::format("needs a law with springs for round bodies, not law = \"{}\"", law);
    if (laws.damping != Damping::Restitution) words.refuse("dashpot", own + ", whose dashpots are its own");
    if (laws.tangential != Tangential::Spring) words.refuse("tangential", own + ", whose friction is its own");
    if (laws.rolling != Rolling::None) words.refuse("rolling", own);
    if (laws.twisting != Twisting::None) words.refuse("twisting", own);
    return laws;
}

void build_pair_laws(const Scene& scene, Model& model) {
    const LawsOfPairs laws(scene);
    const std::size_t count = scene.materials.size();
    const bool any =
        std::any_of(scene.material_pairs.begin(), scene.material_pairs.end(), [](const auto& pair) { return !pair.laws.empty(); });
    if (!any || model.method != Method::Penalty) return;
    PenaltySettings& all = model.penalty;
    const ContactLaws of_method = all;
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            const LawWords words = laws(a, b);
            const ContactLaws own = build_laws(scene.method, words);
            PairProperties p = model.pairs(a, b);
            p.laws = own;
            model.pairs.set(a, b, p);
            if (!has_springs(of_method.law) && words.differs())
                words.refuse(words.pair()->laws.begin()->first,
                             fmt::format("needs a scene whose law has springs, not law = \"{}\"", scene.method.law));
            const auto one_law = [&](std::string_view key, auto& known, auto mine, auto none) {
                if (known == none) known = mine;
                if (mine != none && mine != known)
                    words.refuse(key,
                                 fmt::format("can not stand beside \"{}\", which other contacts of the scene have: a scene has one such "
                                             "law, which pairs have or, by \"none\", have not",
                                             laws.any(key)));
            };
            one_law("rolling", all.rolling, own.rolling, Rolling::None);
            one_law("twisting", all.twisting, own.twisting, Twisting::None);
            if (own.cohesion != of_method.cohesion) all.cohesion = CohesionByPair::number;
            all.by_pair = all.by_pair || own.law != of_method.law || own.plastic != of_method.plastic || own.damping != of_method.damping ||
                          own.tangential != of_method.tangential;
        }
    }
}

void build_law_values(const Scene& scene, Model& model) {
    const LawsOfPairs laws(scene);
    const std::size_t count = scene.materials.size();
    for (std::size_t a = 0; a < count; ++a) {
        std::vector<LawWords> with;
        for (std::size_t b = 0; b < count; ++b)
            if (b == a || laws(a, b).differs()) with.push_back(laws(a, b));
        with.emplace_back(scene.method);
        check_given(fmt::format("[material.{}]", scene.materials[a].name), scene.materials[a], with);
    }
    for (const SceneMaterialPair& pair : scene.material_pairs) {
        check_given("[[material_pair]]", pair, {LawWords(scene.method, &pair)});
        if (pair.law_values.count(liquid_content.name) > 0)
            throw Error(place_of(pair, liquid_content.name),
                        "[[material_pair]] liquid_content: liquid lies on bodies, so it is of their "
                        "material: give it there");
    }
    for (std::size_t a = 0; a < count; ++a) model.materials[a].liquid_content = value_of(scene.materials[a], liquid_content);
    if (model.method != Method::Penalty) return;
    fill(scene, laws, "law", &PairProperties::plastic_values, model);
    fill(scene, laws, "dashpot", &PairProperties::damping_values, model);
    fill(scene, laws, "tangential", &PairProperties::friction_values, model);
    fill(scene, laws, "cohesion", &PairProperties::cohesion_values, model);
    check_values(scene, laws, model);
}

void check_laws(const Scene& scene, const Model& model) {
    if (model.method != Method::Penalty || !is_general(model.penalty)) return;
    const LawsOfPairs words(scene);
    const std::vector<LawParameters> laws = law_table(model);
    const RadiusRange radius = radius_range(model);
    const std::size_t count = model.materials.size();
    for (std::size_t row = 0; row < laws.size() && model.bodies.size() > 0; ++row) {
        for (const double r : {radius.least, radius.most}) {
            const double R = 0.5 * r, delta = model.penalty.overlap_limit * r;
            PlasticLaws::with(laws_of(model, row / count, row % count).plastic, [&](auto law) {
                const PlasticRow own = decltype(law)::row(laws[row].plastic, laws[row].k_n);
                GeneralRowOf<double> q{};
                q.k_n = laws[row].k_n;
                std::copy_n(own.value, plastic_row_values, q.own);
                const double presses = decltype(law)::template load<double>(q, R, delta, {0, 0}).elastic;
                if (!(presses > 0))
                    words(row / count, row % count)
                        .refuse("law", fmt::format("draws spheres of radius {} m into each other: at overlap_limit its force is {:.3g} N. "
                                                   "Weaken its pull, or stiffen the material",
                                                   r, presses));
            });
        }
    }
    const std::vector<std::int32_t>& shapes = model.bodies.shape;
    const bool faces = std::any_of(shapes.begin(), shapes.end(), [&](std::int32_t s) { return s >= 0 && !is_compound_shape(model, s); });
    if (!faces) return;
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            const Law law = laws_of(model, a, b).law;
            if (law == Law::Plastic || law != model.penalty.law)
                words(a, b).refuse("law",
                                   "is of spheres and disks, but the scene has bodies with faces: leave it out, or give them round shapes");
        }
    }
}

}  // namespace scree
