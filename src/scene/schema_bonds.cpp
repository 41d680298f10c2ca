// Bonds between bodies: the table [[bond]]. Keys of laws come from their declarations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "laws/bonds.hpp"
#include "scene/tables.hpp"

namespace scree {

namespace {

Dimension dimension_of(const LawParameter& parameter) {
    return std::string_view(parameter.unit) == "Pa" ? Dimension::Pressure : Dimension::Number;
}

std::vector<std::string> law_words() {
    std::vector<std::string> words;
    for (const LawPart* part : BondLaws::parts) words.emplace_back(part->name);
    return words;
}

std::string law_docs() {
    std::string doc;
    for (const LawPart* part : BondLaws::parts) doc += fmt::format("{}`{}`: {}", doc.empty() ? "" : "; ", part->name, part->doc);
    return doc + ".";
}

void add_law_keys(TableOf<SceneBond>& t) {
    std::vector<std::string> done;
    for (const LawPart* part : BondLaws::parts) {
        for (int k = 0; k < part->count; ++k) {
            const LawParameter& parameter = *part->parameters[k];
            const std::string name = parameter.name;
            if (std::find(done.begin(), done.end(), name) != done.end()) continue;
            done.push_back(name);
            std::vector<std::string> readers;
            for (const LawPart* other : BondLaws::parts)
                if (other->index_of(name) >= 0) readers.emplace_back(other->name);
            Key& key = t.key(
                name, Type::Number, [name](SceneBond& s, const Value& value) { s.values[name] = std::get<double>(value); },
                [name](const SceneBond& s) -> std::optional<Value> {
                    const auto at = s.values.find(name);
                    return at == s.values.end() ? std::nullopt : written(at->second);
                },
                parameter.doc);
            key.dimension = dimension_of(parameter);
            key.only_for(readers);
            if (parameter.positive) {
                key.above(0);
            } else {
                key.from(0);
            }
            if (parameter.most < 1e300) key.to(parameter.most);
            if (parameter.fallback >= 0) {
                key.otherwise(fmt::format("{}", parameter.fallback));
            } else {
                key.required();
            }
        }
    }
}

}  // namespace

TablePtr bond_table() {
    TableOf<SceneBond> t("[[bond]]",
                         "Bonds that hold bodies together from the start, as straight elements between their centres, until they break. "
                         "Without load as the bodies are placed. Penalty method.");
    t.key("name", Type::Name, &SceneBond::name, "Name, for measures and messages; every one has its own.").otherwise("bond1, bond2, …");
    t.word("law", &SceneBond::law, law_words(), law_docs());
    t.select_by("law", [](const SceneBond& bond) { return bond.law; });
    t.number("gap", &SceneBond::gap, Dimension::Length,
             "Bodies are bonded whose surfaces (of bodies with faces, the spheres about them) are no farther apart.")
        .from(0);
    t.key("pairs", Type::Numbers, &SceneBond::pairs,
          "The bodies that are bonded, by their numbers, two by two: `[0, 1, 1, 2]` bonds 0 to 1 and 1 to 2.")
        .from(2)
        .to(1e9);
    t.key("file", Type::Path, &SceneBond::file,
          "The same from a text file: a line of names with a and b, then a bond a line; other columns are passed over.");
    t.key("materials", Type::Names, &SceneBond::materials, "Of bodies of these materials alone.").reference("material").otherwise("all");
    t.key("within", Type::Flag, &SceneBond::within,
          "With `gap`: bonds bodies of the same agglomerate alone, which are spheres of one placed shape of kind `packed` with "
          "`rigid = false`. With false bodies of two agglomerates are bonded, too.")
        .otherwise("bodies that are of agglomerates are bonded within them, others as the gap says");
    t.number("radius", &SceneBond::radius_share, Dimension::Number,
             "Radius of the bond's section over the smaller one of the two bodies; in two dimensions half its height.")
        .above(0);
    add_law_keys(t);
    t.number("tensile_strength", &SceneBond::tensile, Dimension::Pressure,
             "Largest normal stress in its section, by pull and bending, at which it breaks.")
        .above(0)
        .infinite();
    t.number("shear_strength", &SceneBond::shear, Dimension::Pressure,
             "Largest shear stress, by shearing and twisting, at which it breaks where it is not pressed.")
        .above(0)
        .infinite();
    t.number("bending_strength", &SceneBond::bending, Dimension::Pressure, "Largest normal stress by bending alone at which it breaks.")
        .above(0)
        .infinite();
    t.number("friction_angle", &SceneBond::friction_angle, Dimension::Angle,
             "Shear strength grows with the pressure by its tangent (Mohr & Coulomb).")
        .from(0)
        .to(1.5);
    t.number("moment_share", &SceneBond::moment_share, Dimension::Number,
             "Share of bending and twisting moments that counts in normal and shear stresses (Potyondy 2011).")
        .from(0)
        .to(1);
    t.number("weibull", &SceneBond::weibull, Dimension::Number,
             "Modulus of Weibull's distribution of strengths about the given ones, all three of a bond alike.")
        .from(0.1)
        .otherwise("all bonds are alike");
    t.key("seed", Type::Integer, &SceneBond::seed, "Seed of the random numbers of strengths.").from(0);
    t.number("damping", &SceneBond::damping, Dimension::Number,
             "Of stretching, shearing, twisting and bending, over the critical one of the two bodies alone.")
        .from(0);
    t.word("contact", &SceneBond::contact, {"skip", "keep"},
           "Whether bonded bodies touch, too, where they overlap: `skip`: not before their bond breaks; `keep`: they do.");
    t.place(&SceneBond::place);
    t.check([](SceneBond& bond, const TableReading& reading) {
        if (bond.gap.has_value() + !bond.pairs.empty() + !bond.file.empty() != 1)
            throw Error(reading.place, reading.label + ": give one of gap, pairs and file");
        if (!bond.file.empty()) bond.file_place = reading.at("file");
        if (bond.pairs.size() % 2 != 0) reading.fail("pairs", "has an odd number of bodies, but takes two for each bond");
        const std::string by = bond.file.empty() ? "pairs" : "file";
        if (!bond.gap && bond.within) reading.fail("within", fmt::format("chooses bodies with gap, but {} names them", by));
        if (!bond.gap && !bond.materials.empty()) reading.fail("materials", fmt::format("chooses bodies with gap, but {} names them", by));
        if (bond.values.contains("ductility") && !(bond.values["ductility"] > 1))
            reading.fail("ductility", "must be above 1, where the bond is through as its strength is reached");
        if (bond.law == "softening" && !std::isfinite(bond.tensile) && !std::isfinite(bond.shear) && !std::isfinite(bond.bending))
            throw Error(
                reading.place,
                reading.label + ": law = \"softening\" weakens past a strength: give tensile_strength, shear_strength or bending_strength");
    });
    return t.build();
}

}  // namespace scree
