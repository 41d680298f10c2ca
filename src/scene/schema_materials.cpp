// The tables material and material_pair.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "laws/kinds.hpp"
#include "scene/tables.hpp"

namespace scree {
namespace {

bool is_elastic(const Scene& scene) {
    const LawPart* part = law_kinds().front().find(scene.method.law);
    return scene.method.kind == "penalty" && (law_is(scene, {"hertz", "volume"}) || (part != nullptr && part->needs_modulus));
}
/// Of the unit that a law's declaration names.
Dimension dimension_of(const LawParameter& parameter) {
    if (&parameter == &surface_tension) return Dimension::SurfaceTension;
    constexpr std::pair<std::string_view, Dimension> known[] = {
        {"N", Dimension::Force},       {"J/m2", Dimension::SurfaceEnergy}, {"J/m3", Dimension::EnergyDensity},
        {"N/m", Dimension::Stiffness}, {"rad", Dimension::Angle},          {"m3", Dimension::Volume},
        {"J", Dimension::Energy},      {"m", Dimension::Length},           {"Pa", Dimension::Pressure},
        {"s", Dimension::Time},        {"m/s", Dimension::Velocity},       {"N s/m", Dimension::Damping},
        {"1", Dimension::Number}};
    for (const auto& [name, dimension] : known)
        if (name == parameter.unit) return dimension;
    throw Error(fmt::format("a law's parameter is in {}, which no dimension of scenes is", parameter.unit));
}

/// Keys of what laws read, from their declarations.
template <class S>
void add_law_keys(TableOf<S>& t, bool of_pairs) {
    for (const LawParameter* parameter : law_parameters()) {
        if (is_of_cone(parameter)) continue;  // keys of their own
        const std::string name = parameter->name;
        const std::string doc = of_pairs ? "As that of a material."
                                         : fmt::format("{} `penalty` with `{}`.", parameter->doc, fmt::join(readers_of(name), "` or `"));
        Key& key = t.key(
            name, Type::Number, [name](S& s, const Value& value) { s.law_values[name] = std::get<double>(value); },
            [name](const S& s) -> std::optional<Value> {
                const auto at = s.law_values.find(name);
                return at == s.law_values.end() ? std::nullopt : written(at->second);
            },
            doc);
        key.dimension = dimension_of(*parameter);
        if (parameter->positive) {
            key.above(0);
        } else {
            key.from(0);
        }
        if (parameter->most < 1e300) key.to(parameter->most);
        if (of_pairs) {
            key.otherwise("mixed");
        } else if (parameter->fallback >= 0) {
            key.otherwise(fmt::format("{}", parameter->fallback));
        }
    }
}

/// Keys for the laws of a pair, from their declarations; laws that are of all contacts or none are left out.
void add_laws_of_pair(TableOf<SceneMaterialPair>& t) {
    for (const LawKind& kind : law_kinds()) {
        const std::string name = kind.key;
        Key& key = t.key(
            pair_key(name), Type::Word,
            [name](SceneMaterialPair& pair, const Value& value) { pair.laws[name] = std::get<std::string>(value); },
            [name](const SceneMaterialPair& pair) -> std::optional<Value> {
                const auto at = pair.laws.find(name);
                return at == pair.laws.end() ? std::nullopt : written(at->second);
            },
            fmt::format("`penalty`: as {} in `[method]`, of these two materials{}.", name == "cohesion" ? "`cohesion`" : "the same",
                        name == "rolling" || name == "twisting" ? "; a scene has one such law, which pairs have or have not" : ""));
        for (const LawPart* part : kind.parts)
            if (std::string_view(part->name) != "volume" && std::string_view(part->name) != "power") key.words.emplace_back(part->name);
        key.otherwise("that of `[method]`");
        if (name != "law") continue;
        std::vector<std::string> words = key.words;
        t.key(
             "normal", Type::Word, [](SceneMaterialPair& pair, const Value& value) { pair.laws["law"] = std::get<std::string>(value); },
             [](const SceneMaterialPair&) -> std::optional<Value> { return std::nullopt; }, "Another name of `law`.")
            .otherwise("`law`")
            .words = std::move(words);
    }
}

/// Where elastic constants are needed.
std::string with_elastic_laws() {
    std::vector<std::string> laws{"hertz", "volume"};
    for (const LawPart* part : PlasticLaws::parts)
        if (part->needs_modulus) laws.emplace_back(part->name);
    std::string text = fmt::format("with law = \"{}\"", laws.front());
    for (std::size_t k = 1; k < laws.size(); ++k) text += fmt::format("{} \"{}\"", k + 1 < laws.size() ? "," : " or", laws[k]);
    return text;
}

bool has_restitution(const Scene& scene) {
    const bool viscous = scene.method.kind == "penalty" && scene.method.dashpot == "brilliantov";
    return scene.method.kind != "fluid" && !law_is(scene, {"power"}) && !viscous;
}

}  // namespace

TablePtr material_table() {
    TableOf<SceneMaterial> t("[material.NAME]",
                             "What bodies and walls are made of. Restitution and friction are those of the material with itself.");
    t.number("density", &SceneMaterial::density, Dimension::Density, "Density of the solid, without voids.").required().above(0);
    t.number("young", &SceneMaterial::young, Dimension::Pressure, "Young's modulus.").required_if(is_elastic, with_elastic_laws()).above(0);
    t.number("poisson", &SceneMaterial::poisson, Dimension::Number, "Poisson's ratio.")
        .required_if(is_elastic, with_elastic_laws())
        .above(-1)
        .to(0.5);
    t.number("restitution", &SceneMaterial::restitution, Dimension::Number,
             "Coefficient of restitution of a head-on collision. The penalty method, whose dashpots never pull, takes less than 0.01 as "
             "0.01, with a warning.")
        .required_if(has_restitution, "except under law = \"power\" or dashpot = \"brilliantov\", or with method.kind = \"fluid\"")
        .from(0)
        .to(1);
    t.number("friction", &SceneMaterial::friction, Dimension::Number, "Coefficient of Coulomb friction; hard particles are smooth.")
        .required_if([](const Scene& scene) { return scene.method.kind != "hard" && scene.method.kind != "fluid"; },
                     "except with method.kind = \"hard\" or \"fluid\"")
        .from(0);
    t.number("rolling_friction", &SceneMaterial::rolling_friction, Dimension::Number,
             "Couple against rolling, at most this times effective radius times normal force: of the cone method, and of `penalty` with "
             "`rolling` in `[method]`, which otherwise leaves it out, with a warning.")
        .from(0);
    t.number("rolling_damping", &SceneMaterial::rolling_damping, Dimension::Number,
             "Damping of rolling springs over their critical damping; `penalty` with `rolling` or `twisting = \"epsd\"`.")
        .from(0);
    t.number("spinning_friction", &SceneMaterial::spinning_friction, Dimension::Number,
             "Torque against spinning about the normal, at most this times effective radius times normal force: of the cone method, and of "
             "`penalty` with `twisting = \"epsd\"` in `[method]`, which otherwise leaves it out, with a warning.")
        .from(0);
    t.number(
         "cohesion", &SceneMaterial::cohesion, Dimension::Force,
         "Largest pull that a touching contact bears: of the cone method, and of `penalty` with `cohesion = \"constant\"` in `[method]`, "
         "where it is what the contact pulls with; else `penalty` leaves it out, with a warning.")
        .from(0);
    add_law_keys(t, false);
    t.place(&SceneMaterial::place);
    t.check([](SceneMaterial& m, const TableReading& reading) {
        m.given = reading.given;
        if (!reading.has("friction")) m.friction = 0;  // of hard particles, which need not say so
    });
    return t.build();
}

TablePtr material_pair_table() {
    TableOf<SceneMaterialPair> t("[[material_pair]]",
                                 "What holds between two materials. A value not given here is mixed from those of the two materials.");
    t.key(
         "between", Type::NamePair,
         [](SceneMaterialPair& pair, const Value& value) {
             const auto& names = std::get<std::vector<std::string>>(value);
             pair.first = names[0];
             pair.second = names[1];
         },
         [](const SceneMaterialPair& pair) -> std::optional<Value> {
             return written(std::vector<std::string>{pair.first, pair.second});
         },
         "The two materials; one material twice changes it against itself.")
        .required()
        .reference("material");
    const std::string mixed = "mixed";
    t.number("restitution", &SceneMaterialPair::restitution, Dimension::Number, "As that of a material.").from(0).to(1).otherwise(mixed);
    t.number("friction", &SceneMaterialPair::friction, Dimension::Number, "Coefficient of friction.").from(0).otherwise(mixed);
    t.number("rolling_friction", &SceneMaterialPair::rolling_friction, Dimension::Number, "As that of a material.")
        .from(0)
        .otherwise(mixed);
    t.number("rolling_damping", &SceneMaterialPair::rolling_damping, Dimension::Number, "As that of a material.").from(0).otherwise(mixed);
    t.number("spinning_friction", &SceneMaterialPair::spinning_friction, Dimension::Number, "As that of a material.")
        .from(0)
        .otherwise(mixed);
    t.number("cohesion", &SceneMaterialPair::cohesion, Dimension::Force, "As that of a material.").from(0).otherwise(mixed);
    add_law_keys(t, true);
    add_laws_of_pair(t);
    const std::string method = "that of `[method]`";
    t.number("stiffness", &SceneMaterialPair::stiffness, Dimension::Stiffness,
             "Normal spring; linear law, and power law (there a plain number in N/m^1.5).")
        .above(0)
        .otherwise(method)
        .dimension_when = stiffness_dimension;
    t.number("tangential_ratio", &SceneMaterialPair::tangential_ratio, Dimension::Number, "Tangential over normal spring; linear law only.")
        .above(0)
        .to(10)
        .otherwise(method);
    t.number("damping", &SceneMaterialPair::damping, Dimension::Number, "Normal dashpot [N s/m^1.5]; power law only.")
        .from(0)
        .otherwise(method);
    t.number("tangential_damping", &SceneMaterialPair::tangential_damping, Dimension::Damping, "Tangential dashpot; power law only.")
        .from(0)
        .otherwise(method);
    t.place(&SceneMaterialPair::place);
    t.check([](SceneMaterialPair& pair, const TableReading& reading) {
        pair.given = reading.given;
        if (reading.has("law") && reading.has("normal")) reading.fail("normal", "is another name of law: give one of the two");
        if (reading.has("normal")) pair.given["law"] = pair.given["normal"];
        const auto own = pair.laws.find("law");
        const std::string& law = own != pair.laws.end() ? own->second : reading.scene.method.law;
        const LawPart* part = law_kinds().front().find(law);
        const bool elastic = reading.scene.method.kind == "penalty" && part != nullptr && part->needs_modulus;
        const auto belongs = [&](const char* key, const std::vector<std::string>& laws) {
            if (!reading.has(key) || std::find(laws.begin(), laws.end(), law) != laws.end()) return;
            const char* springs = elastic ? "springs follow from young and poisson" : "it has no meaning";
            reading.fail(key,
                         fmt::format("belongs to law = \"{}\"; under \"{}\" {}. Leave it out", fmt::join(laws, "\" or \""), law, springs));
        };
        std::vector<std::string> springs = laws_with_springs();
        belongs("tangential_ratio", springs);
        springs.emplace_back("power");
        belongs("stiffness", springs);
        belongs("damping", {"power"});
        belongs("tangential_damping", {"power"});
    });
    return t.build();
}

}  // namespace scree
