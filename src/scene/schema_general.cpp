// The file as a whole, and the tables time, domain, method and output.
#include <fmt/format.h>

#include <algorithm>

#include "scene/checks.hpp"
#include "scene/tables.hpp"

namespace scree {

void check_box(const Vec3& min, const Vec3& max, const TableReading& reading, const std::string& key) {
    const double low[3]{min.x, min.y, min.z}, high[3]{max.x, max.y, max.z};
    for (int i = 0; i < 3; ++i)
        if (!(low[i] < high[i]))
            reading.fail(key,
                         fmt::format("min must be below max in every direction; along {} they are {} and {}", "xyz"[i], low[i], high[i]));
}

void check_direction(const Vec3& direction, const TableReading& reading, const std::string& key) {
    // Far from where the square under- or overflows.
    const double length = norm(direction);
    if (!(length > 1e-100 && length < 1e100))
        reading.fail(key, fmt::format("gives a direction, so its length must be above 0 and ordinary, not {}", length));
}

TablePtr time_table() {
    TableOf<SceneTime> t("[time]", "How long to simulate, and in which steps.");
    t.number("step", &SceneTime::step, Dimension::Time, "Time step; \"auto\" takes it from the stiffest contact.")
        .above(0)
        .empty_as("auto");
    t.number("end", &SceneTime::end, Dimension::Time, "Simulated time at which the run ends.").required().above(0);
    t.place(&SceneTime::step_place);
    t.check([](SceneTime& time, const TableReading& reading) {
        time.step_place = reading.at("step");
        if (time.step && *time.step > time.end)
            reading.fail("step", fmt::format("must not be longer than the run: step {} s, end {} s", *time.step, time.end));
    });
    return t.build();
}

TablePtr domain_table() {
    TableOf<SceneDomain> t("[domain]", "Gravity, and the box that bodies may not leave.");
    t.vector("gravity", &SceneDomain::gravity, Dimension::Acceleration, "Acceleration of gravity.");
    t.vector("min", &SceneDomain::min, Dimension::Length, "Lower corner of the domain; `-inf` is open.").infinite();
    t.vector("max", &SceneDomain::max, Dimension::Length, "Upper corner of the domain; `inf` is open.").infinite();
    t.word("leave", &SceneDomain::leave, {"stop", "remove"},
           "What happens when the centre of a body leaves the domain: stop the run, or remove the body and count it.");
    t.key("check_every", Type::Integer, &SceneDomain::check_every, "Steps between two looks for bodies that left.").from(1).to(kMostBodies);
    t.place(&SceneDomain::place);
    t.check([](SceneDomain& domain, const TableReading& reading) {
        check_box(domain.min, domain.max, reading, reading.has("max") ? "max" : "min");
    });
    return t.build();
}

bool law_is(const Scene& scene, std::initializer_list<const char*> laws) {
    return std::any_of(laws.begin(), laws.end(), [&](const char* law) { return scene.method.law == law; });
}

Dimension stiffness_dimension(const Scene& scene) {
    return law_is(scene, {"power"}) ? Dimension::Number : Dimension::Stiffness;
}

TablePtr method_table() {
    TableOf<SceneMethod> t("[method]", "How contacts are resolved.");
    t.word("kind", &SceneMethod::kind, {"penalty"}, "Contact method: `penalty` resolves each contact by springs, dashpots and friction.")
        .planning({"cone", "hard"});
    t.word(
        "law", &SceneMethod::law, {"hertz", "linear", "volume", "power"},
        "Contact law: Hertz-Mindlin from the elastic constants; linear springs of one stiffness; `volume`, for scenes of polyhedra alone, "
        "from the elastic constants with the volume shared as potential; or `power`: stiffness times overlap^1.5 with viscous damping "
        "and friction and no memory (BLAZE-DEM), which has no use for restitution.");
    t.number("stiffness", &SceneMethod::stiffness, Dimension::Stiffness,
             "Normal spring of the linear law; under `power` K_r, a plain number in N/m^1.5.")
        .required()
        .above(0)
        .only_for({"linear", "power"})
        .dimension_when = stiffness_dimension;
    t.number("tangential_ratio", &SceneMethod::tangential_ratio, Dimension::Number, "Tangential over normal spring of the linear law.")
        .above(0)
        .to(10)
        .only_for({"linear"});
    t.number("damping", &SceneMethod::damping, Dimension::Number,
             "Normal dashpot K_D of the power law, a plain number in N s/m^1.5: the force is K_D times overlap^0.5 times speed.")
        .from(0)
        .only_for({"power"});
    t.number("tangential_damping", &SceneMethod::tangential_damping, Dimension::Damping,
             "Tangential dashpot K_T of the power law, up to the friction limit.")
        .from(0)
        .only_for({"power"});
    t.word(
        "patch", &SceneMethod::patch, {"overlap", "vertices"},
        "How the contact of polyhedra becomes one force: from the volume they share, or from the vertices inside the other body (pairs and "
        "planes; cylinders and meshes use the volume always).");
    t.number("overlap_warning", &SceneMethod::overlap_warning, Dimension::Number,
             "Overlap over the smaller radius past which a warning is given; the automatic step is chosen for it.")
        .above(0)
        .to(1);
    t.number("overlap_limit", &SceneMethod::overlap_limit, Dimension::Number,
             "Overlap over the smaller radius past which the run stops; of polyhedra the mean depth over the bounding radius, or over 1.7 "
             "inradii "
             "of flat ones.")
        .above(0)
        .to(1);
    t.number("skin", &SceneMethod::skin, Dimension::Length, "Margin of the pair list; results do not depend on it.")
        .from(0)
        .empty_as("auto");
    t.word("search", &SceneMethod::search, {"auto", "brute", "grid", "levels"},
           "Broad phase: all pairs, one grid, or one grid per size class; results do not depend on it.");
    t.place(&SceneMethod::place);
    t.select_by("law", [](const SceneMethod& method) { return method.law; });
    t.check([](SceneMethod& method, const TableReading& reading) {
        if (method.overlap_limit < method.overlap_warning)
            reading.fail(reading.has("overlap_limit") ? "overlap_limit" : "overlap_warning",
                         fmt::format("the limit ({}) must not be below the warning ({})", method.overlap_limit, method.overlap_warning));
    });
    return t.build();
}

TablePtr output_table() {
    TableOf<SceneOutput> t("[output]", "What is written while the run goes on; never changes its results.");
    t.number("every", &SceneOutput::every, Dimension::Time, "Simulated time between frames; 0 writes the first and the last only.").from(0);
    t.key("contacts", Type::Flag, &SceneOutput::contacts, "Write the touching contacts into each frame.");
    t.key("orientation", Type::Flag, &SceneOutput::orientation, "Integrate and write orientations.");
    t.number("checkpoint_every", &SceneOutput::checkpoint_every, Dimension::Time,
             "Wall-clock time between checkpoints; 0 writes one at the end and when interrupted only.")
        .from(0);
    t.place(&SceneOutput::place);
    return t.build();
}

const Table& scene_schema() {
    static const TablePtr schema = [] {
        TableOf<Scene> t("", "Keys before the first table.");
        t.key("title", Type::Text, &Scene::title, "A line for people.").otherwise("empty");
        t.key("dimensions", Type::Integer, &Scene::dimensions, "Dimensions of space.")
            .from(3)
            .to(3)
            .because("two dimensions are not in this version");
        t.table("time", &Scene::time, time_table(), "").required();
        t.table("domain", &Scene::domain, domain_table(), "");
        t.table("method", &Scene::method, method_table(), "");
        t.named_tables("material", &Scene::materials, material_table(), "");
        t.tables("material_pair", &Scene::material_pairs, material_pair_table(), "");
        t.named_tables("shape", &Scene::shapes, shape_table(), "");
        t.tables("bodies", &Scene::bodies, bodies_table(), "");
        t.tables("wall", &Scene::walls, wall_table(), "");
        t.tables("measure", &Scene::measures, measure_table(), "");
        t.table("output", &Scene::output, output_table(), "");
        t.check(check_scene);
        return t.build();
    }();
    return *schema;
}

}  // namespace scree
