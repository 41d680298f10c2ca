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

void check_until(const std::optional<double>& from, const std::optional<double>& until, const TableReading& reading) {
    if (until && !(from.value_or(0.0) < *until))
        reading.fail("until", fmt::format("must be above from = {}, not {}", from.value_or(0.0), *until));
}

/// Fails on what could not have any effect.
void check_effects(const SceneBond& bond, const TableReading& reading) {
    const bool sheared = std::isfinite(bond.shear), bent = std::isfinite(bond.bending), pulled = std::isfinite(bond.tensile);
    const std::pair<const char*, bool> of_all[] = {{"shear_strength", sheared},
                                                   {"bending_strength", bent},
                                                   {"friction_angle", bond.friction_angle != 0},
                                                   {"moment_share", bond.moment_share != 1}};
    for (const auto& [key, given] : of_all)
        if (bond.law == "fibre" && given) reading.fail(key, "has no effect with law = \"fibre\", which bears nothing but pull");
    if (bond.friction_angle != 0 && !sheared) reading.fail("friction_angle", "has no effect without shear_strength");
    if (bond.moment_share != 1 && !sheared && !pulled)
        reading.fail("moment_share", "has no effect without tensile_strength or shear_strength");
    if (bond.weibull && !sheared && !pulled && !bent) reading.fail("weibull", "has no effect without a strength");
    if (bond.seed != 0 && !bond.weibull) reading.fail("seed", "has no effect without weibull");
}

}  // namespace

TablePtr bond_table() {
    TableOf<SceneBond> t(
        "[[bond]]",
        "Bonds that hold bodies together, or to a wall, as straight elements between their centres, until they break. "
        "Made at the start, at a "
        "time or as bodies touch; without load as the bodies are then. Penalty and cone method (there all laws but `softening`).");
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
    t.key("wall", Type::Name, &SceneBond::wall,
          "Bodies whose surfaces are within `gap` of this wall are bonded to it: from their centres to the points of it that are nearest "
          "then, with which the bonds go.")
        .reference("wall")
        .otherwise("bodies are bonded to each other");
    Key& at = t.number("at", &SceneBond::at, Dimension::Time,
                       "Simulated time at which bodies that are then within `gap` are bonded; 0: the start.");
    at.from(0).otherwise("0");
    // A scene as it was run says it where it is later: one that bonds bodies by their names could not be read again with it.
    at.get = [get = at.get](const void* object) {
        return static_cast<const SceneBond*>(object)->at > 0 ? get(object) : std::optional<Value>();
    };
    Key& touch = t.key("on_touch", Type::Flag, &SceneBond::on_touch,
                       "In place of `gap`: bonds bodies that touch whenever it is looked, as they sinter; every two of them once.");
    touch.otherwise("false");
    touch.get = [get = touch.get](const void* object) {
        return static_cast<const SceneBond*>(object)->on_touch ? get(object) : std::optional<Value>();
    };
    t.number("every", &SceneBond::every, Dimension::Time, "With `on_touch`: simulated time between two looks.").above(0);
    t.number("from", &SceneBond::from, Dimension::Time, "With `on_touch`: simulated time of the first look.").from(0).otherwise("0");
    t.number("until", &SceneBond::until, Dimension::Time, "With `on_touch`: simulated time from which on it is not looked.")
        .above(0)
        .otherwise("to the end");
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
        if (bond.gap.has_value() + !bond.pairs.empty() + !bond.file.empty() + bond.on_touch != 1)
            throw Error(reading.place, reading.label + ": give one of gap, pairs, file and on_touch = true");
        if (!bond.file.empty()) bond.file_place = reading.at("file");
        if (bond.pairs.size() % 2 != 0) reading.fail("pairs", "has an odd number of bodies, but takes two for each bond");
        if (!bond.wall.empty() && !bond.gap) reading.fail("wall", "goes with gap: bodies within it are bonded to the wall");
        if (!bond.wall.empty() && bond.within) reading.fail("within", "chooses two bodies, but wall bonds bodies to it");
        if (bond.on_touch && bond.within) reading.fail("within", "chooses bodies with gap, but on_touch bonds all that touch");
        const std::string by = bond.file.empty() ? "pairs" : "file";
        for (const char* key : {"within", "materials"})
            if (!bond.gap && !bond.on_touch && reading.has(key))
                reading.fail(key, fmt::format("chooses bodies with gap, but {} names them", by));
        if (!bond.gap && bond.at > 0) reading.fail("at", "goes with gap: bodies within it at that time are bonded");
        for (const char* key : {"every", "from", "until"})
            if (!bond.on_touch && reading.has(key)) reading.fail(key, "goes with on_touch = true");
        if (bond.on_touch && !bond.every) throw Error(reading.at("on_touch"), "[[bond]] on_touch needs every, the time between two looks");
        check_until(bond.from, bond.until, reading);
        if (bond.values.contains("ductility") && !(bond.values["ductility"] > 1))
            reading.fail("ductility", "must be above 1, where the bond is through as its strength is reached");
        if (bond.law == "softening" && !std::isfinite(bond.tensile) && !std::isfinite(bond.shear) && !std::isfinite(bond.bending))
            throw Error(
                reading.place,
                reading.label + ": law = \"softening\" weakens past a strength: give tensile_strength, shear_strength or bending_strength");
        check_effects(bond, reading);
    });
    return t.build();
}

TablePtr break_table() {
    TableOf<SceneBreak> t("[[break]]",
                          "Breaks bonds while the run goes on: those whose middles are in a region when it is looked at, by `region` in "
                          "`bonds.csv`.");
    t.key("name", Type::Name, &SceneBreak::name, "Name, for messages; every one has its own.").otherwise("break1, break2, …");
    t.table("region", &SceneBreak::region, region_table(true), "Where bonds are broken.").required();
    t.key("bond", Type::Names, &SceneBreak::bonds, "Only bonds of these [[bond]] tables, by their names, are broken.")
        .reference("bond")
        .otherwise("all");
    t.number("at", &SceneBreak::at, Dimension::Time, "Simulated time at which bonds are broken, once.").from(0);
    t.number("every", &SceneBreak::every, Dimension::Time, "Simulated time between two looks.").above(0);
    t.number("from", &SceneBreak::from, Dimension::Time, "With `every`: simulated time of the first look.").from(0).otherwise("0");
    t.number("until", &SceneBreak::until, Dimension::Time, "With `every`: simulated time from which on nothing is broken.")
        .above(0)
        .otherwise("to the end");
    t.place(&SceneBreak::place);
    t.check([](SceneBreak& one, const TableReading& reading) {
        if (reading.has("at") == reading.has("every"))
            throw Error(reading.has("at") ? reading.at("at") : reading.place,
                        "[[break]] needs either `at`, for once, or `every`, the time between two looks");
        for (const char* key : {"from", "until"})
            if (reading.has("at") && reading.has(key)) reading.fail(key, "goes with `every`, not with `at`");
        check_until(one.from, one.until, reading);
        one.bonds_place = reading.at("bond");
    });
    return t.build();
}

}  // namespace scree
