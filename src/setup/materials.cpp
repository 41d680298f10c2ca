// Materials and their pairs.
#include "setup/materials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "laws/kinds.hpp"
#include "setup/law_values.hpp"

namespace scree {

namespace {

/// A dashpot that never pulls cannot bring a body to rest at once: less than this is out of the penalty method's reach.
constexpr double kLeastRestitution = 0.01;

bool is_penalty(const Scene& scene) {
    return scene.method.kind == "penalty";
}

/// What the penalty method can do of `wanted`.
PairProperties within_reach(PairProperties wanted, bool has_restitution, bool rolls, bool twists) {
    if (has_restitution) wanted.restitution = std::max(wanted.restitution, kLeastRestitution);
    if (!rolls) wanted.rolling_friction = 0.0;
    if (!twists) wanted.spinning_friction = 0.0;
    wanted.cohesion = 0.0;
    return wanted;
}

using Wish = std::pair<const char*, std::optional<double>>;  // key and value

/// Adds warnings to `warnings`, each with the place of its key.
template <class Materials>
void add_unmet(const std::string& label, const Materials& of, std::optional<double> restitution, const std::vector<Wish>& absent,
               const char* why, bool penalty, std::vector<std::string>& warnings) {
    const auto warn = [&](const char* key, const std::string& text) {
        const auto at = of.given.find(key);
        warnings.emplace_back(Error(at == of.given.end() ? of.place : at->second, fmt::format("{} {}: {}", label, key, text)).what());
    };
    if (restitution && *restitution < kLeastRestitution)
        warn("restitution", fmt::format("the penalty method takes {} in place of {}: a dashpot that never pulls cannot do less",
                                        kLeastRestitution, *restitution));
    for (const auto& [key, value] : absent)
        if (value.value_or(0.0) != 0.0)
            warn(key, fmt::format("{} leaves out {}{}", why, *value,
                                  !penalty                                       ? ""
                                  : std::string_view(key) == "rolling_friction"  ? "; `rolling` in [method] asks for it"
                                  : std::string_view(key) == "spinning_friction" ? "; twisting = \"epsd\" in [method] asks for it"
                                  : std::string_view(key) == "cohesion"          ? "; cohesion = \"constant\" in [method] asks for it"
                                                                                 : ""));
}

}  // namespace

std::vector<std::string> unmet_wishes(const Scene& scene) {
    std::vector<std::string> warnings;
    const bool hard = scene.method.kind == "hard";
    const LawsOfPairs laws(scene);
    const std::string rolling = laws.any("rolling"), twisting = laws.any("twisting");
    const bool constant_pull =
        scene.method.cohesion == "constant" || std::any_of(scene.material_pairs.begin(), scene.material_pairs.end(), [](const auto& pair) {
            const auto at = pair.laws.find("cohesion");
            return at != pair.laws.end() && at->second == "constant";
        });
    const auto of_penalty = [&](const char* key, const std::string& word, const SourcePlace& place, const char* of_cone,
                                std::string_view usual = "none") {
        if (is_penalty(scene) || word == usual) return;
        warnings.emplace_back(
            Error(place, fmt::format("[method] {}: \"{}\" is of kind = \"penalty\"; {}", key, word,
                                     scene.method.kind == "cone" ? fmt::format("the cone method {} of the materials alone", of_cone)
                                                                 : "this method leaves it out"))
                .what());
    };
    of_penalty("rolling", scene.method.rolling, scene.method.rolling_place, "holds back rolling by rolling_friction");
    of_penalty("twisting", scene.method.twisting, scene.method.twisting_place, "holds back spinning by spinning_friction");
    of_penalty("cohesion", scene.method.cohesion, scene.method.cohesion_place, "pulls by cohesion");
    of_penalty("dashpot", scene.method.dashpot, scene.method.dashpot_place, "rebounds by restitution", "restitution");
    of_penalty("tangential", scene.method.tangential, scene.method.tangential_place, "rubs by friction", "spring");
    for (const SceneMaterialPair& pair : scene.material_pairs)
        for (const auto& [key, word] : pair.laws)
            if (!is_penalty(scene))
                warnings.emplace_back(
                    Error(pair.given.at(pair_key(key)), fmt::format("[[material_pair]] {}: \"{}\" is of kind = \"penalty\"; this method "
                                                                    "leaves it out",
                                                                    pair_key(key), word))
                        .what());
    // A resolved scene holds the value of a material that nobody wrote: the usual one, of which there is nothing to say.
    const auto unread = [&](const std::string& label, const auto& of, double usual) {
        const auto at = of.given.find("rolling_damping");
        const bool unusual = at != of.given.end() && of.rolling_damping != usual;
        if (unusual && !(is_penalty(scene) && (rolling == "epsd" || twisting == "epsd")))
            warnings.emplace_back(
                Error(at->second, fmt::format("{} rolling_damping: is read with rolling or twisting = \"epsd\" in [method] alone", label))
                    .what());
    };
    const double usual = SceneMaterial{}.rolling_damping;
    for (const SceneMaterial& m : scene.materials) unread(fmt::format("[material.{}]", m.name), m, usual);
    for (const SceneMaterialPair& pair : scene.material_pairs) unread("[[material_pair]]", pair, NAN);
    if (!is_penalty(scene) && !hard) return warnings;
    const bool least_restitution = is_penalty(scene) && scene.method.law != "power";
    const auto add = [&](const std::string& label, const auto& m) {
        std::vector<Wish> absent;
        if (hard || twisting != "epsd") absent.emplace_back("spinning_friction", m.spinning_friction);
        if (hard || !constant_pull) absent.emplace_back("cohesion", m.cohesion);
        if (hard || rolling == "none") absent.insert(absent.begin(), {"rolling_friction", m.rolling_friction});
        if (hard) absent.insert(absent.begin(), {"friction", m.friction});
        add_unmet(label, m, least_restitution ? std::optional<double>(m.restitution) : std::nullopt, absent,
                  hard ? "the method of hard particles, which are smooth," : "the penalty method has none and", !hard, warnings);
    };
    for (const SceneMaterial& m : scene.materials) add(fmt::format("[material.{}]", m.name), m);
    for (const SceneMaterialPair& pair : scene.material_pairs) add("[[material_pair]]", pair);
    return warnings;
}

std::int32_t material_index(const Scene& scene, const std::string& name, const SourcePlace& place) {
    for (std::size_t i = 0; i < scene.materials.size(); ++i)
        if (scene.materials[i].name == name) return static_cast<std::int32_t>(i);
    constexpr std::size_t listed = 20;
    std::string known;
    for (std::size_t i = 0; i < std::min(listed, scene.materials.size()); ++i)
        known += (known.empty() ? "\"" : ", \"") + scene.materials[i].name + "\"";
    if (scene.materials.size() > listed) known += fmt::format(" and {} more", scene.materials.size() - listed);
    throw Error(place, fmt::format("unknown material \"{}\": there is {}", name, known.empty() ? "none" : known));
}

std::vector<Material> build_materials(const Scene& scene) {
    std::vector<Material> materials;
    for (const SceneMaterial& m : scene.materials) {
        if (!(m.density > 0.0)) throw Error(m.place, fmt::format("density {} must be positive", m.density));
        if (!(m.young > 0.0)) throw Error(m.place, fmt::format("Young's modulus {} must be positive", m.young));
        if (!(m.poisson > -1.0 && m.poisson <= 0.5))
            throw Error(m.place, fmt::format("Poisson's ratio {} must lie in (-1, 0.5]", m.poisson));
        materials.push_back({m.name, m.density, m.young, m.poisson, m.restitution, m.friction, m.rolling_friction, m.spinning_friction,
                             m.rolling_damping, m.cohesion});
    }
    return materials;
}

Scene with_used_materials(const Scene& scene) {
    std::set<std::string> used;
    for (const auto& bodies : scene.bodies) {
        used.insert(bodies.material);
        used.insert(bodies.placement.types.begin(), bodies.placement.types.end());
    }
    for (const auto& bodies : scene.inserts) {
        used.insert(bodies.material);
        for (const auto& part : bodies.stream.mixture) used.insert(part.material);
    }
    for (const auto& removal : scene.removals) used.insert(removal.material);
    for (const auto& measure : scene.measures) used.insert(measure.material);
    for (const auto& body : scene.named_bodies) used.insert(body.material);
    for (const auto& wall : scene.walls) used.insert(wall.material);
    Scene kept = scene;
    std::erase_if(kept.materials, [&](const SceneMaterial& m) { return used.count(m.name) == 0; });
    std::erase_if(kept.material_pairs, [&](const SceneMaterialPair& p) { return used.count(p.first) == 0 || used.count(p.second) == 0; });
    if (kept.materials.size() > most_materials)
        throw Error(kept.materials[most_materials].place, fmt::format("bodies and walls are of {} materials: {} is the most, as contacts "
                                                                      "read a table of their pairs. Give those that touch alike "
                                                                      "one material",
                                                                      kept.materials.size(), most_materials));
    return kept;
}

PairTable build_pairs(const Scene& scene) {
    const std::size_t count = scene.materials.size();
    const LawsOfPairs laws(scene);
    const bool power = scene.method.law == "power";
    const auto has_stiffness = [&](std::size_t a, std::size_t b) {
        const LawPart* law = laws(a, b).part("law");
        return law != nullptr && !law->needs_modulus;
    };
    PairTable table(count);
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a; b < count; ++b) {
            const SceneMaterial &A = scene.materials[a], &B = scene.materials[b];
            const auto mean = [](double x, double y) { return x == y ? x : std::sqrt(x * y); };
            table.set(a, b,
                      {.restitution = mean(A.restitution, B.restitution),
                       .friction = mean(A.friction, B.friction),
                       .rolling_friction = mean(A.rolling_friction, B.rolling_friction),
                       .spinning_friction = mean(A.spinning_friction, B.spinning_friction),
                       .rolling_damping = mean(A.rolling_damping, B.rolling_damping),
                       .cohesion = mean(A.cohesion, B.cohesion),
                       .stiffness = has_stiffness(a, b) ? scene.method.stiffness : 0.0,
                       .tangential_ratio = scene.method.tangential_ratio,
                       .damping = power ? scene.method.damping : 0.0,
                       .tangential_damping = power ? scene.method.tangential_damping : 0.0});
        }
    for (const SceneMaterialPair& pair : scene.material_pairs) {
        const std::size_t a = static_cast<std::size_t>(material_index(scene, pair.first, pair.place));
        const std::size_t b = static_cast<std::size_t>(material_index(scene, pair.second, pair.place));
        PairProperties p = table(a, b);
        p.restitution = pair.restitution.value_or(p.restitution);
        p.friction = pair.friction.value_or(p.friction);
        p.rolling_friction = pair.rolling_friction.value_or(p.rolling_friction);
        p.spinning_friction = pair.spinning_friction.value_or(p.spinning_friction);
        p.rolling_damping = pair.rolling_damping.value_or(p.rolling_damping);
        p.cohesion = pair.cohesion.value_or(p.cohesion);
        if (has_stiffness(a, b)) p.stiffness = pair.stiffness.value_or(p.stiffness);
        p.tangential_ratio = pair.tangential_ratio.value_or(p.tangential_ratio);
        if (power) p.damping = pair.damping.value_or(p.damping);
        if (power) p.tangential_damping = pair.tangential_damping.value_or(p.tangential_damping);
        table.set(a, b, p);
    }
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a; b < count; ++b) {
            const PairProperties& p = table(a, b);
            const LawWords words = laws(a, b);
            const bool own = words.differs() && is_penalty(scene);
            if ((own || !words.differs()) && has_stiffness(a, b) && !(p.stiffness > 0.0))
                throw Error(
                    words.differs() ? words.pair()->place : scene.method.place,
                    fmt::format("the {} law needs a stiffness for \"{}\" on \"{}\": set stiffness in {}", words.word("law"),
                                scene.materials[a].name, scene.materials[b].name, words.differs() ? "this [[material_pair]]" : "[method]"));
            for (const std::size_t of : {a, b}) {
                const bool given =
                    scene.materials[of].given.count("restitution") > 0 || (words.pair() != nullptr && words.pair()->restitution);
                if (own && words.word("dashpot") != "brilliantov" && !given)
                    throw Error(scene.materials[of].place, fmt::format("[material.{}]: dashpot = \"{}\" of a pair needs restitution",
                                                                       scene.materials[of].name, words.word("dashpot")));
            }
            for (const std::size_t of : {a, b})
                if (own && !has_stiffness(a, b) &&
                    (scene.materials[of].given.count("young") == 0 || scene.materials[of].given.count("poisson") == 0))
                    throw Error(scene.materials[of].place, fmt::format("[material.{}]: law = \"{}\" of a pair needs young and poisson",
                                                                       scene.materials[of].name, words.word("law")));
            if (!(p.damping >= 0.0 && p.tangential_damping >= 0.0))
                throw Error(scene.method.place, "damping and tangential_damping must not be negative");
            if (!power && !(p.restitution >= 0.0 && p.restitution <= 1.0))
                throw Error(scene.materials[a].place, fmt::format("restitution {} of \"{}\" on \"{}\" is outside [0, 1]", p.restitution,
                                                                  scene.materials[a].name, scene.materials[b].name));
        }
    for (std::size_t a = 0; a < count && is_penalty(scene); ++a)
        for (std::size_t b = a; b < count; ++b)
            table.set(a, b, within_reach(table(a, b), !power, laws(a, b).word("rolling") != "none", laws(a, b).word("twisting") == "epsd"));
    return table;
}

}  // namespace scree
