// The table measure.
#include <fmt/format.h>

#include "scene/tables.hpp"

namespace scree {

TablePtr measure_table() {
    TableOf<SceneMeasure> t("[[measure]]", "A quantity to follow over time; each is one or more columns of `series.csv`.");
    t.word(
         "kind", &SceneMeasure::kind,
         {"energy", "momentum", "mass_in", "count", "coordination", "max_overlap", "contact_kinds", "wall_load", "body", "joint", "solver",
          "pressure", "density", "extent", "stress", "wall_place", "cell", "streams", "bonds"},
         "What is measured; `pressure` of hard particles alone, from their collisions since the start; `density` of fluids alone, how much "
         "they are compressed; `extent` how far bodies, as the spheres that bound them, reach along each axis; `stress` stress, solid "
         "fraction, coordination and fabric of a box, or of a domain that is periodic along every axis; `wall_place` how far walls have "
         "gone; `cell` strains, lengths and rates of a periodic domain; `streams` what has come by [[insert]] and "
         "gone by [[remove]]; `bonds` how many [[bond]]s hold, how others broke, their energy, and into how many parts what they joined "
         "has fallen.")
        .required();
    t.key("name", Type::Name, &SceneMeasure::name, "Name of its columns; every measure has its own.").otherwise("the kind");
    t.number("every", &SceneMeasure::every, Dimension::Time, "Simulated time between values; 0: with every output frame.").from(0);
    t.box("box", &SceneMeasure::region, &SceneMeasure::box_min, &SceneMeasure::box_max,
          "Region to look at: lower and upper corner of a box.")
        .only_for({"mass_in", "stress"});
    t.same(
         "cylinder", [](const SceneMeasure& measure) { return measure.region == "cylinder"; },
         cylinder_table(&SceneMeasure::point, &SceneMeasure::axis, &SceneMeasure::radius, &SceneMeasure::length),
         "Region to count in: a cylinder.")
        .only_in(3)
        .only_for({"mass_in"});
    t.key("material", Type::Name, &SceneMeasure::material, "Bodies of this material alone count.")
        .only_for({"mass_in"})
        .reference("material")
        .otherwise("all");
    t.number("min_radius", &SceneMeasure::min_radius, Dimension::Length,
             "Bodies of this radius or more alone count, of all but spheres that of the sphere about the centre of mass that holds them.")
        .from(0)
        .only_for({"mass_in"});
    t.number("max_radius", &SceneMeasure::max_radius, Dimension::Length, "Bodies of this radius or less alone count.")
        .above(0)
        .infinite()
        .only_for({"mass_in"});
    t.key("wall", Type::Name, &SceneMeasure::wall, "Wall whose load or place is measured.")
        .only_for({"wall_load", "wall_place"})
        .reference("wall")
        .otherwise("all walls");
    t.key("body", Type::Name, &SceneMeasure::body, "Body whose place, orientation, velocities and accelerations are followed.")
        .required()
        .only_for({"body"})
        .reference("body");
    t.key("joint", Type::Name, &SceneMeasure::joint, "Joint whose force, torque, angle, travel, motor and violation are followed.")
        .required()
        .only_for({"joint"})
        .reference("joint");
    t.place(&SceneMeasure::place);
    t.select_by("kind", [](const SceneMeasure& measure) { return measure.kind; });
    t.check([](SceneMeasure& measure, const TableReading& reading) {
        if (measure.kind == "stress" && reading.scene.domain.periodic.size() != static_cast<std::size_t>(reading.scene.dimensions) &&
            !reading.has("box"))
            reading.fail("kind", "\"stress\" needs a box where the domain is not periodic along every axis");
        if (measure.kind == "cell" && reading.scene.domain.periodic == "none")
            reading.fail("kind", "\"cell\" is of a periodic domain: give domain.periodic");
        if (measure.kind != "mass_in" && measure.kind != "stress") return;
        if (!(measure.min_radius <= measure.max_radius))
            reading.fail("max_radius", fmt::format("must not be below min_radius = {}, but is {}", measure.min_radius, measure.max_radius));
        if (measure.kind == "mass_in" && reading.has("box") == reading.has("cylinder"))
            reading.fail("kind", "\"mass_in\" needs one region: box or cylinder");
        if (reading.scene.dimensions == 2) {
            measure.box_min.z = -kInfinity;
            measure.box_max.z = kInfinity;
        }
        if (reading.has("cylinder")) measure.region = "cylinder";
        if (reading.has("box")) check_box(measure.box_min, measure.box_max, reading, "box");
    });
    return t.build();
}

}  // namespace scree
