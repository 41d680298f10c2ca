// What acts on bodies wherever they are: the table [[drag]], and vectors over time.
#include <fmt/format.h>

#include "scene/tables.hpp"

namespace scree {

TablePtr along_axes_table(const char* name, const char* doc, Dimension dimension) {
    TableOf<SceneAlongAxes> t(name, doc);
    const auto component = [&](const char* axis, SceneFunction SceneAlongAxes::*member) -> Key& {
        return t.function(axis, member, &SceneFunction::constant, is_plain, function_table(dimension), dimension,
                          fmt::format("Along {}: a number, or a function of time.", axis));
    };
    component("x", &SceneAlongAxes::x);
    component("y", &SceneAlongAxes::y);
    component("z", &SceneAlongAxes::z).only_in(3);
    t.place(&SceneAlongAxes::place);
    t.check([](SceneAlongAxes&, const TableReading& reading) {
        if (!reading.has("x") && !reading.has("y") && !reading.has("z"))
            throw Error(reading.place, fmt::format("{}: give x, y or z", reading.label));
    });
    return t.build();
}

TablePtr drag_table() {
    TableOf<SceneDrag> t("[[drag]]",
                         "A medium, at rest or in motion, that slows bodies down, everywhere or in a region, which one is in with its "
                         "centre of mass; several "
                         "add up. A member of a compound is part of its compound. Penalty and cone method.");
    t.key("name", Type::Name, &SceneDrag::name, "Name, for messages; every one has its own.").otherwise("drag1, drag2, …");
    t.word(
        "law", &SceneDrag::law, {"damping", "stokes", "schiller_naumann", "quadratic"},
        "`damping`: force -rate m (v - u) for a velocity u of the medium, and torque -spin_rate I w. Of a sphere of the body's volume, of "
        "radius r: `stokes`: force -6 pi viscosity r (v - u), torque -8 pi viscosity r^3 w; `schiller_naumann`: that force times 1 + 0.15 "
        "Re^0.687 for the Reynolds number Re = 2 r density |v - u| / viscosity, above 1000 that of the coefficient 0.44; `quadratic`: "
        "force "
        "-1/2 coefficient density pi r^2 |v - u| (v - u), no torque.");
    t.select_by("law", [](const SceneDrag& drag) { return drag.law; });
    t.number("rate", &SceneDrag::rate, Dimension::Frequency, "At which velocities go to that of the medium.")
        .from(0)
        .only_for({"damping"})
        .required();
    t.number("spin_rate", &SceneDrag::spin_rate, Dimension::Frequency, "At which spins go to nothing.")
        .from(0)
        .only_for({"damping"})
        .otherwise("as `rate`");
    t.number("viscosity", &SceneDrag::viscosity, Dimension::Viscosity, "Dynamic viscosity of the medium.")
        .above(0)
        .only_for({"stokes", "schiller_naumann"})
        .required();
    t.number("density", &SceneDrag::density, Dimension::Density, "Of the medium. Needed by `schiller_naumann`, `quadratic` and `buoyancy`.")
        .above(0);
    t.number("coefficient", &SceneDrag::coefficient, Dimension::Number, "Drag coefficient.").above(0).only_for({"quadratic"}).required();
    t.key("buoyancy", Type::Flag, &SceneDrag::buoyancy,
          "The weight of the medium that a body displaces acts against gravity and what is beside it at the time; a body displaces its "
          "volume. "
          "Walls with a mass have none, and no radius.");
    t.optional_table("velocity", &SceneDrag::velocity, along_axes_table("velocity", "Velocity of the medium.", Dimension::Velocity),
                     "Velocity of the medium; at rest without.");
    t.optional_table("region", &SceneDrag::region, region_table(true), "Where it acts; everywhere without.");
    t.number("from", &SceneDrag::from, Dimension::Time, "Simulated time from which it acts.").from(0);
    t.number("to", &SceneDrag::to, Dimension::Time, "Simulated time up to which it acts.").infinite();
    t.place(&SceneDrag::place);
    t.check([](SceneDrag& drag, const TableReading& reading) {
        if (!(drag.from < drag.to)) reading.fail("to", fmt::format("must be above from = {}, not {}", drag.from, drag.to));
        const bool needs = drag.law == "schiller_naumann" || drag.law == "quadratic";
        if (drag.density) {
            if (!needs && !drag.buoyancy) reading.fail("density", fmt::format("does nothing with law = \"{}\" without buoyancy", drag.law));
        } else if (needs || drag.buoyancy) {
            throw Error(reading.place,
                        fmt::format("[[drag]] with {} needs \"density\"", needs ? "law = \"" + drag.law + "\"" : std::string("buoyancy")));
        }
    });
    return t.build();
}

}  // namespace scree
