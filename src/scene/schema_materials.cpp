// The tables material, material_pair and shape.
#include <fmt/format.h>

#include "scene/tables.hpp"

namespace scree {
namespace {

constexpr const char* kRestitutionReason = "a dashpot that never pulls cannot bring a body to rest at once, so 0 is out of its reach";

bool is_hertz(const Scene& scene) {
    return scene.method.law == "hertz";
}

/// One entry of `classes`.
struct SizeClass {
    double radius{0}, share{0};
};

TablePtr class_table() {
    TableOf<SizeClass> t("classes", "One size class.");
    t.number("radius", &SizeClass::radius, Dimension::Length, "Radius of the class.").required().above(0);
    t.number("share", &SizeClass::share, Dimension::Number, "Share of the class; shares are relative and need not add up to 1.")
        .required()
        .above(0);
    return t.build();
}

using Kind = SizeDistribution::Kind;

std::string distribution_name(const SizeDistribution& size) {
    return size.kind == Kind::Normal ? "normal" : size.kind == Kind::LogNormal ? "lognormal" : "uniform";
}

TablePtr distribution_table() {
    TableOf<SizeDistribution> t("distribution", "Radii drawn from a continuous distribution, by number.");
    t.key(
         "kind", Type::Word,
         [](SizeDistribution& size, const Value& value) {
             const auto& word = std::get<std::string>(value);
             size.kind = word == "normal" ? Kind::Normal : word == "lognormal" ? Kind::LogNormal : Kind::Uniform;
         },
         [](const SizeDistribution& size) -> std::optional<Value> { return written(distribution_name(size)); },
         "Uniform between `min` and `max`, normal, or log-normal.")
        .required()
        .words = {"uniform", "normal", "lognormal"};
    t.number("mean", &SizeDistribution::mean, Dimension::Length, "Mean radius (of the radius itself, also for lognormal).")
        .required()
        .above(0)
        .only_for({"normal", "lognormal"});
    t.number("deviation", &SizeDistribution::deviation, Dimension::Length, "Standard deviation of the radius itself.")
        .required()
        .above(0)
        .only_for({"normal", "lognormal"});
    t.number("min", &SizeDistribution::min, Dimension::Length, "Smallest radius; smaller draws are drawn again.").from(0);
    t.number("max", &SizeDistribution::max, Dimension::Length, "Largest radius; larger draws are drawn again.").above(0).infinite();
    t.select_by("kind", distribution_name);
    t.check([](SizeDistribution& size, const TableReading& reading) {
        if (size.kind == Kind::Uniform)
            for (const char* key : {"min", "max"})
                if (!reading.has(key)) reading.fail(key, "a uniform distribution needs both min and max");
        if (size.kind == Kind::Uniform && size.min <= 0) reading.fail("min", "must be above 0");
        if (!(size.min < size.max)) reading.fail("max", fmt::format("must be above min: min {} m, max {} m", size.min, size.max));
        if (size.kind != Kind::Uniform && (size.mean < size.min || size.mean > size.max))
            reading.fail("mean", fmt::format("must lie between min and max: mean {} m, min {} m, max {} m", size.mean, size.min, size.max));
    });
    return t.build();
}

std::string size_variant(const SceneShape& shape) {
    return shape.size.kind == Kind::Single ? "radius" : shape.size.kind == Kind::Classes ? "classes" : "distribution";
}

void choose_size(SceneShape& shape, const std::string& key) {
    shape.size.kind = key == "classes" ? Kind::Classes : key == "distribution" ? Kind::Uniform : Kind::Single;
}

void append_class(SceneShape& shape, const SizeClass& entry) {
    shape.size.class_radius.push_back(entry.radius);
    shape.size.class_share.push_back(entry.share);
}

std::vector<SizeClass> all_classes(const SceneShape& shape) {
    std::vector<SizeClass> classes;
    for (std::size_t i = 0; i < shape.size.class_radius.size(); ++i)
        classes.push_back({shape.size.class_radius[i], shape.size.class_share[i]});
    return classes;
}

}  // namespace

TablePtr material_table() {
    TableOf<SceneMaterial> t("[material.NAME]",
                             "What bodies and walls are made of. Restitution and friction are those of the material with itself.");
    t.number("density", &SceneMaterial::density, Dimension::Density, "Density of the solid, without voids.").required().above(0);
    t.number("young", &SceneMaterial::young, Dimension::Pressure, "Young's modulus.")
        .required_if(is_hertz, "with law = \"hertz\"")
        .above(0);
    t.number("poisson", &SceneMaterial::poisson, Dimension::Number, "Poisson's ratio.")
        .required_if(is_hertz, "with law = \"hertz\"")
        .above(-1)
        .to(0.5);
    t.number("restitution", &SceneMaterial::restitution, Dimension::Number, "Coefficient of restitution of a head-on collision.")
        .required()
        .from(0.01)
        .to(1)
        .because(kRestitutionReason);
    t.number("friction", &SceneMaterial::friction, Dimension::Number, "Coefficient of Coulomb friction.").required().from(0);
    t.place(&SceneMaterial::place);
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
    t.number("restitution", &SceneMaterialPair::restitution, Dimension::Number, "Coefficient of restitution.")
        .from(0.01)
        .to(1)
        .because(kRestitutionReason)
        .otherwise(mixed);
    t.number("friction", &SceneMaterialPair::friction, Dimension::Number, "Coefficient of friction.").from(0).otherwise(mixed);
    t.number("stiffness", &SceneMaterialPair::stiffness, Dimension::Stiffness, "Normal spring; linear law only.")
        .above(0)
        .otherwise("that of `[method]`");
    t.number("tangential_ratio", &SceneMaterialPair::tangential_ratio, Dimension::Number, "Tangential over normal spring; linear law only.")
        .above(0)
        .to(10)
        .otherwise("that of `[method]`");
    t.place(&SceneMaterialPair::place);
    t.check([](SceneMaterialPair&, const TableReading& reading) {
        for (const char* key : {"stiffness", "tangential_ratio"})
            if (reading.has(key) && is_hertz(reading.scene))
                reading.fail(key, "belongs to law = \"linear\"; under \"hertz\" springs follow from young and poisson. Leave it out");
    });
    return t.build();
}

TablePtr shape_table() {
    TableOf<SceneShape> t("[shape.NAME]", "Shape and sizes of bodies: one radius, a list of classes, or a distribution.");
    t.word("kind", &SceneShape::kind, {"sphere"}, "Shape.").required().planning({"box", "polyhedron", "clump"});
    const auto radius = [](double factor) {
        return [factor](SceneShape& shape, const Value& value) { shape.size.radius = factor * std::get<double>(value); };
    };
    const auto radius_again = [](const SceneShape& shape) -> std::optional<Value> { return written(shape.size.radius); };
    t.key("radius", Type::Number, radius(1), radius_again, "Radius of every body.").above(0).dimension = Dimension::Length;
    t.key("diameter", Type::Number, radius(0.5), radius_again, "The same by diameter.").above(0).dimension = Dimension::Length;
    t.list<SizeClass>("classes", append_class, all_classes, class_table(), "Radii of several classes.").from(1);
    t.key(
         "share_by", Type::Word,
         [](SceneShape& shape, const Value& value) { shape.size.share_by_mass = std::get<std::string>(value) == "mass"; },
         [](const SceneShape& shape) -> std::optional<Value> { return written(std::string(shape.size.share_by_mass ? "mass" : "number")); },
         "Whether a class's `share` counts bodies or mass.")
        .only_for({"classes"})
        .words = {"number", "mass"};
    t.table("distribution", &SceneShape::size, distribution_table(), "Radii from a continuous distribution.");
    t.place(&SceneShape::place);
    t.one_of({"radius", "diameter", "classes", "distribution"}, choose_size, size_variant);
    return t.build();
}

}  // namespace scree
